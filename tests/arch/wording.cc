#include "arch/wording.h"

#include <set>

namespace arch {

namespace {

/// The string literals of one line of code, without comments. Raw strings and literals over several lines are read as
/// if each line stood alone, which is enough to look for words in them.
std::vector<std::string> literals_in(std::string_view line) {
  std::vector<std::string> out;
  bool inside = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (inside && line[i] == '\\') {
      out.back() += line.substr(i++, 2);
    } else if (line[i] == '"' && !(i > 0 && line[i - 1] == '\'')) {
      inside = !inside;
      if (inside) out.emplace_back();
    } else if (inside) {
      out.back() += line[i];
    } else if (line.substr(i).starts_with("//")) {
      break;
    }
  }
  return out;
}

/// `notification` may be said anywhere; `before-model` and `BeforeModel` are names.
bool is_plain_word(std::string_view name) {
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string_view::npos;
}

struct Names {
  std::set<std::string> canonical;
  std::set<std::string> foreign;
};

Names names_of_tables(const std::vector<SourceFile>& files) {
  Names names;
  for (const SourceFile& file : files) {
    if (!file.path.starts_with("src/dialect/agents/")) continue;
    auto& target = file.path.ends_with("/canonical.cc") ? names.canonical : names.foreign;
    for (const std::string& line : file.lines) {
      const size_t at = line.find(".wire_name = ");
      // Aliases of tools are no names of events: models and people say "Agent" for other reasons.
      const bool aliases =
          line.find("Aliases = ") != std::string::npos && line.find("<ToolAlias>") == std::string::npos;
      if (at == std::string::npos && !aliases) continue;
      const std::vector<std::string> literals = literals_in(aliases ? line : line.substr(at));
      target.insert(literals.begin(), aliases || literals.empty() ? literals.end() : literals.begin() + 1);
    }
  }
  for (const std::string& name : names.canonical) names.foreign.erase(name);
  std::erase_if(names.foreign, is_plain_word);
  return names;
}

std::vector<std::string> words_of(std::string_view text) {
  constexpr std::string_view kWordCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  std::vector<std::string> out;
  for (size_t begin = text.find_first_of(kWordCharacters); begin != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_not_of(kWordCharacters, begin), text.size());
    out.emplace_back(text.substr(begin, end - begin));
    begin = text.find_first_of(kWordCharacters, end);
  }
  return out;
}

/// The event name a literal must not have, or "".
std::string misplaced_name(const Names& names, const std::string& literal, bool in_model) {
  if (!in_model && names.canonical.contains(literal)) return literal;
  for (const std::string& word : words_of(literal)) {
    if (names.foreign.contains(word)) return word;
  }
  return "";
}

}  // namespace

Findings check_event_names(const std::vector<SourceFile>& files) {
  const Names names = names_of_tables(files);
  Findings findings;
  for (const SourceFile& file : files) {
    const std::string folder = folder_of(file.path);
    if (folder == "src/dialect" || folder == "src/bridge") continue;
    for (size_t i = 0; i < file.lines.size(); ++i) {
      for (const std::string& literal : literals_in(file.lines[i])) {
        const std::string name = misplaced_name(names, literal, folder == "src/model");
        if (!name.empty())
          findings.push_back({file.path, i + 1, "the event name '" + name + "' belongs to a dialect table"});
      }
    }
  }
  return findings;
}

}  // namespace arch
