#include "cli/nats_version.h"

#include <gtest/gtest.h>

namespace grapnel::cli {
namespace {

TEST(NatsVersion, SaysWhatIsKnownOfIt) {
  struct Case {
    const char* version;
    const char* trouble;
  };
  const Case cases[] = {
      {"2.9.10", "nats-server 2.9.10 has known holes (CVE-2023-47090 and CVE-2025-30215): take 2.15 or newer"},
      {"2.9.22", "nats-server 2.9.22 has known holes (CVE-2023-47090 and CVE-2025-30215): take 2.15 or newer"},
      {"2.9.23", "nats-server 2.9.23 has known holes (CVE-2025-30215): take 2.15 or newer"},
      {"2.10.1", "nats-server 2.10.1 has known holes (CVE-2023-47090 and CVE-2025-30215): take 2.15 or newer"},
      {"2.10.26", "nats-server 2.10.26 has known holes (CVE-2025-30215): take 2.15 or newer"},
      {"2.10.27", "nats-server 2.10.27 is old: take 2.15 or newer"},
      {"2.11.0", "nats-server 2.11.0 has known holes (CVE-2025-30215): take 2.15 or newer"},
      {"2.11.1", "nats-server 2.11.1 is old: take 2.15 or newer"},
      {"2.14.9", "nats-server 2.14.9 is old: take 2.15 or newer"},
      {"2.15.0", ""},
      {"2.16.0-preview.1", ""},
      {"3.0.0", ""},
      {"", ""},
      {"new", ""},
      {"2.9", ""},
  };
  for (const Case& one : cases) EXPECT_EQ(trouble_with_server(one.version), one.trouble) << one.version;
}

}  // namespace
}  // namespace grapnel::cli
