#include "conformance/fired.h"

#include "base/error.h"
#include "run/supervisor.h"
#include "serve/world.h"

namespace grapnel::conformance {

namespace {

std::vector<std::string> command_line(Way way, const CommandWorld& world, const NativeEvent& event) {
  std::vector<std::string> argv = {"grapnel", "fire", "--as", event.dialect, "--project", world.project_dir};
  if (way == Way::CommandDecision) argv.emplace_back("--json");
  if (world.is_bridge) argv.emplace_back("--bridge");
  if (!world.config.empty()) argv.insert(argv.end(), {"--config", world.config, "--dialect", world.config_dialect});
  return argv;
}

}  // namespace

Result<Fired> fire_engine(Engine& engine, const NativeEvent& native) {
  const auto event = Event::from_native(native.dialect, native.payload);
  if (!event) return std::unexpected(event.error());
  const Decision decision = engine.fire(*event);
  return Fired{.decision = decision.to_json(), .answer = write_answer(decision, *event, event->dialect())};
}

Result<Fired> fire_command(Way way, const CommandWorld& world, const NativeEvent& event) {
  ChildSpec child;
  child.path = GRAPNEL_COMMAND;
  child.argv = command_line(way, world, event);
  child.env = world.env;
  child.cwd = world.project_dir;
  child.stdin_bytes = std::make_shared<const std::string>(event.payload.dump());
  child.timeout = std::chrono::minutes(5);
  const RunOutcome ended = run_children({&child, 1}, 1, {}, {}).front();
  const Exited* exited = std::get_if<Exited>(&ended.ending);
  if (exited == nullptr) return fail(Errc::System, "grapnel fire: " + describe(ended.ending));
  if (way == Way::CommandAnswer) {
    return Fired{
        .decision = {},
        .answer = WireAnswer{ended.out.bytes, ended.err.bytes, exited->code},
        .said = testing::without_ids(ended.out.bytes) + "\n" + ended.err.bytes + "\n" + std::to_string(exited->code)};
  }
  auto decision = Json::parse(ended.out.bytes);
  if (!decision) return fail(Errc::System, "grapnel fire: " + ended.out.bytes + ended.err.bytes);
  return Fired{.decision = std::move(*decision), .answer = std::nullopt};
}

}  // namespace grapnel::conformance
