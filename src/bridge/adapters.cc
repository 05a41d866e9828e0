#include <algorithm>
#include <array>

#include "bridge/adapter.h"

namespace grapnel {

namespace {

using std::chrono::seconds;

/// Gemini sends this event once for every piece of a streamed answer.
constexpr auto kEveryChunk = std::to_array<EventKind>({EventKind::AfterModel});

/// Claude Code shows text in pieces, and reports a batch after almost every answer and each file of instructions on its
/// own. It watches files only for hooks that name them. The last three are of later versions than the one that was
/// verified, which warns about names that it does not know, in a dialog at every start.
constexpr auto kClaudeFrequent = std::to_array<EventKind>(
    {EventKind::PostToolBatch, EventKind::MessageDisplay, EventKind::InstructionsLoaded, EventKind::FileChanged,
     EventKind::DirectoryAdded, EventKind::PreModelSwitch, EventKind::PostModelSwitch});
constexpr auto kClaudeLeftAlone = std::to_array<EventKind>({EventKind::WorktreeCreate, EventKind::WorktreeRemove});
constexpr auto kQwenFrequent = std::to_array<EventKind>({EventKind::MessageDisplay});

/// Codex allows no more for these events, and its digest of an entry contains the timeout that it allows.
constexpr auto kCodexTimeouts =
    std::to_array<EventTimeout>({{EventKind::SessionEnd, seconds{3}}, {EventKind::Interrupt, seconds{3}}});

constexpr auto kOpencodePlugins = std::to_array<HookFilePlace>({
    {.scope = Scope::User, .base = PlaceBase::Config, .path = "opencode/plugins/grapnel.js"},
    {.scope = Scope::Project, .base = PlaceBase::Project, .path = ".opencode/plugins/grapnel.js"},
});

/// One row per agent. For a new agent, write its dialect first; here only the differences from the default are needed.
constexpr auto kAdapters = std::to_array<Adapter>({
    {.agent = "claude",
     .title = "Claude Code",
     .dialect = &kClaudeDialect,
     .on_request = kClaudeFrequent,
     .left_alone = kClaudeLeftAlone},
    {.agent = "gemini", .title = "Gemini CLI", .dialect = &kGeminiDialect, .on_request = kEveryChunk},
    {.agent = "codex",
     .title = "Codex",
     .dialect = &kCodexDialect,
     .event_timeouts = kCodexTimeouts,
     .reads_comments = false,
     .consent = Consent::CodexState},
    {.agent = "qwen", .title = "Qwen Code", .dialect = &kQwenDialect, .on_request = kQwenFrequent},
    {.agent = "kimi", .title = "Kimi CLI", .dialect = &kKimiDialect, .form = EntryForm::Tables},
    {.agent = "cursor",
     .title = "Cursor",
     .dialect = &kCursorDialect,
     .form = EntryForm::Flat,
     .program = "cursor-agent"},
    {.agent = "copilot",
     .title = "GitHub Copilot CLI",
     .dialect = &kCopilotDialect,
     .form = EntryForm::Flat,
     .reads_comments = false,
     .own_file = "grapnel.json"},
    {.agent = "opencode",
     .title = "OpenCode",
     .dialect = &kOpencodeDialect,
     .form = EntryForm::Plugin,
     .plugins = kOpencodePlugins},
});

std::vector<const EventRow*> without(std::vector<const EventRow*> rows, std::span<const EventKind> kinds) {
  std::erase_if(rows, [&](const EventRow* row) { return std::ranges::find(kinds, row->kind) != kinds.end(); });
  return rows;
}

}  // namespace

std::span<const Adapter> all_adapters() {
  return kAdapters;
}

const Adapter* find_adapter(std::string_view agent) {
  const auto found = std::ranges::find(kAdapters, agent, &Adapter::agent);
  return found == kAdapters.end() ? nullptr : &*found;
}

const HookFilePlace* settings_place(const Adapter& adapter, Scope scope) {
  const auto places = adapter.form == EntryForm::Plugin ? adapter.plugins : adapter.dialect->files.places;
  // An agent may have several places in one scope; the format says which of them takes entries.
  const auto format = adapter.form == EntryForm::Tables ? PlaceFormat::Toml
                      : adapter.own_file.empty()        ? PlaceFormat::Settings
                                                        : PlaceFormat::SettingsDirectory;
  const auto is_meant = [&](const HookFilePlace& place) { return place.scope == scope && place.format == format; };
  const auto found = std::ranges::find_if(places, is_meant);
  return found == places.end() ? nullptr : &*found;
}

std::string_view spelling_of(const Dialect& dialect, const EventRow& row) {
  const bool by_alias = dialect.entries.aliases_are_current && !row.aliases.empty();
  return by_alias ? row.aliases.front() : row.wire_name;
}

std::vector<const EventRow*> usual_events(const Adapter& adapter) {
  return without(wirable_events(adapter), adapter.on_request);
}

std::vector<const EventRow*> wirable_events(const Adapter& adapter) {
  return without(every_event(adapter), adapter.left_alone);
}

std::vector<const EventRow*> every_event(const Adapter& adapter) {
  std::vector<const EventRow*> out;
  for (const EventRow& row : adapter.dialect->events) {
    // One event of the agent may have several rows, one for each canonical kind. It is wired once.
    const auto is_same = [&](const EventRow* known) { return known->wire_name == row.wire_name; };
    if (std::ranges::none_of(out, is_same)) out.push_back(&row);
  }
  return out;
}

}  // namespace grapnel
