#include <signal.h>

#include <filesystem>
#include <future>
#include <sstream>

#include <gtest/gtest.h>

#include "fleet/servers/company.h"
#include "fleet/subjects.h"

// A hook of one machine asks, and a person at another computer answers. Whatever else happens is as without a fleet.

namespace grapnel::testing {
namespace {

constexpr const char* kRules =
    "version: 1\nhooks:\n  - name: ask-before-publish\n    on: PreToolUse\n"
    "    when: { tool: shell, command: npm publish }\n    ask: Publish this?\n";

class FleetApprove : public ::testing::Test {
 protected:
  void SetUp() override {
    machine_ = company_.join();
    set("ask: fleet\nask_wait: 200s\n");
    machine_->world().dir().put("home/.config/agents/grapnel.yaml", kRules);
  }

  void set(const std::string& settings) const {
    machine_->world().dir().put("home/.config/grapnel/settings.yaml", settings);
  }
  /// Whether the machine's program listens for questions.
  bool listens() const {
    std::error_code error;
    const std::filesystem::path directory = machine_->world().dir() / "run/grapnel/asks/listeners";
    for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
      if (entry.path().filename().string().starts_with("fleet-")) return true;
    }
    return false;
  }
  /// Codex cannot ask by itself, so an ask that nobody answers is a deny.
  std::future<Ended> publish(const std::string& command = "npm publish") const {
    return std::async(std::launch::async, [this, command] {
      const Json call = Json::object({{"hook_event_name", Json::string("PreToolUse")},
                                      {"session_id", Json::string("s1")},
                                      {"tool_name", Json::string("Bash")},
                                      {"tool_input", Json::object({{"command", Json::string(command)}})}});
      return machine_->world().run({"fire", "--as", "codex"}, call.dump(), {"GRAPNEL_SERVE=off"});
    });
  }
  /// What the last record says about the person.
  Json person() const {
    std::istringstream lines(machine_->world().dir().read("home/.local/state/grapnel/records.jsonl"));
    Json last;
    for (std::string line; std::getline(lines, line);) {
      const Json record = Json::parse(line).value_or(Json());
      if (record["person"]) last = record["person"];
    }
    return last;
  }
  /// An approver who stays. The machine's program runs then, and has heard of it.
  std::unique_ptr<FleetSeat> approver() const {
    auto seat = company_.seat("approver");
    seat->start({"approve", "--follow", "--json"});
    EXPECT_TRUE(becomes_true([&] { return listens(); }));
    return seat;
  }
  /// The question that waits, as an approver sees it.
  static Json first(const FleetSeat& seat) {
    Json found;
    EXPECT_TRUE(becomes_true([&] {
      found = Json::parse(seat.fleet({"approve", "--json"}).out).value_or(Json())["waiting"].at(0);
      return found.is_object();
    }));
    return found;
  }
  Company company_;
  std::unique_ptr<FleetMachine> machine_;
};

TEST_F(FleetApprove, APersonElsewhereAnswers) {
  machine_->start();
  const auto seat = approver();
  auto pending = publish();
  const Json question = first(*seat);
  EXPECT_EQ(question["machine"].as_string(), machine_->name());
  EXPECT_EQ(question["subject"].as_string(), "npm publish");
  EXPECT_EQ(question["reason"].as_string(), "Publish this?");
  const std::string id = question["id"].as_string().value_or("");
  EXPECT_EQ(seat->fleet({"approve", id, "--once"}).status, 2) << "without a terminal and --yes";
  EXPECT_EQ(seat->fleet({"approve", "nothing", "--once", "--yes"}).status, 2);
  const Ended answered = seat->fleet({"approve", id.substr(0, 8), "--once", "--yes"});
  EXPECT_EQ(answered.status, 0) << answered;
  const Ended allowed = pending.get();
  EXPECT_FALSE(allowed.denies()) << allowed;
  EXPECT_EQ(person()["answer"].as_string(), "once");
  EXPECT_TRUE(person()["by"].as_string().value_or("").starts_with("fleet (approver-")) << person().dump();

  pending = publish();
  const Ended denied =
      seat->fleet({"approve", first(*seat)["id"].as_string().value_or(""), "--deny=Not today.", "--yes"});
  EXPECT_EQ(denied.status, 0) << denied;
  const Ended refused = pending.get();
  EXPECT_TRUE(refused.denies()) << refused;
  EXPECT_TRUE((refused.out + refused.err).contains("a person denied this: Not today.")) << refused;

  pending = publish();
  const Ended session = seat->fleet({"approve", first(*seat)["id"].as_string().value_or(""), "--for-session", "--yes"});
  EXPECT_EQ(session.status, 0) << session;
  EXPECT_FALSE(pending.get().denies());
  EXPECT_FALSE(publish().get().denies()) << "nobody is asked again in this session";
}

TEST_F(FleetApprove, NobodyThereIsKnown) {
  const Ended alone = publish().get();
  EXPECT_TRUE(alone.denies()) << "the machine's program does not run";
  EXPECT_TRUE((alone.out + alone.err).contains("grapnel fleet approve --follow")) << alone;
  EXPECT_EQ(person()["answer"].as_string(), "no-listener");
  machine_->start();
  EXPECT_TRUE(publish().get().denies()) << "nobody of the fleet is there";
  EXPECT_EQ(person()["answer"].as_string(), "no-listener");
  // Somebody is there and leaves while the question waits.
  const auto seat = approver();
  auto pending = publish();
  const Json question = first(*seat);
  EXPECT_EQ(question["subject"].as_string(), "npm publish");
  seat->kill();
  EXPECT_TRUE(pending.get().denies());
  EXPECT_EQ(person()["answer"].as_string(), "left");
}

TEST_F(FleetApprove, WithoutTheSettingNobodyElsewhereIsAsked) {
  machine_->start();
  const auto seat = approver();
  set("ask: page\nask_wait: 200s\n");
  EXPECT_TRUE(publish().get().denies()) << "although its program still listens";
  EXPECT_EQ(person()["answer"].as_string(), "no-listener");
  EXPECT_EQ(Json::parse(seat->fleet({"approve", "--json"}).out).value_or(Json())["waiting"].size(), 0U);
}

TEST_F(FleetApprove, ThePolicyMaySayIt) {
  set("");
  const std::string policy = company_.policy("asking", "nobody-runs-this");
  company_.world().dir().put("policies/asking/settings.yaml", "ask: fleet\nask_wait: 200s\nunsure: pass\n");
  const Ended refused = company_.fleet({"push", policy, "--yes"});
  EXPECT_EQ(refused.status, 2) << refused;
  EXPECT_TRUE(refused.err.contains("'unsure' is no setting of a policy")) << refused;
  company_.world().dir().put("policies/asking/settings.yaml", "ask: fleet\nask_wait: 200s\n");
  const Ended pushed = company_.fleet({"push", policy, "--yes"});
  ASSERT_EQ(pushed.status, 0) << pushed;
  machine_->start();
  const auto seat = approver();
  auto pending = publish();
  const Json question = first(*seat);
  EXPECT_EQ(seat->fleet({"approve", question["id"].as_string().value_or(""), "--once", "--yes"}).status, 0);
  EXPECT_FALSE(pending.get().denies());
}

TEST_F(FleetApprove, LateAnswersChangeNothing) {
  machine_->start();
  const auto seat = approver();
  auto pending = publish();
  const Json question = first(*seat);
  // The first of the two to answer counts.
  const std::string id = question["id"].as_string().value_or("");
  EXPECT_EQ(seat->fleet({"approve", id, "--deny", "--yes"}).status, 0);
  const auto other = company_.seat("approver");
  const Ended second = other->fleet({"approve", id, "--once", "--yes"});
  EXPECT_NE(second.status, 0) << second;

  // The time is over.
  set("ask: fleet\nask_wait: 4s\n");
  pending = publish();
  const Json next = first(*seat);
  EXPECT_TRUE(pending.get().denies());
  EXPECT_EQ(person()["answer"].as_string(), "expired");
  const Ended late = seat->fleet({"approve", next["id"].as_string().value_or(""), "--once", "--yes"});
  EXPECT_NE(late.status, 0) << late;
  EXPECT_EQ(person()["answer"].as_string(), "expired");
}

TEST_F(FleetApprove, AServerThatIsAwayKeepsNobodyWaiting) {
  machine_->start();
  const auto seat = approver();
  auto pending = publish();
  EXPECT_EQ(first(*seat)["subject"].as_string(), "npm publish");
  // Frozen while somebody waits, and before somebody asks.
  const pid_t server = company_.server();
  ASSERT_EQ(::kill(server, SIGSTOP), 0);
  EXPECT_TRUE(pending.get().denies());
  EXPECT_TRUE(publish().get().denies());
  EXPECT_TRUE(becomes_true([&] { return !listens(); }));
  EXPECT_TRUE(publish().get().denies());
  EXPECT_EQ(person()["answer"].as_string(), "no-listener");
  ASSERT_EQ(::kill(server, SIGCONT), 0);
  EXPECT_TRUE(becomes_true([&] { return listens(); }));
  pending = publish();
  EXPECT_EQ(seat->fleet({"approve", first(*seat)["id"].as_string().value_or(""), "--once", "--yes"}).status, 0);
  EXPECT_FALSE(pending.get().denies());

  company_.kill(server);
  EXPECT_TRUE(becomes_true([&] { return !listens(); }));
  EXPECT_TRUE(publish().get().denies());
  EXPECT_EQ(person()["answer"].as_string(), "no-listener");
}

TEST_F(FleetApprove, WhoeverHasTheServerCannotAnswer) {
  machine_->start();
  // All rights in the account, but no statement that the key of the role signed.
  const auto thief = company_.connect_as_account("fleet");
  ASSERT_TRUE(thief);
  std::atomic<int> asked = 0;
  ASSERT_TRUE(thief->subscribe("ask.*", "", [&](const cli::CarriedMessage& message) {
    if (!message.body.contains(R"("op":"ask")")) return;
    ++asked;
    static_cast<void>(
        thief->publish(message.reply, R"({"answer":"once","pattern":"","reason":"","jwt":"x.y.z","signature":"AA"})"));
  }));
  ASSERT_TRUE(becomes_true([&] {
    static_cast<void>(thief->publish(std::string(fleet::kApproverNotice), ""));
    return listens();
  }));
  const auto there = approver();
  auto pending = publish();
  EXPECT_TRUE(becomes_true([&] { return asked > 3; }));
  EXPECT_EQ(pending.wait_for(std::chrono::seconds(0)), std::future_status::timeout) << "none of them counts";
  const auto seat = company_.seat("approver");
  // Its answer has to win against those of the thief, who answers each time, too.
  const std::string id = first(*seat)["id"].as_string().value_or("");
  EXPECT_TRUE(becomes_true([&] { return seat->fleet({"approve", id, "--deny=No.", "--yes"}).status != 3; }));
  EXPECT_TRUE(pending.get().denies());
}

}  // namespace
}  // namespace grapnel::testing
