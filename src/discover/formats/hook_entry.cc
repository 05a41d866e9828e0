#include "discover/formats/hook_entry.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "base/text.h"
#include "discover/formats/http_entry.h"
#include "discover/formats/if_rule.h"
#include "model/http_url.h"

// How an entry is read: the tables of the dialect say what each key means, and the code below only knows the meanings.
// Most functions return whether the value is usable. They report what is wrong, reading goes on to find further
// mistakes, and the hook is dropped at the end when any value was unusable. Unknown keys are only warnings, because an
// agent may have keys that Grapnel does not know yet.
namespace grapnel {

namespace {

constexpr std::chrono::hours kDay{24};

/// A number, or a string that is nothing but a number.
std::optional<double> number_of(const Json& value) {
  if (const auto number = value.as_number()) return number;
  const auto text = value.as_string();
  double number = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), number).ptr != text->data() + text->size() ||
      text->empty()) {
    return std::nullopt;
  }
  return number;
}

template <typename Row>
std::vector<std::string_view> keys_of(std::span<const Row> rows) {
  std::vector<std::string_view> keys;
  for (const Row& row : rows) keys.push_back(row.key);
  return keys;
}

/// The name of a hook that has none in its file: what it runs, posts to or asks.
std::string usual_name(const HookSpec& spec) {
  if (const CommandHandler* command = spec.command()) return command->command;
  const auto* other = std::get_if<UnavailableHandler>(&spec.handler);
  if (const auto* post = std::get_if<HttpHandler>(&spec.handler)) return "http: " + shown_url(post->url);
  if (other == nullptr) return spec.handler_word() + ": " + text::cap(spec.action_text(), 60);
  if (other->prompt.empty()) return other->type;
  return other->type + ": " + text::cap(other->prompt, 60);
}

}  // namespace

std::expected<std::chrono::milliseconds, std::string> read_duration(const Json& value, std::chrono::milliseconds unit,
                                                                    std::chrono::milliseconds most) {
  const auto number = number_of(value);
  const std::string unit_name = unit.count() == 1 ? "milliseconds" : "seconds";
  if (!number || !(*number > 0)) return std::unexpected("must be a number of " + unit_name + " above 0");
  const double milliseconds = *number * static_cast<double>(unit.count());
  if (milliseconds > static_cast<double>(most.count())) {
    // A value above a day is most likely in the wrong unit, so the message names the unit.
    const std::string limit = most == kDay ? "24 hours" : std::to_string(most / unit) + " " + unit_name;
    return std::unexpected("must be at most " + limit + (most == kDay ? " (it is given in " + unit_name + ")" : ""));
  }
  return std::chrono::milliseconds(std::max<int64_t>(1, std::llround(milliseconds)));
}

std::optional<OnFailure> read_failure_word(const Dialect& dialect, std::string_view word) {
  const auto found = std::ranges::find(dialect.failure.words, word, &FailureWordRow::word);
  return found == dialect.failure.words.end() ? std::nullopt : std::optional(found->meaning);
}

std::string failure_words_text(const Dialect& dialect) {
  std::string out;
  for (size_t i = 0; i < dialect.failure.words.size(); ++i) {
    if (i > 0) out += i + 1 == dialect.failure.words.size() ? " or " : ", ";
    out += "\"" + std::string(dialect.failure.words[i].word) + "\"";
  }
  return out;
}

/// A matcher with a mistake drops the whole group: without it, the hooks would run too often.
void GroupReader::read(const Json& group, std::vector<ParsedHook>& out) {
  if (!group.is_object()) return problems_.error(group, "a group must be an object with a list 'hooks'");
  const auto facts = read_facts(group);
  if (!facts) return;
  if (!facts->hooks.is_array()) {
    return problems_.error(facts->hooks ? facts->hooks : group, "a group must have a list 'hooks'",
                           "as in \"hooks\": [{\"type\": \"command\", \"command\": \"…\"}]");
  }
  for (const Json& entry : facts->hooks.elements()) read_hook(entry, *facts, out);
}

