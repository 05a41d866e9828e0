#include "conformance/scene.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <sstream>

#include "conformance/compare.h"
#include "trust/trust_store.h"

namespace grapnel::conformance {

namespace {

constexpr std::string_view kRootMark = "@ROOT@";
constexpr std::string_view kTrustStore = "state/grapnel/trust.json";
constexpr std::string_view kConfigFile = "config.json";
constexpr auto kStepKeys = std::to_array<std::string_view>(
    {"id",    "spec",           "example", "differs", "config",  "files",  "untrusted", "trusted",
     "env",   "filter_secrets", "limits",  "as",      "disable", "enable", "reload",    "problems",
     "hooks", "event",          "want",    "then",    "replies", "judge",  "bridge"});
constexpr auto kOwnWants =
    std::to_array<std::string_view>({"ran", "failed", "skipped", "wire", "exit", "stdin", "files", "notices", "posts"});
constexpr auto kDecisionKeys = std::to_array<std::string_view>(
    {"verdict", "reason", "origin", "decided_by", "context", "rewrite", "stop", "stop_reason", "messages",
     "tool_choice", "tail_call", "clear_context", "env", "hooks"});

constexpr std::string_view kReplay = "model.replay";

/// A model that says the same whatever it is asked.
class SteadyJudge final : public Judge {
 public:
  explicit SteadyJudge(std::string said) : said_(std::move(said)) {}
  Result<std::string> judge(const Judgement&, std::stop_token) override { return said_; }

