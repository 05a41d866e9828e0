#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/text.h"
#include "cli/fleet/fleet_files.h"
#include "fleet/roles.h"
#include "fleet/servers/company.h"
#include "fleet/subjects.h"

// Every role against every subject of every role, on a real server: what it says, what it hears, and where answers to
// it may go. The table of roles is the expectation; somebody with all rights in each account watches what happens.

namespace grapnel::testing {
namespace {

constexpr const char* kVictim = "victim-1";
constexpr std::chrono::milliseconds kMoment{300};

/// A subject of the table for one user: `{{name()}}` is their name, and `*` and `>` stand for something.
std::string subject_of(std::string_view pattern, const std::string& name) {
  std::string out(pattern);
  constexpr std::string_view kName = "{{name()}}";
  if (const size_t at = out.find(kName); at != std::string::npos) out.replace(at, kName.size(), name);
  if (out.ends_with('>')) out.replace(out.size() - 1, 1, "1.2");
  for (size_t at = out.find('*'); at != std::string::npos; at = out.find('*')) out.replace(at, 1, kVictim);
  return out;
}

bool fits(std::string_view pattern, std::string_view subject) {
  const auto wanted = text::split(pattern, '.');
  const auto words = text::split(subject, '.');
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == ">") return i < words.size();
    if (i >= words.size() || (wanted[i] != "*" && wanted[i] != words[i])) return false;
  }
  return wanted.size() == words.size();
}

bool may(std::span<const std::string_view> patterns, const std::string& name, const std::string& subject) {
  return std::ranges::any_of(patterns, [&](std::string_view pattern) {
    std::string own(pattern);
    constexpr std::string_view kName = "{{name()}}";
    if (const size_t at = own.find(kName); at != std::string::npos) own.replace(at, kName.size(), name);
    return fits(own, subject);
  });
}

/// What administers streams, accounts and servers, which is for nobody.
const std::vector<std::string> kForNobody = {
    "$JS.API.STREAM.CREATE.EVIL",
    "$JS.API.STREAM.DELETE.REC_1",
    "$JS.API.STREAM.PURGE.REC_1",
    "$JS.API.STREAM.UPDATE.REC_1",
    "$JS.API.STREAM.MSG.GET.REC_1",
    "$JS.API.STREAM.MSG.DELETE.KV_mark",
    "$JS.API.CONSUMER.CREATE.REC_1",
    "$JS.API.CONSUMER.DURABLE.CREATE.REC_1.thief",
    "$JS.API.CONSUMER.DELETE.REC_1.collector",
    "$SYS.REQ.CLAIMS.UPDATE",
    "$SYS.REQ.SERVER.PING",
    "somewhere.else",
    "_INBOX.victim-1.1",
};

class FleetMatrix : public ::testing::Test {
 protected:
  void SetUp() override {
    state_ = Json::parse(company_.world().dir().read("home/.config/grapnel/fleet/fleet.json")).value_or(Json());
    // The collector would answer, and empty the stream.
    ASSERT_TRUE(becomes_true([&] { return company_.collector() > 0; }));
    company_.kill(company_.collector());
    for (const char* account : {"fleet", "agents"}) {
      admins_[account] = company_.connect_as_account(account);
      ASSERT_TRUE(admins_[account]);
    }
    for (const fleet::RoleRow& role : fleet::all_roles()) {
      for (const std::string_view pattern : role.may_publish) subjects_.insert(subject_of(pattern, kVictim));
    }
    subjects_.insert(kForNobody.begin(), kForNobody.end());
  }

  static std::string name_of(const fleet::RoleRow& role) { return std::string(role.name) + "-own"; }
  static const char* account_of(const fleet::RoleRow& role) {
    return role.account == fleet::Account::Fleet ? "fleet" : "agents";
  }

  std::unique_ptr<cli::Courier> connect_as(const fleet::RoleRow& role) const {
    const auto user = fleet::KeyPair::make(fleet::KeyKind::User);
    const auto now = std::chrono::system_clock::now();
    const std::string account = state_["keys"][account_of(role)].as_string().value_or("");
    const std::string jwt = fleet::user_jwt(company_.key("role-" + std::string(role.name)), account, user->public_key(),
                                            name_of(role), now, now + std::chrono::hours(1));
    return company_.connect_as(fleet::creds_text(jwt, user->seed()), name_of(role));
  }

  /// All messages that come within a moment after the last one.
  static std::multimap<std::string, std::string> heard(cli::Mailbox& ear) {
    std::multimap<std::string, std::string> out;
    while (auto message = ear.next(kMoment)) out.emplace(message->subject, message->body);
    return out;
  }

  Company company_;
  Json state_;
  std::map<std::string, std::unique_ptr<cli::Courier>> admins_;
  std::set<std::string> subjects_;
};

