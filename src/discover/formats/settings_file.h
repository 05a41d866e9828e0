#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "discover/formats/http_policy.h"
#include "model/registry.h"

/// Reads one settings file, entry by entry: a mistake is reported with its position, and everything else is kept.
///
/// The result is not final. `find/layers.h` combines the files of a dialect, fills in defaults and applies the toggles.
namespace grapnel {

/// What a file says about all hooks. A value is empty if the file does not mention it.
struct Toggles {
  std::optional<bool> enabled;
  std::optional<bool> managed_only;  ///< only hooks from managed files run
  std::vector<std::string> disabled_names;
  std::optional<std::chrono::milliseconds> default_timeout;
  std::optional<OnFailure> on_timeout;
  std::optional<OnFailure> on_failure;
  std::optional<size_t> max_concurrent;
  HttpPolicy http;

  /// These toggles, overridden by those of a later file; disabled names of both are joined.
  Toggles overlaid(const Toggles& later) const;
};

/// A hook as its file has it, before layering fills in defaults. The type of an entry may come after its other keys, so
/// the values for all types are collected here.
struct ParsedHook {
  HookSpec spec;
  std::string event;  ///< wire name, for layering
  std::optional<std::chrono::milliseconds> timeout;
  std::optional<OnFailure> on_failure;
  std::string prompt;
  std::string model;
  HttpHandler post;
  bool goes_on = false;  ///< of a prompt hook: its objection does not end the turn
};

/// The content of one file, and everything that is wrong with it.
struct SettingsFile {
  const Dialect* dialect = nullptr;
  Scope scope = Scope::User;
  std::string path;
  std::string project = {};  ///< the directory that it belongs to; "" if it is not a project's
  Toggles toggles;
  std::vector<ParsedHook> hooks;
  std::vector<std::string> events;  ///< wire names that this file has a list for, even an empty one
  std::vector<ConfigProblem> problems;
  bool is_broken = false;  ///< the file as a whole cannot be used, so none of its hooks was read
};

/// Where a text came from, and how it is written.
struct SettingsOrigin {
  const Dialect* dialect = nullptr;
  Scope scope = Scope::User;
  std::string path;
  PlaceFormat format = PlaceFormat::Settings;
};

/// Reads JSON with comments, or TOML. A file with a syntax error has one problem and no hooks.
SettingsFile read_settings(std::string text, const SettingsOrigin& origin);

/// Reads a configuration object the host handed in.
SettingsFile read_settings(const Json& root, const SettingsOrigin& origin);

/// The format of a file, judged by its name.
PlaceFormat format_of(std::string_view path);

/// The text of a settings file as one value. Fails: BadInput or LimitExceeded, with the position (its file is empty).
Result<Json> parse_settings(const std::string& text, PlaceFormat format);

/// The dialects that a settings object may be written in; none when it names no event or setting of any dialect. Among
/// those that it does, the one that has a file called like `path` wins, otherwise those of which it has the most names;
/// `likely`, which may be null, wins among these. If there are several, the file is read as one of the first.
std::vector<const Dialect*> fitting_dialects(const Json& root, std::string_view path = {},
                                             const Dialect* likely = nullptr);

/// The first of these dialects, or null.
const Dialect* detect_dialect(const Json& root, std::string_view path = {});

}  // namespace grapnel
