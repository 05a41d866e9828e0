#include "trust/sha256.h"

#include <gtest/gtest.h>

namespace grapnel {
namespace {

// Parts are hashed as `length:bytes`; what is expected is what `printf '3:abc' | sha256sum` says.
TEST(Sha256, KnownValues) {
  struct Case {
    const char* note;
    std::vector<std::string> parts;
    const char* want;
  };
  const Case cases[] = {
      {"nothing at all", {}, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"an empty part", {""}, "ba768b331fd86cec803be04e56ab2b3d4c0e98ef4ee4fcd4e72ad7cce61a1d1f"},
      {"one part", {"abc"}, "aab5f9ae99b2e38fb462025c8f72f570c9c811705d2a4277dc855d7fa293fe97"},
      {"two parts", {"ab", "c"}, "430fb1b4ac43316eca81fab27a1930ab8eff8fef6a1dc7903dce44bbc2790dc5"},
      {"cut elsewhere", {"a", "bc"}, "5310a58788781ab25d5ad7c3f85035824b4eb7bdfa394e0ac2186271472b5492"},
      {"over one block", {std::string(1000, 'x')}, "f6b26572a562fadb7e167a2ceac55009b3f5c639dac2066da553ef7df1a912b6"},
      {"any bytes", {std::string("\0\xff", 2)}, "dfc322f13043f0cd7307741ff48dbc1ea9f514f99d81c723013a97f257facc32"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    Sha256 hash;
    for (const std::string& part : c.parts) hash.add(part);
    EXPECT_EQ(hash.hex(), c.want);
  }
}

// Parts of every length up to several blocks. The expected value is what Python's hashlib says of the same bytes.
TEST(Sha256, BlocksMakeNoDifference) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += static_cast<char>(i * 7);
  std::string all;
  for (size_t size = 0; size < 300; ++size) all += Sha256().add(text.substr(0, size)).add(text.substr(0, 500)).hex();
  EXPECT_EQ(Sha256().add(all).hex(), "9ade1bebed5cd823186d69c7ff334dac7e0b30a8cb38d5c9c315fceef0a3c8f0");
}

}  // namespace
}  // namespace grapnel
