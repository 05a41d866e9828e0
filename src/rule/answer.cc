#include "rule/answer.h"

#include <algorithm>

#include "call/effects.h"
#include "call/file_roles.h"
#include "call/guess.h"
#include "call/mention.h"
#include "call/words.h"
#include "dialect/payload.h"
#include "dialect/tools.h"

/// How conditions are answered. Certainties are ordered No < Maybe < Yes, so `std::max` means "or" and `std::min` means
/// "and". With the quantifier `Some`, a doubt raises an answer to `Maybe` if something in the text points to what is
/// asked for (`call/doubt.h`); with `Every`, every doubt lowers it to at most `Maybe`.
namespace grapnel::rule {

namespace {

using call::Certainty;
using call::File;
using call::FileNames;
using call::Files;
using call::PathRoots;

Certainty opposite(Certainty answer) {
  switch (answer) {
    case Certainty::Yes:
      return Certainty::No;
    case Certainty::No:
      return Certainty::Yes;
    case Certainty::Maybe:
      return Certainty::Maybe;
  }
  return Certainty::Maybe;
}

Quantifier opposite(Quantifier quantifier) {
  return quantifier == Quantifier::Some ? Quantifier::Every : Quantifier::Some;
}

/// Whether one of the patterns matches. A regex that exceeds its limits might have matched.
Certainty compare(const std::vector<Matcher>& patterns, std::string_view text) {
  Certainty best = Certainty::No;
  for (const Matcher& pattern : patterns) {
    const MatchOutcome outcome = pattern.try_match(text);
    if (outcome == MatchOutcome::Yes) return Certainty::Yes;
    if (outcome == MatchOutcome::Limit) best = Certainty::Maybe;
  }
  return best;
}

/// Compares a string, or any string, number or truth value inside a list or object, at any depth.
Certainty compare_value(const std::vector<Matcher>& patterns, const Json& value) {
  if (const auto text = value.as_string()) return compare(patterns, *text);
  if (value.kind() == JsonKind::Number || value.kind() == JsonKind::Bool) return compare(patterns, value.raw());
  Certainty best = Certainty::No;
  for (const Json& element : value.elements()) best = std::max(best, compare_value(patterns, element));
  for (const JsonMember& member : value.members()) best = std::max(best, compare_value(patterns, member.value));
  return best;
}

Certainty effect_answer(const call::Effects& effects, CommandEffect effect) {
  switch (effect) {
    case CommandEffect::Readonly:
      return effects.readonly;
    case CommandEffect::Writes:
      return effects.writes;
    case CommandEffect::Network:
      return effects.network;
    case CommandEffect::Destructive:
      return effects.destructive;
  }
  return Certainty::Maybe;
}

/// Whether the command does something that its words do not say: it sets variables, which may change what a program
/// does, its program is not known, or a redirection writes a file. A question about effects already takes redirections
/// into account. Only `Every` needs this: `allow: ls` must not allow `ls > ~/.bashrc`.
bool hides_something(const CommandQuestion& question, const shell::SimpleCommand& command) {
  if (!command.assignments.empty() || (!command.words.empty() && command.words[0].is_dynamic())) return true;
  const auto writes = [](const shell::Redirection& redirection) {
    const std::string& target = redirection.target.text;
    // `>&2` copies a descriptor, but `>&file` writes a file.
    const bool is_number = redirection.op == ">&" && target.find_first_not_of("0123456789-") == std::string::npos;
    return redirection.op.contains('>') && target != "/dev/null" && (!is_number || redirection.target.is_dynamic());
  };
  return question.effects.empty() && std::ranges::any_of(command.redirections, writes);
}

/// Answers one question of a condition; `std::visit` picks the function for its kind.
class Asking {
 public:
  Asking(call::ToolCall& subject, Quantifier quantifier, bool is_about_files = false)
      : subject_(subject), quantifier_(quantifier), is_about_files_(is_about_files) {}

