#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "fleet/job.h"
#include "fleet/manifest.h"
#include "fleet/servers/company.h"
#include "fleet/subjects.h"

// Hooks that workers run: each job at least once, and nothing but hooks of a signed policy.

namespace grapnel::testing {
namespace {

constexpr const char* kTell =
    "  - name: tell\n    on: PostToolUse\n    async: fleet\n    timeout: 20s\n    run: '{here}/scripts/job'\n";

/// Adds a line to a file for every run: the key, the attempt and the command of the event.
std::string telling_script(const std::string& ledger) {
  return "#!/bin/sh\necho \"$GRAPNEL_JOB $GRAPNEL_JOB_ATTEMPT $(jq -r .tool_input.command)\" >> '" + ledger + "'\n";
}

class FleetJobs : public ::testing::Test {
 protected:
  void SetUp() override {
    machine_ = company_.join();
    push("telling", kTell, telling_script(ledger_));
  }

  void push(const std::string& name, const std::string& hooks, const std::string& script) const {
    const Ended pushed = company_.fleet({"push", company_.policy_with(name, hooks, script), "--yes"});
    ASSERT_EQ(pushed.status, 0) << pushed;
  }
  void wait_for_policy(const FleetMachine& machine, int64_t version) const {
    EXPECT_TRUE(becomes_true([&] {
      const Json status = Json::parse(machine.fleet({"status", "--json"}).out).value_or(Json());
      return status["policy"]["version"].as_integer().value_or(0) >= version;
    }));
  }
  static Ended run_tool(FleetMachine& machine, const std::string& command) {
    const Json call = Json::object({{"hook_event_name", Json::string("AfterTool")},
                                    {"tool_name", Json::string("run_shell_command")},
                                    {"tool_input", Json::object({{"command", Json::string(command)}})},
                                    {"tool_response", Json::object({{"llmContent", Json::string("done")}})}});
    return machine.world().run({"fire", "--as", "gemini"}, call.dump(), {"GRAPNEL_SERVE=off"});
  }
  std::string ledger() const { return company_.world().dir().read("ledger"); }
  bool has_run(const std::string& what) const {
    return becomes_true([&] { return ledger().contains(what); });
  }
  Json dead() const { return Json::parse(company_.fleet({"dead", "--json"}).out).value_or(Json())["dead"]; }
  /// Why the only dead letter is one.
  std::string why_dead() const {
    EXPECT_TRUE(becomes_true([&] { return dead().size() == 1; }));
    return dead().at(0)["why"].as_string().value_or("");
  }
  std::unique_ptr<cli::Courier> as_machine() const {
    return company_.connect_as(machine_->world().dir().read("home/.local/state/grapnel/fleet/machine.creds"),
                               machine_->name());
  }

