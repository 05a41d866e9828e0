#include <gtest/gtest.h>

#include "ui/page.h"

/// Records contain what agents and models wrote. None of it may do anything, in the page's answers or in an export.
namespace grapnel::testing {
namespace {

std::vector<std::string> hostile_texts() {
  return {"<script>alert(1)</script>",
          "</pre></details><img src=x onerror=alert(1)>",
          "\"><iframe src=//evil.example>",
          "echo \xE2\x80\xAE"
          "gnp.exe",  // right to left
          "echo a\xE2\x80\x8B"
          "b",                                  // no width
          "echo \x1b[2J\x1b]0;owned\x07",       // a terminal's codes
          "echo " + std::string(1 << 20, 'x'),  // a megabyte
          "-->]]>{{constructor}}${x}"};
}

TEST(Export, HostileRecordsAreText) {
  const UiWorld world;
  for (const std::string& text : hostile_texts()) world.shell(text);
  const std::string file = world.dir() / "out.html";
  const Ended ended = world.run({"ui", "--export", file});
  ASSERT_EQ(ended.status, 0) << ended;
  const std::string html = world.dir().read("out.html");
  EXPECT_TRUE(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
  for (const char* bad : {"<script", "<img", "<iframe", "onerror=alert(1)>", "\x1b", "\xE2\x80\xAE", "\xE2\x80\x8B",
                          "\x07", "//evil.example>"}) {
    EXPECT_FALSE(html.contains(bad)) << bad;
  }
  EXPECT_TRUE(html.contains("Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-"));
  EXPECT_FALSE(html.contains("http://"));
  EXPECT_FALSE(html.contains("https://"));
  EXPECT_LT(html.size(), size_t{1} << 20);
  EXPECT_TRUE(html.contains("Force pushes need a human."));
  struct stat status{};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST(Export, OneSession) {
  const UiWorld world;
  world.shell("make other", "s2");
  ASSERT_EQ(world.run({"ui", "--export", world.dir() / "out.html", "--session", "s2"}).status, 0);
  const std::string html = world.dir().read("out.html");
  EXPECT_TRUE(html.contains("make other"));
  EXPECT_FALSE(html.contains("git push origin"));
}

TEST(Export, ThePageHandsOutTheSame) {
  const UiWorld world;
  Page page(world);
  page.sign_in();
  const Reply reply = page.get("/api/export?session=s1");
  EXPECT_EQ(reply.status, 200);
  EXPECT_TRUE(reply.headers.at("content-disposition").starts_with("attachment"));
  ASSERT_EQ(world.run({"ui", "--export", world.dir() / "out.html", "--session", "s1"}).status, 0);
  EXPECT_EQ(reply.body, world.dir().read("out.html"));
}

/// JSON carries all of it as text, whatever it is.
TEST(Export, HostileRecordsInAnswers) {
  const UiWorld world;
  for (const std::string& text : hostile_texts()) world.shell(text);
  Page page(world);
  page.sign_in();
  const Reply events = page.get("/api/events");
  EXPECT_EQ(events.status, 200);
  EXPECT_EQ(events.headers.at("content-type"), "application/json");
  EXPECT_EQ(events.json()["events"].size(), 3 + hostile_texts().size());
  for (const Json& event : events.json()["events"].elements()) {
    const Reply one = page.get("/api/event/" + *event["id"].as_string());
    EXPECT_EQ(one.status, 200);
    EXPECT_TRUE(one.json().is_object());
    EXPECT_FALSE(one.json()["text"].as_string()->contains('\x1b'));
  }
}

}  // namespace
}  // namespace grapnel::testing