  Match operator()(const ToolQuestion& question) {
    const std::string& tool = subject_.tool();
    const bool may_be = std::ranges::any_of(question.kinds, [&](ToolKind kind) { return subject_.may_be_tool(kind); });
    if (may_be) return {.answer = Certainty::Maybe};
    if (tool.empty()) return {};
    const bool is_kind = std::ranges::any_of(question.kinds, [&](ToolKind kind) { return subject_.is_tool(kind); }) ||
                         (is_about_files_ && quantifier_ == Quantifier::Some && covers_search(question));
    const Dialect& dialect = subject_.event().dialect();
    const Json context = field_as(subject_.event(), dialect, Field::McpContext);
    const bool is_named = std::ranges::any_of(
        question.names, [&](const Matcher& name) { return is_tool_named(dialect, tool, name, context); });
    return {.answer = is_kind || is_named ? Certainty::Yes : Certainty::No};
  }

  Match operator()(const CommandQuestion& question) {
    const shell::ParsedCommand* parsed = subject_.commands();
    if (parsed == nullptr) return {.answer = ask_tool(question)};
    const bool is_some = quantifier_ == Quantifier::Some;
    // No commands at all: nothing is denied, and nothing is allowed either. But a test alone only reads.
    const bool only_tests = parsed->has_blocks && question.words.empty() && question.flags.empty() &&
                            question.effects == std::vector{CommandEffect::Readonly};
    const bool is_nothing = parsed->commands.empty() && !only_tests;
    Match match{.answer = is_some || is_nothing ? Certainty::No : Certainty::Yes};
    match.question = &question;
    for (const shell::SimpleCommand& command : parsed->commands) {
      const std::vector<std::string>* pattern = nullptr;
      Certainty one = ask_command(question, command, pattern);
      std::string evidence;
      if (is_some && one == Certainty::Maybe && !is_likely(question, command, evidence)) one = Certainty::No;
      if (!is_some && hides_something(question, command)) one = std::min(one, Certainty::Maybe);
      // A pattern that spells out a path means that very file; any other one means the usual program of that name.
      const bool names_file = pattern != nullptr && pattern->front().contains('/');
      if (!is_some && !names_file && !subject_.is_usual_program(command)) one = std::min(one, Certainty::Maybe);
      // `Some` looks for the best command and `Every` for the worst one. That command is what the match is about.
      const bool decides = is_some ? one > match.answer : one < match.answer || match.command == nullptr;
      if (!decides) continue;
      match.answer = one;
      match.command = &command;
      match.pattern = pattern;
      match.evidence = std::move(evidence);
      if (one == (is_some ? Certainty::Yes : Certainty::No)) break;
    }
    // A text that was not understood may contain more commands. And it is only a guess that the input of an unknown
    // tool is shell code.
    const bool is_clear = !parsed->is_unclear && subject_.is_surely_shell();
    if (parsed->is_unclear && is_some && match.answer == Certainty::No && points_to(question, match.evidence)) {
      match.answer = Certainty::Maybe;
    }
    if (!is_clear && !is_some) match.answer = std::min(match.answer, Certainty::Maybe);
    return match;
  }

  Match operator()(const PathQuestion& question) {
    Files& files = subject_.files();
    const bool is_some = quantifier_ == Quantifier::Some;
    Match match{.answer = is_some || files.files.empty() ? Certainty::No : Certainty::Yes};
    for (File& file : files.files) {
      size_t name = 0;
      Certainty one = ask_file(question.patterns, file, name);
      if (is_some) one = std::min(one, ask_use(question.effects, file));
      const bool decides = is_some ? one > match.answer : one < match.answer || match.file == nullptr;
      if (!decides) continue;
      match.answer = one;
      match.file = &file;
      match.name = name;
      if (one == (is_some ? Certainty::Yes : Certainty::No)) break;
    }
    if (is_some) {
      ask_reached(question, false, match);
      ask_codes(question, files, match);
    } else if (!files.codes.empty()) {
      match.answer = std::min(match.answer, Certainty::Maybe);
    }
    // `allow: path src/**` must not allow a command that does more than its paths show, such as `curl` or `make`.
    if (!is_some && acts_beside_paths()) match.answer = std::min(match.answer, Certainty::Maybe);
    if (!files.is_complete) {
      match.answer = is_some ? std::max(match.answer, Certainty::Maybe) : std::min(match.answer, Certainty::Maybe);
    }
    if (is_some && match.answer == Certainty::Maybe && match.evidence.empty() && !points_to(question, match)) return {};
    return match;
  }

