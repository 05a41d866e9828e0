#include "record/chain.h"

#include <functional>

#include <gtest/gtest.h>

#include "base/text.h"
#include "history/verify.h"
#include "os/files.h"
#include "os/temp_dir.h"
#include "record/records.h"

namespace grapnel {
namespace {

using testing::TempDir;
using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  for (const std::string_view line : text::split(text, '\n')) lines.emplace_back(line);
  lines.pop_back();
  return lines;
}

std::string text_of(const Lines& lines) {
  return text::join(lines, "\n") + "\n";
}

std::string report_of(const TempDir& dir) {
  const auto report = verify_chain(dir.path());
  if (!report) return report.error().message;
  std::string out = std::to_string(report->records) + " records, " + std::to_string(report->torn) + " torn";
  for (const ChainFault& fault : report->faults) out += "; " + std::to_string(fault.line) + " " + fault.what;
  return out;
}

void replace(std::string& text, std::string_view from, std::string_view to) {
  text.replace(text.find(from), from.size(), to);
}

struct TamperCase {
  const char* note;
  std::function<void(Lines&)> change;
  const char* want;
};

const TamperCase kTamperCases[] = {
    {"nothing", [](Lines&) {}, "4 records, 0 torn"},
    {"first removed", [](Lines& l) { l.erase(l.begin()); },
     "3 records, 0 torn; 1 the record before it is missing, or was moved"},
    {"one removed", [](Lines& l) { l.erase(l.begin() + 1); },
     "3 records, 0 torn; 2 the record before it is missing, or was moved"},
    {"last removed", [](Lines& l) { l.pop_back(); }, "3 records, 0 torn; 0 the last records are missing"},
    {"all removed", [](Lines& l) { l.clear(); }, "0 records, 0 torn; 0 the last records are missing"},
    {"a word changed", [](Lines& l) { replace(l[1], "\"pass\"", "\"deny\""); }, "4 records, 0 torn; 2 was changed"},
    {"the last one changed", [](Lines& l) { replace(l[3], "\"pass\"", "\"deny\""); },
     "4 records, 0 torn; 4 was changed"},
    {"reordered", [](Lines& l) { std::swap(l[1], l[2]); },
     "4 records, 0 torn; 2 the record before it is missing, or was moved"},
    {"repeated", [](Lines& l) { l.push_back(l[1]); }, "5 records, 0 torn; 5 appears twice"},
    {"one cut short", [](Lines& l) { l[1].resize(40); },
     "3 records, 1 torn; 3 the record before it is missing, or was moved"},
    {"its hash taken away", [](Lines& l) { l[1] = l[1].substr(0, l[1].find(",\"prev\"")) + "}"; },
     "3 records, 1 torn; 3 the record before it is missing, or was moved"},
    {"rubbish in between", [](Lines& l) { l.insert(l.begin() + 1, "{\"v\":1,"); }, "4 records, 1 torn"},
};

TEST(Chain, ShowsWhatWasDoneToRecords) {
  for (const TamperCase& c : kTamperCases) {
    SCOPED_TRACE(c.note);
    const TempDir dir;
    testing::write_records(dir.path(), {"a", "b", "c", "d"});
    Lines lines = lines_of(dir.read("records.jsonl"));
    c.change(lines);
    dir.put("records.jsonl", lines.empty() ? "" : text_of(lines));
    EXPECT_EQ(report_of(dir), c.want);
  }
}

TEST(Chain, RemembersACutThatIsWrittenOver) {
  const TempDir dir;
  testing::write_records(dir.path(), {"a", "b", "c"});
  Lines lines = lines_of(dir.read("records.jsonl"));
  lines.pop_back();
  dir.put("records.jsonl", text_of(lines));
  testing::write_records(dir.path(), {"d"});
  EXPECT_EQ(report_of(dir), "3 records, 0 torn; 3 the record before it is missing, or was moved");
}

TEST(Chain, GoesOnBehindALineThatWasNeverFinished) {
  const TempDir dir;
  testing::write_records(dir.path(), {"a", "b"});
  dir.put("records.jsonl", dir.read("records.jsonl") + "{\"v\":1,\"id\":\"half");
  testing::write_records(dir.path(), {"c"});
  EXPECT_EQ(report_of(dir), "3 records, 1 torn");
}

TEST(Chain, GoesOnWithoutItsHead) {
  const TempDir dir;
  testing::write_records(dir.path(), {"a", "b"});
  std::filesystem::remove(dir / "records.head");
  testing::write_records(dir.path(), {"c"});
  EXPECT_EQ(report_of(dir), "3 records, 0 torn");
}

TEST(Chain, OneWriterOfManyRecordsSeesWhatOthersAppend) {
  const TempDir dir;
  const auto sink = make_file_record_sink(dir.path());
  sink->record(testing::make_record("a"));
  testing::write_records(dir.path(), {"b"});
  sink->record(testing::make_record("c"));
  EXPECT_EQ(report_of(dir), "3 records, 0 torn");
}

TEST(Chain, WritesAlsoWhileSomebodyKeepsTheLock) {
  const TempDir dir;
  testing::write_records(dir.path(), {"a"});
  {
    const auto lock = os::lock_file(dir / "records.head", std::chrono::milliseconds(0));
    ASSERT_TRUE(lock);
    testing::write_records(dir.path(), {"b", "c"});
  }
  testing::write_records(dir.path(), {"d"});
  EXPECT_EQ(report_of(dir), "4 records, 0 torn");
}

struct LinkCase {
  const char* note;
  std::string line;
  bool want;
};

TEST(Chain, ReadsOnlyWholeLines) {
  const std::string whole(text::trim(chained_line("{\"a\":1}", "")));
  const LinkCase kCases[] = {
      {"whole", whole, true},
      {"empty", "", false},
      {"an object without links", "{\"a\":1}", false},
      {"without its end", whole.substr(0, whole.size() - 1), false},
      {"with more behind it", whole + " ", false},
      {"hash too short", "{\"a\":1,\"prev\":\"\",\"hash\":\"abc\"}", false},
      {"prev is no hash", std::string(text::trim(chained_line("{\"a\":1}", "abc"))), false},
  };
  for (const LinkCase& c : kCases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(read_link(c.line).has_value(), c.want);
  }
}

}  // namespace
}  // namespace grapnel
