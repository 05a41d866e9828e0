#include <algorithm>

#include "conformance/dialect_page.h"
#include "conformance/dialect_words.h"
#include "conformance/markdown.h"

/// The part of a dialect's page that is about what a hook says: exit codes, JSON, words, text.
namespace grapnel::conformance {

namespace {

using Names = std::vector<std::string_view>;

bool is_same(const OutputRow& a, const OutputRow& b) {
  return a.pointer == b.pointer && a.effect == b.effect && a.only_read == b.only_read;
}

bool is_same(const WordRow& a, const WordRow& b) {
  return a.word == b.word && a.verdict == b.verdict && a.only_read == b.only_read;
}

/// Rows that several events share.
struct Shared {
  Names events;
  std::vector<OutputRow> rows;

  bool has(const std::vector<OutputRow>& others) const {
    return std::ranges::equal(rows, others, [](const OutputRow& a, const OutputRow& b) { return is_same(a, b); });
  }
};

template <typename RowsOf>
std::vector<Shared> group_events(const Dialect& dialect, RowsOf rows_of) {
  std::vector<Shared> groups;
  for (const EventRow& event : dialect.events) {
    const std::vector<OutputRow> rows = rows_of(event);
    if (rows.empty()) continue;
    const auto same = std::ranges::find_if(groups, [&](const Shared& group) { return group.has(rows); });
    Names& names = same == groups.end() ? groups.emplace_back(Shared{{}, rows}).events : same->events;
    if (std::ranges::find(names, event.wire_name) == names.end()) names.push_back(event.wire_name);
  }
  return groups;
}

bool has_row(const EventRow& event, const OutputRow& row) {
  return std::ranges::any_of(event.answer.outputs, [&](const OutputRow& other) { return is_same(row, other); });
}

/// What an answer may say at nearly every event that has answers at all, and at which it may not.
struct Common {
  std::vector<OutputRow> rows;
  Names but_for;
};

Names events_without(const Dialect& dialect, const OutputRow& row) {
  Names names;
  for (const EventRow& event : dialect.events) {
    if (!event.answer.outputs.empty() && !has_row(event, row)) names.push_back(event.wire_name);
  }
  return names;
}

Common find_common(const Dialect& dialect) {
  Common best;
  size_t answerable = 0;
  for (const EventRow& event : dialect.events) {
    answerable += event.answer.outputs.empty() ? 0 : 1;
    for (const OutputRow& row : event.answer.outputs) {
      const Names missing = events_without(dialect, row);
      const bool is_known = std::ranges::any_of(best.rows, [&](const OutputRow& other) { return is_same(row, other); });
      if (is_known) continue;
      if (best.rows.empty() || missing.size() < best.but_for.size()) best = {{}, missing};
      if (missing == best.but_for) best.rows.push_back(row);
    }
  }
  return best.but_for.size() * 4 < answerable ? best : Common{};
}

std::string write_rows(const std::vector<OutputRow>& rows) {
  Table table({"member", "meaning"});
  Names older;
  for (const OutputRow& row : rows) {
    if (row.only_read) {
      older.push_back(row.pointer);
    } else {
      table.row({dotted(row.pointer), words_for(row.effect)});
    }
  }
  std::string text = table.text();
  if (!older.empty()) text += "\nAlso understood in a hook's answer, but never written to the agent: ";
  for (const std::string_view pointer : older) {
    text += (pointer == older.front() ? "" : ", ") + dotted(pointer);
  }
  return text + (older.empty() ? "" : ".\n");
}

std::string table_of(std::span<const ExitRow> exits) {
  Table table({"exit code", "meaning"});
  for (const ExitRow& row : exits) {
    const std::string last = row.to == row.from ? "" : " to " + std::to_string(row.to);
    const std::string bridged = row.in_bridge ? ". With `--bridge`: " + words_for(*row.in_bridge) : "";
    table.row({std::to_string(row.from) + last, words_for(row.meaning) + bridged});
  }
  return table.text();
}

std::string write_exits(const Dialect& dialect) {
  std::string text = table_of(dialect.exit.codes);
  if (text.empty()) return "";
  Names with_own;
  std::span<const ExitRow> own;
  for (const EventRow& event : dialect.events) {
    if (event.exit.codes.empty()) continue;
    with_own.push_back(event.wire_name);
    own = event.exit.codes;
  }
  if (!with_own.empty()) text += "\nAt " + code_list(with_own) + ":\n" + table_of(own);
  text += "\nA hook also fails if it is killed by a signal, cannot be started or times out. A failed hook ";
  text += words_for(dialect.failure.on_failure);
  return text + ", unless the hook or its file says otherwise. Every failure is reported and recorded.\n";
}

std::string write_json_rules(const Dialect& dialect) {
  std::string text;
  if (dialect.exit.json_on_any_exit) text += "- JSON output is read whatever the exit code.\n";
  if (dialect.exit.json_on_success_only) text += "- JSON output is read only if the exit code is 0.\n";
  if (dialect.exit.braces_are_json) text += "- Output that starts and ends with a brace is JSON, never plain text.\n";
  if (dialect.exit.stderr_stands_in) text += "- If standard output is empty, standard error is read instead.\n";
  if (dialect.exit.stderr_may_answer) {
    text += "- Beside an exit code that blocks, the reason may be in a JSON answer on standard error.\n";
  }
  if (dialect.answer.escape_markup) text += "- `<` and `>` in context are written as `&lt;` and `&gt;`.\n";
  if (dialect.answer.max_text > 0) {
    text += "- Texts are cut after " + std::to_string(dialect.answer.max_text) + " characters";
    text +=
        dialect.answer.text_preview == 0
            ? ".\n"
            : "; in a session the whole text is kept in a file, and replaced by the path of the file and the first " +
                  std::to_string(dialect.answer.text_preview) + " characters.\n";
  }
  for (const std::string_view root : dialect.answer.output_roots) {
    text += "- If there is an object " + dotted(root) +
            ", the answer is read from it; a member that it lacks is read from the object around it.\n";
  }
  if (dialect.answer.message_explains) text += "- If a verdict has no reason, the message is its reason.\n";
  if (!dialect.answer.default_reason.empty()) {
    text += "- A block without a reason gets this one: \"" + std::string(dialect.answer.default_reason) + "\".\n";
  }
  return text.empty() ? "" : "\n" + text;
}

std::string write_texts(const Dialect& dialect) {
  std::string text;
  for (const TextMeaning meaning :
       {TextMeaning::Message, TextMeaning::Context, TextMeaning::Log, TextMeaning::Nothing}) {
    Names names;
    for (const EventRow& row : dialect.events) {
      const bool is_new = std::ranges::find(names, row.wire_name) == names.end();
      if (row.exit.text == meaning && is_new) names.push_back(row.wire_name);
    }
    if (names.empty()) continue;
    const bool is_everywhere =
        std::ranges::all_of(dialect.events, [&](const auto& e) { return e.exit.text == meaning; });
    text += "\nPlain text on standard output " + words_for(meaning) + (is_everywhere ? "" : " at " + code_list(names)) +
            ".\n";
  }
  return text;
}

/// One word, and the events at which it means that.
struct Word {
  WordRow row;
  Names events;
};

/// As hooks' words are read: the first row of a word counts, a second one is for writing.
std::vector<Word> read_words(const Dialect& dialect) {
  std::vector<Word> words;
  for (const EventRow& event : dialect.events) {
    for (const WordRow& row : event.answer.words) {
      if (&*std::ranges::find(event.answer.words, row.word, &WordRow::word) != &row) continue;
      auto known = std::ranges::find_if(words, [&](const Word& word) { return is_same(word.row, row); });
      if (known == words.end()) known = words.insert(known, {row, {}});
      if (std::ranges::find(known->events, event.wire_name) == known->events.end()) {
        known->events.push_back(event.wire_name);
      }
    }
  }
  return words;
}

std::string write_words(const Dialect& dialect) {
  Table table({"word", "means", "at"});
  for (const Word& word : read_words(dialect)) {
    const std::string meaning =
        words_for(word.row.verdict) + (word.row.only_read ? " (understood, but never written)" : "");
    table.row({code(word.row.word), meaning, code_list(word.events)});
  }
  const std::string text = table.text();
  return text.empty() ? "" : "\n### Verdicts\n" + text;
}

struct Trait {
  bool (*holds)(const EventRow& row);
  const char* text;
};
constexpr Trait kTraits[] = {
    {[](const EventRow& r) { return r.exit.text_on_any_exit; }, "plain text is read whatever the exit code"},
    {[](const EventRow& r) { return r.running.context_joins_prompt; },
     "if hooks run in sequence, each hook sees the context of the earlier ones behind the prompt"},
    {[](const EventRow& r) { return !r.applies.not_after.empty(); },
     "hooks do not run after a call that was denied, refused or invalid, or whose tool does not exist"},
    {[](const EventRow& r) { return r.matching.matches_empty; },
     "a matcher has nothing to match, so one that requires text would never let its hook run, and is an error"},
    {[](const EventRow& r) { return r.verdicts.asks_anyway; },
     "the agent asks a person anyway, so an answer need not ask"},
    {[](const EventRow& r) { return r.verdicts.rewrite_needs_allow; },
     "a changed input is only accepted together with an allow"},
    {[](const EventRow& r) { return r.verdicts.allow_needs_rewrite; },
     "an allow only counts together with a changed input"},
    {[](const EventRow& r) { return r.verdicts.deny_hides_output; },
     "the reason of a block replaces the tool's output"},
    {[](const EventRow& r) { return !r.answer.shows_message; },
     "a message is accepted, but the person in front of the agent does not see it"},
    {[](const EventRow& r) { return r.failure.always_fails_open; },
     "a hook cannot ask to block if it fails; the event goes on"},
    {[](const EventRow& r) { return r.failure.missing_file_fails; },
     "exit code 2 is a failure if the hook only reports that a file is missing"},
};

std::string write_traits(const Dialect& dialect) {
  std::string text;
  for (const Trait& trait : kTraits) {
    Names names;
    for (const EventRow& row : dialect.events) {
      if (trait.holds(row)) names.push_back(row.wire_name);
    }
    if (!names.empty()) text += "- At " + code_list(names) + ": " + trait.text + ".\n";
  }
  return text.empty() ? "" : "\n### Notes\n\n" + text;
}

std::string write_members(const Dialect& dialect) {
  const auto [common, but_for] = find_common(dialect);
  std::string text = write_rows(common);
  if (!text.empty()) {
    const std::string exception = but_for.empty() ? "" : ", except " + code_list(but_for);
    text = "\n### At every event that can be answered" + exception + "\n" + text;
  }
  const auto own_rows = [&](const EventRow& event) {
    std::vector<OutputRow> rows;
    for (const OutputRow& row : event.answer.outputs) {
      if (std::ranges::none_of(common, [&](const OutputRow& c) { return is_same(c, row); })) rows.push_back(row);
    }
    return rows;
  };
  for (const auto& group : group_events(dialect, own_rows)) {
    text += "\n### " + code_list(group.events) + "\n" + write_rows(group.rows);
  }
  Names silent;
  for (const EventRow& row : dialect.events) {
    if (row.answer.outputs.empty()) silent.push_back(row.wire_name);
  }
  if (!silent.empty()) text += "\nJSON output has no effect at " + code_list(silent) + ".\n";
  return text;
}

}  // namespace

std::string write_outputs(const Dialect& dialect) {
  if (dialect.exit.codes.empty()) return "";
  return "\n## Output and exit codes\n" + write_exits(dialect) + write_json_rules(dialect) + write_texts(dialect) +
         write_members(dialect) + write_words(dialect) + write_traits(dialect);
}

}  // namespace grapnel::conformance
