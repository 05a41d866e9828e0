#include "base/error.h"
#include "base/text.h"
#include "cli/fleet_command.h"
#include "cli/helper_program.h"
#include "cli/ui/api.h"

namespace grapnel::cli {

namespace {

constexpr std::chrono::seconds kFleetPatience{20};
constexpr std::chrono::seconds kStillTrue{2};  ///< several tabs ask every few seconds

/// What the program said about its failure. Fails as it did.
Result<void> check(const HelperAnswer& answer) {
  if (answer.status == kOk) return {};
  const Json error = Json::parse(answer.out).value_or(Json())["error"]["message"];
  return fail(Errc::Unavailable, error.as_string().value_or(std::string(text::trim(answer.err))));
}

/// Lines of JSON as a list.
Json list_of(const std::string& lines) {
  std::vector<Json> out;
  for (const std::string_view line : text::split(lines, '\n')) {
    if (auto json = Json::parse(std::string(line))) out.push_back(std::move(*json));
  }
  return Json::array(out);
}

/// `grapnel fleet status`, with what was denied last, and what waits for a person, if this one may approve. Only that
/// program speaks NATS, with the rights of its user.
Answer ask_fleet(const Environment& env) {
  const auto answers = ask_helper_program(
      env, kFleetProgram,
      {{"status", "--json"}, {"log", "--json", "--verdict", "deny", "--limit", "20"}, {"approve", "--json"}},
      kFleetPatience);
  if (!answers) return std::unexpected(answers.error());
  const HelperAnswer& status = (*answers)[0];
  const HelperAnswer& log = (*answers)[1];
  const HelperAnswer& asks = (*answers)[2];
  for (const HelperAnswer* answer : {&status, &log}) {
    if (auto done = check(*answer); !done) return std::unexpected(done.error());
  }
  const auto fleet = Json::parse(status.out);
  if (!fleet) return std::unexpected(fleet.error());
  const Json waiting = asks.status == kOk ? Json::parse(asks.out).value_or(Json())["waiting"] : Json();
  return fleet->with("denials", list_of(log.out)).with("asks", waiting);
}

}  // namespace

Answer FleetView::show() {
  if (!is_wanted_) return fail(Errc::NotFound, "this page was started without `--fleet`");
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (!last_ || now - asked_ > kStillTrue) {
    last_ = ask_fleet(env_);
    asked_ = std::chrono::steady_clock::now();
  }
  return *last_;
}

Answer show_fleet(Ui& ui, const HttpRequest&) {
  return ui.fleet.show();
}

}  // namespace grapnel::cli