  Company company_;
  std::string ledger_ = company_.world().dir() / "ledger";
  std::unique_ptr<FleetMachine> machine_;
};

TEST_F(FleetJobs, RunOnAWorker) {
  machine_->start();
  wait_for_policy(*machine_, 1);
  const Ended fired = run_tool(*machine_, "make API_TOKEN=abcdef");
  EXPECT_EQ(fired.status, 0) << fired;
  EXPECT_EQ(ledger(), "") << "nothing runs on the machine";
  const auto worker = company_.seat("worker");
  worker->start({"worker"});
  ASSERT_TRUE(has_run("\n"));
  EXPECT_TRUE(ledger().starts_with(machine_->name() + ".")) << ledger();
  EXPECT_TRUE(ledger().ends_with(" 1 make API_TOKEN=***\n")) << ledger();
  const std::string key = ledger().substr(0, ledger().find(' '));
  EXPECT_TRUE(machine_->world()
                  .dir()
                  .read("home/.local/state/grapnel/records.jsonl")
                  .contains(R"("jobs":[{"id":")" + key.substr(key.find('.') + 1)));
  // The machine hears that it is over.
  EXPECT_TRUE(becomes_true([&] {
    const Json status = Json::parse(company_.fleet({"status", "--json"}).out).value_or(Json());
    return status["machines"].at(0)["state"]["waiting_jobs"].as_integer() == 0;
  }));
}

TEST_F(FleetJobs, OutliveThePowerOfTheMachine) {
  machine_->start();
  wait_for_policy(*machine_, 1);
  // Nothing that could send runs any more, and the server is gone: only the journal has it.
  machine_->kill();
  company_.kill(company_.server());
  EXPECT_EQ(run_tool(*machine_, "first").status, 0);
  company_.up();
  const auto worker = company_.seat("worker");
  worker->start({"worker"});
  machine_->start();
  EXPECT_TRUE(has_run(" first\n"));
}

// Power cannot be cut in a test, so the kernel says what has reached the disk when the agent goes on.
TEST_F(FleetJobs, AreOnTheDiskBeforeTheAgentGoesOn) {
  machine_->fleet({"machine", "--once"});
  wait_for_policy(*machine_, 1);
  const auto synced_by = [&](const std::string& event) {
    const std::string log = machine_->world().dir() / "calls";
    const Json call = Json::object({{"hook_event_name", Json::string(event)},
                                    {"tool_name", Json::string("run_shell_command")},
                                    {"tool_input", Json::object({{"command", Json::string("make")}})},
                                    {"tool_response", Json::object({{"llmContent", Json::string("done")}})}});
    const Ended fired = machine_->world().run_program(
        "/usr/bin/strace",
        {"-f", "-y", "-qq", "-e", "trace=fdatasync", "-o", log, GRAPNEL_COMMAND, "fire", "--as", "gemini"}, call.dump(),
        {"GRAPNEL_SERVE=off", "ASAN_OPTIONS=detect_leaks=0"});
    EXPECT_EQ(fired.status, 0) << fired;
    return machine_->world().dir().read("calls");
  };
  EXPECT_TRUE(synced_by("AfterTool").contains("records.jsonl>) = 0"));
  EXPECT_FALSE(synced_by("BeforeTool").contains("fdatasync")) << "nothing is promised, so nobody waits for the disk";
}

TEST_F(FleetJobs, EachRunsWhateverIsKilled) {
  std::vector<std::unique_ptr<FleetMachine>> machines;
  for (int i = 0; i < 2; ++i) {
    machines.push_back(company_.join());
    machines.back()->start();
    wait_for_policy(*machines.back(), 1);
  }
  std::vector<std::unique_ptr<FleetSeat>> workers;
  for (int i = 0; i < 3; ++i) {
    workers.push_back(company_.seat("worker"));
    workers.back()->start({"worker", "--parallel", "4"});
  }
  std::set<std::string> wanted;
  for (int round = 0; round < 9; ++round) {
    for (const auto& machine : machines) {
      for (int i = 0; i < 20; ++i) {
        const std::string id = "j" + std::to_string(round) + "-" + std::to_string(i);
        machine->journal().add("command", "", {id});
        wanted.insert(machine->name() + "." + id);
      }
    }
    FleetSeat& victim = *workers[static_cast<size_t>(round) % workers.size()];
    victim.kill();
    victim.start({"worker", "--parallel", "4"});
    if (round % 3 == 1) {
      company_.kill(company_.server());
      company_.up();
    }
    FleetMachine& machine = *machines[static_cast<size_t>(round) % machines.size()];
    machine.kill();
    machine.start();
  }
  const auto missing = [&] {
    std::set<std::string> out = wanted;
    std::istringstream lines(ledger());
    for (std::string line; std::getline(lines, line);) out.erase(line.substr(0, line.find(' ')));
    return out;
  };
  EXPECT_TRUE(becomes_true([&] { return missing().empty(); })) << missing().size() << " of " << wanted.size();
  EXPECT_EQ(dead().size(), 0U);
}

TEST_F(FleetJobs, ThatFailComeAgainAndAreGivenUp) {
  const std::string mood = company_.world().dir() / "mood";
  push("moody", kTell,
       "#!/bin/sh\ntest -e '" + mood +
           "' || { echo 'not in the mood' >&2; exit 3; }\necho \"$GRAPNEL_JOB_ATTEMPT\" >> '" + ledger_ + "'\n");
  machine_->start();
  wait_for_policy(*machine_, 2);
  EXPECT_EQ(run_tool(*machine_, "make").status, 0);
  const auto worker = company_.seat("worker");
  worker->start({"worker", "--attempts", "2"});
  EXPECT_EQ(why_dead(), "exit 3: not in the mood");
  EXPECT_EQ(dead().at(0)["failures"].as_integer(), 2);
  const std::string id = dead().at(0)["id"].as_string().value_or("");
  const Ended listed = company_.fleet({"dead"});
  EXPECT_TRUE(listed.out.contains("exit 3: not in")) << listed;
  const Ended shown = company_.fleet({"dead", "show", id.substr(0, 8)});
  EXPECT_TRUE(shown.out.contains("PostToolUse make")) << shown;
  EXPECT_EQ(company_.fleet({"dead", "retry", "nothing"}).status, 2);
  EXPECT_EQ(company_.fleet({"dead", "retry"}).status, 2) << "not all by accident";
  EXPECT_EQ(ledger(), "");

  company_.world().dir().put("mood", "");
  const Ended retried = company_.fleet({"dead", "retry", id.substr(0, 8)});
  EXPECT_EQ(retried.status, 0) << retried;
  EXPECT_TRUE(has_run("1\n")) << "its attempts are counted anew";
  EXPECT_EQ(dead().size(), 0U);

  std::filesystem::remove(mood);
  EXPECT_EQ(run_tool(*machine_, "make again").status, 0);
  EXPECT_EQ(why_dead(), "exit 3: not in the mood");
  EXPECT_EQ(company_.fleet({"dead", "drop", "--all"}).status, 0);
  EXPECT_EQ(dead().size(), 0U);
}

/// What a machine that was stolen could send: its own credentials, any text.
TEST_F(FleetJobs, RunNothingButHooksOfASignedPolicy) {
  push("second",
       std::string(kTell) +
           "  - {name: here-only, on: PostToolUse, run: '{here}/scripts/job', async: true}\n"
           "  - {name: rule-only, on: PreToolUse, when: {command: rm}, deny: 'No.'}\n",
       telling_script(ledger_) + "# newer\n");
  const auto thief = as_machine();
  ASSERT_TRUE(thief);
  const auto worker = company_.seat("worker");
  worker->start({"worker"});
  const auto send = [&](const std::string& id, const std::string& body) {
    return cli::store_message(*thief, fleet::job_subject("job", machine_->name(), id), body, kLong).has_value();
  };
  fleet::Job job{
      .id = "x",
      .hook = "tell",
      .channel = "stable",
      .bundle = "",
      .version = 0,
      .event = *Json::parse(R"({"event":"PostToolUse","dialect":"gemini","payload":{"tool_input":{"command":"C"}}})")};
  struct Case {
    const char* note;
    std::string hook, channel;
    std::string why;
  };
  const Case cases[] = {
      {"a hook that is nowhere", "evil", "stable", "has no hook 'evil' for workers"},
      {"a command", "; touch /tmp/x", "stable", "has no hook"},
      {"a hook that is not for workers", "here-only", "stable", "has no hook 'here-only' for workers"},
      {"a rule", "rule-only", "stable", "has no hook 'rule-only' for workers"},
  };
  int number = 0;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    job.id = "case" + std::to_string(++number);
    job.hook = c.hook;
    job.channel = c.channel;
    ASSERT_TRUE(send(job.id, job.to_text()));
    EXPECT_TRUE(why_dead().contains(c.why)) << why_dead();
    EXPECT_EQ(company_.fleet({"dead", "drop", "--all"}).status, 0);
  }
  // No job at all, or one with another's id: nobody keeps it.
  ASSERT_TRUE(send("bad1", "no job"));
  ASSERT_TRUE(send("bad2", job.to_text()));
  // The bundle of version 1 is signed, but no longer published, so what is published runs.
  job.hook = "tell";
  job.id = "old";
  job.version = 1;
  job.bundle = std::string(64, 'a');
  ASSERT_TRUE(send(job.id, job.to_text()));
  EXPECT_TRUE(has_run(machine_->name() + ".old 1 C\n"));
  EXPECT_EQ(dead().size(), 0U);
}

TEST_F(FleetJobs, WaitWhileTheServerHasOnlyForgedPolicies) {
  push("second", kTell, telling_script(ledger_) + "# newer\n");
  machine_->start();
  wait_for_policy(*machine_, 2);
  const auto worker = company_.seat("worker");
  worker->start({"worker"});
  EXPECT_EQ(run_tool(*machine_, "one").status, 0);
  ASSERT_TRUE(has_run(" one\n")) << "the worker has seen version 2";
  // Somebody has the server, but not the key.
  const auto thief = company_.connect("operator");
  ASSERT_TRUE(thief);
  const std::string subject = fleet::policy_subject("stable");
  const auto stored = thief->request(fleet::direct_get(fleet::kPolicyBucket, subject), "", kLong);
  ASSERT_TRUE(stored);
  const fleet::ChannelPolicy good = fleet::ChannelPolicy::parse(stored->body);
  ASSERT_FALSE(good.history.empty());
  const auto key = *fleet::KeyPair::make(fleet::KeyKind::Operator);
  const fleet::SignedManifest forged =
      fleet::sign_manifest({.channel = "stable", .version = 9, .bundle = std::string(64, 'b'), .expires = "2999"}, key);
  fleet::SignedManifest replayed;
  for (const fleet::SignedManifest& one : good.history) {
    const auto manifest = fleet::open_manifest(one, {one.key});
    if (manifest && manifest->version == 1) replayed = one;
  }
  ASSERT_FALSE(replayed.text.empty());
  machine_->kill();
  const auto admin = company_.connect_as_account("fleet");
  ASSERT_TRUE(admin);
  int number = 0;
  for (const fleet::SignedManifest& bad : {forged, replayed}) {
    ASSERT_TRUE(cli::store_message(*thief, subject, fleet::ChannelPolicy{{bad}}.to_text(), kLong));
    const std::string command = "two" + std::to_string(++number);
    EXPECT_EQ(run_tool(*machine_, command).status, 0);
    worker->kill();
    worker->start({"worker"});
    const Ended sent = machine_->fleet({"flush", "--wait", "200s"});
    EXPECT_EQ(sent.status, 0) << sent;
    // The worker gets it and puts it back.
    EXPECT_TRUE(becomes_true([&] {
      const auto info = admin->request("$JS.API.CONSUMER.INFO.JOBS_1.workers", "", kLong);
      return info && Json::parse(info->body).value_or(Json())["num_redelivered"].as_integer().value_or(0) > 0;
    }));
    EXPECT_FALSE(ledger().contains(command));
    ASSERT_TRUE(cli::store_message(*thief, subject, good.to_text(), kLong));
    EXPECT_TRUE(has_run(" " + command + "\n"));
  }
}

}  // namespace
}  // namespace grapnel::testing
