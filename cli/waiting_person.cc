#include "cli/waiting_person.h"

#include <algorithm>

#include "approve/wait_for_person.h"
#include "bridge/install.h"
#include "cli/for_people.h"
#include "cli/hook_source.h"
#include "discover/find/ask_setting.h"

namespace grapnel::cli {

namespace {

using std::chrono::milliseconds;

/// What is left of the agent's patience for our answer to reach it.
constexpr milliseconds kMargin = std::chrono::seconds(5);
constexpr std::string_view kNobody =
    "a hook asked, and `ask: page` is set, but nobody was there to answer; run `grapnel approve --follow` in a "
    "terminal of your own, or open the page with `grapnel ui`";

constexpr std::string_view kNobodyInFleet =
    "a hook asked, and `ask: fleet` is set, but nobody of the fleet was there to answer; `grapnel fleet approve "
    "--follow` answers, on the computer of somebody with that role";

class WaitingPerson final : public Person {
 public:
  WaitingPerson(const Environment& env, int reader) : env_(env), reader_(reader) {}

  bool is_wanted() const override { return setting().in_page; }

  PersonAnswer ask(const PersonQuestion& question, std::stop_token cancel) override {
    const EventKind kind = event_kind_from(question.event).value_or(EventKind::PreToolUse);
    const AskSetting wish = setting();
    const PersonWait wait{.patience = patience_for(env_, question.agent, kind, wish.wait, question.elapsed),
                          .objection = [this](pid_t process) { return objection_to(process); },
                          .secrets = secret_patterns(env_),
                          .reader = reader_,
                          .reach = wish.in_fleet ? Reach::Fleet : Reach::Here};
    PersonAnswer answer = wait_for_person(env_, question, wait, cancel);
    if (answer.kind == PersonAnswer::Kind::NoListener) answer.reason = wish.in_fleet ? kNobodyInFleet : kNobody;
    return answer;
  }

 private:
  // Only for an event that asks, so the files are read each time.
  AskSetting setting() const { return read_ask_setting({"/", "", &env_}); }

  std::string objection_to(pid_t process) const {
    const std::string agent = agent_above(env_, process);
    return agent.empty() ? "" : "an agent cannot answer for a person, and this runs in " + agent;
  }

  Environment env_;
  int reader_;
};

}  // namespace

std::shared_ptr<Person> make_waiting_person(const Environment& env, int reader) {
  return std::make_shared<WaitingPerson>(env, reader);
}

milliseconds patience_for(const Environment& env, std::string_view agent, EventKind kind, milliseconds wish,
                          milliseconds elapsed) {
  const Adapter* adapter = find_adapter(agent);
  if (adapter == nullptr) return wish;
  milliseconds entry = entry_timeout(*adapter, kind) * adapter->dialect->timeouts.unit;
  for (const Installed& bridge : Manifest(env).load().value_or(std::vector<Installed>{})) {
    if (bridge.agent != agent) continue;
    // Which of several entries called us is not known, so the shortest counts.
    entry = std::min(entry, wired_timeout(*adapter, bridge.files.front().path, kind).value_or(entry));
  }
  return std::clamp(entry - kMargin - elapsed, milliseconds(0), wish);
}

}  // namespace grapnel::cli
