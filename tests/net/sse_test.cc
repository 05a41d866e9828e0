#include "net/sse.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"

namespace grapnel::net {
namespace {

/// The events as `event|data|id`, the stream fed in pieces of that size.
std::vector<std::string> events_of(std::string_view stream, size_t piece) {
  std::vector<std::string> out;
  SseParser parser;
  const auto sink = [&](const SseEvent& e) -> Result<void> {
    out.push_back(e.event + "|" + e.data + "|" + e.id);
    return {};
  };
  for (size_t at = 0; at < stream.size(); at += piece) {
    EXPECT_TRUE(parser.feed(stream.substr(at, piece), sink).has_value());
  }
  return out;
}

struct Case {
  const char* note;
  std::string_view stream;
  std::vector<std::string> want;
};

const Case kCases[] = {
    {"nothing", "", {}},
    {"one event", "data: a\n\n", {"message|a|"}},
    {"named", "event: ping\ndata: a\n\n", {"ping|a|"}},
    {"the name lasts for one event", "event: ping\ndata: a\n\ndata: b\n\n", {"ping|a|", "message|b|"}},
    {"several lines of data", "data: a\ndata: b\ndata\n\n", {"message|a\nb\n|"}},
    {"one space is dropped, not two", "data:a\n\ndata:  b\n\n", {"message|a|", "message| b|"}},
    {"CRLF", "event: e\r\ndata: a\r\n\r\ndata: b\r\n\r\n", {"e|a|", "message|b|"}},
    {"CR", "data: a\r\rdata: b\r\r", {"message|a|", "message|b|"}},
    {"line ends mixed", "data: a\r\n\ndata: b\n\r\ndata: c\r\n\r", {"message|a|", "message|b|", "message|c|"}},
    {"comments", ": hello\ndata: a\n:\n\n: bye\n\n", {"message|a|"}},
    {"unknown fields", "retry: 10\nfoo: bar\ndata: a\nnothing\n\n", {"message|a|"}},
    {"an id stays", "id: 1\ndata: a\n\ndata: b\n\n", {"message|a|1", "message|b|1"}},
    {"an id with NUL is ignored", std::string_view("id: 1\0\ndata: a\n\n", 16), {"message|a|"}},
    {"no data, no event", "event: ping\n\ndata: a\n\n", {"message|a|"}},
    {"empty data is data", "data\n\ndata:\n\n", {"message||", "message||"}},
    {"cut off at the end", "data: a\n\ndata: b\n", {"message|a|"}},
    {"a byte-order mark in front",
     "\xEF\xBB\xBF"
     "data: a\n\n",
     {"message|a|"}},
    {"a byte-order mark later is part of a name",
     "data: a\n\n\xEF\xBB\xBF"
     "data: b\n\n",
     {"message|a|"}},
    {"colons in data", "data: {\"a\": 1}\n\n", {"message|{\"a\": 1}|"}},
};

TEST(SseParser, Streams) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.note);
    for (size_t piece = 1; piece <= c.stream.size() + 1; ++piece) {
      EXPECT_EQ(events_of(c.stream, piece), c.want) << "in pieces of " << piece;
    }
  }
}

RC_GTEST_PROP(SseParserLaw, PiecesMakeNoDifference, ()) {
  const auto words = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::vector<std::string>{
      "data", "event", "id", ":", " ", "a", "\n", "\n", "\r", "\r\n", "\n\n", "\xEF\xBB\xBF"}));
  std::string stream;
  for (const std::string& word : words) stream += word;
  const auto piece = *rc::gen::inRange<size_t>(1, 9);
  RC_ASSERT(events_of(stream, piece) == events_of(stream, stream.size() + 1));
}

struct LimitCase {
  const char* note;
  std::string stream;
  bool fits;
};

TEST(SseParser, LimitsOneEvent) {
  const LimitCase cases[] = {
      {"small events without end", std::string("data: abc\n\ndata: abc\n\ndata: abc\n\n"), true},
      {"one long line", "data: " + std::string(20, 'x'), false},
      {"many short lines", "data: abc\ndata: abc\ndata: abc\ndata: abc\ndata: abc\n", false},
      {"a long name", "event: " + std::string(10, 'x') + "\ndata: abcdef\n", false},
  };
  for (const LimitCase& c : cases) {
    SCOPED_TRACE(c.note);
    SseParser parser(20);
    const auto fed = parser.feed(c.stream, [](const SseEvent&) -> Result<void> { return {}; });
    EXPECT_EQ(fed.has_value(), c.fits);
    if (!fed) {
      EXPECT_EQ(fed.error().code, Errc::LimitExceeded);
    }
  }
}

TEST(SseParser, StopsWhereItsReaderFails) {
  SseParser parser;
  int events = 0;
  const auto fed = parser.feed("data: a\n\ndata: b\n\n", [&](const SseEvent&) -> Result<void> {
    ++events;
    return fail(Errc::BadInput, "enough");
  });
  ASSERT_FALSE(fed.has_value());
  EXPECT_EQ(fed.error().message, "enough");
  EXPECT_EQ(events, 1);
}

}  // namespace
}  // namespace grapnel::net