void GroupReader::read_alone(const Json& entry, std::vector<ParsedHook>& out) {
  GroupFacts facts;
  if (!entry.is_object()) return problems_.error(entry, "a hook must be an object with a 'command'");
  const auto key = std::ranges::find(dialect_.entries.hook_keys, HookKey::Matcher, &HookKeyRow::meaning);
  if (key != dialect_.entries.hook_keys.end()) facts.matcher = entry[key->key];
  // The matcher is read from the entry here; `read_hook` skips that key.
  if (!facts.matcher || read_matcher(facts.matcher, facts.clauses)) read_hook(entry, facts, out);
}

/// What the hooks of a group share; nothing when the matcher cannot be used.
std::optional<GroupReader::GroupFacts> GroupReader::read_facts(const Json& group) {
  GroupFacts facts;
  bool ok = true;
  for (const JsonMember& member : counting_members(group, problems_)) {
    const auto known = std::ranges::find(dialect_.entries.group_keys, member.key, &GroupKeyRow::key);
    if (known == dialect_.entries.group_keys.end()) {
      problems_.warning_at(member.key_offset, "unknown key '" + member.key + "' in a group is ignored",
                           did_you_mean(member.key, keys_of(dialect_.entries.group_keys)));
    } else if (known->meaning == GroupKey::Matcher) {
      facts.matcher = member.value;
      ok &= read_matcher(member.value, facts.clauses);
    } else if (known->meaning == GroupKey::Hooks) {
      facts.hooks = member.value;
    } else if (known->meaning == GroupKey::Name) {
      if (!member.value.is_string()) problems_.error(member.value, "'" + member.key + "' must be a string");
      facts.name = member.value.as_string().value_or("");
    } else if (known->meaning == GroupKey::Sequential) {
      if (!member.value.as_bool()) problems_.error(member.value, "'" + member.key + "' must be true or false");
      facts.sequential = member.value.as_bool().value_or(false);
    }
  }
  if (!ok) return std::nullopt;
  return facts;
}

/// A matcher is absent, one pattern for the field that the event is matched on, or an object with patterns for several
/// fields. Each becomes clauses, all of which must match.
bool GroupReader::read_matcher(const Json& matcher, std::vector<Clause>& clauses) {
  if (matcher.is_null()) return true;
  if (matcher.is_string()) {
    // The event has no field to match on, and for most agents the matcher is then ignored.
    if (row_.matching.match_on == Field::None) return !row_.matching.matches_empty || matches_empty(matcher);
    return add_clause(matcher, row_.matching.match_on, row_.matching.match_syntax, clauses);
  }
  if (!matcher.is_object() || dialect_.entries.matcher_members.empty()) {
    problems_.error(matcher, dialect_.entries.matcher_members.empty() ? "'matcher' must be a string"
                                                                      : "'matcher' must be an object or a string");
    return false;
  }
  bool ok = true;
  for (const JsonMember& member : counting_members(matcher, problems_)) {
    const auto known = std::ranges::find(dialect_.entries.matcher_members, member.key, &MatcherMember::key);
    if (known == dialect_.entries.matcher_members.end()) {
      // Not just a warning: without this condition the hook would run too often.
      problems_.error_at(member.key_offset, "a matcher has no key '" + member.key + "'",
                         did_you_mean(member.key, keys_of(dialect_.entries.matcher_members)));
      ok = false;
    } else {
      ok &= known->takes_argument ? add_tools(member.value, *known, clauses)
                                  : add_clause(member.value, known->subject, known->syntax, clauses);
    }
  }
  return ok;
}

/// For agents that compare the matcher with an empty text at events that have nothing to match. A matcher that does not
/// accept the empty text would keep its hook from ever running, which cannot be intended.
bool GroupReader::matches_empty(const Json& matcher) {
  Clause clause;
  if (!add_pattern(matcher, row_.matching.match_syntax, clause)) return false;
  if (clause.any_of.empty() || clause.any_of.front().matches("")) return true;
  problems_.error(matcher, "'" + std::string(row_.wire_name) + "' has nothing to match, so this hook would never run",
                  "remove the matcher");
  return false;
}

