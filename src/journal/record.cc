#include "grapnel/record.h"

#include "model/effects_json.h"

namespace grapnel {

namespace {

Json text_or_missing(const std::string& text) {
  return text.empty() ? Json() : Json::string(text);
}

Json number_or_missing(uint64_t number) {
  return number == 0 ? Json() : Json::number(static_cast<int64_t>(number));
}

Json words_or_missing(const std::vector<std::string>& words) {
  std::vector<Json> out;
  for (const std::string& word : words) out.push_back(Json::string(word));
  return out.empty() ? Json() : Json::array(out);
}

Json hook_line(const HookFate& fate) {
  const HookTrace& trace = fate.trace;
  return Json::object({{"name", Json::string(fate.name)},
                       {"source", Json::string(fate.source)},
                       {"fate", Json::string(to_string(fate.kind))},
                       {"detail", text_or_missing(fate.detail)},
                       {"verdict", Json::string(to_string(fate.verdict))},
                       {"us", Json::number(int64_t{fate.took.count()})},
                       {"argv", words_or_missing(trace.argv)},
                       {"cwd", text_or_missing(trace.cwd)},
                       {"at_us", trace.argv.empty() ? Json() : Json::number(int64_t{trace.started.count()})},
                       {"in", number_or_missing(trace.bytes_in)},
                       {"out", number_or_missing(trace.bytes_out)},
                       {"err", number_or_missing(trace.bytes_err)},
                       {"answer", trace.answer}});
}

Json losses_or_missing(const std::vector<Degradation>& losses) {
  std::vector<Json> out;
  for (const Degradation& loss : losses) {
    out.push_back(loss_to_json(loss));
  }
  return out.empty() ? Json() : Json::array(out);
}

}  // namespace

Json Record::to_json() const {
  std::vector<Json> lines;
  for (const HookFate& fate : hooks) lines.push_back(hook_line(fate));
  return Json::object({{"v", Json::number(int64_t{kVersion})},
                       {"id", Json::string(id)},
                       {"time", Json::string(time)},
                       {"event", event ? Json::string(to_string(*event)) : Json::null()},
                       {"dialect", Json::string(dialect)},
                       {"session", text_or_missing(session_id)},
                       {"tool", text_or_missing(tool)},
                       {"tool_use_id", text_or_missing(tool_use_id)},
                       {"registry", Json::string(registry_digest)},
                       {"project", text_or_missing(project_dir)},
                       {"payload", payload},
                       {"subjects", subjects},
                       {"payload_sha256", text_or_missing(payload_digest)},
                       {"payload_bytes", number_or_missing(payload_bytes)},
                       {"hooks", Json::array(lines)},
                       {"verdict", Json::string(to_string(verdict))},
                       {"reason", text_or_missing(reason)},
                       {"origin", Json::string(to_string(origin))},
                       {"decided_by", text_or_missing(decided_by)},
                       {"effects", effects},
                       {"degraded", losses_or_missing(degraded)},
                       {"stop", stop ? Json::boolean(true) : Json()},
                       {"background", in_background ? Json::boolean(true) : Json()},
                       {"us", Json::number(int64_t{took.count()})}});
}

}  // namespace grapnel
