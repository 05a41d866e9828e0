#include "trust/trust_store.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "os/temp_dir.h"

namespace grapnel {
namespace {

namespace fs = std::filesystem;
using Digests = std::set<std::string>;

class TrustStoreTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(project_); }

  mode_t mode_of(const std::string& path) {
    struct stat info{};
    EXPECT_EQ(::lstat(path.c_str(), &info), 0);
    return info.st_mode & 07777;
  }

  testing::TempDir dir_;
  std::string path_ = dir_ / "state/deep/trust.json";
  std::string project_ = dir_ / "project";
  TrustStore store_{path_};
};

TEST_F(TrustStoreTest, KeepsWhatIsTrustedPerProject) {
  EXPECT_EQ(store_.trusted(project_).value(), Digests{}) << "nothing without a store";
  EXPECT_FALSE(fs::exists(path_)) << "looking makes none";
  ASSERT_TRUE(store_.set_trusted(project_, {"a", "b"}));
  fs::create_directories(dir_ / "other");
  ASSERT_TRUE(store_.set_trusted(dir_ / "other", {"c"}));
  EXPECT_EQ(store_.trusted(project_).value(), (Digests{"a", "b"}));
  EXPECT_EQ(TrustStore(path_).trusted(dir_ / "other").value(), Digests{"c"});
  ASSERT_TRUE(store_.set_trusted(project_, {"b"})) << "replaces";
  EXPECT_EQ(store_.trusted(project_).value(), Digests{"b"});
  ASSERT_TRUE(store_.set_trusted(project_, {})) << "forgets";
  EXPECT_EQ(store_.trusted(project_).value(), Digests{});
  EXPECT_EQ(store_.trusted(dir_ / "other").value(), Digests{"c"});
}

TEST_F(TrustStoreTest, KnowsAProjectByItsTrueName) {
  ASSERT_TRUE(store_.set_trusted(project_, {"a"}));
  fs::create_symlink(project_, dir_ / "link");
  for (const std::string& spelling : {project_ + "/", project_ + "/../project", dir_ / "link"}) {
    EXPECT_EQ(store_.trusted(spelling).value(), Digests{"a"}) << spelling;
  }
  EXPECT_EQ(store_.trusted(dir_.path()).value(), Digests{}) << "a directory above is another project";
}

TEST_F(TrustStoreTest, IsForItsOwnerAlone) {
  ::umask(0);
  ASSERT_TRUE(store_.set_trusted(project_, {"a"}));
  EXPECT_EQ(mode_of(path_), 0600u);
  EXPECT_EQ(mode_of(dir_ / "state"), 0700u);
  EXPECT_EQ(mode_of(dir_ / "state/deep"), 0700u);
  ::umask(077);
  ASSERT_TRUE(store_.set_trusted(project_, {"b"}));
  EXPECT_EQ(mode_of(path_), 0600u);
}

TEST_F(TrustStoreTest, TrustsNothingWhenItMayBeForged) {
  struct Case {
    const char* note;
    Errc code;
    std::function<void()> spoil;
  };
  const auto rewrite = [this](const char* content) { return [this, content] { std::ofstream(path_) << content; }; };
  const Case cases[] = {
      {"readable by others", Errc::Refused, [this] { ::chmod(path_.c_str(), 0640); }},
      {"writable by others", Errc::Refused, [this] { ::chmod(path_.c_str(), 0602); }},
      {"a link", Errc::Refused,
       [this] {
         fs::rename(path_, path_ + ".real");
         fs::create_symlink(path_ + ".real", path_);
       }},
      {"a link to nothing", Errc::Refused,
       [this] {
         fs::remove(path_);
         fs::create_symlink(path_ + ".nothing", path_);
       }},
      {"a directory", Errc::Refused,
       [this] {
         fs::remove(path_);
         fs::create_directory(path_);
       }},
      {"a pipe", Errc::Refused,
       [this] {
         fs::remove(path_);
         ::mkfifo(path_.c_str(), 0600);
       }},
      {"in a directory that is a link", Errc::Refused,
       [this] {
         fs::rename(dir_ / "state/deep", dir_ / "state/real");
         fs::create_symlink(dir_ / "state/real", dir_ / "state/deep");
       }},
      {"in a directory that others may write to", Errc::Refused,
       [this] { ::chmod((dir_ / "state/deep").c_str(), 0777); }},
      {"below a directory that everybody may write to", Errc::Refused,
       [this] { ::chmod((dir_ / "state").c_str(), 0777); }},
      {"behind a link, below a directory that everybody may write to", Errc::Refused,
       [this] {
         fs::rename(dir_ / "state", dir_ / "real");
         fs::create_directory(dir_ / "open");
         ::chmod((dir_ / "open").c_str(), 0777);
         fs::rename(dir_ / "real", dir_ / "open/state");
         fs::create_symlink(dir_ / "open/state", dir_ / "state");
       }},
      {"not JSON", Errc::BadInput, rewrite("{")},
      {"empty", Errc::BadInput, rewrite("")},
      {"not an object", Errc::BadInput, rewrite("[]")},
      {"without projects", Errc::BadInput, rewrite("{\"version\":1}")},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    fs::remove_all(dir_ / "state");
    fs::remove_all(dir_ / "open");
    ASSERT_TRUE(store_.set_trusted(project_, {"a"}));
    c.spoil();
    const auto trusted = store_.trusted(project_);
    ASSERT_FALSE(trusted);
    EXPECT_EQ(trusted.error().code, c.code) << trusted.error().message;
    EXPECT_FALSE(store_.set_trusted(project_, {"b"})) << "and is left as it is";
  }
}