/// `Tool(pattern)` becomes two clauses, one for the tool and one for its command or path. Clauses are joined by "and",
/// so in a list with several tools the argument cannot be tied to its tool; there it is ignored with a warning, and the
/// hook runs more often rather than less.
bool GroupReader::add_tools(const Json& patterns, const MatcherMember& member, std::vector<Clause>& clauses) {
  const bool is_list = patterns.is_array();
  Clause tools{member.subject, {}};
  bool ok = true;
  for (size_t i = 0; i < (is_list ? patterns.size() : 1); ++i) {
    const Json pattern = is_list ? patterns.at(i) : patterns;
    const std::string text = pattern.as_string().value_or("");
    const auto split = split_tool_pattern(text, dialect_);
    if (!split) {
      ok &= add_pattern(pattern, member.syntax, tools);
      continue;
    }
    ok &= add_pattern(Json::string(split->tools), member.syntax, tools);
    if (is_list && patterns.size() > 1) {
      problems_.warning(pattern, "in a list of tools, the argument in '" + text + "' is ignored",
                        "give this tool a hook of its own");
    } else {
      ok &= add_clause(Json::string(split->argument), split->subject, MatchSyntax::GlobBash, clauses);
    }
  }
  if (!tools.any_of.empty()) clauses.push_back(std::move(tools));
  return ok;
}

/// Adds a clause for one pattern or a list of patterns, one of which must match. Empty patterns are skipped, and a
/// clause without patterns is not added, so an empty matcher matches everything.
bool GroupReader::add_clause(const Json& pattern, Field subject, MatchSyntax syntax, std::vector<Clause>& clauses) {
  Clause clause{subject, {}};
  bool ok = true;
  if (pattern.is_array()) {
    for (const Json& one : pattern.elements()) ok &= add_pattern(one, syntax, clause);
  } else {
    ok = add_pattern(pattern, syntax, clause);
  }
  if (!clause.any_of.empty()) clauses.push_back(std::move(clause));
  return ok;
}

bool GroupReader::add_pattern(const Json& pattern, MatchSyntax syntax, Clause& clause) {
  const auto text = pattern.as_string();
  if (!text) {
    problems_.error(pattern, "a pattern must be a string");
    return false;
  }
  if (text->empty()) return true;
  auto matcher = Matcher::compile(*text, syntax);
  if (!matcher) {
    problems_.error(pattern, matcher.error().message);
    return false;
  }
  if (matcher->fell_back_to_literal()) {
    problems_.warning(pattern, "'" + *text + "' is not a valid regular expression, so it matches only this exact text");
  }
  // A matcher may use an older or another name of a tool, but events carry only the current name.
  if (clause.subject == Field::ToolName) {
    for (const ToolAlias& alias : dialect_.tools.aliases) {
      if (matcher->matches(alias.alias)) clause.any_of.push_back(*Matcher::compile(alias.tool, MatchSyntax::Exact));
    }
  }
  clause.any_of.push_back(std::move(*matcher));
  return true;
}

