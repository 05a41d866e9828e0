#include <gtest/gtest.h>

#include "record/records.h"
#include "record/stored_record.h"
#include "trust/sha256.h"

namespace grapnel {
namespace {

Record with_payload(std::string payload) {
  Record record = testing::make_record("a");
  record.payload = *Json::parse(std::move(payload));
  record.subjects = *Json::parse(R"({"command":"curl https://u:secret@h/"})");
  record.effects = *Json::parse(R"({"context":"API_TOKEN=abc"})");
  return record;
}

constexpr const char* kPayload = R"({"command":"curl https://u:secret@h/","note":"n"})";

struct KeepCase {
  const char* note;
  KeepPayloads keep;
  const char* payload;
  const char* subjects;
  const char* effects;
  bool has_digest;
};

const KeepCase kKeepCases[] = {
    {"off", KeepPayloads::Off, "", "", "", false},
    {"digest, and what patterns are compared with", KeepPayloads::Digest, "", R"({"command":"curl https://u:***@h/"})",
     R"({"context":"API_TOKEN=***"})", true},
    {"full, which has what patterns are compared with", KeepPayloads::Full,
     R"({"command":"curl https://u:***@h/","note":"n"})", "", R"({"context":"API_TOKEN=***"})", true},
};

std::string text_of(const Json& value) {
  return value ? value.dump() : "";
}

TEST(Payloads, AreKeptAsWanted) {
  for (const KeepCase& c : kKeepCases) {
    SCOPED_TRACE(c.note);
    const Record kept = fit_for_storage(with_payload(kPayload), Mask(), c.keep);
    EXPECT_EQ(text_of(kept.payload), c.payload);
    EXPECT_EQ(text_of(kept.subjects), c.subjects);
    EXPECT_EQ(text_of(kept.effects), c.effects);
    EXPECT_EQ(kept.payload_digest, c.has_digest ? Sha256().add(kPayload).hex() : "");
    EXPECT_EQ(kept.payload_bytes, c.has_digest ? std::string_view(kPayload).size() : 0u);
  }
}

TEST(Payloads, OneThatIsTooLargeIsKeptAsADigest) {
  const std::string large = "{\"a\":\"" + std::string(size_t{300} << 10, 'x') + "\"}";
  const Record kept = fit_for_storage(with_payload(large), Mask(), KeepPayloads::Full);
  EXPECT_FALSE(kept.payload);
  EXPECT_TRUE(kept.subjects);
  EXPECT_EQ(kept.payload_bytes, large.size());
}

TEST(Payloads, NamesOfWhatToKeep) {
  EXPECT_EQ(keep_payloads_from("off"), KeepPayloads::Off);
  EXPECT_EQ(keep_payloads_from("digest"), KeepPayloads::Digest);
  EXPECT_EQ(keep_payloads_from("full"), KeepPayloads::Full);
  EXPECT_EQ(keep_payloads_from("Full"), std::nullopt);
}

}  // namespace
}  // namespace grapnel
