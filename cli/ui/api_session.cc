#include <algorithm>

#include "base/error.h"
#include "bridge/adapter.h"
#include "bridge/manifest.h"
#include "cli/ui/api.h"
#include "cli/version.h"
#include "history/timeline.h"
#include "os/resolve.h"

namespace grapnel::cli {

namespace {

/// What the page has to know before it shows anything.
Json session_json(const Ui& ui, const std::string& token, bool is_unlocked) {
  const std::string& why_not = ui.gate.no_writing();
  return Json::object({{"token", token.empty() ? Json() : Json::string(token)},
                       {"version", Json::string(GRAPNEL_VERSION)},
                       {"read_only", Json::boolean(!why_not.empty())},
                       {"read_only_because", why_not.empty() ? Json() : Json::string(why_not)},
                       {"unlocked", Json::boolean(is_unlocked)},
                       {"fleet", ui.fleet.is_wanted() ? Json::boolean(true) : Json()},
                       {"can_unlock", Json::boolean(why_not.empty())}});
}

/// How complete the journal is.
Json journal_json(Ui& ui) {
  const auto progress = ui.journal.progress();
  const Json import = progress ? Json::object({{"done_bytes", Json::number(static_cast<int64_t>(progress->done))},
                                               {"total_bytes", Json::number(static_cast<int64_t>(progress->total))}})
                               : Json::null();
  return ui.journal.with([&](JournalReader& reader) {
    const auto health = reader.health();
    // The times of the whole journal come with every timeline.
    const auto all = read_timeline(reader, {.span = {1, 2}, .max_lanes = 1, .max_marks = 1, .overview_steps = 1});
    if (!health || !all) return Json::null();
    const auto time = [](int64_t ms) { return ms == 0 ? Json::null() : Json::number(ms); };
    return Json::object({{"events", Json::number(health->records)},
                         {"first", time(all->first)},
                         {"last", time(all->last)},
                         {"lost", Json::number(health->lost)},
                         {"bad_lines", Json::number(health->bad_lines)},
                         {"import", import},
                         {"chain", Json::string(ui.chain.state())}});
  });
}

/// The agents whose settings call Grapnel.
std::vector<std::string> installed_agents(const Environment& env) {
  std::vector<std::string> out;
  for (const Installed& installed : Manifest(env).load().value_or(std::vector<Installed>{})) {
    if (std::ranges::find(out, installed.agent) == out.end()) out.push_back(installed.agent);
  }
  return out;
}

/// Commands that would help somebody who sees an empty page: agents that are here and do not call Grapnel yet.
std::vector<std::string> suggested_commands(const Environment& env, const std::vector<std::string>& installed) {
  std::vector<std::string> out;
  for (const Adapter& adapter : all_adapters()) {
    const std::string_view program = adapter.program.empty() ? adapter.agent : adapter.program;
    const bool is_installed = std::ranges::find(installed, adapter.agent) != installed.end();
    if (!is_installed && os::find_executable(program, env.get("PATH"), ".")) {
      out.push_back("grapnel install " + std::string(adapter.agent));
    }
  }
  return out;
}

Json strings(const std::vector<std::string>& texts) {
  std::vector<Json> out;
  for (const std::string& text : texts) out.push_back(Json::string(text));
  return Json::array(out);
}

}  // namespace

Answer start_session(Ui& ui, const HttpRequest& request) {
  const auto body = body_of(request);
  if (!body) return body;
  const auto token = ui.gate.exchange((*body)["ticket"].as_string().value_or(""));
  if (token) return session_json(ui, *token, false);
  return fail(Errc::Refused,
              "this address was used before, or is too old; Enter in the terminal of `grapnel ui` "
              "prints another one");
}

Answer unlock(Ui& ui, const HttpRequest& request) {
  const auto body = body_of(request);
  if (!body) return body;
  if (const auto refusal = ui.gate.unlock(request, (*body)["code"].as_string().value_or(""))) {
    return fail(Errc::Refused, refusal->message);
  }
  // The page's own stream has to notice that it can answer now.
  ui.bell.ring();
  return Json::object({{"unlocked", Json::boolean(true)}});
}

Answer about(Ui& ui, const HttpRequest& request) {
  const std::vector<std::string> installed = installed_agents(ui.env);
  return session_json(ui, "", ui.gate.is_unlocked(request))
      .merged(Json::object({{"state_dir", Json::string(ui.env.state_dir())},
                            {"journal", journal_json(ui)},
                            {"waiting", Json::number(static_cast<int64_t>(count_waiting(ui)))},
                            {"agents_installed", strings(installed)},
                            {"suggestions", strings(suggested_commands(ui.env, installed))}}));
}

}  // namespace grapnel::cli
