#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rule/answer.h"

/// Conditions and events in few words.
namespace grapnel::rule {

using call::CallContext;
using call::FileNames;
using call::PathRoots;

inline Json json(std::string text) {
  auto parsed = Json::parse(std::move(text));
  EXPECT_TRUE(parsed.has_value());
  return parsed.value_or(Json());
}

inline Matcher path_glob(std::string_view pattern) {
  return *Matcher::compile(pattern, MatchSyntax::GlobPath);
}
inline Matcher text_glob(std::string_view pattern) {
  return *Matcher::compile(pattern, MatchSyntax::GlobBash);
}
inline Matcher regex(std::string_view pattern) {
  return *Matcher::compile(pattern, MatchSyntax::StrictRegex);
}

inline Condition ask_for(Question question) {
  Condition out;
  out.op = Condition::Op::Ask;
  out.question = std::move(question);
  return out;
}
inline Condition group(Condition::Op op, std::vector<Condition> parts) {
  Condition out;
  out.op = op;
  out.parts = std::move(parts);
  return out;
}
inline Condition all(std::vector<Condition> parts) {
  return group(Condition::Op::All, std::move(parts));
}
inline Condition any(std::vector<Condition> parts) {
  return group(Condition::Op::Any, std::move(parts));
}
inline Condition no(Condition part) {
  return group(Condition::Op::Not, {std::move(part)});
}

inline std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  for (size_t from = 0; from < text.size();) {
    const size_t end = std::min(text.find(' ', from), text.size());
    out.emplace_back(text.substr(from, end - from));
    from = end + 1;
  }
  return out;
}

inline Condition tool(std::vector<ToolKind> kinds) {
  return ask_for(ToolQuestion{std::move(kinds), {}});
}
inline Condition tool_called(std::string_view name) {
  return ask_for(ToolQuestion{{}, {text_glob(name)}});
}
inline Condition command(std::initializer_list<std::string_view> patterns, std::vector<std::string> flags = {},
                         std::vector<CommandEffect> effects = {}) {
  CommandQuestion out{{}, std::move(flags), std::move(effects)};
  for (const std::string_view pattern : patterns) out.words.push_back(words_of(pattern));
  return ask_for(std::move(out));
}
inline Condition effect(CommandEffect one) {
  return command({}, {}, {one});
}
inline Condition path(std::initializer_list<std::string_view> patterns) {
  PathQuestion out;
  for (const std::string_view pattern : patterns) out.patterns.push_back(path_glob(pattern));
  return ask_for(std::move(out));
}

/// A tool call in the words of a dialect.
inline Event tool_call(std::string_view dialect, std::string_view tool, std::string input, std::string cwd = "/p") {
  const Json payload = Json::object({{"session_id", Json::string("s1")},
                                     {"cwd", Json::string(cwd)},
                                     {"tool_name", Json::string(tool)},
                                     {"tool_input", json(std::move(input))}});
  if (dialect == "canonical") return Event(EventKind::PreToolUse, payload);
  const std::string_view name = find_dialect(dialect)->find_event(EventKind::PreToolUse)->wire_name;
  auto event = Event::from_native(dialect, payload.with("hook_event_name", Json::string(name)), name);
  EXPECT_TRUE(event.has_value()) << (event ? "" : event.error().to_string());
  return *event;
}
inline Event shell_call(std::string_view text, std::string cwd = "/p") {
  return tool_call("canonical", "Bash", Json::object({{"command", Json::string(text)}}).dump(), std::move(cwd));
}

inline call::Certainty answer_to(const Condition& condition, const Event& event, Quantifier quantifier,
                                 const CallContext& around = {.project_dir = "/p", .home = "/home/u"}) {
  call::ToolCall subject(event, around);
  return answer(condition, subject, quantifier).answer;
}

}  // namespace grapnel::rule
