#include "fleet/otlp.h"

#include <algorithm>
#include <map>

#include "fleet/member_text.h"
#include "history/journal_query.h"
#include "trust/sha256.h"

namespace grapnel::fleet {

namespace {

constexpr size_t kTraceDigits = 32;
constexpr size_t kSpanDigits = 16;
constexpr int64_t kNanosecondsOfMs = 1'000'000;
constexpr int64_t kNanosecondsOfUs = 1'000;
constexpr int64_t kLongestUs = int64_t{86'400} * 1'000'000;  ///< machines may write anything into a record
constexpr int64_t kLastMs = int64_t{9'000'000'000'000};      ///< in the year 2255; nanoseconds of later ones do not fit
constexpr int64_t kInternalSpan = 1;
constexpr int64_t kErrorStatus = 2;

int64_t number_in(const Json& json, std::string_view key) {
  return json[key].as_integer().value_or(0);
}

/// 64 bits are texts in the JSON of Protocol Buffers.
Json wide(int64_t value) {
  return Json::string(std::to_string(value));
}

/// Named values. Those that have nothing to say are left out.
class Attributes {
 public:
  Attributes& text(std::string_view key, const std::string& value) {
    if (!value.empty()) add(key, Json::object({{"stringValue", Json::string(value)}}));
    return *this;
  }
  Attributes& flag_if(std::string_view key, bool is_so) {
    if (is_so) add(key, Json::object({{"boolValue", Json::boolean(true)}}));
    return *this;
  }
  Attributes& number(std::string_view key, int64_t value) {
    add(key, Json::object({{"intValue", wide(value)}}));
    return *this;
  }
  Json json() const { return Json::array(all_); }

 private:
  void add(std::string_view key, const Json& value) {
    all_.push_back(Json::object({{"key", Json::string(key)}, {"value", value}}));
  }

  std::vector<Json> all_;
};

// Without a session, an event is a trace of its own.
std::string trace_of(const CentralRecord& one) {
  const std::string session = member_text(one.record, "session");
  Sha256 digest;
  digest.add(session.empty() ? "event" : "session");
  digest.add(member_text(one.record, "dialect")).add(session.empty() ? member_text(one.record, "id") : session);
  return digest.hex().substr(0, kTraceDigits);
}

/// The span of an event: its background hooks end in another record with the same id.
std::string event_span(const CentralRecord& one) {
  return Sha256().add("event").add(one.machine).add(member_text(one.record, "id")).hex().substr(0, kSpanDigits);
}

std::string record_span(const CentralRecord& one) {
  if (!one.record["background"]) return event_span(one);
  return Sha256().add("record").add(one.machine).add(member_text(one.record, "hash")).hex().substr(0, kSpanDigits);
}

std::string hook_span(const CentralRecord& one, size_t position) {
  return Sha256().add(record_span(one)).add(std::to_string(position)).hex().substr(0, kSpanDigits);
}

/// A duration of the record, in nanoseconds.
int64_t span_in(const Json& json, std::string_view key) {
  return std::clamp<int64_t>(number_in(json, key), 0, kLongestUs) * kNanosecondsOfUs;
}

/// When an event began and ended. A record has the end, and how long it took.
struct Times {
  int64_t begin = 0;
  int64_t end = 0;
};

Times times_of(const Json& record) {
  const int64_t end = std::clamp<int64_t>(ms_of(member_text(record, "time")), 0, kLastMs) * kNanosecondsOfMs;
  return {std::max<int64_t>(0, end - span_in(record, "us")), end};
}

Attributes facts_of(const CentralRecord& one) {
  const Json& record = one.record;
  Attributes out;
  out.text("session.id", member_text(record, "session"))
      .text("gen_ai.agent.name", member_text(record, "dialect"))
      .text("gen_ai.agent.version", member_text(record, "agent_version"))
      .text("gen_ai.tool.name", member_text(record, "tool"))
      .text("gen_ai.tool.call.id", member_text(record, "tool_use_id"))
      .text("grapnel.id", member_text(record, "id"))
      .text("grapnel.event", member_text(record, "event"))
      .text("grapnel.verdict", member_text(record, "verdict"))
      .text("grapnel.would", member_text(record["would"], "verdict"))
      .text("grapnel.origin", member_text(record, "origin"))
      .text("grapnel.decided_by", member_text(record, "decided_by"))
      .text("grapnel.reason", member_text(record, "reason"))
      .text("grapnel.subject", member_text(record, "subject"))
      .text("grapnel.project", member_text(record, "project"))
      .text("grapnel.person.answer", member_text(record["person"], "answer"))
      .flag_if("grapnel.background", record["background"].as_bool().value_or(false));
  if (record["lost_before"]) out.number("grapnel.lost_before", number_in(record, "lost_before"));
  return out;
}

std::string name_of(const Json& record) {
  const std::string event = member_text(record, "event");
  const std::string tool = member_text(record, "tool");
  return (event.empty() ? "unknown event" : event) + (tool.empty() ? "" : " " + tool);
}

Json span_json(const CentralRecord& one) {
  const Times times = times_of(one.record);
  const bool is_background = static_cast<bool>(one.record["background"]);
  return Json::object({{"traceId", Json::string(trace_of(one))},
                       {"spanId", Json::string(record_span(one))},
                       {"parentSpanId", is_background ? Json::string(event_span(one)) : Json()},
                       {"name", Json::string(is_background ? "background hooks" : name_of(one.record))},
                       {"kind", Json::number(kInternalSpan)},
                       {"startTimeUnixNano", wide(times.begin)},
                       {"endTimeUnixNano", wide(times.end)},
                       {"attributes", facts_of(one).json()}});
}

/// The spans of the hooks that were started.
void add_hooks(std::vector<Json>& out, const CentralRecord& one) {
  const Times times = times_of(one.record);
  size_t position = 0;
  for (const Json& hook : one.record["hooks"].elements()) {
    const size_t at = position++;
    const std::string fate = member_text(hook, "fate");
    if (fate != "ran" && fate != "failed") continue;
    const int64_t begin = times.begin + span_in(hook, "at_us");
    const std::string trouble =
        member_text(hook, "error").empty() ? member_text(hook, "detail") : member_text(hook, "error");
    const Json failed = Json::object({{"code", Json::number(kErrorStatus)}, {"message", Json::string(trouble)}});
    out.push_back(Json::object({{"traceId", Json::string(trace_of(one))},
                                {"spanId", Json::string(hook_span(one, at))},
                                {"parentSpanId", Json::string(record_span(one))},
                                {"name", Json::string("hook " + member_text(hook, "name"))},
                                {"kind", Json::number(kInternalSpan)},
                                {"startTimeUnixNano", wide(begin)},
                                {"endTimeUnixNano", wide(begin + span_in(hook, "us"))},
                                {"attributes", Attributes()
                                                   .text("grapnel.hook", member_text(hook, "name"))
                                                   .text("grapnel.hook.source", member_text(hook, "source"))
                                                   .text("grapnel.hook.fate", fate)
                                                   .text("grapnel.hook.detail", member_text(hook, "detail"))
                                                   .text("grapnel.verdict", member_text(hook, "verdict"))
                                                   .text("grapnel.would", member_text(hook, "would"))
                                                   .json()},
                                {"status", fate == "failed" ? failed : Json()}}));
  }
}

/// How loud a record of the log is: numbers and words of OpenTelemetry.
struct Severity {
  int64_t number;
  std::string_view word;
};
Severity severity_of(const Json& record) {
  const std::string verdict = member_text(record, "verdict");
  if (verdict == "deny") return {13, "WARN"};
  // It was let through, or kept back, because a hook did not work.
  if (member_text(record, "origin").starts_with("fail-")) return {17, "ERROR"};
  return verdict == "ask" ? Severity{10, "INFO2"} : Severity{9, "INFO"};
}

Json log_json(const CentralRecord& one) {
  const Times times = times_of(one.record);
  const Severity severity = severity_of(one.record);
  const std::string subject = member_text(one.record, "subject");
  const std::string body =
      member_text(one.record, "verdict") + " " + name_of(one.record) + (subject.empty() ? "" : ": " + subject);
  return Json::object({{"timeUnixNano", wide(times.end)},
                       {"observedTimeUnixNano", wide(times.end)},
                       {"severityNumber", Json::number(severity.number)},
                       {"severityText", Json::string(severity.word)},
                       {"body", Json::object({{"stringValue", Json::string(body)}})},
                       {"attributes", facts_of(one).text("event.name", "grapnel.decision").json()},
                       {"flags", Json::number(int64_t{1})},
                       {"traceId", Json::string(trace_of(one))},
                       {"spanId", Json::string(record_span(one))}});
}

/// What one machine said, under its name: `{"resource":…, SCOPES:[{"scope":…, ITEMS:[…]}]}`.
Json of_machine(const std::string& machine, std::string_view scopes, std::string_view items,
                const std::vector<Json>& list, std::string_view version) {
  const Json resource = Json::object({{"attributes", Attributes()
                                                         .text("service.name", "grapnel")
                                                         .text("service.instance.id", machine)
                                                         .text("host.name", machine)
                                                         .json()}});
  const Json scope = Json::object({{"name", Json::string("grapnel")}, {"version", Json::string(version)}});
  return Json::object(
      {{"resource", resource}, {scopes, Json::array({Json::object({{"scope", scope}, {items, Json::array(list)}})})}});
}

}  // namespace

Json otlp_traces(std::span<const CentralRecord> records, std::string_view version) {
  std::map<std::string, std::vector<Json>> by_machine;
  for (const CentralRecord& one : records) {
    std::vector<Json>& spans = by_machine[one.machine];
    spans.push_back(span_json(one));
    add_hooks(spans, one);
  }
  std::vector<Json> out;
  for (const auto& [machine, spans] : by_machine)
    out.push_back(of_machine(machine, "scopeSpans", "spans", spans, version));
  return Json::object({{"resourceSpans", Json::array(out)}});
}

// How background hooks ended decides nothing.
Json otlp_logs(std::span<const CentralRecord> records, std::string_view version) {
  std::map<std::string, std::vector<Json>> by_machine;
  for (const CentralRecord& one : records) {
    if (!one.record["background"]) by_machine[one.machine].push_back(log_json(one));
  }
  std::vector<Json> out;
  for (const auto& [machine, logs] : by_machine)
    out.push_back(of_machine(machine, "scopeLogs", "logRecords", logs, version));
  return Json::object({{"resourceLogs", Json::array(out)}});
}

}  // namespace grapnel::fleet
