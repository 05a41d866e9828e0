#include "record/stored_record.h"

#include <map>
#include <string>
#include <utility>

#include "base/text.h"
#include "trust/sha256.h"

namespace grapnel {

namespace {

constexpr size_t kMaxText = size_t{16} << 10;    ///< for texts that hooks write for people
constexpr size_t kMaxSubject = size_t{1} << 10;  ///< for the subject of an event, and other short texts about it
constexpr size_t kMaxValue = size_t{2} << 10;    ///< for subjects (values that matchers are compared with) and answers
constexpr size_t kMaxPayload = size_t{256} << 10;  ///< must stay below kTailSize in record_file.cc

/// The value with every string in it cut to the limit.
Json capped(const Json& value, size_t limit) {
  if (value.is_string()) {
    const std::string text = *value.as_string();
    return text.size() <= limit ? value : Json::string(text::cap(text, limit));
  }
  if (value.is_array()) {
    std::vector<Json> elements;
    for (const Json& element : value.elements()) elements.push_back(capped(element, limit));
    return Json::array(elements);
  }
  if (!value.is_object()) return value;
  std::vector<std::pair<std::string, Json>> members;
  for (const JsonMember& member : value.members()) members.emplace_back(member.key, capped(member.value, limit));
  return Json::object(members);
}

/// The value with its strings cut until all of it fits.
Json fitting(const Json& value, size_t limit) {
  Json out = value;
  for (size_t longest = limit / 2; out.dump().size() > limit && longest > 0; longest /= 4) out = capped(value, longest);
  return out;
}

/// Keeps a digest of the payload, the payload itself, or neither. If the whole payload is kept, the subjects are not
/// needed, because they can be read from it.
void keep_payload(Record& record, const Mask& mask, KeepPayloads payloads) {
  const Json payload = std::exchange(record.payload, Json());
  if (!record.jobs.empty()) payloads = KeepPayloads::Full;
  if (payloads == KeepPayloads::Off) record.subjects = Json();
  if (payloads == KeepPayloads::Off || !payload) return;
  const std::string_view bytes = payload.raw();
  record.payload_digest = Sha256().add(bytes).hex();
  record.payload_bytes = bytes.size();
  // A payload that is too long is kept as its digest and its subjects only. A job gets what fits.
  if (payloads != KeepPayloads::Full || (bytes.size() > kMaxPayload && record.jobs.empty())) return;
  record.payload = record.jobs.empty() ? mask.apply(payload) : fitting(mask.apply(payload), kMaxPayload);
  record.subjects = Json();
}

/// The mask, and the secrets of the commands that the record is about: reasons name their words, and a word alone does
/// not show that it is a secret.
Mask with_secrets_of(const Record& record, const Mask& mask) {
  Mask out = mask;
  for (const std::string* subject : {&record.subject, &record.rewritten_subject}) {
    if (subject->empty()) continue;
    if (const auto secrets = mask.secrets_in(*subject); !secrets.empty()) out = out.knowing(secrets);
  }
  return out;
}

/// The payloads of jobs whose hook sees another event than the agent sent.
void fit_jobs(Record& record, const Mask& mask) {
  for (WantedJob& job : record.jobs) {
    if (job.payload) job.payload = fitting(mask.apply(job.payload), kMaxPayload / record.jobs.size());
  }
}

}  // namespace

/// Masking comes before cutting: a secret that is cut in the middle could no longer be recognised.
Record fit_for_storage(Record record, const Mask& usual_mask, KeepPayloads payloads) {
  const Mask mask = with_secrets_of(record, usual_mask);
  const auto fit = [&](const std::string& text) { return text.empty() ? text : text::cap(mask.apply(text), kMaxText); };
  const auto fit_value = [&](const Json& value) { return value ? capped(mask.apply(value), kMaxValue) : value; };
  const auto fit_short = [&](std::string& text) {
    if (!text.empty()) text = text::cap(mask.apply(text), kMaxSubject);
  };
  record.reason = fit(record.reason);
  const auto fit_name = [&](std::string& text) {
    if (!text.empty()) text = text::cap(mask.apply_to_name(text), kMaxSubject);
  };
  fit_short(record.other_event);
  fit_short(record.subject);
  fit_short(record.rewritten_subject);
  for (std::string* name : {&record.cwd, &record.project_dir, &record.agent_version, &record.agent_id,
                            &record.agent_type, &record.parent, &record.permission_mode, &record.tool_use_id}) {
    fit_name(*name);
  }
  if (record.outcome) fit_short(record.outcome->error);
  keep_payload(record, mask, payloads);
  fit_jobs(record, mask);
  record.subjects = fit_value(record.subjects);
  // An answer often repeats parts of the payload, so it is kept only if payloads may be kept.
  const bool keeps_answers = payloads != KeepPayloads::Off;
  record.effects = keeps_answers ? fit_value(record.effects) : Json();
  if (record.would) {
    record.would->reason = fit(record.would->reason);
    record.would->effects = keeps_answers ? fit_value(record.would->effects) : Json();
  }
  // Many rules do not match for the same reason, in the same words.
  std::map<std::string, std::string, std::less<>> details;
  for (HookFate& fate : record.hooks) {
    const auto [known, is_new] = details.try_emplace(fate.detail);
    if (is_new) known->second = fit(fate.detail);
    fate.detail = known->second;
    fate.complaint = fit(fate.complaint);
    fate.doubt = fit(fate.doubt);
    for (std::string& line : fate.contained.refused) line = fit(line);
    fit_name(fate.trace.cwd);
    for (std::string& word : fate.trace.argv) word = text::cap(mask.apply(word), kMaxValue);
    fate.trace.answer = keeps_answers ? fit_value(fate.trace.answer) : Json();
  }
  return record;
}

std::optional<KeepPayloads> keep_payloads_from(std::string_view name) {
  if (name == "off") return KeepPayloads::Off;
  if (name == "digest") return KeepPayloads::Digest;
  if (name == "full") return KeepPayloads::Full;
  return std::nullopt;
}

}  // namespace grapnel
