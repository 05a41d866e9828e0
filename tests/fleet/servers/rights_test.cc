#include <algorithm>

#include <gtest/gtest.h>

#include "cli/fleet/fleet_files.h"
#include "fleet/roles.h"
#include "fleet/servers/company.h"
#include "fleet/subjects.h"
#include "os/files.h"

// Each role against everything that it may not do, on a real server. A server ignores what is forbidden and says
// nothing to the sender, so the tests look at what others can see.

namespace grapnel::testing {
namespace {

constexpr std::chrono::milliseconds kSoon{2000};

/// What nobody may do except those for whom it is meant: a subject, and the stream in which it would be seen.
struct Deed {
  std::string subject;
  std::string_view stream;
};

/// Whether the message is in the stream now, as its owner sees it.
bool is_stored(cli::Courier& admin, const Deed& deed, const std::string& body) {
  const Json wish = Json::object({{"last_by_subj", Json::string(deed.subject)}});
  const auto found = admin.request("$JS.API.STREAM.MSG.GET." + std::string(deed.stream), wish.dump(), kLong);
  EXPECT_TRUE(found);
  const auto data = Json::parse(found ? found->body : "").value_or(Json())["message"]["data"].as_string();
  if (!data) return false;
  std::string text = *data;
  for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
  while (text.ends_with('=')) text.pop_back();
  return fleet::from_base64url(text).value_or("") == body;
}

/// The environment of the tests: people, a machine, and somebody with all rights who looks.
class FleetRights : public ::testing::Test {
 protected:
  void SetUp() override {
    machine_ = company_.join();
    victim_ = company_.join();
    admin_ = company_.connect_as_account("fleet");
    ASSERT_TRUE(admin_);
  }

  std::unique_ptr<cli::Courier> as_machine(const FleetMachine& machine) const {
    return company_.connect_as(os::read_file(machine.state_dir() + "/fleet/machine.creds", 1 << 16).value_or(""),
                               machine.name());
  }

  /// Publishes in every way that could work: plainly, and as the reply subject of something that is allowed.
  void try_to_write(cli::Courier& courier, const Deed& deed, const std::string& body,
                    const std::string& allowed) const {
    static_cast<void>(courier.publish(deed.subject, body));
    // The server itself would publish its acknowledgement there.
    static_cast<void>(courier.publish(allowed, body, deed.subject));
    static_cast<void>(courier.flush(kLong));
  }

  std::vector<Deed> all_deeds() const {
    return {{fleet::mark_subject(victim_->name()), fleet::kMarkBucket},
            {fleet::policy_subject("stable"), fleet::kPolicyBucket},
            {fleet::blob_subject("digest", 0), fleet::kBlobStream},
            {fleet::joined_subject("rec", victim_->name()), fleet::kRecordStream},
            {fleet::job_subject("job", victim_->name(), "j1"), fleet::kJobStream},
            {fleet::job_subject("done", victim_->name(), "j1"), fleet::kDoneStream},
            {fleet::job_subject("dead", victim_->name(), "j1"), fleet::kDeadStream}};
  }
  /// With a token of the role; those who run the fleet have it without.
  std::unique_ptr<cli::Courier> as_role(const std::string& role) const {
    if (role == "collector" || role == "operator") return company_.connect(role);
    const auto seat = company_.seat(role);
    const std::string creds = "home/.config/grapnel/fleet/creds/" + role;
    const std::string name = seat->world().dir().read(creds + ".name");
    return company_.connect_as(seat->world().dir().read(creds + ".creds"), name.substr(0, name.find('\n')));
  }