  Match operator()(const TextQuestion& question) {
    const Event& event = subject_.event();
    Certainty best = Certainty::No;
    for (const Field field : fields_of(question.of)) {
      const Json value = event.get(field);
      best = std::max(best, compare_value(question.patterns, value));
      // `value` is translated to canonical names, `own` is as the agent spells it. A rule may use either.
      const std::string own = event.text(field);
      if (!own.empty() && !value.equals_string(own)) best = std::max(best, compare(question.patterns, own));
    }
    return {.answer = best};
  }

  Match operator()(const InputQuestion& question) {
    Json value = subject_.input().at_pointer(question.pointer);
    const Event& event = subject_.event();
    // Rules may name a field by its canonical name, or as the agent spells it.
    if (!value) value = field_as(event, event.dialect(), Field::ToolInput).at_pointer(question.pointer);
    return {.answer = compare_value(question.patterns, value)};
  }

  /// Always asks about some file, even in a rule that allows: touched files are facts, and cannot hide anything.
  Match operator()(const ChangedQuestion& question) {
    const std::set<std::string>* touched = subject_.touched();
    if (touched == nullptr) return {.answer = Certainty::Maybe};
    Match match;
    for (const std::string& name : *touched) {
      for (const Matcher& pattern : question.patterns) {
        match.answer = std::max(match.answer, matches_name(pattern, name, subject_.real_places()));
      }
    }
    return match;
  }

 private:
  /// To search in files, or for their names, is to read: the path says which files the rule is about.
  bool covers_search(const ToolQuestion& question) {
    return counts_searches(question) && (subject_.is_tool(ToolKind::Grep) || subject_.is_tool(ToolKind::Glob));
  }

  /// Whether something in the text points to the command that the question is about (`call/doubt.h`). Without that, a
  /// doubt is no reason to stop anything.
  /// What is sure of `command` needs nothing that points to it: in `git $(cat x) -f` only the words are doubtful.
  bool points_to(const CommandQuestion& question, std::string& evidence,
                 const shell::SimpleCommand* command = nullptr) {
    const call::Doubt* const doubt = subject_.doubt();
    if (doubt == nullptr) return true;
    const auto has_surely = [&](const std::string& flag) {
      return command != nullptr && call::has_flag(*command, flag) == Certainty::Yes;
    };
    const auto may_run = [&](const std::vector<std::string>& words) {
      evidence = doubt->may_run(words);
      // `/bin/r?` is a name that fits.
      if (evidence.empty() && command != nullptr && call::names_program_file(*command)) evidence = words.front();
      return !evidence.empty();
    };
    const auto may_have = [&](const std::string& flag) { return doubt->may_have_flag(flag); };
    const auto may_do = [&](CommandEffect effect) {
      return effect == CommandEffect::Destructive ? doubt->may_destroy()
             : effect == CommandEffect::Network   ? doubt->may_use_network()
                                                  : true;
    };
    return (question.words.empty() || std::ranges::any_of(question.words, may_run)) &&
           (question.flags.empty() || std::ranges::any_of(question.flags, may_have) ||
            std::ranges::any_of(question.flags, has_surely)) &&
           (question.effects.empty() || std::ranges::any_of(question.effects, may_do));
  }

  bool is_likely(const CommandQuestion& question, const shell::SimpleCommand& command, std::string& evidence) {
    const call::Doubt* const doubt = subject_.doubt();
    if (call::is_unseen_code(command) && (doubt == nullptr || doubt->may_hide_code())) return true;
    if (subject_.commands() != nullptr && call::makes_own_name(command, *subject_.commands())) return true;
    const auto may_have = [&](const std::string& flag) { return doubt == nullptr || doubt->may_have_flag(flag); };
    const bool has_flag = question.flags.empty() || std::ranges::any_of(question.flags, may_have);
    if (has_flag && subject_.commands() != nullptr && call::has_edited_name(command, *subject_.commands())) return true;
    // The words behind a program that nobody knows are the command that the question is about.
    if (const auto guesses = call::guesses_of(command, question.words); !guesses.empty()) {
      if (!guesses.front().words.empty()) evidence = guesses.front().words[0].text;
      return true;
    }
    if (!command.code) return points_to(question, evidence, &command);
    const call::Mentions code = call::Mentions::of_code(*command.code);
    for (const std::vector<std::string>& words : question.words) {
      if (evidence.empty() && !code.hides_words()) evidence = code.command_word(words);
    }
    return true;
  }

