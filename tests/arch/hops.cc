#include "arch/hops.h"

#include <algorithm>
#include <array>
#include <optional>
#include <regex>

namespace arch {

namespace {

constexpr auto kStages = std::to_array<std::string_view>({"event in", "discover", "plan", "ask", "respond", "run",
                                                          "interpret", "combine", "finalize", "record", "answer out"});

bool is_word_char(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Where `name(`, or `name<…>(`, stands as a whole word.
size_t find_call(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    if (at > 0 && is_word_char(text[at - 1])) continue;
    std::string_view rest = text.substr(at + name.size());
    if (rest.starts_with('<')) rest = rest.substr(std::min(rest.find('>'), rest.size() - 1) + 1);
    if (rest.starts_with('(')) return at;
  }
  return std::string_view::npos;
}

size_t indentation_of(std::string_view line) {
  const size_t at = line.find_first_not_of(' ');
  return at == std::string_view::npos ? line.size() : at;
}

/// Whether a line may begin the definition of a function: a type or a class stands before its name.
bool may_define(std::string_view line, std::string_view name) {
  constexpr auto kStatements = std::to_array<std::string_view>({"if ", "for ", "while ", "switch ", "return ", "}"});
  const size_t indentation = indentation_of(line);
  const size_t at = find_call(line, name);
  if (indentation > 2 || at == std::string_view::npos || at == indentation) return false;
  const std::string_view words = line.substr(indentation);
  if (std::ranges::any_of(kStatements, [&](std::string_view word) { return words.starts_with(word); })) return false;
  const std::string_view before = line.substr(indentation, at - indentation);
  return before.find_first_of("=(.;\"") == std::string_view::npos && !before.ends_with("->");
}

/// The body of a function of that name; nothing when the file does not define one. The sources are formatted: the line
/// that closes a body is indented as the one that began its definition.
std::optional<std::string> body_of(const SourceFile& file, std::string_view name) {
  const std::vector<std::string>& lines = file.lines;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!may_define(lines[i], name)) continue;
    size_t open = i;
    while (open < lines.size() && !lines[open].ends_with('{') && !lines[open].ends_with('}') &&
           !lines[open].ends_with(';')) {
      ++open;
    }
    if (open == lines.size() || lines[open].ends_with(';')) continue;
    std::string body = lines[open].substr(std::min(lines[open].find('{'), lines[open].size()));
    if (lines[open].ends_with('}')) return body;
    const std::string close = std::string(indentation_of(lines[i]), ' ') + "}";
    for (size_t k = open + 1; k < lines.size() && lines[k] != close; ++k) body += "\n" + lines[k];
    return body;
  }
  return std::nullopt;
}

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names;
  for (size_t from = 0; from < text.size();) {
    const size_t end = std::min(text.find(", ", from), text.size());
    names.push_back(text.substr(from, end - from));
    from = end + 2;
  }
  return names;
}

class HopCheck {
 public:
  HopCheck(const std::vector<Hop>& hops, const std::vector<SourceFile>& files, const std::string& page)
      : hops_(hops), files_(files), page_(page) {}

  Findings run() {
    for (const Hop& hop : hops_) bodies_.push_back(find_body(hop));
    for (size_t i = 0; i < hops_.size(); ++i) check_call(i);
    check_stages();
    check_folders();
    check_command_line();
    for (size_t i = 0; i < hops_.size(); ++i) check_no_way_back(i);
    return std::move(findings_);
  }

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  void report(const Hop& hop, std::string message) { findings_.push_back({page_, hop.line, std::move(message)}); }

  std::string find_body(const Hop& hop) {
    const auto file = std::ranges::find(files_, hop.path, &SourceFile::path);
    auto body = file == files_.end() ? std::nullopt : body_of(*file, hop.function);
    if (!body) report(hop, hop.path + " defines no function " + hop.function);
    return body.value_or("");
  }

  /// The hop that calls this one.
  size_t caller_of(size_t index) const {
    for (size_t i = index; i-- > 0;) {
      if (hops_[i].depth < hops_[index].depth) return i;
    }
    return kNone;
  }

  void check_call(size_t index) {
    const Hop& hop = hops_[index];
    const size_t caller = caller_of(index);
    if (caller == kNone || hop.by == "exec") return;
    const std::string& called = hop.by.empty() ? hop.function : hop.by;
    if (find_call(bodies_[caller], called) != std::string::npos) return;
    report(hop, hops_[caller].function + " of " + hops_[caller].path + " does not call " + called);
  }

