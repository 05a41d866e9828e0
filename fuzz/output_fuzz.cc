#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/text.h"
#include "decide/combine.h"
#include "decide/interpret.h"
#include "dialect/answer.h"
#include "model/effects_json.h"

// Input: what a hook printed. The first line has the exit code and the number of a dialect; then comes stdout and,
// after a line `---`, stderr. It is read as the answer of a hook of that dialect at each of its events. There must be
// no crash, no text that is not UTF-8, and no verdict of a hook that failed; and an exit code that blocks is a Deny
// wherever the event can be denied.

namespace {

using namespace grapnel;

struct Printed {
  int code = 0;
  size_t dialect = 0;
  std::string out;
  std::string err;
};

Printed split_input(std::string_view input) {
  constexpr std::string_view kMark = "\n---\n";
  Printed printed;
  const size_t line = std::min(input.find('\n'), input.size());
  const char* const end = input.data() + line;
  const char* const space = std::from_chars(input.data(), end, printed.code).ptr;
  printed.code &= 255;
  if (space != end) std::from_chars(space + 1, end, printed.dialect);
  input.remove_prefix(std::min(line + 1, input.size()));
  const size_t mark = input.find(kMark);
  printed.out = input.substr(0, mark);
  if (mark != std::string_view::npos) printed.err = input.substr(mark + kMark.size());
  return printed;
}

bool blocks(const Dialect& dialect, int code) {
  const auto meets = [&](const ExitRow& row) { return code >= row.from && code <= row.to; };
  const auto row = std::ranges::find_if(dialect.exit.codes, meets);
  return row != dialect.exit.codes.end() && row->meaning == ExitMeaning::Deny;
}

void check_texts(const HookAnswer& answer) {
  const Effects& e = answer.effects;
  for (const auto* texts : {&e.reasons, &e.context, &e.stop_reasons, &e.messages, &e.logs}) {
    for (const Attributed& item : *texts) GRAPNEL_CHECK(text::is_valid_utf8(item.text));
  }
  for (const auto* one : {&e.prompt, &e.notification}) {
    if (*one) GRAPNEL_CHECK(text::is_valid_utf8(**one));
  }
  for (const std::string& complaint : answer.complaints) GRAPNEL_CHECK(text::is_valid_utf8(complaint));
  if (answer.failure) GRAPNEL_CHECK(text::is_valid_utf8(answer.failure->what));
}

/// A decision is the same after it was stored and read back, and an answer can be written from it for every agent.
void check_decision(const Effects& effects, EventKind kind) {
  const Decision decision = finalize(combine(effects, effects), kind, {});
  GRAPNEL_CHECK(Json::parse(decision.to_json().dump(), {.max_depth = 300}).has_value());
  GRAPNEL_CHECK(decision_from_stored(decision_to_stored(decision)).effects == decision.effects);
  const Event event(kind, Json::object());
  for (const Dialect* agent : all_dialects()) {
    const WireAnswer answer = write_answer(decision, event, *agent);
    GRAPNEL_CHECK(text::is_valid_utf8(answer.out) && text::is_valid_utf8(answer.err));
  }
}

void check_hook(const Dialect& dialect, const EventRow& row, const Printed& printed) {
  HookSpec hook;
  hook.name = "hook";
  hook.dialect = &dialect;
  RunOutcome outcome;
  outcome.ending = Exited{printed.code};
  outcome.out.bytes = printed.out;
  outcome.err.bytes = printed.err;
  const HookAnswer answer = interpret(hook, row.kind, outcome);
  check_texts(answer);
  if (answer.failure) GRAPNEL_CHECK(answer.effects.verdict == Verdict::Pass && !answer.effects.stop);
  if (row.verdicts.can_deny && blocks(dialect, printed.code) && !row.failure.missing_file_fails) {
    GRAPNEL_CHECK(!answer.failure && answer.effects.verdict == Verdict::Deny);
  }
  if (!row.verdicts.can_deny) GRAPNEL_CHECK(answer.effects.verdict != Verdict::Deny);
  if (!answer.effects.is_neutral()) check_decision(answer.effects, row.kind);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Printed printed = split_input({reinterpret_cast<const char*>(data), size});
  const Dialect& dialect = *all_dialects()[printed.dialect % all_dialects().size()];
  if (dialect.exit.codes.empty()) return -1;
  for (const EventRow& row : dialect.events) check_hook(dialect, row, printed);
  return 0;
}