  /// The same for a question about files. A list of files that the command makes itself points to all files on the disk
  /// that it may contain.
  bool points_to(const PathQuestion& question, Match& match) {
    const call::Doubt* const doubt = subject_.doubt();
    if (doubt == nullptr || (match.file != nullptr && match.file->is_anywhere)) return true;
    const auto may_name = [&](const Matcher& pattern) {
      match.evidence = doubt->may_name(pattern.pattern());
      return !match.evidence.empty();
    };
    if (std::ranges::any_of(question.patterns, may_name)) return true;
    ask_reached(question, true, match);
    return !match.reached.empty();
  }

  /// Files that the call uses without naming them. If it takes them from a list, that is a doubt.
  void ask_reached(const PathQuestion& question, bool lists, Match& match) {
    if (match.answer == Certainty::Yes) return;
    const shell::SimpleCommand* by = nullptr;
    File* const file = subject_.find_reached(question.patterns, lists, by);
    if (file == nullptr) return;
    match = {.answer = lists ? Certainty::Maybe : Certainty::Yes, .file = file, .command = by, .reached = file->said};
  }

  /// Code that is not read may name a file if it mentions what the patterns are about.
  static void ask_codes(const PathQuestion& question, const Files& files, Match& match) {
    if (match.answer != Certainty::No) return;
    for (const shell::SimpleCommand* command : files.codes) {
      const call::Mentions code = call::Mentions::of_code(*command->code);
      const bool is_mentioned = std::ranges::any_of(question.patterns, [&](const Matcher& pattern) {
        match.evidence = code.path(pattern.pattern());
        return !match.evidence.empty();
      });
      if (!is_mentioned) continue;
      match.answer = Certainty::Maybe;
      match.command = command;
      return;
    }
  }

  /// A tool that runs no command has no words and no flags, but it may write.
  Certainty ask_tool(const CommandQuestion& question) {
    const bool asks_writes = question.words.empty() && question.flags.empty() &&
                             std::ranges::find(question.effects, CommandEffect::Writes) != question.effects.end();
    const bool writes =
        subject_.is_tool(ToolKind::Write) || subject_.is_tool(ToolKind::Edit) || subject_.is_tool(ToolKind::Delete);
    return asks_writes && writes ? Certainty::Yes : Certainty::No;
  }

  /// Whether the call does one of these things to the file. Of the effects only writing is about one file.
  static Certainty ask_use(const std::vector<CommandEffect>& effects, const File& file) {
    Certainty best = effects.empty() ? Certainty::Yes : Certainty::No;
    for (const CommandEffect effect : effects) {
      const bool is_write = effect == CommandEffect::Writes || effect == CommandEffect::Destructive;
      best = std::max(best, !is_write          ? Certainty::Yes
                            : !file.is_written ? Certainty::No
                            : file.is_guess    ? Certainty::Maybe
                                               : Certainty::Yes);
    }
    return best;
  }

  /// Whether a command may change something although it names no path.
  bool acts_beside_paths() {
    const shell::ParsedCommand* parsed = subject_.commands();
    return parsed != nullptr && std::ranges::any_of(parsed->commands, [](const shell::SimpleCommand& command) {
             return call::effects_of(command).readonly != Certainty::Yes &&
                    call::paths_of({.commands = {command}}).empty();
           });
  }

  /// The fields of the event that a text question is about.
  static std::vector<Field> fields_of(TextQuestion::Of of) {
    switch (of) {
      case TextQuestion::Of::Prompt:
        return {Field::Prompt};
      case TextQuestion::Of::Output:
        return {Field::ToolOutput};
      case TextQuestion::Of::Session:
        return {Field::SessionId, Field::Source};
      case TextQuestion::Of::Agent:
        return {Field::AgentId, Field::AgentType, Field::AgentName};
      case TextQuestion::Of::Mode:
        return {Field::PermissionMode};
    }
    return {};
  }

