#pragma once

#include <string>
#include <vector>

#include "bridge/json_entries.h"

/// Codex runs a hook once somebody agreed to it: its config.toml then has, under the hook's place, a digest of the
/// entry. We write what it would write, so that it neither stays silent nor asks.
///
///   [hooks.state."/home/me/.codex/hooks.json:pre_tool_use:0:0"]     file, event, group, position in it
///   trusted_hash = "sha256:…"                                       of the entry as canonical JSON
namespace grapnel {

struct CodexConsent {
  std::string key;
  std::string hash;

  bool operator==(const CodexConsent&) const = default;
};

/// What Codex would note about our entries in a hooks.json that it knows by `path`.
std::vector<CodexConsent> codex_consents(std::string_view hooks_text, const std::string& path);

/// A config.toml that has these notes. Fails: BadConfig when it cannot be read or says such things in a way that cannot
/// be added to; then only its user can agree, with `/hooks` in Codex.
Result<std::string> add_codex_consents(std::string_view config, const std::vector<CodexConsent>& consents);

/// Without the notes about a file that have one of these digests. Fails: BadConfig.
Result<std::string> remove_codex_consents(std::string_view config, const std::string& path,
                                          const std::vector<CodexConsent>& consents);

}  // namespace grapnel
