#include "approve/wait_for_person.h"

#include <unistd.h>

#include <csignal>
#include <future>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "approve/ask_place.h"
#include "approve/listener.h"
#include "approve/messages.h"
#include "approve/waiting_asks.h"
#include "os/patience.h"
#include "os/temp_dir.h"

// Whom a waiting process believes. Here this program is one of Grapnel's: it waits, listens and answers itself.

namespace grapnel::testing {
namespace {

using Kind = PersonAnswer::Kind;

class Waiting : public ::testing::Test {
 protected:
  Waiting() {
    dir_.put("run/.keep", "");
    ::chmod((dir_ / "run").c_str(), 0700);
    env_.set("XDG_RUNTIME_DIR", dir_ / "run");
  }

  static PersonQuestion question(const std::string& command = "npm publish", const std::string& id = "ab-12") {
    return {.event_id = id,
            .event = "PreToolUse",
            .session = "s1",
            .agent = "codex",
            .project = "/p",
            .cwd = "/p",
            .tool = "Bash",
            .subject = command,
            .input = Json::object({{"command", Json::string(command)}}),
            .is_command = true,
            .reason = "Publish this?",
            .hook = "ask-before-publish",
            .source = "/p/rules:3",
            .hooks = {"ask-before-publish"}};
  }

  /// Somebody who waits, and gives up when a test ends early.
  struct Asked {
    std::stop_source stop;
    std::future<PersonAnswer> answer;

    Asked(std::stop_source source, std::future<PersonAnswer> future)
        : stop(std::move(source)), answer(std::move(future)) {}
    Asked(const Asked&) = delete;
    Asked& operator=(const Asked&) = delete;
    ~Asked() { stop.request_stop(); }
    PersonAnswer get() { return answer.get(); }
  };
  Asked ask(PersonQuestion asked = question(), PersonWait wait = {.patience = kLong}) {
    return {stop_, std::async(std::launch::async, [this, asked = std::move(asked), wait = std::move(wait)] {
              return wait_for_person(env_, asked, wait, stop_.get_token());
            })};
  }

  WaitingAsk first() {
    std::vector<WaitingAsk> asks;
    becomes_true([&] { return !(asks = waiting_asks(env_)).empty(); });
    return asks.empty() ? WaitingAsk{} : asks.front();
  }

