#include "call/tool_call.h"

#include <algorithm>

#include "call/command_input.h"
#include "call/commands.h"
#include "call/program_place.h"
#include "dialect/payload.h"
#include "dialect/tools.h"
#include "shell/shell_words.h"

namespace grapnel::call {

const std::string& ToolCall::tool() {
  if (!tool_) tool_ = event_.text(Field::ToolName);
  return *tool_;
}

bool ToolCall::is_tool(ToolKind kind) {
  if (!kinds_ && tool().empty()) kinds_.emplace();
  // Some agents send an MCP server's tool by its own name, with the server in another field. Such a name must not be
  // taken for a built-in tool.
  if (!kinds_ && field_as(event_, event_.dialect(), Field::McpContext)) kinds_ = {ToolKind::Mcp};
  if (!kinds_) kinds_ = tool_kinds(event_.dialect(), tool());
  return std::ranges::find(*kinds_, kind) != kinds_->end();
}

/// Tools that only read or edit files run no command, even when their input has a key of that name. MCP and unknown
/// tools may run one.
const std::optional<std::string>& ToolCall::command_text() {
  if (has_command_text_) return command_text_;
  has_command_text_ = true;
  const bool is_shell = is_tool(ToolKind::Shell);
  const bool may_run = is_shell || is_tool(ToolKind::Mcp) || is_tool(ToolKind::Other) || tool().empty();
  if (!may_run) return command_text_;
  auto found = command_in(event_.dialect(), tool(), field_as(event_, event_.dialect(), Field::ToolInput), is_shell);
  if (!found) return command_text_;
  command_text_ = std::move(found->text);
  is_odd_ = found->is_odd;
  return command_text_;
}

bool ToolCall::may_be_tool(ToolKind kind) {
  if (!guesses_) {
    guesses_.emplace();
    if (is_guessed(event_.dialect(), tool())) {
      guesses_ = guessed_kinds(event_.dialect(), tool(), field_as(event_, event_.dialect(), Field::ToolInput));
    }
  }
  return std::ranges::find(*guesses_, kind) != guesses_->end();
}

bool ToolCall::is_surely_shell() {
  command_text();
  return is_tool(ToolKind::Shell) && !is_odd_;
}

/// Variables that a shell of the agent has, whatever the text does with others.
shell::Variables ToolCall::known_variables() {
  shell::Variables out;
  if (!command_text()->contains('$')) return out;
  if (!around_.home.empty()) out["HOME"] = around_.home;
  const bool may_move = command_text()->contains("cd") || command_text()->contains("push");
  if (!directory().empty() && !may_move) out["PWD"] = directory();
  if (around_.env != nullptr && around_.env->has("TMPDIR")) out["TMPDIR"] = around_.env->get("TMPDIR");
  return out;
}

const ParsedCommand* ToolCall::commands() {
  if (!commands_ && command_text()) {
    const shell::Variables known = known_variables();
    commands_ = commands_of(*command_text(), &known);
  }
  return commands_ ? &*commands_ : nullptr;
}

ToolCall::ToolCall(const ToolCall& first, SecondReading reading)
    : event_(first.event_),
      around_(first.around_),
      has_command_text_(true),
      is_odd_(true),
      command_text_(std::move(reading.text)),
      commands_(std::move(reading.parsed)),
      has_again_(true) {}

ToolCall* ToolCall::again() {
  if (!has_again_ && commands() != nullptr) {
    has_again_ = true;
    auto reading = read_again(*command_text(), *commands());
    if (reading) again_.reset(new ToolCall(*this, std::move(*reading)));
  }
  return again_.get();
}

const Doubt* ToolCall::doubt() {
  if (!doubt_ && commands() != nullptr) {
    const ToolCall* const second = again();
    doubt_.emplace(*command_text(), *commands(),
                   second == nullptr ? std::vector<SimpleCommand>{} : second->commands_->commands, around_.env);
  }
  return doubt_ ? &*doubt_ : nullptr;
}

bool ToolCall::is_usual_program(const SimpleCommand& command) {
  // Redirections without a program need none.
  if (command.words.empty()) return true;
  if (command.words[0].is_dynamic()) return false;
  const std::string& name = command.words[0].text;
  if (shell::is_shell_word(name) || around_.env == nullptr) return true;
  const auto known = usual_programs_.find(name);
  if (known != usual_programs_.end()) return known->second;
  const PathRoots& roots = real_places();
  const auto is_written = [this](const std::string& file) {
    const std::set<std::string>* const files = touched();
    return files == nullptr || files->contains(file);
  };
  const bool is_usual =
      call::is_usual_program(name, {*around_.env, roots.project, roots.real_project,
                                    around_.touched ? is_written : std::function<bool(const std::string&)>(),
                                    around_.started ? around_.started() : 0});
  usual_programs_.emplace(name, is_usual);
  return is_usual;
}

const std::string& ToolCall::directory() {
  if (!directory_) {
    std::string said = event_.text(Field::Cwd);
    if (said.empty()) said = event_.text(Field::ProjectDir);
    directory_ = normalise(said, around_.project_dir, around_.home);
  }
  return *directory_;
}

const PathRoots& ToolCall::places() {
  if (!places_) {
    const std::string project = around_.project_dir.empty() ? directory() : normalise(around_.project_dir, "", "");
    places_ = PathRoots{project, "", around_.home};
  }
  return *places_;
}

const PathRoots& ToolCall::real_places() {
  places();
  if (places_->real_project.empty()) places_->real_project = without_links(places_->project);
  return *places_;
}

const Json& ToolCall::input() {
  if (!input_) input_ = event_.get(Field::ToolInput);
  return *input_;
}

const FileNames& ToolCall::names_of(File& file) const {
  if (!file.names) file.names = find_names_of(file.written, file.said, file.base);
  return *file.names;
}

bool ToolCall::keeps_base_name(File& file) {
  if (!file.keeps_base_name) file.keeps_base_name = call::keeps_base_name(file.written, file.said, file.base);
  return *file.keeps_base_name;
}

/// For a shell, the patch is part of the command and `add_shell_files` finds it.
Files& ToolCall::files() {
  if (files_) return *files_;
  files_.emplace();
  if (tool().empty() && !input().is_object()) {
    // Some events are about a file although they are no tool calls: one that changed, or a directory that was entered.
    if (std::string path = event_.get(Field::ToolPath).as_string().value_or(""); !path.empty()) {
      add_file(std::move(path), directory(), false);
    }
    return *files_;
  }
  const Json input = field_as(event_, event_.dialect(), Field::ToolInput);
  const bool writes = is_tool(ToolKind::Write) || is_tool(ToolKind::Edit) || is_tool(ToolKind::Delete);
  for (std::string& path : tool_paths(input)) add_file(std::move(path), directory(), writes);
  if (!is_tool(ToolKind::Shell)) {
    for (const std::string& text : tool_patches(input)) add_patch(text, directory());
  }
  if (commands() != nullptr) add_shell_files();
  return *files_;
}

/// Adds a file, or merges it with the same name from the same directory.
void ToolCall::add_file(std::string said, const std::string& base, bool is_written, bool is_guess) {
  const auto is_same = [&](const File& file) { return file.said == said && file.base == base; };
  const auto found = std::ranges::find_if(files_->files, is_same);
  if (found != files_->files.end()) {
    found->is_guess = is_written && found->is_written ? found->is_guess && is_guess : found->is_guess || is_guess;
    found->is_written = found->is_written || is_written;
    return;
  }
  File file{.said = std::move(said), .is_written = is_written, .is_guess = is_guess, .base = base};
  file.written = normalise(file.said, base, around_.home);
  files_->files.push_back(std::move(file));
}

}  // namespace grapnel::call
