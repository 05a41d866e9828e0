#include "cli/event_input.h"

#include <unistd.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/unique_fd.h"
#include "cli/client/object_scan.h"

namespace grapnel::cli {
namespace {

using namespace std::chrono_literals;

struct ScanCase {
  const char* note;
  const char* text;
  ObjectState want;
  size_t length;
};

const std::vector<ScanCase> kScans = {
    {"an object ends at its bracket", R"({"a":1})", kObjectDone, 7},
    {"what follows is not looked at", R"({} {"b":2})", kObjectDone, 2},
    {"white space in front", " \r\n\t{}", kObjectDone, 6},
    {"a byte-order mark in front", "\xEF\xBB\xBF{}", kObjectDone, 5},
    {"brackets in strings do not count", R"({"a":"}]{["})", kObjectDone, 12},
    {"an escaped quote does not end a string", R"({"a":"\"}"})", kObjectDone, 11},
    {"an escaped backslash does", R"({"a":"\\"})", kObjectDone, 10},
    {"arrays and objects nest", R"({"a":[{"b":[]}]})", kObjectDone, 16},
    {"half an object", R"({"a":)", kObjectInside, 5},
    {"half a string", R"({"a":"x}})", kObjectInside, 9},
    {"nothing", "", kObjectBefore, 0},
    {"white space only", " \n", kObjectBefore, 2},
    {"a word", "hello", kObjectMissing, 1},
    {"an array", "[{}]", kObjectMissing, 1},
};

TEST(ObjectScan, FindsTheEndOfAnObject) {
  for (const ScanCase& c : kScans) {
    SCOPED_TRACE(c.note);
    ObjectScan scan{};
    EXPECT_EQ(scan_object(&scan, c.text, std::strlen(c.text)), c.want);
    EXPECT_EQ(scan.length, c.length);
  }
}

TEST(ObjectScan, FindsItHoweverTheTextIsCut) {
  for (const ScanCase& c : kScans) {
    SCOPED_TRACE(c.note);
    ObjectScan scan{};
    for (const char byte : std::string(c.text)) scan_object(&scan, &byte, 1);
    EXPECT_EQ(scan.state, c.want);
    EXPECT_EQ(scan.length, c.length);
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
    {"two objects", "{}{}", true, "there is extra text after the JSON object: '{}'"},
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
