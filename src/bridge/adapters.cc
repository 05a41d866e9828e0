#include <algorithm>
#include <array>

#include "bridge/adapter.h"

namespace grapnel {

namespace {

using std::chrono::seconds;

// Once for every piece of an answer that streams in.
constexpr auto kEveryChunk = std::to_array<EventKind>({EventKind::AfterModel});

// It allows no more here, and its digest of an entry is of what it allows.
constexpr auto kCodexTimeouts = std::to_array<EventTimeout>({{EventKind::SessionEnd, seconds{3}}});

constexpr auto kAdapters = std::to_array<Adapter>({
    {.agent = "claude", .title = "Claude Code", .dialect = &kClaudeDialect, .verified = "2.1.197"},
    {.agent = "gemini",
     .title = "Gemini CLI",
     .dialect = &kGeminiDialect,
     .verified = "0.61.0",
     .on_request = kEveryChunk},
    {.agent = "codex",
     .title = "Codex",
     .dialect = &kCodexDialect,
     .verified = "0.166.0",
     .event_timeouts = kCodexTimeouts,
     .reads_comments = false,
     .consent = Consent::CodexState},
    {.agent = "qwen", .title = "Qwen Code", .dialect = &kQwenDialect, .verified = "0.15.10"},
    {.agent = "kimi", .title = "Kimi CLI", .dialect = &kKimiDialect, .form = EntryForm::Tables},
});

}  // namespace

std::span<const Adapter> all_adapters() {
  return kAdapters;
}

const Adapter* find_adapter(std::string_view agent) {
  const auto found = std::ranges::find(kAdapters, agent, &Adapter::agent);
  return found == kAdapters.end() ? nullptr : &*found;
}

std::string_view spelling_of(const Dialect& dialect, const EventRow& row) {
  const bool by_alias = dialect.aliases_are_current && !row.aliases.empty();
  return by_alias ? row.aliases.front() : row.wire_name;
}

std::vector<const EventRow*> usual_events(const Adapter& adapter) {
  std::vector<const EventRow*> out = every_event(adapter);
  std::erase_if(out, [&](const EventRow* row) {
    return std::ranges::find(adapter.on_request, row->kind) != adapter.on_request.end();
  });
  return out;
}

std::vector<const EventRow*> every_event(const Adapter& adapter) {
  std::vector<const EventRow*> out;
  for (const EventRow& row : adapter.dialect->events) {
    const auto is_same = [&](const EventRow* known) { return known->wire_name == row.wire_name; };
    if (std::ranges::none_of(out, is_same)) out.push_back(&row);
  }
  return out;
}

}  // namespace grapnel