/// Reads one entry and, if all of it is usable, appends the hook with everything that its group and its event add.
void GroupReader::read_hook(const Json& entry, const GroupFacts& facts, std::vector<ParsedHook>& out) {
  if (!entry.is_object()) return problems_.error(entry, "a hook must be an object with 'type' and 'command'");
  ParsedHook hook;
  hook.spec.handler = CommandHandler{};
  std::string type;
  bool ok = true;
  for (const JsonMember& member : counting_members(entry, problems_)) {
    const auto known = std::ranges::find(dialect_.entries.hook_keys, member.key, &HookKeyRow::key);
    if (known == dialect_.entries.hook_keys.end()) {
      problems_.warning_at(member.key_offset, "unknown key '" + member.key + "' in a hook is ignored",
                           did_you_mean(member.key, keys_of(dialect_.entries.hook_keys)));
    } else {
      ok &= read_key(*known, member.value, hook, type);
    }
  }
  if (!check_type(entry, type, hook) || !ok) return;

  HookSpec& spec = hook.spec;
  const std::string what = usual_name(spec);
  if (spec.name.empty()) spec.name = facts.name.empty() ? what : facts.name;
  spec.group = facts.name;
  spec.dialect = &dialect_;
  spec.scope = scope_;
  spec.source = problems_.position_of(entry);
  spec.clauses.insert(spec.clauses.begin(), facts.clauses.begin(), facts.clauses.end());
  // An event such as Cursor's `beforeShellExecution` is a tool event for some tools only.
  if (!row_.applies.tool_pattern.empty()) {
    spec.clauses.push_back({Field::ToolName, {*Matcher::compile(row_.applies.tool_pattern, MatchSyntax::StrictRegex)}});
  }
  spec.sequential = facts.sequential;
  // Several kinds of event may share one name; the hook listens to all of them.
  for (const EventRow& row : dialect_.events) {
    if (row.wire_name == row_.wire_name) spec.events.set(static_cast<size_t>(row.kind));
  }
  // An event that is not in the dialect's table: new in this agent, or without a kind.
  const bool is_new = spec.events.none();
  if (is_new) {
    const auto kind = event_kind_from(row_.wire_name);
    spec.events.set(static_cast<size_t>(kind.value_or(EventKind::Other)));
    if (!kind) spec.other_events.emplace_back(row_.wire_name);
  }
  // Several names may stand for one kind. The hook must see the name that its file uses, so it is kept when it is not
  // the first.
  const EventRow* first = is_new ? nullptr : dialect_.find_event(row_.kind);
  if (first != nullptr && first->wire_name != row_.wire_name) spec.event_name = row_.wire_name;
  // Hooks with equal keys are duplicates, and the planner runs only the first of them.
  if (dialect_.running.dedupe_whole) {
    spec.dedupe_key = std::string(dialect_.name) + ":" + entry.dump();
  } else if (dialect_.running.dedupe) {
    spec.dedupe_key = std::string(dialect_.name) + ":" + entry["name"].as_string().value_or("") + ":" + what;
  }
  // Trust is given to this text, so it has everything that decides what runs and when.
  spec.definition = Json::object({{"dialect", Json::string(dialect_.name)},
                                  {"event", Json::string(row_.wire_name)},
                                  {"matcher", facts.matcher},
                                  {"hook", entry}})
                        .dump();
  hook.event = row_.wire_name;
  out.push_back(std::move(hook));
}

/// Turns what was read into the handler that the type asks for. While keys are read, the type may not be known yet, so
/// `ParsedHook` collects the values of every type and this function picks those it needs.
bool GroupReader::check_type(const Json& entry, const std::string& type, ParsedHook& hook) {
  const bool has_types = !dialect_.entries.handler_types.empty();
  const bool is_usual = type.empty() && dialect_.entries.type_optional;
  const auto known = is_usual ? dialect_.entries.handler_types.begin()
                              : std::ranges::find(dialect_.entries.handler_types, type, &HandlerTypeRow::word);
  if (has_types && known == dialect_.entries.handler_types.end()) {
    std::vector<std::string_view> words;
    for (const HandlerTypeRow& row : dialect_.entries.handler_types) words.push_back(row.word);
    problems_.error(entry["type"] ? entry["type"] : entry,
                    type.empty() ? "a hook needs \"type\": \"command\"" : "'" + type + "' is not a hook type here",
                    did_you_mean(type, words));
    return false;
  }
  auto& command = std::get<CommandHandler>(hook.spec.handler);
  const bool is_command = !has_types || known->type == HandlerType::Command;
  if (is_command && command.command.empty() && !has_problem_in(entry, HookKey::Command)) {
    problems_.error(entry, has_types ? "a hook of type 'command' needs a 'command'" : "a hook needs a 'command'");
    return false;
  }
  if (is_command) return true;
  // The timeout was read in the unit of the dialect, but this type may have a unit of its own.
  if (hook.timeout && known->timeout_unit.count() > 0) *hook.timeout *= known->timeout_unit / dialect_.timeouts.unit;
  if (!hook.timeout && known->default_timeout.count() > 0) hook.timeout = known->default_timeout;
  if (known->type == HandlerType::Http) {
    if (hook.post.max_reply == 0) hook.post.max_reply = dialect_.http.max_reply;
    if (!check_post(entry, dialect_, hook.post, problems_)) return false;
    hook.spec.handler = hook.post;
  } else if (known->type == HandlerType::Prompt || known->type == HandlerType::Agent) {
    return take_question(entry, *known, hook);
  } else {
    // A type of the agent that nothing here can run. The hook stays in the list, so that people see it fail instead of
    // missing it.
    hook.spec.handler = UnavailableHandler{type, hook.prompt, hook.model};
  }
  return true;
}

