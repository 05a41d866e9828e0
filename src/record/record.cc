#include "grapnel/record.h"

#include <string>

#include "json/string.h"
#include "json/writer.h"
#include "model/effects_json.h"
#include "record/stored_record.h"

namespace grapnel {

namespace {

/// Writes a JSON object member by member, straight into the text. This is done for every event, so no `Json` value is
/// built. The functions with `_if_any` leave out a member that is empty or zero.
class ObjectText {
 public:
  explicit ObjectText(std::string& out) : out_(out) { out_ += '{'; }
  ObjectText(const ObjectText&) = delete;
  ObjectText& operator=(const ObjectText&) = delete;
  ~ObjectText() { out_ += '}'; }

  void text(std::string_view key, std::string_view value) { json::append_quoted(begin(key), value); }
  void text_if_any(std::string_view key, std::string_view value) {
    if (!value.empty()) text(key, value);
  }
  void number(std::string_view key, int64_t value) { begin(key) += std::to_string(value); }
  void number_if_any(std::string_view key, uint64_t value) {
    if (value != 0) number(key, static_cast<int64_t>(value));
  }
  void value_if_any(std::string_view key, const Json& value) {
    if (value) append_json(begin(key), value, {});
  }
  void flag(std::string_view key, bool is_so) { begin(key) += is_so ? "true" : "false"; }
  void yes_if(std::string_view key, bool is_so) {
    if (is_so) begin(key) += "true";
  }
  template <typename List, typename Append>
  void list(std::string_view key, const List& values, Append append) {
    std::string& out = begin(key);
    out += '[';
    for (size_t i = 0; i < values.size(); ++i) {
      if (i > 0) out += ',';
      append(out, values[i]);
    }
    out += ']';
  }
  /// Writes the key and returns the text, ready for the value.
  std::string& begin(std::string_view key) {
    if (!out_.ends_with('{')) out_ += ',';
    out_.append(1, '"').append(key).append("\":");
    return out_;
  }