  static Certainty ask_name(const std::vector<Matcher>& patterns, std::string_view name, const PathRoots& places) {
    Certainty best = Certainty::No;
    for (const Matcher& pattern : patterns) best = std::max(best, matches_name(pattern, name, places));
    return best;
  }

  static bool is_about_base_names(const std::vector<Matcher>& patterns) {
    return std::ranges::all_of(patterns, &Matcher::is_about_base_name);
  }

  /// Compares the name as written. A file that is not below the project as it is called may still be below the
  /// directory where the project really is, if the project is reached through a link.
  Certainty ask_written(const std::vector<Matcher>& patterns, const File& file) {
    const Certainty as_called = ask_name(patterns, file.written, subject_.places());
    if (as_called == Certainty::Yes || call::is_below(file.written, subject_.places().project)) return as_called;
    return ask_name(patterns, file.written, subject_.real_places());
  }

  /// Compares a file by all its names: as written, with links resolved, in another case. With `Some`, one name has to
  /// match; with `Every`, all of them. The written name comes first, because it needs no system calls.
  Certainty ask_file(const std::vector<Matcher>& patterns, File& file, size_t& which) {
    if (!file.is_known) return Certainty::Maybe;
    const bool is_some = quantifier_ == Quantifier::Some;
    Certainty result = ask_written(patterns, file);
    if (result == (is_some ? Certainty::Yes : Certainty::No)) return result;
    // The patterns are only about the last part of names, and this file has no other last part: no need to search.
    if (is_some && result == Certainty::No && is_about_base_names(patterns) && call::ToolCall::keeps_base_name(file)) {
      return result;
    }
    const FileNames& names = subject_.names_of(file);
    for (size_t i = 1; i < names.names.size(); ++i) {
      const Certainty one = ask_name(patterns, names.names[i], subject_.real_places());
      if (is_some ? one <= result : one >= result) continue;
      result = one;
      which = i;
    }
    if (!is_some || result == Certainty::Yes || !names.exists) return result;
    // The reverse direction: a file that the pattern means may be a hard link to this one. It is searched below the
    // project as it is called, since that is how patterns are written.
    const bool is_link = std::ranges::any_of(
        patterns, [&](const Matcher& pattern) { return matches_link(pattern, names, subject_.places()); });
    return is_link ? Certainty::Yes : result;
  }

