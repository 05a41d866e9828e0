#pragma once

#include <string>
#include <vector>

#include "bridge/json_entries.h"

/// Codex runs a hook only after somebody has approved it. The approval is a digest of the entry in Codex's config.toml,
/// under a key with the entry's position. We write what Codex would write, so that it runs our entries without asking.
///
///   [hooks.state."/home/me/.codex/hooks.json:pre_tool_use:0:0"]     file, event, group, position in the group
///   trusted_hash = "sha256:…"                                       of the entry as canonical JSON
namespace grapnel {

/// One approval: its key and its digest.
struct CodexConsent {
  std::string key;
  std::string hash;

  bool operator==(const CodexConsent&) const = default;
};

/// The approvals that Codex would note for our entries in a hooks.json. `path` is the name by which Codex knows the
/// file.
std::vector<CodexConsent> codex_consents(std::string_view hooks_text, const std::string& path);

/// The config.toml with these approvals. Fails: BadConfig when the file cannot be read, or when it has `hooks.state` in
/// a form that cannot be extended. Then only the user can approve, with `/hooks` in Codex.
Result<std::string> add_codex_consents(std::string_view config, const std::vector<CodexConsent>& consents);

/// The config.toml without the approvals for that file that have one of these digests. Fails: BadConfig.
Result<std::string> remove_codex_consents(std::string_view config, const std::string& path,
                                          const std::vector<CodexConsent>& consents);

}  // namespace grapnel
