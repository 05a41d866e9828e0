#include "history/record_facts.h"

#include <algorithm>
#include <array>

#include "grapnel/event.h"

#include "json/document.h"
#include "json/number.h"
#include "json/reader.h"

namespace grapnel {

namespace {

struct TextMember {
  std::string_view key;
  std::string RecordFacts::* to;
};
/// In the order in which records have them (record/record.cc).
constexpr auto kTexts = std::to_array<TextMember>({
    {"id", &RecordFacts::id},
    {"time", &RecordFacts::time},
    {"event", &RecordFacts::event},
    {"dialect", &RecordFacts::agent},
    {"session", &RecordFacts::session},
    {"agent_id", &RecordFacts::agent_id},
    {"agent_type", &RecordFacts::agent_type},
    {"parent", &RecordFacts::parent},
    {"cwd", &RecordFacts::cwd},
    {"project", &RecordFacts::project},
    {"tool", &RecordFacts::tool},
    {"tool_use_id", &RecordFacts::call},
    {"subject", &RecordFacts::subject},
    {"rewritten_subject", &RecordFacts::rewritten},
    {"registry", &RecordFacts::registry},
    {"verdict", &RecordFacts::verdict_text},
    {"origin", &RecordFacts::origin},
});

constexpr auto kVerdictsByValue = std::to_array({Verdict::Pass, Verdict::Allow, Verdict::Ask, Verdict::Deny});
constexpr auto kFates =
    std::to_array({HookFate::Kind::Ran, HookFate::Kind::Failed, HookFate::Kind::Skipped, HookFate::Kind::Detached});

/// One pass over the tape of a line. All functions get the node of a value.
class FactsReader {
 public:
  explicit FactsReader(const JsonDocument& document) : document_(document) {}

  std::optional<RecordFacts> read() {
    if (document_.node(0).kind != JsonKind::Object) return std::nullopt;
    bool has_id = false;
    each_member(0, [&](uint32_t key, uint32_t value) {
      if (document_.is_key(key, "id")) has_id = document_.node(value).kind == JsonKind::String;
      read_member(key, value);
    });
    if (!has_id) return std::nullopt;
    facts_.verdict = verdict_from(facts_.verdict_text).value_or(Verdict::Pass);
    facts_.is_rewritten |= !facts_.rewritten.empty();
    return std::move(facts_);
  }

 private:
  template <typename Take>
  void each_member(uint32_t object, Take take) const {
    if (document_.node(object).kind != JsonKind::Object) return;
    const uint32_t end = document_.node(object).next;
    for (uint32_t key = object + 1; key < end; key = document_.node(key + 1).next) take(key, key + 1);
  }
  template <typename Take>
  void each_element(uint32_t array, Take take) const {
    if (document_.node(array).kind != JsonKind::Array) return;
    const uint32_t end = document_.node(array).next;
    for (uint32_t element = array + 1; element < end; element = document_.node(element).next) take(element);
  }

  void read_member(uint32_t key, uint32_t value) {
    // The members have a fixed order, so the one after the last one is tried first.
    for (size_t i = 0; i < kTexts.size(); ++i) {
      const TextMember& member = kTexts[(next_ + i) % kTexts.size()];
      if (!document_.is_key(key, member.key)) continue;
      next_ = (next_ + i + 1) % kTexts.size();
      facts_.*member.to = text(value);
      return;
    }
    if (document_.is_key(key, "hooks")) {
      facts_.runs.clear();
      each_element(value, [&](uint32_t hook) { facts_.runs.push_back(read_run(hook)); });
    } else if (document_.is_key(key, "effects")) {
      each_member(value, [&](uint32_t effect, uint32_t) {
        facts_.is_rewritten |= document_.is_key(effect, "rewrite");
        facts_.is_injected |= document_.is_key(effect, "context");
      });
    } else if (document_.is_key(key, "degraded")) {
      each_element(value, [&](uint32_t loss) { read_loss(loss); });
    } else if (document_.is_key(key, "would")) {
      // Without a verdict of its own, the hook would have changed something else.
      facts_.would = Verdict::Pass;
      each_member(value, [&](uint32_t name, uint32_t verdict) {
        if (document_.is_key(name, "verdict")) facts_.would = verdict_from(text(verdict));
      });
    } else if (document_.is_key(key, "background")) {
      facts_.in_background = document_.raw(value) == "true";
    } else if (document_.is_key(key, "lost_before")) {
      facts_.lost = number(value);
    }
  }

  void read_loss(uint32_t loss) {
    facts_.is_degraded = true;
    each_member(loss, [&](uint32_t key, uint32_t value) {
      if (document_.is_key(key, "effect")) facts_.is_ask_degraded |= text(value) == to_string(Verdict::Ask);
    });
  }

  RunFacts read_run(uint32_t hook) const {
    RunFacts run;
    each_member(hook, [&](uint32_t key, uint32_t value) {
      if (document_.is_key(key, "name")) {
        run.name = text(value);
      } else if (document_.is_key(key, "fate")) {
        const std::string name = text(value);
        const auto* const fate = std::ranges::find(kFates, name, [](auto kind) { return to_string(kind); });
        if (fate != kFates.end()) run.fate = *fate;
      } else if (document_.is_key(key, "verdict")) {
        run.verdict = verdict_from(text(value)).value_or(Verdict::Pass);
      } else if (document_.is_key(key, "would")) {
        run.would = verdict_from(text(value));
      } else if (document_.is_key(key, "us")) {
        run.us = number(value);
      }
    });
    return run;
  }

  std::string text(uint32_t node) const {
    return document_.node(node).kind == JsonKind::String ? document_.string(node) : "";
  }
  int64_t number(uint32_t node) const {
    if (document_.node(node).kind != JsonKind::Number) return 0;
    return json::to_integer(document_.raw(node)).value_or(0);
  }

  const JsonDocument& document_;
  RecordFacts facts_;
  size_t next_ = 0;  ///< the member that is expected next
};

}  // namespace

bool RecordFacts::has_failed_hook() const {
  return std::ranges::any_of(runs, [](const RunFacts& run) { return run.fate == HookFate::Kind::Failed; });
}

bool RecordFacts::is_asked() const {
  return verdict == Verdict::Ask && event == to_string(EventKind::PreToolUse) && !is_ask_degraded;
}

std::optional<RecordFacts> read_facts(std::string line) {
  auto tape = read_tape(line, {});
  if (!tape || tape->empty()) return std::nullopt;
  const JsonDocument document(std::move(line), std::move(*tape));
  return FactsReader(document).read();
}

std::optional<Verdict> verdict_from(std::string_view name) {
  const auto* const found =
      std::ranges::find(kVerdictsByValue, name, [](Verdict verdict) { return to_string(verdict); });
  return found == kVerdictsByValue.end() ? std::nullopt : std::optional(*found);
}

}  // namespace grapnel
