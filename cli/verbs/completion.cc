#include "base/shell_word.h"
#include "base/text.h"
#include "bridge/adapter.h"
#include "cli/command.h"
#include "cli/hook_source.h"
#include "cli/init/job.h"
#include "cli/verbs/completion_values.h"
#include "dialect/dialect.h"

namespace grapnel::cli {

namespace {

// The scripts are made from the tables of verbs and options, so a new verb or option needs no change here. A new shell
// needs a function that writes its script, and its name in this list.

constexpr auto kShells = std::to_array<std::string_view>({"bash", "zsh", "fish"});
constexpr auto kCompletionArguments = std::to_array<ArgumentRow>({
    {"SHELL", "bash, zsh or fish", ValueKind::Shell},
});
constexpr auto kCompletionOptions = std::to_array<OptionRow>({
    {"--values", "", kValuesChoices, "print what the scripts ask for while you type, a line each"},
    kJsonOption,
});

/// The words that a value can be; "" when it is free, or when the shell completes files itself.
std::string words_of(ValueKind kind) {
  std::vector<std::string> words;
  if (kind == ValueKind::Event) {
    for (const EventKind event : all_event_kinds()) words.emplace_back(to_string(event));
  } else if (kind == ValueKind::Dialect) {
    for (const Dialect* dialect : all_dialects()) words.emplace_back(dialect->name);
  } else if (kind == ValueKind::Agent) {
    for (const Adapter& adapter : all_adapters()) words.emplace_back(adapter.agent);
  } else if (kind == ValueKind::Job) {
    for (const Job& job : all_jobs()) words.emplace_back(job.name);
  } else if (kind == ValueKind::Shell) {
    words.assign(kShells.begin(), kShells.end());
  }
  return text::join(words, " ");
}

/// The same for an option, whose row may list the choices.
std::string words_of(const OptionRow& row) {
  const auto choices = choices_of(row);
  return choices.empty() ? words_of(row.kind) : text::join({choices.begin(), choices.end()}, " ");
}

/// The kind of the first argument, which is completed for all arguments of the verb.
ValueKind argument_kind(const Command& command) {
  return command.arguments.empty() ? ValueKind::None : command.arguments.front().kind;
}

std::string options_of(const Command& command) {
  std::string out;
  for (const OptionRow& row : command.options) out += std::string(row.name) + " ";
  return out + "--help";
}

std::string verbs() {
  std::string out;
  for (const Command* command : all_commands()) out += std::string(command->name) + " ";
  return out + "help --help --version";
}

/// The bash statement that completes a value. Values that come from outside, such as names of hooks, must not reach
/// `compgen -W`, which would expand `$(…)` in them.
std::string bash_reply(ValueKind kind, const std::string& words) {
  if (const auto word = values_word(kind); !word.empty()) return "_grapnel_values " + std::string(word);
  switch (kind) {
    case ValueKind::File:
      return "_grapnel_files -f";
    case ValueKind::Directory:
      return "_grapnel_files -d";
    default:
      return "COMPREPLY=($(compgen -W \"" + words + "\" -- \"$cur\"))";
  }
}

/// The branch for one verb: first the values of its options, then its options and arguments.
std::string bash_verb(const Command& command) {
  std::string out = "    " + std::string(command.name) + ")\n      case \"$prev\" in\n";
  for (const OptionRow& row : command.options) {
    if (row.value.empty()) continue;
    const std::string names = row.short_name.empty() ? "" : std::string(row.short_name) + "|";
    out += "        " + names + std::string(row.name) + ") " + bash_reply(row.kind, words_of(row)) + "; return ;;\n";
  }
  const ValueKind kind = argument_kind(command);
  out += "      esac\n      options=\"" + options_of(command) + "\"\n";
  out += "      " + bash_reply(kind, words_of(kind)) + "\n";
  return out + "      ;;\n";
}

std::string bash_script() {
  // The first word after `grapnel` is a verb; after that, the branch of the verb sets COMPREPLY, and a word that starts
  // with a dash is completed with the verb's options instead.
  std::string out = R"SCRIPT(# bash completion for grapnel; source it or put it into bash-completion's directory
_grapnel_values() {
  local value
  [[ "$cur" == -* ]] && return
  while IFS= read -r value; do
    [[ "$value" == "$cur"* ]] && COMPREPLY+=("$(printf %q "$value")")
  done < <(grapnel completion --values "$1" 2>/dev/null)
}
_grapnel_files() {
  local path
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$cur")
  compopt -o filenames 2>/dev/null
}
_grapnel() {
  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" options=""
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ")SCRIPT" +
                    verbs() + R"SCRIPT(" -- "$cur"))
    return
  fi
  case "${COMP_WORDS[1]}" in
)SCRIPT";
  for (const Command* command : all_commands()) out += bash_verb(*command);
  out += "    help) COMPREPLY=($(compgen -W \"" + verbs() + "\" -- \"$cur\")) ;;\n";
  return out + R"SCRIPT(  esac
  if [[ "$cur" == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$cur")); fi
}
complete -F _grapnel grapnel
)SCRIPT";
}

/// How zsh completes a value of that kind. The blank in front of a function's name keeps zsh from adding arguments.
std::string zsh_action(ValueKind kind, const std::string& words) {
  if (const auto word = values_word(kind); !word.empty()) return " _grapnel_values " + std::string(word);
  if (kind == ValueKind::File) return "_files";
  if (kind == ValueKind::Directory) return "_files -/";
  return "(" + words + ")";
}

/// A text inside a specification of zsh's `_arguments`, where colons and brackets have a meaning.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) out += (c == ':' || c == '[' || c == ']' ? std::string("\\") : "") + c;
  return out;
}

