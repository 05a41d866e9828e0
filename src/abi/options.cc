#include "abi/options.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>

#include "grapnel/project.h"

#include "base/error.h"
#include "base/text.h"
#include "dialect/dialect.h"

namespace grapnel::abi {

namespace {

/// Takes the value of one member. Returns what it should have been, or "" if it was right.
using Take = std::function<std::string(const Json& value)>;
struct Member {
  std::string_view name;
  Take take;
};

std::string name_list(const std::vector<Member>& members) {
  std::string out;
  for (const Member& member : members) out += (out.empty() ? "" : ", ") + std::string(member.name);
  return out;
}

/// Hands each member of the object to its row. `what` names the object in messages.
Result<void> read_members(const Json& object, const std::string& what, const std::vector<Member>& members) {
  if (!object.is_object()) return fail(Errc::BadInput, what + " must be a JSON object");
  for (const JsonMember& given : object.members()) {
    const auto row = std::ranges::find(members, given.key, &Member::name);
    if (row == members.end()) {
      std::vector<std::string_view> names;
      for (const Member& member : members) names.push_back(member.name);
      const std::string_view near = text::nearest(given.key, names);
      return fail(Errc::BadInput,
                  what + " has no member '" + given.key + "'; " +
                      (near.empty() ? "it has " + name_list(members) : "did you mean '" + std::string(near) + "'?"));
    }
    const std::string wanted = row->take(given.value);
    if (!wanted.empty()) return fail(Errc::BadInput, what + ": '" + given.key + "' must be " + wanted);
  }
  return {};
}

Take text(std::string& into) {
  return [&into](const Json& value) -> std::string {
    const auto given = value.as_string();
    if (!given) return "a string";
    into = *given;
    return "";
  };
}

Take flag(const std::function<void(bool)>& set) {
  return [set](const Json& value) -> std::string {
    const auto given = value.as_bool();
    if (!given) return "true or false";
    set(*given);
    return "";
  };
}

Take number(int64_t lowest, int64_t highest, const std::function<void(int64_t)>& set) {
  return [=](const Json& value) -> std::string {
    const auto given = value.as_integer();
    if (!given || *given < lowest || *given > highest) {
      return "a whole number from " + std::to_string(lowest) + " to " + std::to_string(highest);
    }
    set(*given);
    return "";
  };
}

constexpr int64_t kMostBytes = int64_t{1} << 31;
constexpr int64_t kMostMs = int64_t{24} * 60 * 60 * 1000;
constexpr int64_t kMostCount = 1'000'000;

Take bytes(size_t& into) {
  return number(0, kMostBytes, [&into](int64_t value) { into = static_cast<size_t>(value); });
}
Take milliseconds(std::chrono::milliseconds& into, int64_t lowest = 0) {
  return number(lowest, kMostMs, [&into](int64_t value) { into = std::chrono::milliseconds(value); });
}
Take count(uint32_t& into) {
  return number(0, kMostCount, [&into](int64_t value) { into = static_cast<uint32_t>(value); });
}

Take texts(std::vector<std::string>& into) {
  return [&into](const Json& value) -> std::string {
    for (const Json& element : value.elements()) {
      const auto given = element.as_string();
      if (!given) return "an array of strings";
      into.push_back(*given);
    }
    return value.is_array() ? "" : "an array of strings";
  };
}

/// An object inside the options. Its mistakes are told with their own words, through `problem`.
Take object(const std::string& what, std::string& problem, const std::vector<Member>& members) {
  return [=, &problem](const Json& value) -> std::string {
    const Result<void> read = read_members(value, what, members);
    if (!read && problem.empty()) problem = read.error().message;
    return "";
  };
}

Take env(std::optional<std::vector<std::string>>& into) {
  return [&into](const Json& value) -> std::string {
    constexpr std::string_view kWanted = "an object of strings";
    if (!value.is_object()) return std::string(kWanted);
    into.emplace();
    for (const JsonMember& variable : value.members()) {
      const auto given = variable.value.as_string();
      if (!given) return std::string(kWanted);
      into->push_back(variable.key + "=" + *given);
    }
    return "";
  };
}

Take configs(std::vector<HookConfig>& into, std::string& problem) {
  return [&into, &problem](const Json& value) -> std::string {
    if (!value.is_array()) return "an array of objects";
    for (const Json& element : value.elements()) {
      HookConfig config;
      const auto read = read_members(element, "an entry of 'configs'",
                                     {{"dialect", text(config.dialect)},
                                      {"path", text(config.path)},
                                      {"object", [&](const Json& settings) -> std::string {
                                         config.object = settings;
                                         return settings.is_object() ? "" : "an object";
                                       }}});
      if (!read) {
        problem = read.error().message;
      } else if (config.path.empty() == config.object.is_missing()) {
        problem = "an entry of 'configs' needs either a 'path' or an 'object'";
      } else if (!config.dialect.empty() && find_dialect(config.dialect) == nullptr) {
        problem = "an entry of 'configs' names the dialect '" + config.dialect + "', which does not exist";
      }
      into.push_back(std::move(config));
    }
    return "";
  };
}

Result<Json> parse_object(std::string_view json, const std::string& what) {
  auto parsed = Json::parse(std::string(json));
  if (!parsed) return fail(Errc::BadInput, what + ": " + parsed.error().to_string());
  return *parsed;
}

/// The project around the directory that the agent works in, as the command finds it.
Result<void> find_project_of(const std::string& work_dir, EngineOptions& options) {
  if (!options.project_dir.empty()) {
    return fail(Errc::BadInput, "the options have 'project_dir' and 'work_dir'; give one of them");
  }
  std::error_code error;
  const std::filesystem::path full = std::filesystem::absolute(work_dir, error);
  if (error || !std::filesystem::is_directory(full, error)) {
    return fail(Errc::NotFound, "'work_dir' is no directory: " + work_dir);
  }
  ProjectDirs project = find_project(full.lexically_normal().string());
  options.project_dir = std::move(project.root);
  options.project_parts = std::move(project.parts);
  return {};
}

}  // namespace

Result<OpenOptions> read_open_options(std::string_view json) {
  const auto parsed = parse_object(json, "the options");
  if (!parsed) return std::unexpected(parsed.error());
  OpenOptions out;
  EngineOptions& engine = out.engine;
  std::string work_dir;
  std::string session_dir;
  std::string problem;
  const auto read = read_members(*parsed, "the options",
                                 {{"project_dir", text(engine.project_dir)},
                                  {"project_parts", texts(engine.project_parts)},
                                  {"work_dir", text(work_dir)},
                                  {"configs", configs(engine.configs, problem)},
                                  {"env", env(engine.env)},
                                  {"session_dir", text(session_dir)},
                                  {"use_hook_files", flag([&](bool on) { engine.discovery.use_hook_files = on; })},
                                  {"reload_interval_ms", milliseconds(engine.discovery.reload_interval, -1)},
                                  {"journal",
                                   [&](const Json& value) -> std::string {
                                     const auto directory = value.as_string();
                                     if (!directory && !value.as_bool()) return "true, false or a directory";
                                     out.journal = directory || *value.as_bool();
                                     out.journal_dir = directory.value_or("");
                                     return "";
                                   }},
                                  {"record_unmatched", flag([&](bool on) { engine.recording.unmatched = on; })},
                                  {"self_protection", flag([&](bool on) { engine.safety.self_protection = on; })},
                                  {"filter_secrets", flag([&](bool on) { engine.safety.filter_secrets = on; })},
                                  {"places", object("'places'", problem,
                                                    {{"managed_root", text(engine.places.managed_root)},
                                                     {"trust_store", text(engine.places.trust_store)},
                                                     {"switches", text(engine.places.switches)},
                                                     {"long_texts", text(engine.places.long_texts)},
                                                     {"weakenings", text(engine.places.weakenings)},
                                                     {"leftovers", text(engine.places.leftovers)},
                                                     {"cache_dir", text(engine.places.cache_dir)}})},
                                  {"limits", object("'limits'", problem,
                                                    {{"max_output", bytes(engine.limits.max_output)},
                                                     {"max_context", bytes(engine.limits.max_context)},
                                                     {"max_file", bytes(engine.limits.max_file)},
                                                     {"gate_blocks", count(engine.limits.gate_blocks)},
                                                     {"judge_depth", count(engine.limits.judge_depth)},
                                                     {"term_grace_ms", milliseconds(engine.limits.term_grace)},
                                                     {"drain_grace_ms", milliseconds(engine.limits.drain_grace)}})}});
  if (!read) return std::unexpected(read.error());
  if (!problem.empty()) return fail(Errc::BadInput, problem);
  if (!work_dir.empty()) {
    if (const auto found = find_project_of(work_dir, engine); !found) return std::unexpected(found.error());
  }
  if (!session_dir.empty()) engine.sessions = make_file_session_store(session_dir);
  return out;
}

Result<HookOptions> read_hook_options(std::string_view json) {
  const auto parsed = parse_object(json, "the hook");
  if (!parsed) return std::unexpected(parsed.error());
  HookOptions out;
  CallbackHook& hook = out.hook;
  std::vector<std::string> events;
  const auto read =
      read_members(*parsed, "the hook",
                   {{"name", text(hook.name)},
                    {"events", texts(events)},
                    {"dialect", text(out.dialect)},
                    {"tools", text(hook.tools)},
                    {"timeout_ms", milliseconds(hook.timeout)},
                    {"priority", number(std::numeric_limits<int>::min(), std::numeric_limits<int>::max(),
                                        [&](int64_t value) { hook.priority = static_cast<int>(value); })},
                    {"on_failure",
                     [&](const Json& value) -> std::string {
                       for (const OnFailure policy : {OnFailure::Open, OnFailure::Ask, OnFailure::Closed}) {
                         if (!value.equals_string(to_string(policy))) continue;
                         hook.on_failure = policy;
                         return "";
                       }
                       return "'open', 'ask' or 'closed'";
                     }},
                    {"last_in_first", flag([&](bool on) { hook.last_in_first = on; })}});
  if (!read) return std::unexpected(read.error());
  const Dialect* dialect = find_dialect(out.dialect.empty() ? kGrapnelDialect.name : out.dialect);
  if (dialect == nullptr) return fail(Errc::BadInput, "the hook: there is no dialect '" + out.dialect + "'");
  for (const std::string& name : events) {
    const EventRow* row = dialect->find_event(name);
    const auto kind = row != nullptr ? std::optional(row->kind) : event_kind_from(name);
    if (!kind) return fail(Errc::BadInput, "the hook: '" + name + "' is not an event");
    hook.events.push_back(*kind);
  }
  return out;
}

}  // namespace grapnel::abi
