#include "bridge/codex_trust.h"

#include <algorithm>

#include "base/error.h"
#include "dialect/dialect.h"
#include "discover/formats/toml_document.h"
#include "discover/formats/toml_text.h"
#include "trust/sha256.h"

namespace grapnel {

namespace {

// config.toml is edited as text, block by block, so that everything else in it stays as it is. After an edit the result
// is parsed again: if an approval cannot be found, the file has a form that this code does not understand, and the edit
// is given up.

constexpr std::string_view kHashKey = "trusted_hash";
constexpr int64_t kUsualTimeout = 600;  // seconds; what Codex takes if the entry has none

/// `PreToolUse` → `pre_tool_use`.
std::string to_snake_case(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (is_upper && !out.empty()) out += '_';
    out += is_upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

/// Codex hashes these members in this order, without white space. Everything that it fills in by default is included.
std::string hash_of(const std::string& event, const Json& entry) {
  const auto text_at = [&](HookKey key) {
    return Json::string(entry[kCodexDialect.key_of(key)].as_string().value_or(""));
  };
  const auto timeout = entry[kCodexDialect.key_of(HookKey::Timeout)].as_integer().value_or(kUsualTimeout);
  const Json canonical_entry = Json::object({{"async", Json::boolean(false)},
                                             {"command", text_at(HookKey::Command)},
                                             {"timeout", Json::number(timeout)},
                                             {"type", text_at(HookKey::Type)}});
  return "sha256:" +
         sha256_of(
             Json::object({{"event_name", Json::string(event)}, {"hooks", Json::array({canonical_entry})}}).dump());
}

/// The line with which the approval's table begins.
std::string header_of(const CodexConsent& consent) {
  return "[hooks.state." + Json::string(consent.key).dump() + "]";
}

Json states_of(const Json& root) {
  return root["hooks"]["state"];
}

Result<Json> parse_codex_config(std::string_view config) {
  auto document = read_toml(config);
  if (!document) return fail(Errc::BadConfig, document.error().message, document.error().at.value_or(SourcePos{}));
  return document->root;
}

bool has_consent(const Json& root, const CodexConsent& consent) {
  return states_of(root)[consent.key][kHashKey].equals_string(consent.hash);
}

/// The blocks of the file that contain these approvals.
std::vector<TomlBlock> blocks_of(std::string_view config, const std::vector<CodexConsent>& consents) {
  std::vector<TomlBlock> out;
  for (const TomlBlock& block : toml_blocks(config)) {
    const auto is_about = [&](const CodexConsent& consent) { return block.header == header_of(consent); };
    if (std::ranges::any_of(consents, is_about)) out.push_back(block);
  }
  return out;
}

}  // namespace

std::vector<CodexConsent> codex_consents(std::string_view hooks_text, const std::string& path) {
  std::vector<CodexConsent> out;
  for (const FoundEntry& found : find_json_entries(hooks_text, kCodexDialect)) {
    const std::string event = to_snake_case(found.event);
    out.push_back({path + ":" + event + ":" + std::to_string(found.group) + ":" + std::to_string(found.index),
                   hash_of(event, found.entry)});
  }
  return out;
}

Result<std::string> add_codex_consents(std::string_view config, const std::vector<CodexConsent>& consents) {
  const auto root = parse_codex_config(config);
  if (!root) return std::unexpected(root.error());
  std::vector<CodexConsent> missing;
  std::vector<CodexConsent> stale;
  for (const CodexConsent& consent : consents) {
    if (has_consent(*root, consent)) continue;
    missing.push_back(consent);
    // The key exists with another digest: the entry was changed since. The old block has to go.
    if (states_of(*root)[consent.key]) stale.push_back(consent);
  }
  if (missing.empty()) return std::string(config);
  const std::string newline(toml_newline(config));
  std::string out = without_blocks(config, blocks_of(config, stale));
  if (!out.empty() && !out.ends_with('\n')) out += newline;
  for (const CodexConsent& consent : missing) {
    out += (out.empty() ? "" : newline) + header_of(consent) + newline + std::string(kHashKey) + " = " +
           Json::string(consent.hash).dump() + newline;
  }
  const auto after = parse_codex_config(out);
  const auto is_there = [&](const CodexConsent& consent) { return has_consent(*after, consent); };
  if (after && std::ranges::all_of(consents, is_there)) return out;
  return fail(Errc::BadConfig, "'hooks.state' is written in a form that Grapnel cannot extend");
}

Result<std::string> remove_codex_consents(std::string_view config, const std::string& path,
                                          const std::vector<CodexConsent>& consents) {
  const auto root = parse_codex_config(config);
  if (!root) return std::unexpected(root.error());
  std::vector<CodexConsent> ours;
  for (const JsonMember& state : states_of(*root).members()) {
    const auto has_hash = [&](const CodexConsent& known) { return state.value[kHashKey].equals_string(known.hash); };
    // An approval is ours if it is for that file and has one of our digests. Its position may have changed.
    if (!state.key.starts_with(path + ":") || std::ranges::none_of(consents, has_hash)) continue;
    ours.push_back({state.key, ""});
  }
  return without_blocks(config, blocks_of(config, ours));
}

}  // namespace grapnel