  call::ToolCall& subject_;
  Quantifier quantifier_;
  bool is_about_files_;  ///< the same map of the rule has a path
};

/// The words of a command in a row, with dots for what is not known.
std::string text_of(const shell::SimpleCommand& command) {
  std::string out;
  for (const shell::Word& word : command.words) {
    if (!out.empty()) out += ' ';
    out += word.gaps.empty() ? word.text : word.text + "…";
  }
  return out;
}

/// Takes over from a part of `all` what it was about, unless an earlier part has said so.
void add_about(Match& match, const Match& part) {
  if (match.file == nullptr && part.file != nullptr) {
    match.file = part.file;
    match.name = part.name;
  }
  if (match.command == nullptr && part.command != nullptr) {
    match.command = part.command;
    match.pattern = part.pattern;
    match.question = part.question;
  }
  if (match.evidence.empty() && !part.evidence.empty()) match.evidence = part.evidence;
  if (match.reached.empty() && !part.reached.empty()) match.reached = part.reached;
}

}  // namespace

Quantifier quantifier_of(const HookSpec& hook) {
  const auto* rule = std::get_if<RuleHandler>(&hook.handler);
  return rule != nullptr && rule->verdict == Verdict::Allow ? Quantifier::Every : Quantifier::Some;
}

bool is_enough(Certainty answer, Quantifier quantifier) {
  return quantifier == Quantifier::Every ? answer == Certainty::Yes : answer != Certainty::No;
}

static Certainty ask_one(const CommandQuestion& question, const shell::SimpleCommand& command,
                         const std::vector<std::string>*& pattern) {
  // All three parts have to apply to the same command: `git push` in one and `--force` in another is no match.
  Certainty words = question.words.empty() ? Certainty::Yes : Certainty::No;
  for (const std::vector<std::string>& one : question.words) {
    const Certainty answer = call::matches_command(command, one);
    if (answer <= words) continue;
    words = answer;
    pattern = &one;
  }
  if (words == Certainty::No) return words;
  Certainty flags = question.flags.empty() ? Certainty::Yes : Certainty::No;
  for (const std::string& flag : question.flags) flags = std::max(flags, call::has_flag(command, flag));
  if (flags == Certainty::No || question.effects.empty()) return std::min(words, flags);
  const call::Effects effects = call::effects_of(command);
  Certainty does = Certainty::No;
  for (const CommandEffect effect : question.effects) does = std::max(does, effect_answer(effects, effect));
  return std::min({words, flags, does});
}

Certainty ask_command(const CommandQuestion& question, const shell::SimpleCommand& command,
                      const std::vector<std::string>*& pattern) {
  Certainty best = ask_one(question, command, pattern);
  if (best != Certainty::No || question.words.empty()) return best;
  for (const shell::SimpleCommand& guess : call::guesses_of(command, question.words)) {
    best = std::max(best, std::min(Certainty::Maybe, ask_one(question, guess, pattern)));
  }
  return best;
}

bool counts_searches(const ToolQuestion& question) {
  return std::ranges::find(question.kinds, ToolKind::Read) != question.kinds.end();
}

bool asks_for_path(const Condition& condition) {
  return condition.op == Condition::Op::All && std::ranges::any_of(condition.parts, [](const Condition& part) {
           return part.op == Condition::Op::Ask && std::holds_alternative<PathQuestion>(part.question);
         });
}

Match answer(const Condition& condition, call::ToolCall& subject, Quantifier quantifier) {
  switch (condition.op) {
    case Condition::Op::Ask:
      return std::visit(Asking(subject, quantifier), condition.question);
    case Condition::Op::Not: {
      if (condition.parts.empty()) return {};
      // "Not every" is the same as "some not", so the quantifier is turned round too. Nothing matched, so the match is
      // about nothing.
      return {.answer = opposite(answer(condition.parts[0], subject, opposite(quantifier)).answer)};
    }
    case Condition::Op::All: {
      Match all{.answer = Certainty::Yes};
      const bool is_about_files = asks_for_path(condition);
      for (const Condition& part : condition.parts) {
        const Match one = part.op == Condition::Op::Ask
                              ? std::visit(Asking(subject, quantifier, is_about_files), part.question)
                              : answer(part, subject, quantifier);
        all.answer = std::min(all.answer, one.answer);
        if (all.answer == Certainty::No) return {};
        add_about(all, one);
      }
      return all;
    }
    case Condition::Op::Any: {
      Match any;
      for (const Condition& part : condition.parts) {
        Match one = answer(part, subject, quantifier);
        // The best part decides, and the match is about that part.
        if (one.answer > any.answer) any = std::move(one);
        if (any.answer == Certainty::Yes) break;
      }
      return any;
    }
  }
  return {};
}

Match ask(const HookSpec& hook, call::ToolCall& subject) {
  if (!hook.when) return {.answer = Certainty::Yes};
  const Quantifier quantifier = quantifier_of(hook);
  Match match = answer(*hook.when, subject, quantifier);
  call::ToolCall* const again =
      match.answer == Certainty::No && quantifier == Quantifier::Some ? subject.again() : nullptr;
  if (again == nullptr) return match;
  Match second = answer(*hook.when, *again, quantifier);
  if (second.answer == Certainty::No) return match;
  match = {.answer = Certainty::Maybe, .file = second.file, .name = second.name};
  match.evidence = std::move(second.evidence);
  match.reached = std::move(second.reached);
  match.runs = second.command == nullptr ? "" : text_of(*second.command);
  return match;
}

bool asks_for_changes(const Condition& condition) {
  if (condition.op == Condition::Op::Ask) return std::holds_alternative<ChangedQuestion>(condition.question);
  return std::ranges::any_of(condition.parts, asks_for_changes);
}

}  // namespace grapnel::rule
