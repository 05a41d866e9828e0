#include "agent/tool_bench.h"
#include "agent/tools/html_text.h"
#include "net/loopback_server.h"

namespace grapnel::agent {

namespace {

using Server = testing::LoopbackServer;

struct HtmlCase {
  const char* note;
  const char* html;
  const char* want;
};

TEST(FetchTool, HtmlAsText) {
  const HtmlCase cases[] = {
      {"no markup", "plain  text\n here", "plain text here"},
      {"inline markup", "<p>one <b>two</b>, <i>three</i></p>", "one two, three"},
      {"blocks", "<h1>T</h1><p>a</p><div>b<br>c</div>", "T\na\nb\nc"},
      {"lists", "<ul><li>a</li> <li>b</li></ul>", "- a\n- b"},
      {"scripts and styles", "a<script>if (a < b) '<p>'</script><STYLE>p{}</STYLE>b", "ab"},
      {"a script that never ends", "a<script>b", "a"},
      {"comments", "a<!-- <p>b</p> -->c", "ac"},
      {"a declaration", "<!doctype html><title>T</title>x", "T\nx"},
      {"quotes in a tag", R"(<a title="a > b">x</a>)", "x"},
      {"references", "&lt;b&gt; &amp;amp; &quot;x&quot; &#65;&#x42; &nbsp;&euro;", "<b> &amp; \"x\" AB &euro;"},
      {"a reference that is none", "a & b &; &#0; &#xFFFFFFFF;", "a & b &; &#0; &#xFFFFFFFF;"},
      {"a sign that is no tag", "1 < 2 <3", "1 < 2 <3"},
      {"a tag that never ends", "a<b", "a"},
      {"nothing", "", ""},
  };
  for (const HtmlCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(html_to_text(c.html), c.want);
  }
}

struct FetchToolCase {
  const char* note;
  std::vector<Server::Answer> answers;
  ToolFailure failure;
  std::string text;  ///< URL stands for the server's
};

std::string replace_url(std::string text, const std::string& url) {
  for (size_t at = text.find("URL"); at != std::string::npos; at = text.find("URL")) text.replace(at, 3, url);
  return text;
}

TEST(FetchTool, Answers) {
  const auto page = [](std::string type, std::string body, int status = 200) {
    return Server::Answer{.status = status, .headers = {{"Content-Type", std::move(type)}}, .body = std::move(body)};
  };
  const auto redirect = [](std::string to) {
    return Server::Answer{.status = 302, .headers = {{"Location", std::move(to)}}, .body = ""};
  };
  constexpr auto kFailed = ToolFailure::Failed;
  const FetchToolCase cases[] = {
      {"text", {page("text/plain", "a <b>\n")}, kNone, "a <b>\n"},
      {"HTML", {page("text/html; charset=utf-8", "<p>a</p><p>b</p>")}, kNone, "a\nb"},
      {"JSON", {page("application/json", R"({"a": 1})")}, kNone, R"({"a": 1})"},
      {"nothing", {page("text/plain", "")}, kNone, "(the page is empty)"},
      {"an image", {page("image/png", "x")}, kFailed, "URL/page is not text but image/png"},
      {"bytes that call themselves text",
       {page("text/plain", std::string("\0x", 2))},
       kFailed,
       "URL/page is not text but text/plain"},
      {"an error", {page("text/html", "<h1>Gone</h1>", 404)}, kFailed, "HTTP status 404\nGone"},
      {"moved on the same host", {redirect("/there"), page("text/plain", "x")}, kNone, "x"},
      {"moved beside", {redirect("there"), page("text/plain", "x")}, kNone, "x"},
      {"moved to another host",
       {redirect("http://example.com/")},
       kFailed,
       "URL/page redirects to another host: fetch http://example.com/ if you want that"},
      {"moved to another scheme's host",
       {redirect("//example.com/x")},
       kFailed,
       "URL/page redirects to another host: fetch http://example.com/x if you want that"},
      {"moved for ever", {redirect("/page")}, kFailed, "URL/page redirects too often"},
  };
  for (const FetchToolCase& c : cases) {
    SCOPED_TRACE(c.note);
    const Server server(c.answers);
    ToolBench bench;
    bench.context.allow_private_hosts = true;
    const ToolResult result = bench.call(ToolKind::Fetch, Json::object({{"url", Json::string(server.url("/page"))}}));
    EXPECT_EQ(result.failure, c.failure);
    EXPECT_EQ(result.text, replace_url(c.text, server.url()));
  }
}

TEST(FetchTool, WhereARedirectLeads) {
  const Server server({{.status = 301, .headers = {{"Location", "c?d"}}}, {.status = 200, .body = "x"}});
  ToolBench bench;
  bench.context.allow_private_hosts = true;
  bench.call(ToolKind::Fetch, Json::object({{"url", Json::string(server.url("/a/b?q=/"))}}));
  ASSERT_EQ(server.requests().size(), 2U);
  EXPECT_EQ(server.requests()[1].target, "/a/c?d");
}

TEST(FetchTool, ThisMachineIsNotAsked) {
  const Server server({Server::Answer{.body = "secret"}});
  const ToolBench bench;
  const ToolResult result = bench.call(ToolKind::Fetch, Json::object({{"url", Json::string(server.url())}}));
  EXPECT_EQ(result.failure, ToolFailure::Failed);
  EXPECT_NE(result.text.find("private network"), std::string::npos) << result.text;
  EXPECT_TRUE(server.requests().empty());
}

TEST(FetchTool, Addresses) {
  struct AddressText {
    const char* note;
    const char* input;
    const char* text;
  };
  const AddressText cases[] = {
      {"files", R"({"url": "file:///etc/passwd"})", "only http and https addresses can be fetched"},
      {"others", R"({"url": "ftp://example.com"})", "only http and https addresses can be fetched"},
      {"no scheme", R"({"url": "example.com"})", "only http and https addresses can be fetched"},
      {"none", R"({"prompt": "the http page"})", "no address is given: /url is missing"},
  };
  const ToolBench bench;
  for (const AddressText& c : cases) {
    SCOPED_TRACE(c.note);
    const ToolResult result = bench.call(ToolKind::Fetch, c.input);
    EXPECT_EQ(result.failure, ToolFailure::InvalidInput);
    EXPECT_EQ(result.text, c.text);
  }
}

TEST(FetchTool, AnAddressInTheQuestion) {
  const Server server({{.headers = {{"Content-Type", "text/plain"}}, .body = "x"}});
  ToolBench bench;
  bench.context.allow_private_hosts = true;
  const std::string question = "What does (" + server.url("/p") + ") say about https things?";
  EXPECT_EQ(bench.call(ToolKind::Fetch, Json::object({{"prompt", Json::string(question)}})).text, "x");
  ASSERT_EQ(server.requests().size(), 1U);
  EXPECT_EQ(server.requests()[0].target, "/p");
}

TEST(FetchTool, Limits) {
  ToolBench bench;
  bench.context.allow_private_hosts = true;
  const Server large({{.headers = {{"Content-Type", "text/plain"}}, .body = std::string(size_t{6} << 20, 'x')}});
  EXPECT_EQ(bench.call(ToolKind::Fetch, Json::object({{"url", Json::string(large.url())}})).failure,
            ToolFailure::Failed);
  const Server silent({Server::Answer{.ending = Server::Ending::Hang, .silent = true}});
  bench.context.timeout = std::chrono::milliseconds(50);
  EXPECT_EQ(bench.call(ToolKind::Fetch, Json::object({{"url", Json::string(silent.url())}})).failure,
            ToolFailure::TimedOut);
  std::stop_source stop;
  stop.request_stop();
  bench.context.cancel = stop.get_token();
  EXPECT_EQ(bench.call(ToolKind::Fetch, Json::object({{"url", Json::string(silent.url())}})).failure,
            ToolFailure::Interrupted);
}

}  // namespace

}  // namespace grapnel::agent
