#include "bridge/matrix.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace grapnel {

namespace {

// A test compares this page with docs/agents.md, so the page cannot differ from the tables.

constexpr std::string_view kHead =
    "# What works in which agent\n"
    "\n"
    "After `grapnel install` your hooks work in every agent on this page ([bridge.md](bridge.md)), as far as the "
    "agent\n"
    "supports what they ask for. If it does not, Grapnel does the nearest thing that it supports, and chooses the\n"
    "stricter one if ignoring the hook would do harm; `grapnel why` shows what was changed. `grapnel agents` prints "
    "the\n"
    "same tables. This page is generated from the tables in `src/dialect/agents/`:\n"
    "`build/dev/tests/conformance/conformance_test --update`.\n"
    "\n"
    "The tables of an *unverified* agent were written from its documents and from recorded payloads; the agent itself\n"
    "could not be run.\n";

constexpr std::string_view kLegend =
    "\nEach column is an agent, and each row is something a hook can ask for at an event. **yes** means that it "
    "works.\n"
    "Another word says what happens instead: *deny* (the call or step is blocked), *pass* (the agent decides by its "
    "own\n"
    "rules), *context* (the model is told) or *stderr* (a person may see it). **no** means that it has no effect; a\n"
    "message has none where the agent takes the text and shows it to nobody. A cell\n"
    "is empty if the agent has no such event. *since* is the agent's version that has the event first; ≤ means that "
    "this\n"
    "version has it and older ones may, and of unverified agents it is not known.\n"
    "\n"
    "An event that is not on this page is passed through by its name: hooks for that name run and the event is "
    "recorded,\n"
    "but the agent is told nothing.\n";

/// A row of a Markdown table.
std::string row_of(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + cell + " |";
  return out + "\n";
}

std::string head_of(const std::vector<std::string>& names) {
  return row_of(names) + row_of(std::vector<std::string>(names.size(), "---"));
}

std::string code(const std::string& text) {
  return text.empty() ? "" : "`" + text + "`";
}

/// The first table: one row per agent.
std::string overview() {
  std::string out = "\n" + head_of({"agent", "name", "verified with", "your settings", "project settings", "events"});
  for (const Adapter& adapter : all_adapters()) {
    out += row_of({std::string(adapter.title), code(std::string(adapter.agent)), verified_text(adapter),
                   code(settings_name(adapter, Scope::User)), code(settings_name(adapter, Scope::Project)),
                   std::to_string(every_event(adapter).size())});
  }
  return out;
}

/// One row of an event's table: the effect and how well it works in each agent.
std::vector<std::string> cells_of(EventKind kind, Wish wish) {
  std::vector<std::string> out = {std::string(to_string(wish))};
  for (const Adapter& adapter : all_adapters()) out.push_back(fit_word(fit_at(adapter, kind, wish)));
  return out;
}

/// From which version the agent has the event. If that is not known, it is there in the version that was verified.
std::string since_text(const Adapter& adapter, const EventRow& row) {
  if (!row.since.empty() || adapter.dialect->verified.empty()) return std::string(row.since);
  return "≤ " + std::string(adapter.dialect->verified);
}

/// From which version the agents have an event; "" if that is known of none.
std::string since_row(EventKind kind) {
  std::vector<std::string> cells = {"*since*"};
  for (const Adapter& adapter : all_adapters()) {
    const EventRow* row = adapter.dialect->find_event(kind);
    cells.push_back(row == nullptr ? "" : since_text(adapter, *row));
  }
  const bool is_known = std::ranges::any_of(cells.begin() + 1, cells.end(), [](const auto& c) { return !c.empty(); });
  return is_known ? row_of(cells) : "";
}

/// The table of one event; "" if no agent has it.
std::string event_table(EventKind kind) {
  // Every dialect can have `Other` events, so a table of them says nothing.
  const auto has_event = [&](const Adapter& adapter) {
    return kind != EventKind::Other && adapter.dialect->find_event(kind) != nullptr;
  };
  if (std::ranges::none_of(all_adapters(), has_event)) return "";
  std::vector<std::string> names = {"effect"};
  for (const Adapter& adapter : all_adapters()) names.emplace_back(adapter.agent);
  std::string out = "\n## " + std::string(to_string(kind)) + "\n\n" + head_of(names);
  std::vector<std::string> spellings = {"*called*"};
  for (const Adapter& adapter : all_adapters()) {
    std::vector<std::string> own;
    for (const EventRow* row : every_event(adapter)) {
      if (row->kind == kind) own.push_back(code(std::string(spelling_of(*adapter.dialect, *row))));
    }
    spellings.push_back(text::join(own, ", "));
  }
  out += row_of(spellings);
  out += since_row(kind);
  for (const Wish wish : wishes_at(kind)) out += row_of(cells_of(kind, wish));
  return out;
}

/// `A`, `B` and `C`, as the agent spells these events.
std::string names_of(const Adapter& adapter, std::span<const EventKind> kinds) {
  std::vector<std::string> names;
  for (const EventKind kind : kinds) {
    names.push_back(code(std::string(spelling_of(*adapter.dialect, *adapter.dialect->find_event(kind)))));
  }
  const std::string last = names.back();
  names.pop_back();
  return names.empty() ? last : text::join(names, ", ") + " and " + last;
}

/// Which events are not installed with the others, and why.
std::string on_request() {
  std::string out;
  for (const Adapter& adapter : all_adapters()) {
    const std::string title(adapter.title);
    if (!adapter.on_request.empty()) {
      out += "\n" + title + " reports " + names_of(adapter, adapter.on_request) +
             " so often, or to so few, that they are installed only if you have a hook for them, or with `grapnel "
             "install " +
             std::string(adapter.agent) + " --events all`.\n";
    }
    if (!adapter.left_alone.empty()) {
      out += "\n" + names_of(adapter, adapter.left_alone) + " of " + title +
             " are never installed: a hook there does the work instead of the agent, which Grapnel cannot.\n";
    }
  }
  return out;
}

/// The words of the JSON form.
std::string_view how_word(Fit::How how) {
  constexpr auto kWords = std::to_array<std::string_view>({"works", "degrades", "impossible"});
  return kWords[static_cast<size_t>(how)];
}

Json effect_json(const EventRow& row, Wish wish) {
  const Fit told = fit(row, wish);
  const auto text_or_missing = [](std::string_view text) { return text.empty() ? Json() : Json::string(text); };
  return Json::object({{"effect", Json::string(to_string(wish))},
                       {"how", Json::string(how_word(told.how))},
                       {"to", text_or_missing(told.to)},
                       {"why", text_or_missing(told.why)}});
}

}  // namespace

