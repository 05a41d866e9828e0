#include <filesystem>

#include <gtest/gtest.h>

#include "fleet/outbox.h"
#include "fleet/servers/company.h"
#include "fleet/signed_mark.h"
#include "fleet/subjects.h"

namespace grapnel::testing {
namespace {

// A machine may forget what the mark has passed. Whoever has the server, or the rights of another role, cannot move it.
TEST(FleetMarks, OfSomebodyElseLoseNothing) {
  const Company company;
  const auto machine = company.join();
  const auto other = company.join();
  const auto admin = company.connect_as_account("fleet");
  ASSERT_TRUE(admin);
  const auto stored_mark = [&](const FleetMachine& whose) {
    const auto found =
        admin->request(fleet::direct_get(fleet::kMarkBucket, fleet::mark_subject(whose.name())), "", kLong);
    return found ? found->body : "";
  };
  add_records(*machine, 20);
  expect_arrived(company, *machine);
  const std::string early = stored_mark(*machine);
  // Two journals with the same records up to here.
  for (const char* file : {"records.jsonl", "records.head"})
    std::filesystem::copy_file(machine->state_dir() + "/" + file, other->state_dir() + "/" + file,
                               std::filesystem::copy_options::overwrite_existing);
  add_records(*machine, 100);
  fleet::Outbox outbox(machine->state_dir());
  fleet::Position end;
  for (auto batch = outbox.next(end); batch && !batch->lines.empty(); batch = outbox.next(end)) end = batch->upto;
  const std::string creds = company.world().dir().read("home/.config/grapnel/fleet/creds/operator.creds");
  const auto thief = fleet::MarkSigner::from(*fleet::read_creds(creds));
  ASSERT_TRUE(thief);
  ASSERT_EQ(other->flush().status, 0);
  struct Case {
    const char* note;
    std::string mark;
    const char* said;
  };
  const Case cases[] = {
      {"without a signature", end.to_json().dump(), "is from somebody else"},
      {"signed by another role", thief->sign(machine->name(), end), "is from somebody else"},
      {"really signed, but for another machine", stored_mark(*other), "that of another machine"},
      {"really signed, and then moved",
       Json::parse(early).value_or(Json()).with("offset", Json::number(end.offset)).dump(), "was changed"},
      {"no mark at all", "stolen", "is from somebody else"},
      {"really signed, but older", early, nullptr},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.note);
    add_records(*machine, 5);
    ASSERT_TRUE(cli::store_message(*admin, fleet::mark_subject(machine->name()), one.mark, kLong));
    const Ended flushed = machine->flush();
    EXPECT_EQ(flushed.status, 0) << flushed;
    if (one.said != nullptr) {
      EXPECT_TRUE(flushed.err.contains(one.said)) << flushed;
    }
    company.expect_all_stored(*machine);
  }
}

}  // namespace
}  // namespace grapnel::testing
