#include "cli/event_input.h"

#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/unique_fd.h"

namespace grapnel::cli {
namespace {

using State = ObjectScanner::State;
using namespace std::chrono_literals;

struct ScanCase {
  const char* note;
  const char* text;
  State want;
  size_t length;
};

const std::vector<ScanCase> kScans = {
    {"an object ends at its bracket", R"({"a":1})", State::Done, 7},
    {"what follows is not looked at", R"({} {"b":2})", State::Done, 2},
    {"white space in front", " \r\n\t{}", State::Done, 6},
    {"a byte-order mark in front", "\xEF\xBB\xBF{}", State::Done, 5},
    {"brackets in strings do not count", R"({"a":"}]{["})", State::Done, 12},
    {"an escaped quote does not end a string", R"({"a":"\"}"})", State::Done, 11},
    {"an escaped backslash does", R"({"a":"\\"})", State::Done, 10},
    {"arrays and objects nest", R"({"a":[{"b":[]}]})", State::Done, 16},
    {"half an object", R"({"a":)", State::Inside, 5},
    {"half a string", R"({"a":"x}})", State::Inside, 9},
    {"nothing", "", State::Before, 0},
    {"white space only", " \n", State::Before, 2},
    {"a word", "hello", State::NoObject, 1},
    {"an array", "[{}]", State::NoObject, 1},
};

TEST(ObjectScanner, FindsTheEndOfAnObject) {
  for (const ScanCase& c : kScans) {
    SCOPED_TRACE(c.note);
    ObjectScanner scanner;
    EXPECT_EQ(scanner.scan(c.text), c.want);
    EXPECT_EQ(scanner.length(), c.length);
  }
}

TEST(ObjectScanner, FindsItHoweverTheTextIsCut) {
  for (const ScanCase& c : kScans) {
    SCOPED_TRACE(c.note);
    ObjectScanner scanner;
    for (const char byte : std::string(c.text)) scanner.scan({&byte, 1});
    EXPECT_EQ(scanner.scan(""), c.want);
    EXPECT_EQ(scanner.length(), c.length);
  }
}

struct Pipe {
  Pipe() {
    int fds[2];
    EXPECT_EQ(::pipe(fds), 0);
    read_end = UniqueFd(fds[0]);
    write_end = UniqueFd(fds[1]);
  }
  void put(std::string_view text) const {
    EXPECT_EQ(::write(write_end.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  UniqueFd read_end, write_end;
};

struct ReadCase {
  const char* note;
  const char* text;
  bool closes;
  const char* want;  ///< the object, or the start of the error
};

const std::vector<ReadCase> kReads = {
    {"the writer closes", "{\"a\":1}\n", true, "{\"a\":1}"},
    {"the writer never closes", "{\"a\":1}\n", false, "{\"a\":1}"},
    {"cut off: the JSON reader says where", "{\"a\":", true, "{\"a\":"},
    {"nothing at all", "", true, "the payload is empty"},
    {"no JSON: refused without waiting for more", "hello", false,
     "the payload must be a JSON object; it starts with 'hello'"},
    {"two objects", "{}{}", true, "there is more after the JSON object: '{}'"},
    {"an object that never ends", "{\"a\":1", false, "no complete JSON object arrived in time"},
    {"nothing ever comes", "", false, "no complete JSON object arrived in time"},
    {"over the limit", "{\"a\":\"0123456789012345678901234567890123456789\"", true,
     "the payload is larger than 32 bytes"},
};

TEST(ReadObject, EndsWithTheObjectOrTheDeadline) {
  for (const ReadCase& c : kReads) {
    SCOPED_TRACE(c.note);
    Pipe pipe;
    pipe.put(c.text);
    if (c.closes) pipe.write_end.reset();
    const auto got = read_object(pipe.read_end.get(), {.max_bytes = 32, .timeout = 30ms});
    const std::string text = got ? *got : got.error().message;
    EXPECT_EQ(text.substr(0, std::string(c.want).size()), c.want);
  }
}

TEST(ReadObject, TakesAnObjectThatComesInPieces) {
  Pipe pipe;
  std::thread writer([&] {
    for (const char* piece : {"{\"a\"", ":\"", "}\\", "\"\"", ",\"b\":[", "]}"}) {
      pipe.put(piece);
      std::this_thread::sleep_for(2ms);
    }
  });
  const auto got = read_object(pipe.read_end.get(), {});
  writer.join();
  ASSERT_TRUE(got.has_value()) << got.error().message;
  EXPECT_EQ(*got, R"({"a":"}\"","b":[]})");
}

}  // namespace
}  // namespace grapnel::cli