  Company company_;
  std::unique_ptr<FleetMachine> machine_, victim_;
  std::unique_ptr<cli::Courier> admin_;
};

/// The last message with that subject, as text; "" if there is none.
std::string last_of(cli::Courier& admin, const Deed& deed) {
  const Json wish = Json::object({{"last_by_subj", Json::string(deed.subject)}});
  const auto found = admin.request("$JS.API.STREAM.MSG.GET." + std::string(deed.stream), wish.dump(), kLong);
  return found ? Json::parse(found->body).value_or(Json())["message"].dump() : "?";
}

TEST_F(FleetRights, MachineWritesNothingButItsOwn) {
  const auto courier = as_machine(*machine_);
  ASSERT_TRUE(courier);
  const std::string own = fleet::joined_subject("rec", machine_->name());
  // The collector would empty the stream before anybody could look.
  company_.kill(company_.collector());
  const std::string job = fleet::job_subject("job", machine_->name(), "j1");
  for (const Deed& deed : all_deeds()) {
    for (const std::string& allowed :
         {own, job, fleet::joined_subject("ask", machine_->name()),
          fleet::direct_get(fleet::kDoneStream, fleet::job_subject("done", machine_->name(), "j1"))}) {
      SCOPED_TRACE(deed.subject + " by " + allowed);
      const std::string before = last_of(*admin_, deed);
      try_to_write(*courier, deed, "stolen", allowed);
      EXPECT_EQ(last_of(*admin_, deed), before);
    }
  }
  EXPECT_TRUE(becomes_true([&] { return is_stored(*admin_, {job, fleet::kJobStream}, "stolen"); })) << "its own job";
  // The same words arrive where they may: the check above can fail.
  ASSERT_TRUE(courier->publish(own, "mine"));
  ASSERT_TRUE(courier->flush(kLong));
  EXPECT_TRUE(becomes_true([&] { return is_stored(*admin_, {own, fleet::kRecordStream}, "mine"); }));
}

TEST_F(FleetRights, OthersWriteOnlyWhatIsTheirs) {
  struct Case {
    const char* role;
    std::vector<std::string> may;  ///< how the subjects begin that the role may write
  };
  const std::vector<Case> cases = {
      {"collector", {"$KV.mark."}},
      {"operator", {"$KV.policy.", "blob.", "job.", "done."}},
      {"worker", {"done.", "dead."}},
      {"approver", {}},
      {"reader", {}},
  };
  // The tokens have to be given out before.
  std::map<std::string, std::unique_ptr<cli::Courier>> all;
  for (const Case& one : cases) all[one.role] = as_role(one.role);
  company_.kill(company_.collector());
  for (const Case& one : cases) {
    const auto& courier = all[one.role];
    ASSERT_TRUE(courier) << one.role;
    for (const Deed& deed : all_deeds()) {
      SCOPED_TRACE(std::string(one.role) + " " + deed.subject);
      const bool is_meant =
          std::ranges::any_of(one.may, [&](const std::string& start) { return deed.subject.starts_with(start); });
      const std::string before = last_of(*admin_, deed);
      const std::string body = "from a " + std::string(one.role);
      static_cast<void>(courier->publish(deed.subject, body));
      static_cast<void>(courier->flush(kLong));
      if (is_meant && deed.stream == fleet::kJobStream) {
        EXPECT_NE(last_of(*admin_, deed), before);
      } else if (is_meant) {
        EXPECT_TRUE(becomes_true([&] { return is_stored(*admin_, deed, body); }));
      } else {
        EXPECT_EQ(last_of(*admin_, deed), before);
      }
    }
  }
}

TEST_F(FleetRights, ApproverOnlyAnswers) {
  const auto approver = as_role("approver");
  const auto machine = as_machine(*machine_);
  ASSERT_TRUE(approver && machine);
  // Everything that it may hear, and what it may not.
  auto asks = approver->open_mailbox("ask.*");
  ASSERT_TRUE(asks);
  std::vector<cli::Mailbox> ears;
  for (const char* subject : {">", "rec.*", "job.*.*", "hb.*", "$KV.>", "query", "_INBOX.>"}) {
    if (auto ear = approver->open_mailbox(subject)) ears.push_back(std::move(*ear));
  }
  ASSERT_TRUE(approver->flush(kLong));
  company_.kill(company_.collector());
  auto inbox = machine->open_mailbox();
  ASSERT_TRUE(inbox);
  const std::string ask = fleet::joined_subject("ask", machine_->name());
  ASSERT_TRUE(machine->publish(ask, "?", inbox->subject()));
  const auto heard = asks->next(kLong);
  ASSERT_TRUE(heard);
  // Instead of an answer: something for a stream, also as the reply subject of what it may send.
  for (const Deed& deed : all_deeds()) {
    SCOPED_TRACE(deed.subject);
    const std::string before = last_of(*admin_, deed);
    try_to_write(*approver, deed, "stolen", std::string(fleet::kApproverNotice));
    EXPECT_EQ(last_of(*admin_, deed), before);
  }
  // A machine that wants its answer in a stream gets it there neither.
  for (const Deed& deed : all_deeds()) {
    SCOPED_TRACE("an answer to " + deed.subject);
    const std::string before = last_of(*admin_, deed);
    ASSERT_TRUE(machine->publish(ask, "?", deed.subject));
    const auto trick = asks->next(kLong);
    ASSERT_TRUE(trick);
    ASSERT_TRUE(approver->publish(trick->reply, "stolen"));
    ASSERT_TRUE(approver->flush(kLong));
    EXPECT_EQ(last_of(*admin_, deed), before);
  }
  ASSERT_TRUE(approver->publish(heard->reply, "an answer"));
  const auto answer = inbox->next(kLong);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body, "an answer");
  // One answer for each question, and none to what nobody asked.
  ASSERT_TRUE(approver->publish(heard->reply, "another"));
  ASSERT_TRUE(approver->publish(inbox->subject(), "unasked"));
  ASSERT_TRUE(approver->flush(kLong));
  EXPECT_FALSE(inbox->next(std::chrono::milliseconds(200)));
  for (cli::Mailbox& ear : ears) EXPECT_FALSE(ear.next(std::chrono::milliseconds(20))) << ear.subject();
  EXPECT_FALSE(approver->request("query", R"({"what":"log"})", kSoon));
}

TEST_F(FleetRights, NobodyAdministersStreams) {
  const std::vector<std::string> subjects = {"$JS.API.STREAM.DELETE.REC_1",
                                             "$JS.API.STREAM.PURGE.REC_1",
                                             "$JS.API.STREAM.CREATE.EVIL",
                                             "$JS.API.CONSUMER.CREATE.REC_1",
                                             "$JS.API.CONSUMER.DURABLE.CREATE.REC_1.thief",
                                             "$JS.API.STREAM.MSG.GET.REC_1",
                                             "$JS.API.STREAM.MSG.GET.JOBS_1",
                                             "$JS.API.STREAM.PURGE.DEAD_1",
                                             "$JS.API.CONSUMER.CREATE.JOBS_1",
                                             "$SYS.REQ.CLAIMS.UPDATE",
                                             "$SYS.REQ.SERVER.PING"};
  std::map<std::string, std::unique_ptr<cli::Courier>> all;
  for (const char* role : {"collector", "operator", "worker", "approver"}) all[role] = as_role(role);
  all["machine"] = as_machine(*machine_);
  for (const auto& [role, courier] : all) {
    ASSERT_TRUE(courier) << role;
    for (const std::string& subject : subjects) {
      EXPECT_FALSE(courier->request(subject, "{}", std::chrono::milliseconds(100))) << role << " " << subject;
    }
  }
  // Whoever may, gets an answer: silence above is the server's.
  EXPECT_TRUE(admin_->request("$JS.API.STREAM.INFO.REC_1", "", kLong));
}

TEST_F(FleetRights, MachineHearsNothingOfOthers) {
  const auto courier = as_machine(*machine_);
  ASSERT_TRUE(courier);
  std::vector<cli::Mailbox> ears;
  for (const std::string& subject :
       {std::string(">"), std::string("rec.*"), std::string("hb.*"), std::string("_INBOX.>"),
        "_INBOX." + victim_->name() + ".>", std::string("$KV.>"), std::string("query")}) {
    if (auto ear = courier->open_mailbox(subject)) ears.push_back(std::move(*ear));
  }
  auto notices = courier->open_mailbox(fleet::policy_notice("stable"));
  ASSERT_TRUE(notices);
  ASSERT_TRUE(courier->flush(kLong));
  // Everything happens once.
  victim_->journal().add("secret");
  ASSERT_EQ(victim_->flush().status, 0);
  ASSERT_EQ(company_.fleet({"push", company_.policy("first", "rm"), "--yes"}).status, 0);
  EXPECT_TRUE(notices->next(kLong)) << "what it may hear comes";
  for (cli::Mailbox& ear : ears) EXPECT_FALSE(ear.next(std::chrono::milliseconds(20))) << ear.subject();
  // Neither the mark of another machine nor the store.
  EXPECT_FALSE(
      courier->request(fleet::direct_get(fleet::kMarkBucket, fleet::mark_subject(victim_->name())), "", kSoon));
  EXPECT_FALSE(courier->request("query", R"({"what":"log"})", kSoon));
  EXPECT_TRUE(
      courier->request(fleet::direct_get(fleet::kMarkBucket, fleet::mark_subject(machine_->name())), "", kLong));
}

TEST_F(FleetRights, TokenOnlyJoins) {
  const auto token = cli::Token::parse([&] {
    const std::string text = company_.fleet({"token"}).out;
    return text.substr(0, text.find('\n'));
  }());
  ASSERT_TRUE(token);
  const auto courier = company_.connect_as(token->creds, token->name);
  ASSERT_TRUE(courier);
  for (const Deed& deed : all_deeds()) {
    const std::string before = last_of(*admin_, deed);
    try_to_write(*courier, deed, "stolen", "join");
    EXPECT_EQ(last_of(*admin_, deed), before) << deed.subject;
  }
  // Nobody becomes a machine that exists.
  const auto answer = courier->request(
      "join", Json::object({{"key", Json::string("UNOKEY")}, {"host", Json::string("x")}}).dump(), kLong);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->body.contains("error")) << answer->body;
}

