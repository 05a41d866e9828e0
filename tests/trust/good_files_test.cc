#include "trust/good_files.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "os/temp_dir.h"

namespace grapnel {
namespace {

class GoodFilesTest : public ::testing::Test {
 protected:
  testing::TempDir dir_;
  GoodFiles files_{dir_ / "state/trust.json"};
};

TEST_F(GoodFilesTest, KeepsBytesAsTheyAre) {
  const std::string bytes("a\nb\0\xff\r\n", 8);
  EXPECT_FALSE(files_.has_any());
  EXPECT_FALSE(files_.load("/p/x").value());
  ASSERT_TRUE(files_.keep({"/p/x", "/p", "", 3, bytes}));
  EXPECT_TRUE(files_.has_any());
  const GoodFile file = files_.load("/p/x").value().value();
  EXPECT_EQ(file.text, bytes);
  EXPECT_EQ(file.hooks, 3U);
  EXPECT_EQ(file.project, "/p");
  EXPECT_TRUE(file.saved.ends_with(" UTC")) << file.saved;
  struct stat info{};
  ASSERT_EQ(::stat(files_.place_of("/p/x").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777U, 0600U);
}

TEST_F(GoodFilesTest, TheVersionOfAnotherFileIsDamage) {
  ASSERT_TRUE(files_.keep({"/p/x", "/p", "", 1, "text"}));
  std::filesystem::copy(files_.place_of("/p/x"), files_.place_of("/p/y"));
  EXPECT_FALSE(files_.load("/p/y").has_value());
}

TEST_F(GoodFilesTest, ForgetsOnlyWhatIsMeant) {
  ASSERT_TRUE(files_.keep({"/p/x", "/p", "", 1, "text"}));
  ASSERT_TRUE(files_.keep({"/p/y", "/p", "", 1, "text"}));
  ASSERT_TRUE(files_.keep({"/home/x", "", "", 1, "text"}));
  files_.forget("/p", [](const GoodFile& file) { return file.path.ends_with("x"); });
  EXPECT_FALSE(files_.load("/p/x").value());
  EXPECT_TRUE(files_.load("/p/y").value());
  EXPECT_TRUE(files_.load("/home/x").value());
}

}  // namespace
}  // namespace grapnel