TEST_F(FleetMatrix, RolesSayNothingButWhatTheTableAllows) {
  for (const fleet::RoleRow& role : fleet::all_roles()) {
    const auto courier = connect_as(role);
    ASSERT_TRUE(courier) << role.name;
    cli::Courier& admin = *admins_[account_of(role)];
    auto ear = admin.open_mailbox(">");
    ASSERT_TRUE(ear && admin.flush(kLong));
    std::set<std::string> all = subjects_;
    for (const std::string_view pattern : role.may_publish) all.insert(subject_of(pattern, name_of(role)));
    for (const std::string& subject : all) static_cast<void>(courier->publish(subject, "from " + name_of(role)));
    ASSERT_TRUE(courier->flush(kLong));
    std::set<std::string> arrived;
    for (const auto& [subject, body] : heard(*ear)) {
      if (body == "from " + name_of(role)) arrived.insert(subject);
    }
    for (const std::string& subject : all) {
      const bool is_allowed = may(role.may_publish, name_of(role), subject);
      EXPECT_EQ(arrived.contains(subject), is_allowed) << role.name << " says " << subject;
    }
  }
}

TEST_F(FleetMatrix, RolesHearNothingButWhatTheTableAllows) {
  for (const fleet::RoleRow& role : fleet::all_roles()) {
    const auto courier = connect_as(role);
    ASSERT_TRUE(courier) << role.name;
    std::set<std::string> all = subjects_;
    for (const fleet::RoleRow& other : fleet::all_roles()) {
      for (const std::string_view pattern : other.may_subscribe) all.insert(subject_of(pattern, kVictim));
    }
    for (const std::string_view pattern : role.may_subscribe) all.insert(subject_of(pattern, name_of(role)));
    std::vector<cli::Mailbox> ears;
    for (const std::string& subject : all) {
      if (auto ear = courier->open_mailbox(subject)) ears.push_back(std::move(*ear));
    }
    for (const char* wide : {">", "*", "*.>", "_INBOX.>", "$JS.>", "$KV.>"}) {
      if (auto ear = courier->open_mailbox(wide)) ears.push_back(std::move(*ear));
    }
    ASSERT_TRUE(courier->flush(kLong));
    cli::Courier& admin = *admins_[account_of(role)];
    for (const std::string& subject : all) ASSERT_TRUE(admin.publish(subject, "for " + subject));
    ASSERT_TRUE(admin.flush(kLong) && courier->flush(kLong));
    std::set<std::string> arrived;
    for (cli::Mailbox& ear : ears) {
      while (auto message = ear.next(std::chrono::milliseconds(1))) {
        if (message->body == "for " + message->subject) arrived.insert(message->subject);
      }
    }
    for (const std::string& subject : all) {
      const bool is_allowed = may(role.may_subscribe, name_of(role), subject);
      EXPECT_EQ(arrived.contains(subject), is_allowed) << role.name << " hears " << subject;
    }
  }
}

// Permissions say nothing about reply subjects: whoever may ask something may name any subject for the answer, and the
// server or the collector would write there with its own rights.
TEST_F(FleetMatrix, NoAnswerGoesWhereTheAskerMayNotWrite) {
  const std::vector<std::string> targets = {fleet::mark_subject(kVictim),          fleet::policy_subject("stable"),
                                            fleet::policy_notice("stable"),        fleet::blob_subject("digest", 0),
                                            fleet::joined_subject("rec", kVictim), fleet::joined_subject("hb", kVictim),
                                            "$JS.API.STREAM.DELETE.REC_1",         "$JS.ACK.REC_1.collector.1.1.1.1.1"};
  company_.up();
  ASSERT_TRUE(becomes_true([&] { return company_.fleet({"status"}).status == 0; }));
  cli::Courier& admin = *admins_["fleet"];
  for (const char* name : {"machine", "join", "reader"}) {
    const fleet::RoleRow& role = *fleet::find_role(name);
    const auto courier = connect_as(role);
    ASSERT_TRUE(courier) << name;
    auto ear = admin.open_mailbox(">");
    ASSERT_TRUE(ear && admin.flush(kLong));
    for (const std::string_view pattern : role.may_publish) {
      const std::string asked = subject_of(pattern, name_of(role));
      for (const std::string& target : targets) {
        for (const char* body : {"{}", R"({"what":"machines"})", ""})
          static_cast<void>(courier->publish(asked, body, target));
      }
    }
    ASSERT_TRUE(courier->flush(kLong));
    const auto all = heard(*ear);
    for (const std::string& target : targets) EXPECT_FALSE(all.contains(target)) << name << " → " << target;
    // It does get answers where it may.
    if (role.account == fleet::Account::Fleet) {
      EXPECT_TRUE(courier->request("query", R"({"what":"machines"})", kLong));
    }
  }
}

}  // namespace
}  // namespace grapnel::testing