TEST_F(FleetRights, ExpiryAndRevocationCutAtOnce) {
  const auto courier = as_machine(*machine_);
  ASSERT_TRUE(courier);
  ASSERT_TRUE(courier->flush(kLong));
  machine_->start();
  // It is connected when its first heartbeat has come.
  ASSERT_TRUE(becomes_true([&] {
    const Json status = Json::parse(company_.fleet({"status", "--json"}).out).value_or(Json());
    for (const Json& one : status["machines"].elements()) {
      if (one["machine"].as_string() == machine_->name()) return one["seen"].is_string();
    }
    return false;
  }));
  const Ended revoked = company_.fleet({"revoke", machine_->name()});
  ASSERT_EQ(revoked.status, 0) << revoked;
  EXPECT_TRUE(becomes_true([&] { return !courier->is_connected(); })) << "a live connection is cut";
  EXPECT_FALSE(as_machine(*machine_)) << "and none is made again";
  EXPECT_TRUE(as_machine(*victim_)) << "others stay";
  // The program there goes on trying, and still ends when it is told to.
  EXPECT_EQ(machine_->fleet({"leave", "--yes"}).status, 0);
  EXPECT_TRUE(becomes_true([&] { return machine_->has_ended(); }));

  const Ended token = company_.fleet({"token", "--expires", "2s"});
  ASSERT_EQ(token.status, 0) << token;
  const std::string text = token.out.substr(0, token.out.find('\n'));
  FleetMachine late;
  EXPECT_TRUE(becomes_true([&] {
    return late.fleet({"join", text, "--no-start"}).status != 0 || late.fleet({"leave", "--yes"}).status != 0;
  })) << "a token that has expired joins nobody";
  EXPECT_EQ(late.name(), "");
}

