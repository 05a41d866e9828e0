#include "call/permission_rule.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/text.h"
#include "call/commands.h"

namespace grapnel::call {

namespace {

/// Kinds that have neither a command nor a path to compare a pattern with.
constexpr auto kWithoutSubject = std::to_array({ToolKind::Fetch, ToolKind::Search, ToolKind::Task, ToolKind::Todo});

constexpr std::string_view kServerPrefix = "mcp__";

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_of(" ()|,\t\n") == std::string_view::npos;
}

bool covers_kind(ToolKind rule, ToolKind call) {
  if (rule == ToolKind::Edit) return call == ToolKind::Write || call == ToolKind::Delete;
  return rule == ToolKind::Read && (call == ToolKind::Glob || call == ToolKind::Grep);
}

bool any_fits(const std::vector<match::Glob>& globs, std::string_view subject) {
  return std::ranges::any_of(globs, [&](const match::Glob& glob) { return glob.matches(subject); });
}

/// The pattern itself, and what lies below it.
Result<std::vector<match::Glob>> compile_path(const std::string& pattern) {
  std::vector<match::Glob> out;
  for (const std::string& text : {pattern, pattern + "/**"}) {
    auto glob = match::Glob::compile(text, match::kPicomatchBash);
    if (!glob) return std::unexpected(glob.error());
    out.push_back(std::move(*glob));
  }
  return out;
}

std::string_view without_prefix(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

std::unexpected<Error> unreadable(std::string_view rule, std::string_view why) {
  return fail(Errc::BadConfig, "the permission rule '" + std::string(rule) + "' " + std::string(why));
}

}  // namespace

const ParsedCommand& JudgedCall::commands() const {
  if (!parsed) parsed = commands_of(subject);
  return *parsed;
}

RuleText split_rule(std::string_view text) {
  text = text::trim(text);
  const size_t open = text.find('(');
  RuleText out{.tool = text::trim(text.substr(0, open)), .pattern = {}};
  if (open == std::string_view::npos) return out;
  out.is_closed = text.ends_with(')');
  if (!out.is_closed) return out;
  out.pattern = text::trim(text.substr(open + 1, text.size() - open - 2));
  if (out.pattern == "*" || out.pattern == ":*") out.pattern = {};
  return out;
}

Result<PermissionRule> PermissionRule::parse(std::string_view text, std::string_view home) {
  text = text::trim(text);
  PermissionRule rule;
  rule.text_ = text;
  const RuleText parts = split_rule(text);
  if (!is_name(parts.tool)) return unreadable(text, "does not start with the name of one tool");
  auto tools = read_tools(parts.tool);
  if (!tools) return unreadable(text, "has a name that cannot be used: " + tools.error().message);
  rule.tools_ = std::move(*tools);
  if (!parts.is_closed) return unreadable(text, "has no closing parenthesis at its end");
  if (parts.pattern.empty()) return rule;
  if (std::ranges::find(kWithoutSubject, rule.tools_.kind) != kWithoutSubject.end()) {
    return unreadable(text, "has a pattern, but calls of that tool have neither a command nor a path");
  }
  auto subject = read_pattern(parts.pattern, home);
  if (!subject) return unreadable(text, "has a pattern that cannot be used: " + subject.error().message);
  rule.subject_ = std::move(*subject);
  return rule;
}

Result<PermissionRule::Tools> PermissionRule::read_tools(std::string_view name) {
  Tools tools;
  const std::string_view dialect = dialect_of_tool(name, "canonical");
  tools.name = in_dialect({std::string(dialect), std::string(name), {}}, "canonical").name;
  tools.kind = dialect.empty() ? ToolKind::Mcp : tool_kind(name, dialect);
  const bool is_server = name.starts_with(kServerPrefix) && !name.substr(kServerPrefix.size()).contains("__");
  if (!name.contains('*') && !is_server) return tools;
  auto glob =
      match::Glob::compile(std::string(name) + (is_server && !name.ends_with('*') ? "__*" : ""), match::kPicomatchBash);
  if (!glob) return std::unexpected(glob.error());
  tools.names = std::move(*glob);
  return tools;
}

Result<PermissionRule::Subject> PermissionRule::read_pattern(std::string_view pattern, std::string_view home) {
  const bool in_home = pattern.starts_with("~/");
  if (in_home && home.empty()) return fail(Errc::BadConfig, "nothing says what ~ is");
  Subject subject{.command = CommandPattern(pattern), .from_root = {}, .at_any_depth = {}};
  subject.is_absolute = in_home || pattern.starts_with('/');
  std::string path(without_prefix(pattern, "./"));
  if (in_home) path = std::string(home) + path.substr(1);
  if (pattern.starts_with("//")) path = path.substr(1);
  auto from_root = compile_path(path);
  if (!from_root) return std::unexpected(from_root.error());
  subject.from_root = std::move(*from_root);
  if (subject.is_absolute) return subject;
  auto at_any_depth = compile_path("**/" + std::string(without_prefix(path, "**/")));
  if (!at_any_depth) return std::unexpected(at_any_depth.error());
  subject.at_any_depth = std::move(*at_any_depth);
  return subject;
}

bool PermissionRule::concerns(const JudgedCall& call) const {
  if (tools_.names)
    return tools_.names->matches(call.name) || (!call.native.empty() && tools_.names->matches(call.native));
  return tools_.name == call.name || (!call.native.empty() && tools_.name == call.native) ||
         covers_kind(tools_.kind, call.kind);
}

bool PermissionRule::may_hold(const JudgedCall& call) const {
  if (!concerns(call)) return false;
  if (!subject_ || call.subject.empty()) return true;
  if (call.absolute.empty()) return subject_->command.matches(call.commands()) != Certainty::No;
  const auto& globs = subject_->is_absolute ? subject_->from_root : subject_->at_any_depth;
  return any_fits(globs, call.absolute) || any_fits(globs, call.spelled) || surely_holds(call);
}

bool PermissionRule::surely_holds(const JudgedCall& call) const {
  if (!concerns(call)) return false;
  if (!subject_) return true;
  if (call.subject.empty()) return false;
  if (call.absolute.empty()) return subject_->command.covers(call.commands());
  return any_fits(subject_->from_root, subject_->is_absolute ? call.absolute : call.subject);
}

}  // namespace grapnel::call
