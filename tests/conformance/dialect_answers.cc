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
  return std::ranges::any_of(event.outputs, [&](const OutputRow& other) { return is_same(row, other); });
}

/// What an answer may say at nearly every event that has answers at all, and at which it may not.
struct Common {
  std::vector<OutputRow> rows;
  Names but_for;
};

Names events_without(const Dialect& dialect, const OutputRow& row) {
  Names names;
  for (const EventRow& event : dialect.events) {
    if (!event.outputs.empty() && !has_row(event, row)) names.push_back(event.wire_name);
  }
  return names;
}

Common find_common(const Dialect& dialect) {
  Common best;
  size_t answerable = 0;
  for (const EventRow& event : dialect.events) {
    answerable += event.outputs.empty() ? 0 : 1;
    for (const OutputRow& row : event.outputs) {
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
  Table table({"member", ""});
  Names older;
  for (const OutputRow& row : rows) {
    if (row.only_read) {
      older.push_back(row.pointer);
    } else {
      table.row({dotted(row.pointer), words_for(row.effect)});
    }
  }
  std::string text = table.text();
  if (!older.empty()) text += "\nAlso understood, but never written: ";
  for (const std::string_view pointer : older) {
    text += (pointer == older.front() ? "" : ", ") + dotted(pointer);
  }
  return text + (older.empty() ? "" : ".\n");
}

std::string table_of(std::span<const ExitRow> exits) {
  Table table({"exit code", ""});
  for (const ExitRow& row : exits) {
    const std::string last = row.to == row.from ? "" : " to " + std::to_string(row.to);
    table.row({std::to_string(row.from) + last, words_for(row.meaning)});
  }
  return table.text();
}

std::string write_exits(const Dialect& dialect) {
  std::string text = table_of(dialect.exits);
  if (text.empty()) return "";
  Names with_own;
  std::span<const ExitRow> own;
  for (const EventRow& event : dialect.events) {
    if (event.exits.empty()) continue;
    with_own.push_back(event.wire_name);
    own = event.exits;
  }
  if (!with_own.empty()) text += "\nAt " + code_list(with_own) + ":\n" + table_of(own);
  text += "\nA signal, a program that cannot start and no time left are failures, too. A failure ";
  text += words_for(dialect.on_failure);
  return text + ", unless the hook or its file says otherwise; it is told and recorded.\n";
}

std::string write_json_rules(const Dialect& dialect) {
  std::string text;
  if (dialect.json_on_any_exit) text += "- JSON counts whatever the exit code.\n";
  if (dialect.json_on_success_only) text += "- JSON counts with exit code 0 only.\n";
  if (dialect.braces_are_json) text += "- What starts and ends with a brace is JSON, never text.\n";
  if (dialect.stderr_stands_in) text += "- Standard error is read where standard output is empty.\n";
  if (dialect.escape_markup) text += "- `<` and `>` of context become `&lt;` and `&gt;`.\n";
  if (dialect.max_text > 0) {
    text += "- Texts are cut after " + std::to_string(dialect.max_text) + " characters";
    text += dialect.text_preview == 0 ? ".\n"
                                      : "; in a session the whole is kept in a file, and its path and the first " +
                                            std::to_string(dialect.text_preview) + " are the text.\n";
  }
  for (const std::string_view root : dialect.output_roots) {
    text += "- Where there is an object " + dotted(root) + ", the answer is read in it.\n";
  }
  if (dialect.message_explains) text += "- A message is the reason of a verdict that has none.\n";
  if (!dialect.default_reason.empty()) {
    text += "- Who blocks without a reason gets this one: \"" + std::string(dialect.default_reason) + "\".\n";
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
      if (row.text == meaning && is_new) names.push_back(row.wire_name);
    }
    if (names.empty()) continue;
    const bool is_everywhere = std::ranges::all_of(dialect.events, [&](const auto& e) { return e.text == meaning; });
    text += "\nText that is no JSON " + words_for(meaning) + (is_everywhere ? "" : " at " + code_list(names)) + ".\n";
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
    for (const WordRow& row : event.words) {
      if (&*std::ranges::find(event.words, row.word, &WordRow::word) != &row) continue;
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
        words_for(word.row.verdict) + (word.row.only_read ? " (understood, never written)" : "");
    table.row({code(word.row.word), meaning, code_list(word.events)});
  }
  const std::string text = table.text();
  return text.empty() ? "" : "\n### Verdicts\n" + text;
}

struct Trait {
  bool EventRow::* holds;
  const char* text;
};
constexpr Trait kTraits[] = {
    {&EventRow::text_on_any_exit, "text counts whatever the exit code"},
    {&EventRow::context_joins_prompt, "where hooks run one by one, the next sees the context so far behind the prompt"},
    {&EventRow::matches_empty,
     "a matcher that wants something there keeps its hook from ever running, and is an error"},
    {&EventRow::asks_anyway, "a person is about to be asked anyway, so asking needs no word"},
    {&EventRow::rewrite_needs_allow, "a changed input is told together with an allow"},
    {&EventRow::allow_needs_rewrite, "an allow without a changed input is none"},
    {&EventRow::deny_hides_output, "the reason of a block takes the place of the tool's output"},
    {&EventRow::always_fails_open, "a hook's wish to block when it fails is ignored"},
    {&EventRow::missing_file_fails, "exit code 2 that only says that a file is missing is a failure"},
};

std::string write_traits(const Dialect& dialect) {
  std::string text;
  for (const Trait& trait : kTraits) {
    Names names;
    for (const EventRow& row : dialect.events) {
      if (row.*trait.holds) names.push_back(row.wire_name);
    }
    if (!names.empty()) text += "- At " + code_list(names) + ": " + trait.text + ".\n";
  }
  return text.empty() ? "" : "\n### Worth knowing\n\n" + text;
}

std::string write_members(const Dialect& dialect) {
  const auto [common, but_for] = find_common(dialect);
  std::string text = write_rows(common);
  if (!text.empty()) {
    const std::string exception = but_for.empty() ? "" : ", but for " + code_list(but_for);
    text = "\n### At every event that can be answered" + exception + "\n" + text;
  }
  const auto own_rows = [&](const EventRow& event) {
    std::vector<OutputRow> rows;
    for (const OutputRow& row : event.outputs) {
      if (std::ranges::none_of(common, [&](const OutputRow& c) { return is_same(c, row); })) rows.push_back(row);
    }
    return rows;
  };
  for (const auto& group : group_events(dialect, own_rows)) {
    text += "\n### " + code_list(group.events) + "\n" + write_rows(group.rows);
  }
  Names silent;
  for (const EventRow& row : dialect.events) {
    if (row.outputs.empty()) silent.push_back(row.wire_name);
  }
  if (!silent.empty()) text += "\nAnswers in JSON say nothing at " + code_list(silent) + ".\n";
  return text;
}

}  // namespace

std::string write_outputs(const Dialect& dialect) {
  if (dialect.exits.empty()) return "";
  return "\n## What a hook says\n" + write_exits(dialect) + write_json_rules(dialect) + write_texts(dialect) +
         write_members(dialect) + write_words(dialect) + write_traits(dialect);
}

}  // namespace grapnel::conformance
