#include "protect/call_review.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include "grapnel/tool.h"

#include "base/shell_word.h"
#include "base/text.h"
#include "call/patch.h"
#include "dialect/dialect.h"
#include "dialect/payload.h"
#include "protect/own_review.h"
#include "protect/shell_review.h"

namespace grapnel::protect {

namespace {

/// A longer text cannot be the name of a file.
constexpr size_t kMaxName = 4096;
constexpr int kMaxDepth = 16;

/// The keys that some dialect uses for a command.
const std::set<std::string_view>& command_keys() {
  static const std::set<std::string_view> kKeys = [] {
    std::set<std::string_view> out;
    const auto add = [&](const Dialect& dialect) {
      const auto keys = dialect.tools.input_keys.command_keys;
      out.insert(keys.begin(), keys.end());
    };
    add(kCanonicalDialect);
    for (const Dialect* dialect : all_dialects()) add(*dialect);
    return out;
  }();
  return kKeys;
}

/// The command as shell text. Some agents send a list of words instead.
std::string command_text(const Json& value) {
  if (auto text = value.as_string()) return std::move(*text);
  std::string out;
  for (const Json& word : value.elements()) out += (out.empty() ? "" : " ") + quote_word(word.as_string().value_or(""));
  return out;
}

/// Reviews the input of one call. All strings at any depth are checked, not only those under known keys: a tool that
/// nobody knows may call its file anything.
class InputReview {
 public:
  InputReview(const ProtectedPlaces& places, ReviewContext around) : places_(places), around_(std::move(around)) {}

  /// The reason for this value, or ""; the first one found is enough.
  std::string concern(const Json& value, int depth = 0) const {
    if (depth > kMaxDepth) return "the input of this call is nested too deeply to be checked";
    if (const auto text = value.as_string()) return concern_in_text(*text);
    for (const JsonMember& member : value.members()) {
      const bool is_command = command_keys().contains(member.key) && !member.value.is_object();
      std::string why = is_command ? concern_in_command(member.value, value) : concern(member.value, depth + 1);
      if (!why.empty()) return why;
    }
    for (const Json& element : value.elements()) {
      if (std::string why = concern(element, depth + 1); !why.empty()) return why;
    }
    return "";
  }

 private:
  /// Reviews a command. Agents have different keys for the directory in which it runs, so any other string in the input
  /// that is a directory may be the one.
  std::string concern_in_command(const Json& command, const Json& input) const {
    ReviewContext around = around_;
    for (const JsonMember& member : input.members()) {
      const auto name = member.value.as_string();
      if (!name || name->empty() || name->size() > kMaxName || member.value == command) continue;
      const std::string path = absolute_name(*name, around_);
      std::error_code error;
      if (std::filesystem::is_directory(path, error)) around.also.push_back(path);
    }
    const std::string text = command_text(command);
    // Some tools take a patch where others take a command.
    if (text::trim(text).starts_with("*** Begin Patch")) return concern_in_text(text);
    return concern_in_shell(places_, around, text);
  }

  /// Reviews a text: one line may be the name of a file, several lines may be a patch that names files.
  std::string concern_in_text(const std::string& text) const {
    // A cell of a notebook: `!cmd` runs a command.
    for (const std::string_view line : text::split(text, '\n')) {
      if (text::trim(line).starts_with('!') && names_verb_for_people(line)) {
        return "it would run a verb of grapnel that is for people";
      }
    }
    if (!text.contains('\n')) return concern_in_name(text);
    for (const call::PatchFile& file : call::files_of_patch(text)) {
      // A file that git copies from is only read.
      if (file.by == call::PatchFile::By::Source) continue;
      if (std::string why = concern_in_name(file.name); !why.empty()) return why;
    }
    return "";
  }

  std::string concern_in_name(std::string_view name) const {
    if (name.starts_with("file://")) name.remove_prefix(std::string_view("file://").size());
    if (name.empty() || name.size() > kMaxName || name.contains('\0')) return "";
    const ProtectedPlace* place = places_.at(absolute_name(name, around_));
    return place == nullptr ? "" : "it would change " + place->path + " (" + place->what + ")";
  }

  const ProtectedPlaces& places_;
  ReviewContext around_;
};

/// Whether tools of this kind write no files themselves, whatever their input is.
bool only_reads(ToolKind kind) {
  return access_of(kind) == ToolAccess::ReadOnly || kind == ToolKind::Fetch || kind == ToolKind::Task;
}

/// The input without the names of directories that every call has: a project may be called like Grapnel.
std::string without(std::string input, std::initializer_list<std::string_view> directories) {
  for (const std::string_view directory : directories) {
    if (directory.size() < 2) continue;
    for (size_t at = 0; (at = input.find(directory, at)) != std::string::npos;) input.erase(at, directory.size());
  }
  return input;
}

/// Whether a call that writes a file that is read when something starts would put something else in the place of
/// Grapnel, of its settings or of the files of hooks.
bool leads_elsewhere(std::string_view input, const std::string& project_dir, const ProtectedPlaces& places) {
  const auto has_any = [&](const auto& texts) {
    return std::ranges::any_of(texts, [&](std::string_view text) { return input.contains(text); });
  };
  constexpr auto kWays = std::to_array<std::string_view>(
      {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "LD_PRELOAD", "ld.so.preload", "PATH=/tmp"});
  if (has_any(kWays) || input.contains("PATH=" + project_dir)) return true;
  // The names of places are many, so they are compared only where such a file may be named.
  constexpr auto kStarters = std::to_array<std::string_view>(
      {"hooks/", ".husky", "profile", "bashrc", "zsh", "autostart", "systemd", "devcontainer", "cron", ".envrc"});
  return has_any(kStarters) && places.is_mentioned(without(std::string(input), {project_dir}));
}

/// The same places, and the files that are read when something starts.
PlaceFinders also_starters(const PlaceFinders& find) {
  PlaceFinders out = find;
  out.fixed = [fixed = find.fixed, starters = find.starters] {
    std::vector<ProtectedPlace> all = fixed();
    if (starters) std::ranges::move(starters(), std::back_inserter(all));
    return all;
  };
  return out;
}

}  // namespace

CallReview::CallReview(PlaceFinders find_places, std::string project_dir, std::string home, shell::Variables known)
    : places_(find_places),
      with_starters_(also_starters(find_places)),
      project_dir_(std::move(project_dir)),
      home_(std::move(home)),
      known_(std::move(known)) {}

std::string CallReview::concern(const Event& event) const {
  const bool is_call = event.kind() == EventKind::PreToolUse || event.kind() == EventKind::PermissionRequest;
  if (!is_call) return "";
  const std::string tool = event.text(Field::ToolName);
  const ToolKind kind = tool_kind(tool, dialect_of_tool(tool, event.dialect_name()));
  if (only_reads(kind)) return "";
  std::string directory = event.text(Field::Cwd);
  // The event names no usable directory.
  if (!directory.starts_with('/')) directory = project_dir_;
  const Json input = field_as(event, event.dialect(), Field::ToolInput);
  const std::string said = input.dump();
  const bool is_about_guards = (mentions_guards(said) && mentions_guards(without(said, {project_dir_, home_}))) ||
                               leads_elsewhere(said, project_dir_, places_);
  const ProtectedPlaces& places = is_about_guards ? with_starters_ : places_;
  shell::Variables known = known_;
  known.emplace("PWD", directory);
  return InputReview(places, {.directory = std::move(directory), .home = home_, .known = std::move(known)})
      .concern(input);
}

}  // namespace grapnel::protect