 private:
  std::string& out_;
};

/// Only what is not as usual: nothing is left, and what would be left is found by its mark.
void append_containment(ObjectText& hook, const HookContainment& contained) {
  if (contained.means != "mark") hook.text_if_any("contained", contained.means);
  hook.text_if_any("sandbox", contained.sandbox);
  hook.text_if_any("not_enforced", contained.not_enforced);
  if (!contained.refused.empty()) hook.list("refused", contained.refused, json::append_quoted);
  if (contained.left.empty()) return;
  hook.list("left", contained.left, [](std::string& out, const HookLeftover& one) {
    ObjectText left(out);
    left.text("name", one.name);
    left.number("pid", one.pid);
  });
  hook.yes_if("ended_leftovers", contained.ended_leftovers);
}

/// One element of `hooks`: what happened to one hook.
void append_hook(std::string& out, const HookFate& fate) {
  const HookTrace& trace = fate.trace;
  ObjectText hook(out);
  hook.text("name", fate.name);
  hook.text("source", fate.source);
  hook.text("fate", to_string(fate.kind));
  hook.text_if_any("detail", fate.detail);
  hook.text_if_any("error", fate.complaint);
  hook.text("verdict", to_string(fate.verdict));
  if (fate.would) hook.text("would", to_string(*fate.would));
  hook.text_if_any("doubt", fate.doubt);
  append_containment(hook, fate.contained);
  hook.number_if_any("stage", fate.stage);
  hook.number("us", fate.took.count());
  if (!trace.argv.empty()) hook.list("argv", trace.argv, json::append_quoted);
  hook.text_if_any("cwd", trace.cwd);
  hook.yes_if("warm", trace.was_warm);
  hook.text_if_any("cold", trace.cold);
  const bool was_started = fate.kind == HookFate::Kind::Ran || fate.kind == HookFate::Kind::Failed;
  if (was_started) hook.number("at_us", trace.started.count());
  hook.number_if_any("in", trace.bytes_in);
  hook.number_if_any("out", trace.bytes_out);
  hook.number_if_any("err", trace.bytes_err);
  hook.value_if_any("answer", trace.answer);
}

void append_outcome(std::string& out, const ToolOutcome& outcome) {
  ObjectText object(out);
  object.flag("ok", outcome.succeeded);
  if (outcome.exit_code) object.number("exit", *outcome.exit_code);
  object.yes_if("interrupted", outcome.was_interrupted);
  object.text_if_any("error", outcome.error);
  if (outcome.took) object.number("ms", outcome.took->count());
}

/// Who acted, and where: the agent, its session, its directories.
void append_actor(ObjectText& line, const Record& record) {
  line.text("dialect", record.dialect);
  line.text_if_any("agent_version", record.agent_version);
  line.text_if_any("session", record.session_id);
  line.text_if_any("agent_id", record.agent_id);
  line.text_if_any("agent_type", record.agent_type);
  line.text_if_any("parent", record.parent);
  line.text_if_any("cwd", record.cwd);
  line.text_if_any("project", record.project_dir);
  line.text_if_any("mode", record.permission_mode);
}

/// What the event is about.
void append_matter(ObjectText& line, const Record& record) {
  line.text_if_any("tool", record.tool);
  line.text_if_any("tool_use_id", record.tool_use_id);
  line.text_if_any("subject", record.subject);
  line.text_if_any("rewritten_subject", record.rewritten_subject);
  if (record.outcome) append_outcome(line.begin("outcome"), *record.outcome);
  line.value_if_any("payload", record.payload);
  line.value_if_any("subjects", record.subjects);
  line.text_if_any("payload_sha256", record.payload_digest);
  line.number_if_any("payload_bytes", record.payload_bytes);
}

void append_job(std::string& out, const WantedJob& wanted) {
  ObjectText job(out);
  job.text("id", wanted.id);
  job.text("hook", wanted.hook);
  job.value_if_any("payload", wanted.payload);
}

/// What was decided, and by whom.
void append_decision(ObjectText& line, const Record& record) {
  line.text("verdict", to_string(record.verdict));
  line.text_if_any("reason", record.reason);
  line.text("origin", to_string(record.origin));
  line.text_if_any("decided_by", record.decided_by);
  line.value_if_any("effects", record.effects);
  if (!record.degraded.empty()) {
    line.list("degraded", record.degraded,
              [](std::string& text, const Degradation& loss) { append_json(text, loss_to_json(loss), {}); });
  }
  if (record.would) append_json(line.begin("would"), would_to_json(*record.would), {});
  if (record.person) append_json(line.begin("person"), person_to_json(*record.person), {});
  line.yes_if("stop", record.stop);
  line.yes_if("background", record.in_background);
}

}  // namespace

/// The order of the members is fixed: `first_time_of` in history/retention.cc finds the time near the start of a line.
std::string record_text(const Record& record, uint64_t lost_before) {
  std::string out;
  {
    ObjectText line(out);
    line.number("v", Record::kVersion);
    line.text("id", record.id);
    line.text("time", record.time);
    const bool is_other = record.event == EventKind::Other && !record.other_event.empty();
    if (record.event) line.text("event", is_other ? record.other_event : to_string(*record.event));
    // The kind is unknown if the input could not be understood. The member is written anyway.
    if (!record.event) line.begin("event") += "null";
    append_actor(line, record);
    append_matter(line, record);
    line.text("registry", record.registry_digest);
    line.list("hooks", record.hooks, append_hook);
    if (!record.jobs.empty()) line.list("jobs", record.jobs, append_job);
    append_decision(line, record);
    line.number("us", record.took.count());
    line.number_if_any("lost_before", lost_before);
  }
  return out;
}

/// Through the text, so that there is only one description of a record's form.
Json Record::to_json() const {
  return Json::parse(record_text(*this)).value_or(Json());
}

}  // namespace grapnel