std::optional<Fit> fit_at(const Adapter& adapter, EventKind kind, Wish wish) {
  std::optional<Fit> best;
  for (const EventRow& row : adapter.dialect->events) {
    if (row.kind != kind) continue;
    const Fit own = fit(row, wish);
    // The enum is ordered from best to worst.
    if (!best || own.how < best->how) best = own;
  }
  return best;
}

std::string fit_word(const std::optional<Fit>& fit) {
  if (!fit) return "";
  if (fit->how == Fit::How::Works) return "yes";
  return fit->how == Fit::How::Degrades ? std::string(fit->to) : "no";
}

std::string settings_name(const Adapter& adapter, Scope scope) {
  const HookFilePlace* place = settings_place(adapter, scope);
  if (place == nullptr) return "";
  // Written as people write it, and not as a path on this machine.
  const std::string prefix = place->base == PlaceBase::Home     ? "~/"
                             : place->base == PlaceBase::Config ? "~/.config/"
                                                                : "";
  return prefix + std::string(place->path) + (adapter.own_file.empty() ? "" : "/" + std::string(adapter.own_file));
}

std::string verified_text(const Adapter& adapter) {
  return adapter.dialect->verified.empty() ? "*unverified*" : std::string(adapter.dialect->verified);
}

std::string agents_page() {
  std::string out = std::string(kHead) + overview() + on_request() + std::string(kLegend);
  for (const EventKind kind : all_event_kinds()) out += event_table(kind);
  return out;
}

Json agent_json(const Adapter& adapter) {
  std::vector<Json> events;
  const auto usual = usual_events(adapter);
  for (const EventRow* row : every_event(adapter)) {
    std::vector<Json> effects;
    for (const Wish wish : wishes_at(row->kind)) effects.push_back(effect_json(*row, wish));
    events.push_back(Json::object({{"event", Json::string(to_string(row->kind))},
                                   {"called", Json::string(spelling_of(*adapter.dialect, *row))},
                                   {"since", row->since.empty() ? Json() : Json::string(row->since)},
                                   {"usual", Json::boolean(std::ranges::find(usual, row) != usual.end())},
                                   {"effects", Json::array(effects)}}));
  }
  const auto text_or_null = [](const std::string& text) { return text.empty() ? Json::null() : Json::string(text); };
  return Json::object({{"agent", Json::string(adapter.agent)},
                       {"title", Json::string(adapter.title)},
                       {"verified", text_or_null(std::string(adapter.dialect->verified))},
                       {"user_settings", text_or_null(settings_name(adapter, Scope::User))},
                       {"project_settings", text_or_null(settings_name(adapter, Scope::Project))},
                       {"events", Json::array(events)}});
}

}  // namespace grapnel
