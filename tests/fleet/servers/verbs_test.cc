#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/unique_fd.h"
#include "fleet/servers/company.h"

// Mistakes of the first day, each with what to do.

namespace grapnel::testing {
namespace {

TEST(FleetVerbs, SayWhatIsWrongAndChangeNothing) {
  const UniqueFd taken(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(taken.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(taken.get(), 1), 0);
  ASSERT_EQ(::getsockname(taken.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  const std::string port = std::to_string(ntohs(address.sin_port));
  struct Case {
    std::vector<std::string> words;
    std::string said;
  };
  const std::vector<Case> cases = {
      {{}, "a verb is missing"},
      {{"statsu"}, "did you mean 'status'?"},
      {{"status", "ann"}, "takes no words"},
      {{"token", "--channel", "canary"}, "grapnel fleet token does not take --channel"},
      {{"init", "--listen", "4222"}, "--listen '4222': write HOST:PORT"},
      {{"init", "--listen", "127.0.0.1:99999"}, "with a port up to 65535"},
      {{"init", "--listen", "127.0.0.1:" + port}, "something listens at port " + port + " already"},
      {{"init", "--listen", "0.0.0.0:0"}, "give --host NAME"},
      {{"init", "--node", "a:1", "--node", "b:2"}, "three servers or more"},
      {{"init", "--node", "a", "--node", "b", "--node", "c"}, "--node 'a': write HOST:PORT"},
      {{"init", "--listen", "127.0.0.1:0", "--database", "postgresql://nobody@127.0.0.1:1/none"},
       "--database: PostgreSQL"},
      {{"join", "grapnel-abc"}, "this is no token of a fleet"},
      {{"push", "house"}, "there is no directory"},
      {{"log"}, "there is no fleet here"},
  };
  const FleetSeat seat;
  for (const Case& one : cases) {
    const Ended ended = seat.fleet(one.words);
    EXPECT_EQ(ended.status, 2) << ended;
    EXPECT_TRUE(ended.err.contains(one.said)) << ended;
  }
  EXPECT_TRUE(seat.fleet({"status"}).err.contains("there is no fleet here"));
}

}  // namespace
}  // namespace grapnel::testing