 private:
  std::string said_;
};

/// What is said of a server that does not answer, without how long that took: "after 8 ms".
std::string without_times(std::string text) {
  constexpr std::string_view kAfter = " after ";
  for (size_t at = text.find(kAfter); at != std::string::npos; at = text.find(kAfter, at + 1)) {
    const size_t number = at + kAfter.size();
    const size_t end = text.find_first_not_of("0123456789", number);
    if (end != std::string::npos && text.compare(end, 3, " ms") == 0) text.erase(number, end - number);
  }
  return text;
}

bool lists(std::span<const std::string_view> keys, std::string_view key) {
  return std::ranges::find(keys, key) != keys.end();
}

std::string replace_all(std::string text, std::string_view what, std::string_view with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

std::string string_in(const Json& value) {
  return value.as_string().value_or("");
}

/// A file's content: a string as it is, a list of lines, or an object to be written as JSON.
std::string content_of(const Json& value) {
  if (value.is_string()) return string_in(value);
  if (!value.is_array()) return value.dump(JsonStyle::Pretty);
  std::string lines;
  for (const Json& line : value.elements()) lines += string_in(line) + "\n";
  return lines;
}

std::string read_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

Json names_of(const std::vector<EventKind>& kinds) {
  std::vector<Json> names;
  for (const EventKind kind : kinds) names.push_back(Json::string(to_string(kind)));
  return Json::array(names);
}

Json to_json(const HookInfo& hook) {
  return Json::object({{"name", Json::string(hook.name)},
                       {"group", Json::string(hook.group)},
                       {"description", Json::string(hook.description)},
                       {"dialect", Json::string(hook.dialect)},
                       {"scope", Json::string(hook.scope)},
                       {"events", names_of(hook.events)},
                       {"matcher", Json::string(hook.matcher)},
                       {"command", Json::string(hook.command)},
                       {"timeout", Json::number(static_cast<int64_t>(hook.timeout.count()))},
                       {"sequential", Json::boolean(hook.sequential)},
                       {"enabled", Json::boolean(hook.enabled)},
                       {"trusted", Json::boolean(hook.trusted)}});
}

size_t count_fates(const Json& decision, HookFate::Kind kind) {
  size_t count = 0;
  for (const Json& hook : decision["hooks"].elements()) count += hook["fate"].equals_string(to_string(kind)) ? 1 : 0;
  return count;
}

}  // namespace

Scene::Scene(const Case& the_case, Way way) : case_(the_case), way_(way) {
  const std::string text = replace_all(the_case.json.dump(), kRootMark, root_.path());
  json_ = Json::parse(text).value_or(Json());
  std::filesystem::create_directories(root_ / "user");
  std::filesystem::create_directories(root_ / "project");
}

void Scene::use_server(const std::string& socket) const {
  const std::filesystem::path runtime = root_ / "run/grapnel";
  std::filesystem::create_directories(runtime);
  std::filesystem::create_symlink(socket, runtime / "serve.sock");
}

void Scene::make_hooks_patient() {
  is_patient_ = true;
  for (const std::string shell : {"sh", "bash"}) {
    root_.put("bin/" + shell,
              "#!/bin/bash\nevent=$(mktemp)\ncat >\"$event\"\nexec <\"$event\"\nrm \"$event\"\nexec /bin/" + shell +
                  " \"$@\"\n",
              0755);
  }
}

std::string Scene::play() {
  std::string wrong = play_step(json_);
  size_t number = 1;
  for (const Json& step : json_["then"].elements()) {
    const std::string more = play_step(step);
    ++number;
    if (!more.empty()) wrong += "step " + std::to_string(number) + ":\n" + more;
  }
  return wrong;
}

std::string Scene::play_step(const Json& step) {
  for (const JsonMember& member : step.members()) {
    if (!lists(kStepKeys, member.key)) return "unknown key '" + member.key + "' in the case\n";
  }
  clear_step_files();
  write_files(step["files"]);
  if (!engine_) {
    make_engine(step);
    trust_project(step);
  }
  if (step["reload"].as_bool().value_or(false)) engine_->reload();
  std::string wrong = switch_hooks(step);
  if (way_ == Way::Engine) wrong += check_registry(step);
  if (step["event"]) wrong += fire(step);
  return wrong;
}

void Scene::write_files(const Json& files) {
  for (const JsonMember& file : files.members()) {
    if (file.value.is_null()) {
      std::filesystem::remove(root_ / file.key);
      continue;
    }
    const std::string content = content_of(file.value);
    put_if_new(file.key, content, content.starts_with("#!") ? 0755 : 0644);
  }
}

std::string Scene::put_if_new(std::string_view name, std::string_view content, mode_t mode) const {
  std::string path = root_ / name;
  return std::filesystem::exists(path) && read_text(path) == content ? path : root_.put(name, content, mode);
}

void Scene::clear_step_files() {
  for (int i = 1; std::filesystem::remove(root_ / ("stdin." + std::to_string(i))); ++i) {
  }
  notices_.clear();
}

void Scene::make_engine(const Json& json) {
  EngineOptions options;
  options.safety.self_protection = false;  // the cases are about hooks
  options.project_dir = root_ / "project";
  options.places.managed_root = root_ / "root";
  options.places.trust_store = root_ / kTrustStore;
  options.places.switches = root_ / "state/switches.json";
  options.discovery.reload_interval = std::chrono::milliseconds(-1);
  if (json["bridge"].as_bool().value_or(false)) options.discovery.bridged_agent = case_.dialect;
  options.safety.filter_secrets = json["filter_secrets"].as_bool().value_or(false);
  options.host.notices = [this](const Notice& notice) { notices_.push_back(notice.text); };
  options.env = environment_of(json);
  if (json["judge"]) {
    options.host.judge = std::make_shared<SteadyJudge>(string_in(json["judge"]));
    root_.put(std::string(kReplay), Json::object({{"say", json["judge"]}}).dump() + "\n", 0644);
  }
  const Json limits = json["limits"];
  if (const auto n = limits["max_output"].as_integer()) options.limits.max_output = static_cast<size_t>(*n);
  if (const auto n = limits["max_context"].as_integer()) options.limits.max_context = static_cast<size_t>(*n);
  if (const auto n = limits["gate_blocks"].as_integer()) options.limits.gate_blocks = static_cast<uint32_t>(*n);
  if (const Json replies = json["replies"]) {
    poster_ = std::make_shared<ScriptedHttpClient>(Json::parse(replies.dump()).value_or(Json()));
    options.host.http_client = poster_;
  }
  if (const Json config = json["config"]) {
    options.configs.push_back({case_.dialect, "", Json::parse(config.dump()).value_or(Json())});
  }
  engine_ = Engine::create(std::move(options));
}

std::vector<std::string> Scene::environment_of(const Json& json) const {
  const char* path = ::getenv("PATH");
  const std::string shells = is_patient_ ? (root_ / "bin") + ":" : "";
  std::vector<std::string> env = {"PATH=" + shells + (path == nullptr ? "/usr/bin:/bin" : path),
                                  "HOME=" + (root_ / "user")};
  if (json["judge"]) env.push_back("GRAPNEL_REPLAY=" + (root_ / kReplay));
  for (const JsonMember& variable : json["env"].members())
    env.push_back(variable.key + "=" + string_in(variable.value));
  return env;
}

/// Trusts what the project files say now, as a user would who has looked at them.
void Scene::trust_project(const Json& json) {
  if (json["untrusted"].as_bool().value_or(false)) return;
  std::set<std::string> digests;
  for (const HookInfo& hook : engine_->hooks()) {
    bool wanted = !json["trusted"];
    for (const Json& name : json["trusted"].elements()) wanted |= name.equals_string(hook.name);
    if (wanted && !hook.digest.empty()) digests.insert(hook.digest);
  }
  if (digests.empty()) return;
  static_cast<void>(TrustStore(root_ / kTrustStore).set_trusted(root_ / "project", digests));
  notices_.clear();
  engine_->reload();
}

std::string Scene::switch_hooks(const Json& step) {
  std::string wrong;
  const auto set_all = [&](const Json& names, bool enabled) {
    for (const Json& name : names.elements()) {
      if (!engine_->set_enabled(string_in(name), enabled)) wrong += "no hook is called '" + string_in(name) + "'\n";
    }
  };
  set_all(step["disable"], false);
  set_all(step["enable"], true);
  return wrong;
}

std::string Scene::without_root(std::string text) const {
  return replace_all(std::move(text), root_.path() + "/", "");
}

std::string Scene::check_registry(const Json& step) const {
  std::vector<Json> problems;
  for (const ConfigProblem& problem : engine_->problems()) {
    problems.push_back(Json::string(without_root(problem.to_string())));
  }
  const Json want = step["problems"] ? step["problems"] : Json::array();
  std::string wrong = difference(want, Json::array(problems), "problems");
  const Json hooks = step["hooks"];
  std::vector<Json> registered;
  for (const HookInfo& hook : engine_->hooks()) registered.push_back(to_json(hook));
  if (const auto count = hooks.as_integer(); count && static_cast<size_t>(*count) != registered.size()) {
    wrong += "hooks: want " + hooks.dump() + " registered, got " + Json::array(registered).dump() + "\n";
  }
  if (hooks.is_array()) wrong += difference(hooks, Json::array(registered), "hooks");
  return wrong;
}

std::string Scene::fire(const Json& step) {
  const NativeEvent event{step["as"] ? string_in(step["as"]) : case_.dialect,
                          Json::parse(step["event"].dump()).value_or(Json())};
  const auto fired = way_ == Way::Engine ? fire_engine(*engine_, event) : fire_command(way_, command_world(), event);
  if (way_ != Way::Engine)
    said_.push_back(without_times(without_root(fired ? fired->said : fired.error().to_string())));
  if (!fired) return "event: " + fired.error().to_string() + "\n";
  const std::string wrong = check_fired(step["want"], *fired);
  return wrong.empty() ? "" : wrong + "the decision was " + fired->decision.dump() + "\n";
}

/// The case's world as its user has it: the state directory is where the command looks for it.
CommandWorld Scene::command_world() const {
  CommandWorld world{root_ / "project", "", case_.dialect, environment_of(json_)};
  world.is_bridge = json_["bridge"].as_bool().value_or(false);
  world.env.push_back("XDG_STATE_HOME=" + (root_ / "state"));
  world.env.push_back("XDG_RUNTIME_DIR=" + (root_ / "run"));
  // The cases are about hooks.
  put_if_new("user/.config/grapnel/settings.yaml",
             std::string("self_protection: off\n") + (is_warm_ ? "warm: ['*']\n" : ""));
  if (const Json config = json_["config"]) world.config = put_if_new(kConfigFile, config.dump());
  return world;
}

std::string Scene::check_count(const Json& want, std::string_view key, size_t got) const {
  const Json count = want[key];
  if (!count || count.as_integer() == static_cast<int64_t>(got)) return "";
  return std::string(key) + ": want " + count.dump() + ", got " + std::to_string(got) + "\n";
}

std::string Scene::check_fired(const Json& want, const Fired& fired) {
  std::string wrong = check_stdin(want["stdin"]) + check_files(want["files"]);
  if (fired.decision) wrong += check_decision(want, fired.decision);
  if (fired.answer) wrong += check_wire(want, *fired.answer);
  return way_ == Way::Engine ? wrong + check_notices(want) + check_posts(want["posts"]) : wrong;
}

std::string Scene::check_decision(const Json& want, const Json& decision) const {
  const size_t failed = count_fates(decision, HookFate::Kind::Failed);
  std::string wrong = check_count(want, "ran", count_fates(decision, HookFate::Kind::Ran) + failed) +
                      check_count(want, "failed", failed) +
                      check_count(want, "skipped", count_fates(decision, HookFate::Kind::Skipped));
  const Json got = Json::parse(without_root(decision.dump())).value_or(Json());
  for (const JsonMember& member : want.members()) {
    if (lists(kOwnWants, member.key)) continue;
    if (!lists(kDecisionKeys, member.key)) wrong += "unknown key '" + member.key + "' in 'want'\n";
    wrong += difference(Json::parse(without_root(member.value.dump())).value_or(Json()), got[member.key], member.key);
  }
  return wrong;
}

std::string Scene::check_wire(const Json& want, const WireAnswer& answer) const {
  std::string wrong = want["exit"] ? check_count(want, "exit", static_cast<size_t>(answer.exit_code)) : "";
  const Json wire = want["wire"];
  if (way_ == Way::CommandAnswer && !wire) return "an example has to say what the agent is told ('wire')\n";
  const Json got = wire.is_string() ? Json::string(answer.out) : Json::parse(answer.out).value_or(Json());
  if (wire && !(wire == got)) wrong += "wire: want " + wire.dump() + ", got " + answer.out + answer.err + "\n";
  return wrong;
}

std::string Scene::check_stdin(const Json& want) const {
  std::string wrong;
  for (size_t i = 0; i < want.size(); ++i) {
    const std::string name = "stdin." + std::to_string(i + 1);
    const std::string got = read_text(root_ / name);
    const Json expected = want.at(i);
    const bool is_text = expected.is_string();
    wrong += difference(expected, is_text ? Json::string(got) : Json::parse(got).value_or(Json()), name);
  }
  return wrong;
}

std::string Scene::check_files(const Json& want) const {
  std::string wrong;
  for (const JsonMember& file : want.members()) {
    const bool exists = std::filesystem::exists(root_ / file.key);
    const Json got = exists ? Json::string(read_text(root_ / file.key)) : Json();
    wrong += difference(file.value, got, file.key);
  }
  return wrong;
}

std::string Scene::check_notices(const Json& want) {
  if (!want["notices"]) return "";
  std::vector<Json> texts;
  for (const std::string& notice : notices_) texts.push_back(Json::string(without_root(notice)));
  return difference(want["notices"], Json::array(texts), "notices");
}

std::string Scene::check_posts(const Json& want) {
  if (!want) return "";
  const std::vector<Json> posts = poster_ ? poster_->take_posts() : std::vector<Json>();
  if (const auto count = want.as_integer(); count && static_cast<size_t>(*count) != posts.size()) {
    return "posts: want " + want.dump() + ", got " + Json::array(posts).dump() + "\n";
  }
  return want.is_array() ? difference(want, Json::array(posts), "posts") : "";
}

}  // namespace grapnel::conformance
