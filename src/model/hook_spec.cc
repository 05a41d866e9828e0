#include "model/hook_spec.h"

#include <algorithm>

#include "base/text.h"
#include "model/http_url.h"

namespace grapnel {

std::string_view to_string(Scope scope) {
  switch (scope) {
    case Scope::Managed:
      return "managed";
    case Scope::User:
      return "user";
    case Scope::Project:
      return "project";
    case Scope::Local:
      return "local";
    case Scope::Extension:
      return "extension";
    case Scope::Callback:
      return "callback";
  }
  return "";
}

std::string_view to_string(OnFailure policy) {
  switch (policy) {
    case OnFailure::Open:
      return "open";
    case OnFailure::Ask:
      return "ask";
    case OnFailure::Closed:
      return "closed";
  }
  return "";
}

namespace {

bool matches_one(const std::vector<Matcher>& any_of, std::string_view text) {
  return std::ranges::any_of(any_of, [&](const Matcher& matcher) { return matcher.matches(text); });
}

/// Looks at every value inside of objects and arrays, so that a pattern also finds a path in a list of edits.
bool matches_leaf(const std::vector<Matcher>& any_of, const Json& value) {
  if (const auto text = value.as_string()) return matches_one(any_of, *text);
  if (value.kind() == JsonKind::Number || value.kind() == JsonKind::Bool) return matches_one(any_of, value.raw());
  for (const Json& element : value.elements()) {
    if (matches_leaf(any_of, element)) return true;
  }
  for (const JsonMember& member : value.members()) {
    if (matches_leaf(any_of, member.value)) return true;
  }
  return false;
}

}  // namespace

/// `whole_too` is for dialects such as Agent Hooks, whose patterns may also match the input as JSON text.
bool Clause::matches(const Json& value) const {
  return matches_leaf(any_of, value) || (whole_too && matches_one(any_of, value.dump()));
}

std::string Clause::describe() const {
  std::string out;
  for (const Matcher& matcher : any_of) out += (out.empty() ? "" : " or ") + matcher.describe();
  return out;
}

namespace {

/// The command as one line for people; nothing is quoted, so it cannot be run as it is.
std::string text_of(const CommandHandler& run) {
  std::string out = run.command;
  for (const std::string& argument : run.args.value_or(std::vector<std::string>{})) out += " " + argument;
  return out;
}

/// One line for each kind of handler. The compiler reports a kind that is missing.
struct WordOfHandler {
  std::string operator()(const CommandHandler&) const { return "command"; }
  std::string operator()(const CallbackHandler&) const { return "callback"; }
  std::string operator()(const RuleHandler&) const { return "rule"; }
  std::string operator()(const WorkerHandler&) const { return "worker"; }
  std::string operator()(const HttpHandler&) const { return "http"; }
  std::string operator()(const PromptHandler&) const { return "prompt"; }
  std::string operator()(const AgentHandler&) const { return "agent"; }
  std::string operator()(const UnavailableHandler& handler) const { return handler.type; }
};

/// What people read in lists. URLs are shown without their query, which may contain secrets.
struct ActionOfHandler {
  std::string operator()(const CommandHandler& handler) const { return text_of(handler); }
  std::string operator()(const CallbackHandler&) const { return ""; }
  std::string operator()(const RuleHandler& handler) const { return handler.describe(); }
  std::string operator()(const WorkerHandler& handler) const { return text_of(handler.start); }
  std::string operator()(const HttpHandler& handler) const { return "POST " + shown_url(handler.url); }
  std::string operator()(const PromptHandler& handler) const { return handler.prompt; }
  std::string operator()(const AgentHandler& handler) const { return handler.prompt; }
  std::string operator()(const UnavailableHandler&) const { return ""; }
};

}  // namespace

bool HookSpec::listens_to(const Event& event) const {
  if (!listens_to(event.kind())) return false;
  if (event.kind() != EventKind::Other || other_events.empty()) return true;
  return std::ranges::find(other_events, event.name()) != other_events.end();
}

std::vector<std::string> HookSpec::event_names() const {
  std::vector<std::string> names;
  for (const EventKind kind : all_event_kinds()) {
    const bool is_named = kind == EventKind::Other && !other_events.empty();
    if (listens_to(kind) && !is_named) names.emplace_back(to_string(kind));
  }
  names.insert(names.end(), other_events.begin(), other_events.end());
  return names;
}

std::bitset<kEventKindCount> HookSpec::settles_at() const {
  std::bitset<kEventKindCount> out;
  if (!debounce.is_set()) return out;
  using enum EventKind;
  for (const EventKind kind : {Stop, StopFailure, Interrupt, UserPromptSubmit, SessionEnd}) {
    out.set(static_cast<size_t>(kind));
  }
  return out;
}

std::string HookSpec::command_text() const {
  if (const auto* post = std::get_if<HttpHandler>(&handler)) return "POST " + shown_url(post->url);
  return program() == nullptr ? "" : text_of(*program());
}

std::string HookSpec::handler_word() const {
  return std::visit(WordOfHandler{}, handler);
}

std::string HookSpec::action_text() const {
  return std::visit(ActionOfHandler{}, handler);
}

/// The conditions in words, for `grapnel list`.
std::string HookSpec::condition_text() const {
  std::string out;
  for (const Clause& clause : clauses) {
    out += (out.empty() ? "" : ", ") + std::string(to_string(clause.subject)) + " " + clause.describe();
  }
  if (when) out += (out.empty() ? "" : ", ") + when->describe();
  if (debounce.until_turn_ends) out += (out.empty() ? "" : ", ") + std::string("once for the whole turn");
  if (debounce.quiet.count() > 0) {
    out += (out.empty() ? "" : ", ") + std::string("once it was quiet for ") + std::to_string(debounce.quiet.count()) +
           " ms";
  }
  return out;
}

std::string HookSpec::source_text() const {
  if (source.file.empty()) return std::string(to_string(scope));
  return source.line == 0 ? source.file : source.file + ":" + std::to_string(source.line);
}

}  // namespace grapnel
