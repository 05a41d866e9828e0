#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "base/text.h"
#include "cli/helper_program.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/journal_commands.h"
#include "cli/mcp/mcp_server.h"

namespace grapnel::cli {

namespace {

constexpr std::chrono::milliseconds kWhyPatience{20'000};
constexpr std::string_view kVerdicts[] = {"deny", "ask", "allow"};  // the strictest first

McpToolAnswer refuse(std::string text) {
  return {.text = std::move(text), .data = {}, .is_error = true};
}

/// Where a command would run. A relative directory is below the one in which this server was started.
std::string cwd_of(const Json& input, const std::string& otherwise) {
  const std::string cwd = input["cwd"].as_string().value_or("");
  return cwd.empty() ? otherwise : absolute_path(cwd, "");
}

/// The hooks of the project, as they are now; they are read for every call, so no change is missed.
Result<OpenHooks> hooks_of(const Json& input, Invocation& in) {
  auto named = named_project(in.args, "");
  if (!named) return std::unexpected(named.error());
  const std::string cwd = cwd_of(input, absolute_path(".", ""));
  return open_hooks(in, *named ? std::move(**named) : find_project(cwd, in.env.home()));
}

/// `deny: no pushing` → the verdict and the text behind it; "" for hooks that do not answer by themselves.
std::pair<std::string_view, std::string> answer_of(const HookInfo& hook) {
  for (const std::string_view verdict : kVerdicts) {
    if (hook.handler != "rule" || !hook.action.starts_with(verdict)) continue;
    const std::string_view rest = std::string_view(hook.action).substr(verdict.size());
    return {verdict, std::string(text::trim(rest.starts_with(':') ? rest.substr(1) : rest))};
  }
  return {"", ""};
}

/// What keeps rules from being asked although they are there; "" if nothing does.
std::string gaps_of(const Engine& engine, const std::vector<HookExplanation>& shares) {
  std::string out;
  const auto untrusted =
      static_cast<size_t>(std::ranges::count(shares, std::string_view("untrusted"), &HookExplanation::reason));
  if (untrusted > 0) {
    out += count_text(untrusted, "hook") + " of this project " + (untrusted == 1 ? "is" : "are") +
           " not trusted and would not be asked; `grapnel trust` shows more\n";
  }
  if (const std::string problems = remark_on_problems(engine); !problems.empty()) out += problems + "\n";
  return out;
}

/// What the rules say, strictest first, and which other hooks would be asked. Nothing runs.
McpToolAnswer judge(const Engine& engine, const std::vector<HookExplanation>& shares) {
  std::vector<Json> rules;
  std::vector<Json> others;
  std::string_view verdict = "pass";
  std::string text;
  for (const HookExplanation& share : shares) {
    if (!share.runs || share.hook.observes) continue;
    const auto [own, reason] = answer_of(share.hook);
    const std::string place = place_text({share.hook.source.file, share.hook.source.line, 0});
    if (own.empty()) {
      others.push_back(Json::object({{"hook", Json::string(share.hook.name)},
                                     {"does", Json::string(share.hook.action)},
                                     {"source", Json::string(place)}}));
      continue;
    }
    // A rule of which nobody can tell whether it applies asks a person.
    const std::string_view counted = !share.doubt.empty() && own == "deny" ? "ask" : own;
    const auto rank = [](std::string_view word) { return std::ranges::find(kVerdicts, word) - std::begin(kVerdicts); };
    if (rank(counted) < rank(verdict)) verdict = counted;
    rules.push_back(Json::object({{"rule", Json::string(share.hook.name)},
                                  {"verdict", Json::string(counted)},
                                  {"reason", Json::string(reason)},
                                  {"doubt", share.doubt.empty() ? Json() : Json::string(share.doubt)},
                                  {"source", Json::string(place)}}));
    text += std::string(counted) + " by the rule " + share.hook.name + (reason.empty() ? "" : ": " + reason) +
            (share.doubt.empty() ? "" : " (" + share.doubt + ")") + "\n";
  }
  if (text.empty()) text = "no rule objects\n";
  if (!others.empty()) {
    text += count_text(others.size(), "hook") + " would be asked as well when it happens, and may decide otherwise\n";
  }
  const std::string gaps = gaps_of(engine, shares);
  return {.text = text + gaps,
          .data = Json::object({{"verdict", Json::string(verdict)},
                                {"rules", Json::array(rules)},
                                {"other_hooks", Json::array(others)},
                                {"gaps", gaps.empty() ? Json() : Json::string(text::trim(gaps))}})};
}

McpToolAnswer check_command(const Json& input, Invocation& in) {
  const auto command = input["command"].as_string();
  if (!command || text::trim(*command).empty()) return refuse("'command' is missing: the command line to check");
  // Above a directory that does not exist there are other rules, or none.
  const std::string cwd = cwd_of(input, ".");
  if (std::error_code error; !std::filesystem::is_directory(cwd, error)) return refuse("there is no directory " + cwd);
  const auto open = hooks_of(input, in);
  if (!open) return refuse(open.error().message);
  const Event event(EventKind::PreToolUse,
                    Json::object({{"tool_name", Json::string("Bash")},
                                  {"tool_input", Json::object({{"command", Json::string(*command)}})},
                                  {"cwd", Json::string(cwd_of(input, open->options.project_dir))}}));
  return judge(*open->engine, open->engine->explain(event));
}

McpToolAnswer explain(const Json& input, Invocation& in) {
  const Json payload = input["payload"] ? input["payload"] : Json::object();
  const std::string dialect = input["dialect"].as_string().value_or("canonical");
  const auto event = Event::from_native(dialect, payload, input["event"].as_string().value_or(""));
  if (!event) return refuse(event.error().to_string());
  const auto open = hooks_of(payload, in);
  if (!open) return refuse(open.error().message);
  std::vector<Json> hooks;
  std::string text;
  const std::vector<HookExplanation> shares = open->engine->explain(*event);
  for (const HookExplanation& share : shares) {
    hooks.push_back(to_json(share));
    if (share.reason == "other event") continue;
    text += share.hook.name + ": " +
            (share.runs ? "would run, " + share.hook.action : "would not run, " + share.reason) +
            (share.detail.empty() ? "" : ": " + share.detail) + "\n";
  }
  if (text.empty()) text = "no hook listens to " + event->name() + "\n";
  return {.text = text + gaps_of(*open->engine, shares),
          .data = Json::object({{"event", Json::string(to_string(event->kind()))}, {"hooks", Json::array(hooks)}})};
}

McpToolAnswer why(const Json& input, Invocation& in) {
  std::vector<std::string> words = {"why", "--json"};
  if (const auto id = input["id"].as_string()) {
    // The id becomes a word of a command line, where it must not be an option.
    if (id->empty() || id->starts_with('-')) return refuse("'id' is not the id of an event");
    words.push_back(*id);
  }
  const auto told = run_helper_program(in.env, kJournalProgram, std::move(words), kWhyPatience);
  if (!told) return refuse(told.error().message);
  return {.text = *told, .data = Json::parse(*told).value_or(Json())};
}

constexpr auto kTools = std::to_array<McpToolRow>({
    {"check_command", "Check a shell command",
     "Says what the user's rules decide about a shell command, without running it: the verdict (deny, ask, allow or "
     "pass), and the rule with its reason. Also finds commands inside others: sudo, bash -c, $(…).",
     R"({"type": "object", "required": ["command"], "properties": {
       "command": {"type": "string", "description": "The command line, as a shell would get it"},
       "cwd": {"type": "string", "description": "The directory in which it would run; the project's by default"}}})",
     check_command},
    {"explain", "Explain an event",
     "Says which hooks an event would run and why the others would not, without running any.",
     R"({"type": "object", "required": ["event"], "properties": {
       "event": {"type": "string", "description": "The event: PreToolUse, Stop…"},
       "payload": {"type": "object", "description": "What the event is about: {\"tool_name\": …, \"tool_input\": {…}}"},
       "dialect": {"type": "string", "description": "The agent whose names the payload has: claude, gemini…"}}})",
     explain},
    {"why", "Explain a past decision",
     "Says what hooks did at an event that is recorded, and why: the newest event that had hooks, or the one with that "
     "id.",
     R"({"type": "object", "properties": {
       "id": {"type": "string", "description": "The id of the event, or its beginning"}}})",
     why},
});

}  // namespace

std::span<const McpToolRow> mcp_tools() {
  return kTools;
}

}  // namespace grapnel::cli