std::string zsh_verb(const Command& command) {
  std::string out = "    " + std::string(command.name) + ")\n      _arguments";
  for (const OptionRow& row : command.options) {
    std::string spec = (row.repeats ? "*" : "") + std::string(row.name) + "[" + zsh_text(row.help) + "]";
    if (!row.value.empty()) spec += ":" + std::string(row.value) + ":" + zsh_action(row.kind, words_of(row));
    out += " \\\n        " + quote_word(spec);
  }
  for (const ArgumentRow& row : command.arguments) {
    out += " \\\n        " + quote_word((row.repeats ? "*:" : ":") + std::string(row.name) + ":" +
                                        zsh_action(row.kind, words_of(row.kind)));
  }
  return out + "\n      ;;\n";
}

std::string zsh_script() {
  std::string out = R"(#compdef grapnel
_grapnel_values() {
  local -a found=("${(@f)$(grapnel completion --values $1 2>/dev/null)}")
  compadd -- ${found:#}
}
_grapnel() {
  local -a verbs=(
)";
  for (const Command* command : all_commands()) {
    out += "    " + quote_word(std::string(command->name) + ":" + zsh_text(command->summary)) + "\n";
  }
  out += "  )\n  if ((CURRENT == 2)); then _describe verb verbs; return; fi\n";
  out += "  local verb=$words[2]\n  shift words; ((CURRENT--))\n  case $verb in\n";
  for (const Command* command : all_commands()) out += zsh_verb(*command);
  out += "    help) _describe verb verbs ;;\n";
  // If zsh loads the file from $fpath, the file is the body of the function and has to call it. If it is sourced, it
  // only registers the function.
  return out + "  esac\n}\nif [[ $funcstack[1] == _grapnel ]]; then _grapnel; else compdef _grapnel grapnel; fi\n";
}

/// The fish command that prints the values of that kind; "" when there is none.
std::string fish_values(ValueKind kind) {
  const std::string word(values_word(kind));
  return word.empty() ? "" : quote_word("(grapnel completion --values " + word + " 2>/dev/null)");
}

/// The options of fish's `complete` for the value of an option.
std::string fish_value(const OptionRow& row) {
  const ValueKind kind = row.kind;
  if (const std::string values = fish_values(kind); !values.empty()) return " -x -a " + values;
  if (kind == ValueKind::File) return " -r -F";
  if (kind == ValueKind::Directory) return " -x -a '(__fish_complete_directories)'";
  return " -x -a " + quote_word(words_of(row));
}

std::string fish_script() {
  std::string out = "# fish completion for grapnel\ncomplete -c grapnel -f\n";
  out += "complete -c grapnel -n '__fish_seen_subcommand_from help' -a " + quote_word(verbs()) + "\n";
  for (const Command* command : all_commands()) {
    const std::string name(command->name);
    const std::string seen = "complete -c grapnel -n '__fish_seen_subcommand_from " + name + "'";
    out += "complete -c grapnel -n __fish_use_subcommand -a " + name + " -d " + quote_word(command->summary) + "\n";
    for (const OptionRow& row : command->options) {
      out += seen + " -l " + std::string(row.name.substr(2));
      if (!row.short_name.empty()) out += " -s " + std::string(row.short_name.substr(1));
      out += (row.value.empty() ? "" : fish_value(row)) + " -d " + quote_word(row.help) + "\n";
    }
    const ValueKind kind = argument_kind(*command);
    if (kind == ValueKind::File || kind == ValueKind::Directory) out += seen + " -F\n";
    if (const std::string values = fish_values(kind); !values.empty()) out += seen + " -a " + values + "\n";
    if (const std::string words = words_of(kind); !words.empty()) out += seen + " -a " + quote_word(words) + "\n";
  }
  return out;
}

/// The script for that shell; "" when there is none.
std::string script_for(std::string_view shell) {
  if (shell == "bash") return bash_script();
  if (shell == "zsh") return zsh_script();
  return shell == "fish" ? fish_script() : "";
}

int print_values(Invocation& in) {
  const auto values = values_of(in, in.args.text("--values"));
  std::vector<Json> list;
  for (const std::string& value : values) list.push_back(Json::string(value));
  const Json json = Json::object({{"values", Json::array(list)}});
  in.console.out(in.args.has("--json") ? json.dump(JsonStyle::Pretty) : text::join(values, "\n"));
  if (in.args.has("--json") || !values.empty()) in.console.out("\n");
  return kOk;
}

int run_completion(Invocation& in) {
  if (in.args.has("--values")) return print_values(in);
  if (!in.args.has("SHELL")) return report_usage(in.console, kCompletion.name, "SHELL is missing");
  const std::string shell = in.args.text("SHELL");
  const std::string script = script_for(shell);
  if (script.empty()) {
    return report_input(in.console, "there is no completion for '" + printable(shell) + "'; choose bash, zsh or fish");
  }
  const Json json = Json::object({{"shell", Json::string(shell)}, {"script", Json::string(script)}});
  in.console.out(in.args.has("--json") ? json.dump(JsonStyle::Pretty) + "\n" : script);
  return kOk;
}

}  // namespace

const Command kCompletion{
    .name = "completion",
    .summary = "print a completion script for a shell",
    .about =
        "Prints a script that completes verbs, options, events and dialects, and names of hooks, ids of sessions and "
        "events, and test files. It is generated from the same table as this help.",
    .arguments = kCompletionArguments,
    .options = kCompletionOptions,
    .examples = R"(  source <(grapnel completion bash)
  grapnel completion zsh > ~/.zsh/functions/_grapnel
  grapnel completion fish > ~/.config/fish/completions/grapnel.fish
)",
    .run = run_completion,
};

}  // namespace grapnel::cli
