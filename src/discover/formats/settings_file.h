#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "discover/formats/http_policy.h"
#include "model/registry.h"

/// One settings file, read entry by entry: what is wrong is noted with its place, what is right is kept.
namespace grapnel {

/// What a file says about all hooks.
struct Toggles {
  std::optional<bool> enabled;
  std::optional<bool> managed_only;
  std::vector<std::string> disabled_names;
  std::optional<std::chrono::milliseconds> default_timeout;
  std::optional<OnFailure> on_timeout;
  std::optional<OnFailure> on_failure;
  std::optional<size_t> max_concurrent;
  HttpPolicy http;

  /// These, overridden by what a lower or later file says; disabled names are united.
  Toggles overlaid(const Toggles& later) const;
};

/// A hook as its file has it, before layering fills in defaults.
struct ParsedHook {
  HookSpec spec;
  std::string event;  ///< wire name, for layering
  std::optional<std::chrono::milliseconds> timeout;
  std::optional<OnFailure> on_failure;
  std::string prompt;
  std::string model;
  HttpHandler post;
  bool goes_on = false;  ///< of a prompt hook
};

struct SettingsFile {
  const Dialect* dialect = nullptr;
  Scope scope = Scope::User;
  std::string path;
  Toggles toggles;
  std::vector<ParsedHook> hooks;
  std::vector<std::string> events;  ///< wire names this file has an array for, even an empty one
  std::vector<ConfigProblem> problems;
};

/// Where a text came from.
struct SettingsOrigin {
  const Dialect* dialect = nullptr;
  Scope scope = Scope::User;
  std::string path;
  PlaceFormat format = PlaceFormat::Settings;
};

/// Reads JSON with comments, or TOML. A file that is neither is one problem and no hooks.
SettingsFile read_settings(std::string text, const SettingsOrigin& origin);

/// Reads a configuration object the host handed in.
SettingsFile read_settings(const Json& root, const SettingsOrigin& origin);

/// What a file of that name is written in.
PlaceFormat format_of(std::string_view path);

/// A settings file's text as one value. Fails: BadInput or LimitExceeded, with the position (file is left empty).
Result<Json> parse_settings(const std::string& text, PlaceFormat format);

/// The dialect of a settings object: of those whose events or settings it names, the one that keeps its hooks in a file
/// called like `path`, else the one it names most of; null when it names none.
const Dialect* detect_dialect(const Json& root, std::string_view path = {});

}  // namespace grapnel