/// Makes a hook that asks a model: `prompt` or `agent`.
bool GroupReader::take_question(const Json& entry, const HandlerTypeRow& type, ParsedHook& hook) {
  if (text::trim(hook.prompt).empty()) {
    if (!has_problem_in(entry, HookKey::Prompt)) {
      problems_.error(entry, "a hook of type '" + std::string(type.word) + "' needs a 'prompt'");
    }
    return false;
  }
  hook.spec.async = false;  // the model is asked for an answer, so something must wait for it
  if (type.type == HandlerType::Prompt) {
    hook.spec.handler = PromptHandler{hook.prompt, hook.model, hook.goes_on};
  } else {
    hook.spec.handler = AgentHandler{hook.prompt, hook.model, 0};
  }
  return true;
}

/// Whether the entry has a value for that key. Then reading the key has already reported what is wrong with it, and a
/// message that the key is missing would be misleading.
bool GroupReader::has_problem_in(const Json& entry, HookKey key) const {
  const auto row = std::ranges::find(dialect_.entries.hook_keys, key, &HookKeyRow::meaning);
  const Json value = row == dialect_.entries.hook_keys.end() ? Json() : entry[row->key];
  return value && !value.equals_string("");
}

/// Reads one key into `hook`, or into `type`. False, with the problem reported, when the value is unusable.
bool GroupReader::read_key(const HookKeyRow& row, const Json& value, ParsedHook& hook, std::string& type) {
  auto& handler = std::get<CommandHandler>(hook.spec.handler);
  const auto take_text = [&](std::string& target, std::string_view what) {
    const auto text = value.as_string();
    const bool is_usable = text && text->find('\0') == std::string::npos;
    if (is_usable) {
      target = *text;
    } else {
      problems_.error(value, "'" + std::string(what) + "' must be a string" + (text ? " without NUL characters" : ""));
    }
    return is_usable;
  };
  switch (row.meaning) {
    case HookKey::Type:
      type = value.as_string().value_or(value.dump());
      return true;
    case HookKey::Command: {
      // A dialect may have several keys for the command, `bash` and `command` for example. The first in its table wins.
      const bool is_first_choice = row.key == dialect_.key_of(HookKey::Command);
      return (!is_first_choice && !handler.command.empty()) || take_text(handler.command, row.key);
    }
    case HookKey::Args:
      return read_args(value, handler);
    case HookKey::Prompt:
      return take_text(hook.prompt, "prompt");
    case HookKey::Target:
      // Only shown to people: it says what the hook would have called.
      if (hook.prompt.empty()) hook.prompt = value.as_string().value_or("");
      return true;
    case HookKey::Model:
      return take_text(hook.model, "model");
    case HookKey::Url:
    case HookKey::Headers:
    case HookKey::AllowedEnv:
    case HookKey::Retries:
    case HookKey::MaxReply:
      return read_post_key(row, value, hook.post, problems_);
    case HookKey::GoesOn:
      if (!value.as_bool()) problems_.error(value, "'continueOnBlock' must be true or false");
      hook.goes_on = value.as_bool().value_or(false);
      return value.as_bool().has_value();
    case HookKey::Async:
      return read_async(value, hook);
    case HookKey::OnFailure:
      return read_on_failure(value, hook);
    case HookKey::If:
      return read_condition(value, hook);
    // The settings reader has read the event, and `read_alone` the matcher. The others belong to HOOK.md or have no
    // effect.
    case HookKey::Event:
    case HookKey::Matcher:
    case HookKey::Priority:
    case HookKey::Metadata:
    case HookKey::Ignored:
      return true;
    case HookKey::Name:
      return take_text(hook.spec.name, "name");
    case HookKey::Description:
      return take_text(hook.spec.description, "description");
    case HookKey::StatusMessage:
      return take_text(hook.spec.status_message, "statusMessage");
    case HookKey::Env:
      return read_env(value, handler);
    case HookKey::Timeout: {
      const auto timeout = read_duration(value, dialect_.timeouts.unit, dialect_.timeouts.max);
      if (timeout) {
        hook.timeout = *timeout;
      } else {
        problems_.error(value, "'timeout' " + timeout.error());
      }
      return timeout.has_value();
    }
  }
  return true;
}

