#include "fleet/servers/crowd.h"

#include <gtest/gtest.h>

#include "fleet/servers/company.h"

// A thousand machines, whose server goes away and comes back.

namespace grapnel::testing {
namespace {

constexpr size_t kMachines = 1000;

TEST(FleetCrowd, OfAThousandComesBackAndLosesNothing) {
  const Company company;
  Crowd crowd(company.home(""), kMachines);
  crowd.write(2);
  const auto connected = crowd.connect();
  ASSERT_TRUE(connected) << connected.error().message;
  ASSERT_TRUE(crowd.ship());
  EXPECT_EQ(company.store().count().value_or(0), int64_t{2} * kMachines);

  company.kill(company.server());
  EXPECT_TRUE(becomes_true([&] { return crowd.count_connected() == 0; }));
  crowd.write(3);
  company.up();
  EXPECT_TRUE(becomes_true([&] { return crowd.count_connected() == kMachines; })) << crowd.count_connected();
  EXPECT_TRUE(crowd.ship());
  EXPECT_EQ(company.store().count().value_or(0), int64_t{5} * kMachines);
  for (const size_t i : {size_t{0}, kMachines / 2, kMachines - 1}) {
    size_t rows = 0;
    EXPECT_EQ(company.stored(crowd.at(i).name, rows).size(), 5U);
    EXPECT_EQ(rows, 5U);
  }
}

}  // namespace
}  // namespace grapnel::testing