/// In a directory like /tmp, others cannot replace what is not theirs; a group may share a directory above.
TEST_F(TrustStoreTest, MayStandWhereOthersCannotReplaceIt) {
  for (const mode_t mode : {01777U, 0775U, 0755U, 0711U}) {
    ASSERT_TRUE(store_.set_trusted(project_, {"a"}));
    ASSERT_EQ(::chmod((dir_ / "state").c_str(), mode), 0);
    EXPECT_TRUE(store_.trusted(project_)) << std::oct << mode;
  }
}

TEST_F(TrustStoreTest, IsNotMadeWhereEverybodyCouldReplaceIt) {
  fs::create_directory(dir_ / "state");
  ASSERT_EQ(::chmod((dir_ / "state").c_str(), 0777), 0);
  const auto made = store_.set_trusted(project_, {"a"});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, (dir_ / "state") +
                                      ": everybody may write to this directory and replace what is in it; "
                                      "run `chmod o-w` on it");
}

TEST_F(TrustStoreTest, TrustsNothingOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  ASSERT_TRUE(store_.set_trusted(project_, {"a"}));
  ASSERT_EQ(::chown(path_.c_str(), 65534, 65534), 0);
  EXPECT_EQ(store_.trusted(project_).error().code, Errc::Refused);
  ASSERT_EQ(::chown(path_.c_str(), ::geteuid(), ::getegid()), 0);
  ASSERT_EQ(::chown((dir_ / "state/deep").c_str(), 65534, 65534), 0);
  EXPECT_EQ(store_.trusted(project_).error().code, Errc::Refused) << "its directory's owner could put another there";
}

TEST_F(TrustStoreTest, IgnoresWhatIsNoDigest) {
  ASSERT_TRUE(store_.set_trusted(project_, {"a"}));
  std::ofstream(path_) << R"({"version":1,"projects":{")" << project_ << R"(":["", 7, null, "x"], "/other": "y"}})";
  EXPECT_EQ(store_.trusted(project_).value(), Digests{"x"});
  EXPECT_EQ(store_.trusted("/other").value(), Digests{});
}

TEST_F(TrustStoreTest, LosesNothingWhenManyWrite) {
  constexpr int kWriters = 8;
  std::vector<std::thread> writers;
  for (int i = 0; i < kWriters; ++i) {
    writers.emplace_back([this, i] {
      const std::string project = dir_ / ("p" + std::to_string(i));
      fs::create_directories(project);
      for (int round = 0; round < 5; ++round) {
        EXPECT_TRUE(TrustStore(path_).set_trusted(project, {"d" + std::to_string(round)}));
        EXPECT_TRUE(TrustStore(path_).trusted(project)) << "a reader never sees half a file";
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  for (int i = 0; i < kWriters; ++i) {
    EXPECT_EQ(store_.trusted(dir_ / ("p" + std::to_string(i))).value(), Digests{"d4"});
  }
}

TEST_F(TrustStoreTest, CanStandInTheCurrentDirectory) {
  const std::string before = fs::current_path();
  fs::current_path(dir_.path());
  EXPECT_TRUE(TrustStore("trust.json").set_trusted(project_, {"a"}));
  EXPECT_EQ(TrustStore("trust.json").trusted(project_).value(), Digests{"a"});
  fs::current_path(before);
}

}  // namespace
}  // namespace grapnel