bool GroupReader::read_args(const Json& value, CommandHandler& handler) {
  std::vector<std::string> args;
  for (const Json& element : value.elements()) {
    if (const auto text = element.as_string()) args.push_back(*text);
  }
  if (!value.is_array() || args.size() != value.size()) {
    problems_.error(value, "'args' must be a list of strings");
    return false;
  }
  handler.args = std::move(args);
  return true;
}

/// Several keys may mean async; one that is true is enough.
bool GroupReader::read_async(const Json& value, ParsedHook& hook) {
  if (!value.as_bool()) problems_.error(value, "'async' must be true or false");
  hook.spec.async |= value.as_bool().value_or(false);
  return value.as_bool().has_value();
}

/// Adds the clauses of an `if`. When it cannot be read, the hook always runs: a guard that runs too often is safer than
/// one that never runs.
bool GroupReader::read_condition(const Json& value, ParsedHook& hook) {
  const std::string rule = value.as_string().value_or("");
  // The hook listens to an event that Grapnel does not have, so it never runs and its condition does not matter.
  if (dialect_.find_event(row_.wire_name) == nullptr) return true;
  const bool has_tool =
      std::ranges::find(row_.payload.inputs, Field::ToolName, &FieldRow::field) != row_.payload.inputs.end();
  if (!has_tool) {
    problems_.error(value, "'if' only applies to tool calls, so on '" + std::string(row_.wire_name) +
                               "' this hook would never run");
    return false;
  }
  auto clauses = clauses_of_rule(rule, dialect_);
  if (clauses) {
    std::ranges::move(*clauses, std::back_inserter(hook.spec.clauses));
  } else {
    problems_.warning(value, "'if' is not a permission rule such as \"Bash(git *)\", so the hook always runs");
  }
  return true;
}

bool GroupReader::read_on_failure(const Json& value, ParsedHook& hook) {
  hook.on_failure = read_failure_word(dialect_, value.as_string().value_or(value.dump()));
  const std::string key(dialect_.key_of(HookKey::OnFailure));
  if (!hook.on_failure) problems_.error(value, "'" + key + "' must be " + failure_words_text(dialect_));
  return hook.on_failure.has_value();
}

bool GroupReader::read_env(const Json& value, CommandHandler& handler) {
  if (!value.is_object()) {
    problems_.error(value, "'env' must be an object of strings");
    return false;
  }
  // An environment is a list of NUL-terminated `NAME=value` texts.
  constexpr std::string_view kNotInNames("=\0", 2);
  for (const JsonMember& member : counting_members(value, problems_)) {
    const auto text = member.value.as_string();
    const bool is_named = !member.key.empty() && member.key.find_first_of(kNotInNames) == std::string::npos;
    if (!text || !is_named || text->find('\0') != std::string::npos) {
      problems_.error(member.value, "'env' must map variable names to strings");
      return false;
    }
    handler.env.emplace_back(member.key, *text);
  }
  return true;
}

}  // namespace grapnel