  TempDir dir_;
  Environment env_;
  std::stop_source stop_;
};

TEST_F(Waiting, WithoutAListenerNobodyWaits) {
  EXPECT_EQ(ask().get().kind, Kind::NoListener);
  {
    const auto listener = AskListener::open(env_);
  }
  EXPECT_EQ(ask().get().kind, Kind::NoListener) << "it has left";
  EXPECT_TRUE(waiting_asks(env_).empty());
}

TEST_F(Waiting, AnAnswerArrivesWithItsReason) {
  const auto listener = AskListener::open(env_);
  ASSERT_TRUE(listener) << listener.error().to_string();
  auto waits = ask();
  const WaitingAsk shown = first();
  EXPECT_EQ(shown.subject, "npm publish");
  EXPECT_EQ(shown.hook, "ask-before-publish");
  const auto given = answer_ask(env_, shown.id, {.answer = AskAnswer::Deny, .reason = "Not today.", .by = "page"});
  EXPECT_TRUE(given) << given.error().to_string();
  const PersonAnswer answer = waits.get();
  EXPECT_EQ(answer.kind, Kind::Deny);
  EXPECT_EQ(answer.reason, "Not today.");
  EXPECT_EQ(answer.by, "page");
  EXPECT_TRUE(waiting_asks(env_).empty());
  const auto late = answer_ask(env_, shown.id, {.answer = AskAnswer::Once});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Errc::NotFound);
}

TEST_F(Waiting, EndsWhenTimeIsUp) {
  const auto listener = AskListener::open(env_);
  EXPECT_EQ(ask(question(), {.patience = std::chrono::milliseconds(20)}).get().kind, Kind::Expired);
}

TEST_F(Waiting, EndsWhenTheAgentGivesUp) {
  const auto listener = AskListener::open(env_);
  auto waits = ask();
  EXPECT_EQ(first().id, "ab-12");
  stop_.request_stop();
  EXPECT_EQ(waits.get().kind, Kind::Left);
  EXPECT_TRUE(waiting_asks(env_).empty());
}

TEST_F(Waiting, EndsWhenNobodyReadsTheAnswer) {
  const auto listener = AskListener::open(env_);
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  auto waits = ask(question(), {.patience = kLong, .reader = pipe[1]});
  EXPECT_EQ(first().id, "ab-12");
  ::close(pipe[0]);
  EXPECT_EQ(waits.get().kind, Kind::Left);
  ::close(pipe[1]);
}

TEST_F(Waiting, EndsWithTheLastListener) {
  auto one = std::make_unique<AskListener>(*AskListener::open(env_));
  auto other = std::make_unique<AskListener>(*AskListener::open(env_));
  auto waits = ask();
  EXPECT_EQ(first().id, "ab-12");
  one.reset();
  EXPECT_EQ(waiting_asks(env_).size(), 1u) << "somebody is still there";
  other.reset();
  EXPECT_EQ(waits.get().kind, Kind::Left);
}

TEST_F(Waiting, AListenerHearsWhatComesAndGoes) {
  auto listener = AskListener::open(env_);
  auto waits = ask();
  EXPECT_EQ(first().id, "ab-12");
  listener->settle();
  EXPECT_TRUE(answer_ask(env_, "ab-12", {.answer = AskAnswer::Once}));
  EXPECT_TRUE(waits.get().is_allowed());
  EXPECT_TRUE(becomes_true([&] {
    listener->settle();
    return waiting_asks(env_).empty();
  }));
}

TEST_F(Waiting, APatternHasToCoverTheCommand) {
  const auto listener = AskListener::open(env_);
  auto waits = ask(question("npm publish --tag next"));
  const std::string id = first().id;
  for (const char* pattern : {"npm run *", "git *", "npm publish"}) {
    const auto given = answer_ask(env_, id, {.answer = AskAnswer::Session, .pattern = pattern});
    ASSERT_FALSE(given) << pattern;
    EXPECT_EQ(given.error().code, Errc::BadInput) << pattern;
  }
  EXPECT_TRUE(answer_ask(env_, id, {.answer = AskAnswer::Session, .pattern = "npm publish *"}));
  EXPECT_EQ(waits.get().pattern, "npm publish *");
}

TEST_F(Waiting, SecretsAreMaskedAndTheFileIsItsOwnersAlone) {
  const auto listener = AskListener::open(env_);
  auto waits = ask(question("npm publish --token ghp_0123456789abcdefghijABCDEFGHIJ012345"));
  const WaitingAsk shown = first();
  EXPECT_EQ(shown.subject, "npm publish --token ***");
  EXPECT_FALSE(shown.input.dump().contains("ghp_")) << shown.input.dump();
  struct stat st;
  ASSERT_EQ(::stat(question_path(env_, shown.id).c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 0777, 0600u);
  ASSERT_EQ(::stat(socket_path(env_, shown.id).c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 0777, 0600u);
  ASSERT_EQ(::stat(asks_dir(env_).c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 0777, 0700u);
  stop_.request_stop();
}

// Somebody changes what is shown: then the person has not seen what would run.
TEST_F(Waiting, AnAnswerIsForWhatWasShown) {
  const auto listener = AskListener::open(env_);
  auto waits = ask(question("rm -rf /"));
  WaitingAsk shown = first();
  StoredAsk forged = stored_asks(env_).front();
  forged.ask.subject = "ls";
  std::ofstream(question_path(env_, shown.id)) << write_ask(forged);
  EXPECT_EQ(first().subject, "ls");
  const auto given = answer_ask(env_, shown.id, {.answer = AskAnswer::Once});
  ASSERT_FALSE(given);
  EXPECT_EQ(given.error().code, Errc::Refused);
  EXPECT_TRUE(answer_ask(env_, shown.id, {.answer = AskAnswer::Once, .digest = shown.digest})) << "the true one";
  EXPECT_TRUE(waits.get().is_allowed());
}

TEST_F(Waiting, TwoQuestionsAreAnsweredApart) {
  const auto listener = AskListener::open(env_);
  auto one = ask(question("npm publish", "a-1"));
  auto other = ask(question("npm publish", "b-2"));
  ASSERT_TRUE(becomes_true([&] { return waiting_asks(env_).size() == 2; }));
  EXPECT_TRUE(answer_ask(env_, "b-2", {.answer = AskAnswer::Once}));
  EXPECT_EQ(other.get().kind, Kind::Once);
  EXPECT_TRUE(answer_ask(env_, "a-1", {.answer = AskAnswer::Deny}));
  EXPECT_EQ(one.get().kind, Kind::Deny);
}

/// A process that listens for a person, and nothing else.
class OtherProcess {
 public:
  template <typename Work>
  explicit OtherProcess(Work work) : pid_(::fork()) {
    if (pid_ == 0) {
      work();
      for (;;) ::pause();
    }
  }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;
  ~OtherProcess() { end(); }

  void end() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(std::exchange(pid_, -1), nullptr, 0);
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

TEST_F(Waiting, AListenerThatIsKilledEndsIt) {
  OtherProcess page([this] { new AskListener(*AskListener::open(env_)); });
  ASSERT_TRUE(becomes_true([&] { return !connect_to_listeners(env_, {}).empty(); }));
  auto waits = ask();
  EXPECT_EQ(first().id, "ab-12");
  page.end();
  EXPECT_EQ(waits.get().kind, Kind::Left);
}

TEST_F(Waiting, TheQuestionOfAKilledProcessIsSwept) {
  const auto listener = AskListener::open(env_);
  OtherProcess hook([this] { wait_for_person(env_, question(), {.patience = kLong}, {}); });
  const std::string id = first().id;
  EXPECT_EQ(id, "ab-12");
  hook.end();
  EXPECT_TRUE(waiting_asks(env_).empty());
  EXPECT_FALSE(std::filesystem::exists(question_path(env_, id)));
  EXPECT_FALSE(std::filesystem::exists(socket_path(env_, id)));
}

// One of Grapnel's programs, but below an agent.
TEST_F(Waiting, AProcessThatMayNotSpeakForAPersonIsRefused) {
  OtherProcess page([this] { new AskListener(*AskListener::open(env_)); });
  ASSERT_TRUE(becomes_true([&] { return !connect_to_listeners(env_, {}).empty(); }));
  const PeerObjection objection = [&](pid_t process) { return process == page.pid() ? "" : "an agent is above it"; };
  auto waits = ask(question(), {.patience = kLong, .objection = objection});
  const auto given = answer_ask(env_, first().id, {.answer = AskAnswer::Once});
  ASSERT_FALSE(given);
  EXPECT_EQ(given.error().code, Errc::Refused);
  EXPECT_EQ(given.error().message, "an agent is above it");
  EXPECT_EQ(waiting_asks(env_).size(), 1u) << "it still waits";
  stop_.request_stop();
}

// It may not listen either: an agent must not make its own hooks wait.
TEST_F(Waiting, AListenerBelowAnAgentIsNone) {
  const auto listener = AskListener::open(env_);
  const PeerObjection objection = [](pid_t) { return "an agent is above it"; };
  EXPECT_EQ(ask(question(), {.patience = kLong, .objection = objection}).get().kind, Kind::NoListener);
}

// A process of ours connects, and something else sends the answer over the same connection.
TEST_F(Waiting, TheSenderHasToBeWhoConnected) {
  const auto listener = AskListener::open(env_);
  auto waits = ask();
  const WaitingAsk shown = first();
  const auto connection = connect_to(socket_path(env_, shown.id));
  ASSERT_TRUE(connection);
  std::optional<Message> hello;
  ASSERT_TRUE(becomes_true([&] { return (hello = receive_message(connection->get())).has_value(); }));
  const Json answer = Json::object({{"nonce", Json::parse(hello->text).value_or(Json())["nonce"]},
                                    {"digest", Json::string(shown.digest)},
                                    {"answer", Json::string("once")}});
  OtherProcess thief([&] { send_message(connection->get(), answer.dump()); });
  std::optional<Message> reply;
  ASSERT_TRUE(becomes_true([&] { return (reply = receive_message(connection->get())).has_value(); }));
  EXPECT_EQ(reply->text, R"({"refused":"somebody else sent the answer"})");
  stop_.request_stop();
}

TEST_F(Waiting, AnotherProgramIsRefused) {
  const auto listener = AskListener::open(env_);
  auto waits = ask();
  const std::string path = socket_path(env_, first().id);
  // It answers before it is asked, as `curl` or `socat` would.
  dir_.put("answer.py",
           "import socket, sys\n"
           "s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)\n"
           "s.connect(sys.argv[1])\n"
           "try: s.send(b'{\"answer\":\"once\"}')\n"
           "except BrokenPipeError: pass\n"
           "try: said = s.recv(4096)\n"
           "except ConnectionResetError: said = s.recv(4096)\n"
           "open(sys.argv[2], 'w').write(said.decode())\n");
  const std::string said = dir_ / "said";
  ASSERT_EQ(std::system(("python3 " + (dir_ / "answer.py") + " " + path + " " + said).c_str()), 0);
  std::ifstream file(said);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}),
            R"({"refused":"only grapnel's own programs may answer, for a person"})");
  EXPECT_EQ(waiting_asks(env_).size(), 1u);
  stop_.request_stop();
}

}  // namespace
}  // namespace grapnel::testing
