#include "run/warm_fitness.h"

#include <algorithm>

#include "dialect/dialect.h"

namespace grapnel {

namespace {

/// Longer files are no scripts.
constexpr size_t kMaxScript = size_t{1} << 20;

bool is_name_char(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool mentions(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    const bool is_whole = (at == 0 || !is_name_char(text[at - 1])) && (end == text.size() || !is_name_char(text[end]));
    if (is_whole) return true;
  }
  return false;
}

/// The first variable in the text that a warm hook would not have; "" if there is none.
std::string_view mentioned(std::string_view text, const Dialect& dialect) {
  for (const std::string_view name : variables_given_up(dialect)) {
    if (mentions(text, name)) return name;
  }
  return "";
}

std::string needs_text(std::string_view who, std::string_view variable) {
  return std::string(who) + " mentions " + std::string(variable) + ", which is not known before the event";
}

}  // namespace

std::vector<std::string_view> variables_given_up(const Dialect& dialect) {
  std::vector<std::string_view> names;
  for (const VariableRow& row : dialect.process.variables) {
    if (row.per_event) names.push_back(row.name);
  }
  return names;
}

std::string why_never_warm(const HookSpec& hook) {
  const CommandHandler* command = hook.command();
  if (command == nullptr) return "it is not a command that is started for each event";
  if (hook.async || hook.detach || hook.debounce.is_set()) return "nobody waits for it";
  if (hook.sandbox && hook.sandbox->is_restricting()) return "its sandbox is made for each event";
  if (command->takes_files) return "its files are not known before the event";
  std::string text = command->command;
  for (const std::string& argument : command->args.value_or(std::vector<std::string>{})) text += "\n" + argument;
  for (const auto& [name, value] : command->env) text += "\n" + name + "\n" + value;
  const std::string_view variable = mentioned(text, *hook.dialect);
  return variable.empty() ? "" : needs_text("its command", variable);
}

WarmFiles::WarmFiles(const HookSpec& hook, const std::string& project, const ChildSpec& child) {
  const std::vector<std::string> named = files_of_program(hook, project, child);
  // The stamps come before the reading: a file that changes in between is another one at the next look.
  stamps_ = stamps_of(named);
  for (const std::string& file : named) {
    const auto text = os::read_file(file, kMaxScript);
    if (!text || text->starts_with("\x7f"
                                   "ELF"))
      continue;
    scripts_.push_back(file);
    const std::string_view variable = mentioned(*text, *hook.dialect);
    if (!variable.empty() && why_cold_.empty()) why_cold_ = needs_text(file, variable);
  }
  if (const auto unknown = unknown_files(hook, child); !unknown.empty()) {
    why_cold_ = "only a shell knows which file " + unknown.front() + " is";
  }
  auto beside = files_beside(scripts_);
  if (!beside) {
    why_cold_ = "too many files are beside its script to watch them";
    return;
  }
  beside_ = std::move(*beside);
  std::ranges::move(stamps_of(beside_), std::back_inserter(stamps_));
  for (const std::string& file : beside_) {
    const auto text = os::read_file(file, kMaxScript);
    const std::string_view variable = text ? mentioned(*text, *hook.dialect) : std::string_view();
    if (!variable.empty() && why_cold_.empty()) why_cold_ = needs_text(file, variable);
  }
}

bool WarmFiles::are_unchanged() const {
  const auto is_same = [](const auto& file) { return os::stamp(file.first) == file.second; };
  return std::ranges::all_of(stamps_, is_same) &&
         files_beside(scripts_).value_or(std::vector<std::string>{}) == beside_;
}

}  // namespace grapnel