  void check_stages() {
    size_t next = 0;
    for (const Hop& hop : hops_) {
      if (hop.stage.empty()) continue;
      const auto* const found = std::ranges::find(kStages, hop.stage);
      if (found == kStages.end()) {
        report(hop, "'" + hop.stage + "' is no stage");
      } else if (static_cast<size_t>(found - kStages.begin()) < next) {
        report(hop, "stage '" + hop.stage + "' comes too late, or twice");
      } else {
        next = static_cast<size_t>(found - kStages.begin()) + 1;
      }
    }
    for (const std::string_view stage : kStages) {
      if (std::ranges::find(hops_, stage, &Hop::stage) == hops_.end()) {
        findings_.push_back({page_, 0, "no hop enters stage '" + std::string(stage) + "'"});
      }
    }
  }

  /// Whether the hop, or one that led to it, names a stage of the same folder.
  bool belongs_to_stage(size_t index) const {
    for (size_t i = index; i != kNone; i = caller_of(i)) {
      if (folder_of(hops_[i].path) != folder_of(hops_[index].path)) return false;
      if (!hops_[i].stage.empty()) return true;
    }
    return false;
  }

  void check_folders() {
    std::vector<std::string> entered;
    for (const Hop& hop : hops_) {
      const std::string folder = folder_of(hop.path);
      if (hop.stage.empty() || (!entered.empty() && entered.back() == folder)) continue;
      const bool was_here = std::ranges::find(entered, folder) != entered.end();
      const bool leaves_as_it_came = hop.stage == kStages.back() && entered.front() == folder;
      if (was_here && !leaves_as_it_came) report(hop, folder + " is entered a second time");
      entered.push_back(folder);
    }
    for (size_t i = 0; i < hops_.size(); ++i) {
      const std::string folder = folder_of(hops_[i].path);
      const bool is_stages = std::ranges::find(entered, folder) != entered.end();
      if (is_stages && !belongs_to_stage(i)) report(hops_[i], folder + " is entered without naming a stage");
    }
  }

  void check_command_line() {
    bool is_inside = false;
    for (const Hop& hop : hops_) {
      if (hop.stage == "discover") is_inside = true;
      if (is_inside && hop.path.starts_with("cli/")) report(hop, "the command line is entered in the middle");
      if (hop.stage == "record") is_inside = false;
    }
  }

  void check_no_way_back(size_t index) {
    const Hop& hop = hops_[index];
    for (size_t i = 0; i < index; ++i) {
      const Hop& behind = hops_[i];
      const bool is_own = behind.function == hop.function || belongs_to_same_folder(behind, hop);
      if (behind.stage.empty() || is_own || hop.path.starts_with("cli/")) continue;
      const bool calls = find_call(bodies_[index], behind.function) != std::string::npos;
      const bool admits = std::ranges::find(hop.again, behind.function) != hop.again.end();
      if (calls && !admits) report(hop, hop.function + " goes back to stage '" + behind.stage + "'");
    }
    for (const std::string& name : hop.again) {
      if (find_call(bodies_[index], name) == std::string::npos) report(hop, "does not call " + name + " again");
    }
  }

  static bool belongs_to_same_folder(const Hop& one, const Hop& other) {
    return folder_of(one.path) == folder_of(other.path);
  }

  const std::vector<Hop>& hops_;
  const std::vector<SourceFile>& files_;
  const std::string& page_;
  std::vector<std::string> bodies_;
  Findings findings_;
};

}  // namespace

std::vector<Hop> read_hops(const SourceFile& page, std::string_view heading, Findings& findings) {
  static const std::regex kHop(R"(( *)(\S+): (\w+)(?: \(by ([\w.]+)\))?(?: \[([a-z ]+)\])?(?: again: (.+))?)");
  std::vector<Hop> hops;
  auto line = std::ranges::find(page.lines, heading);
  line = std::find(line, page.lines.end(), "```");
  for (line = line == page.lines.end() ? line : line + 1; line != page.lines.end() && *line != "```"; ++line) {
    const size_t number = static_cast<size_t>(line - page.lines.begin()) + 1;
    std::smatch parts;
    if (!std::regex_match(*line, parts, kHop)) {
      findings.push_back({page.path, number, "this is no hop: " + *line});
      continue;
    }
    hops.push_back({number, parts[1].str().size(), parts[2], parts[3], parts[4], parts[5], split_names(parts[6])});
  }
  if (hops.empty()) findings.push_back({page.path, 1, "there is no list of hops below '" + std::string(heading) + "'"});
  return hops;
}

Findings check_hops(const std::vector<Hop>& hops, const std::vector<SourceFile>& files, const std::string& page) {
  return HopCheck(hops, files, page).run();
}

}  // namespace arch
