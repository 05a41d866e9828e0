#include "fleet/otlp.h"

#include <set>

#include <gtest/gtest.h>

// That OpenTelemetry reads what comes out is tested with its own packages: tests/fleet/office.

namespace grapnel::fleet {
namespace {

CentralRecord record_from(const std::string& text, const std::string& machine = "laptop") {
  return {1, machine, Json::parse(text).value_or(Json()), "hash"};
}

std::vector<Json> spans_of(const CentralRecord& one) {
  const Json traces = otlp_traces({&one, 1}, "1.0");
  std::vector<Json> out;
  for (const Json& span : traces.at_pointer("/resourceSpans/0/scopeSpans/0/spans").elements()) out.push_back(span);
  return out;
}

std::string text_in(const Json& json, const char* key) {
  return json[key].as_string().value_or("");
}

TEST(Otlp, BackgroundHooksAreBelowTheirEvent) {
  const auto event = record_from(R"({"id":"a","hash":"1","session":"s","dialect":"claude","event":"PostToolUse"})");
  const auto later =
      record_from(R"({"id":"a","hash":"2","session":"s","dialect":"claude","event":"PostToolUse","background":true,)"
                  R"("hooks":[{"name":"slow","fate":"ran","verdict":"pass","us":5}]})");
  const Json parent = spans_of(event).front();
  const auto below = spans_of(later);
  ASSERT_EQ(below.size(), 2U);
  EXPECT_EQ(text_in(below[0], "parentSpanId"), text_in(parent, "spanId"));
  EXPECT_EQ(text_in(below[1], "parentSpanId"), text_in(below[0], "spanId"));
  EXPECT_EQ(text_in(below[1], "traceId"), text_in(parent, "traceId"));
  // It decides nothing, so it is no decision in the log.
  EXPECT_EQ(otlp_logs({&later, 1}, "1.0")["resourceLogs"].size(), 0U);
  EXPECT_EQ(otlp_logs({&event, 1}, "1.0")["resourceLogs"].size(), 1U);
}

TEST(Otlp, SessionsAreTracesAndIdsStay) {
  struct Case {
    const char* note;
    const char* one;
    const char* other;
    bool same_trace;
  };
  const std::vector<Case> cases = {
      {"one session", R"({"id":"a","session":"s"})", R"({"id":"b","session":"s"})", true},
      {"two sessions", R"({"id":"a","session":"s"})", R"({"id":"b","session":"t"})", false},
      {"of two agents", R"({"id":"a","session":"s","dialect":"x"})", R"({"id":"b","session":"s","dialect":"y"})",
       false},
      {"without a session", R"({"id":"a"})", R"({"id":"b"})", false},
      {"an id like a session", R"({"id":"s"})", R"({"id":"b","session":"s"})", false},
      {"the same twice", R"({"id":"a"})", R"({"id":"a"})", true},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.note);
    const Json first = spans_of(record_from(one.one)).front(), second = spans_of(record_from(one.other)).front();
    EXPECT_EQ(text_in(first, "traceId") == text_in(second, "traceId"), one.same_trace);
    EXPECT_EQ(text_in(first, "traceId").size(), 32U);
    EXPECT_EQ(text_in(first, "spanId").size(), 16U);
  }
  // Two machines never have the same span.
  EXPECT_NE(text_in(spans_of(record_from(R"({"id":"a"})")).front(), "spanId"),
            text_in(spans_of(record_from(R"({"id":"a"})", "server")).front(), "spanId"));
}

TEST(Otlp, NumbersThatAMachineInventedStayInRange) {
  const std::vector<const char*> records = {
      R"({"id":"a"})",
      R"({"id":"a","time":"9999-12-31T23:59:59.999Z","us":9223372036854775807})",
      R"({"id":"a","time":"1970-01-01T00:00:00.001Z","us":9000000})",
      R"({"id":"a","time":"2026-01-01T00:00:00.000Z","us":-5,)"
      R"("hooks":[{"fate":"ran","us":-1,"at_us":9223372036854775807}]})",
      R"({"id":"a","time":"yesterday","us":"many","hooks":"none"})",
      R"([])",
  };
  for (const char* text : records) {
    SCOPED_TRACE(text);
    for (const Json& span : spans_of(record_from(text))) {
      const std::string begin = text_in(span, "startTimeUnixNano"), end = text_in(span, "endTimeUnixNano");
      EXPECT_FALSE(begin.starts_with('-'));
      EXPECT_FALSE(end.starts_with('-'));
      EXPECT_LE(std::stoull(begin), std::stoull(end));
    }
  }
}

TEST(Otlp, SeveritySaysWhatMatters) {
  struct Case {
    const char* record;
    const char* word;
  };
  const std::vector<Case> cases = {
      {R"({"verdict":"deny","origin":"hook"})", "WARN"},       {R"({"verdict":"ask","origin":"hook"})", "INFO2"},
      {R"({"verdict":"pass","origin":"no-hook"})", "INFO"},    {R"({"verdict":"allow","origin":"hook"})", "INFO"},
      {R"({"verdict":"pass","origin":"fail-open"})", "ERROR"}, {R"({"verdict":"deny","origin":"fail-closed"})", "WARN"},
  };
  for (const Case& one : cases) {
    const auto record = record_from(one.record);
    const Json log = otlp_logs({&record, 1}, "1.0").at_pointer("/resourceLogs/0/scopeLogs/0/logRecords/0");
    EXPECT_EQ(text_in(log, "severityText"), one.word) << one.record;
  }
}

}  // namespace
}  // namespace grapnel::fleet