TEST_F(FleetRights, ExpiryCutsAConnectionThatIsOpen) {
  const Json state = Json::parse(company_.world().dir().read("home/.config/grapnel/fleet/fleet.json")).value_or(Json());
  const auto user = *fleet::KeyPair::make(fleet::KeyKind::User);
  const auto now = std::chrono::system_clock::now();
  // Whole seconds count, so it lives for at least two.
  const std::string jwt =
      fleet::user_jwt(company_.key("role-machine"), state["keys"]["agents"].as_string().value_or(""), user.public_key(),
                      "short", now, now + std::chrono::seconds(3));
  const auto courier = company_.connect_as(fleet::creds_text(jwt, user.seed()), "short");
  ASSERT_TRUE(courier);
  EXPECT_TRUE(courier->flush(kLong));
  EXPECT_TRUE(becomes_true([&] { return !courier->is_connected(); }));
  // The server counts whole seconds, so the last one may not be over.
  EXPECT_TRUE(
      becomes_true([&] { return company_.connect_as(fleet::creds_text(jwt, user.seed()), "short") == nullptr; }));
}

// Whoever steals this computer's files while the keys are in a safe gets no policy and no new users out of them.
TEST_F(FleetRights, KeysMayBeInASafe) {
  const std::string policy = company_.policy("first", "rm");
  std::filesystem::rename(company_.home("keys"), company_.home("safe"));
  for (const auto& [words, key] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{{{"push", policy, "--yes"}, "policy.nk"},
                                                                     {{"token"}, "role-join.nk"},
                                                                     {{"token", "--role", "reader"}, "role-reader.nk"},
                                                                     {{"revoke", machine_->name()}, "operator.nk"}}) {
    const Ended ended = company_.fleet(words);
    EXPECT_NE(ended.status, 0) << words.front();
    EXPECT_TRUE(ended.err.contains(key)) << ended;
  }
  // What needs no key goes on.
  add_records(*machine_, 3);
  expect_arrived(company_, *machine_);
  EXPECT_EQ(company_.fleet({"log", "--json"}).status, 0);
  std::filesystem::rename(company_.home("safe"), company_.home("keys"));
  EXPECT_EQ(company_.fleet({"push", policy, "--yes"}).status, 0);
}

}  // namespace
}  // namespace grapnel::testing
