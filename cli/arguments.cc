#include "cli/arguments.h"

#include <deque>

#include <CLI/CLI.hpp>

#include "base/text.h"
#include "cli/command.h"

namespace grapnel::cli {

namespace {

constexpr OptionRow kHelpRow{"--help", "-h", "", "show this text"};

/// One row while CLI11 fills it.
struct Slot {
  std::string_view name;
  bool required = false;
  bool repeats = false;
  std::vector<std::string> values = {};
  CLI::Option* option = nullptr;
};

void add_option(CLI::App& app, std::deque<Slot>& slots, const OptionRow& row) {
  Slot& slot = slots.emplace_back(Slot{.name = row.name, .repeats = row.repeats});
  std::string names(row.name);
  if (!row.short_name.empty()) names = std::string(row.short_name) + "," + names;
  if (row.value.empty()) {
    slot.repeats = true;  // a switch that is given twice is still on
    slot.option = app.add_flag(names);
  } else {
    slot.option = app.add_option(names, slot.values)->expected(1)->take_all();
  }
}

void add_argument(CLI::App& app, std::deque<Slot>& slots, const ArgumentRow& row) {
  Slot& slot = slots.emplace_back(Slot{.name = row.name, .required = row.required, .repeats = true});
  slot.option = app.add_option(std::string(row.name), slot.values)->expected(0, row.repeats ? 1 << 20 : 1);
}

std::string explain_extra(const Command& command, const std::string& word) {
  if (word.size() < 2 || word[0] != '-') return "unexpected argument '" + word + "'";
  std::vector<std::string_view> known = {kHelpRow.name};
  for (const OptionRow& row : command.options) known.push_back(row.name);
  const std::string name = word.substr(0, word.find('='));
  const std::string_view near = text::nearest(name, known);
  return "unknown option '" + name + "'" + (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?");
}

}  // namespace

std::string Arguments::text(std::string_view name) const {
  const auto& values = all(name);
  return values.empty() ? "" : values.back();
}

const std::vector<std::string>& Arguments::all(std::string_view name) const {
  static const std::vector<std::string> kNone;
  const auto found = values_.find(name);
  return found == values_.end() ? kNone : found->second;
}

void Arguments::add(std::string_view name, std::vector<std::string> values) {
  values_[std::string(name)] = std::move(values);
}

std::expected<Arguments, std::string> parse_arguments(const Command& command, std::span<const std::string> words) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::deque<Slot> slots;
  add_option(app, slots, kHelpRow);
  for (const OptionRow& row : command.options) add_option(app, slots, row);
  for (const ArgumentRow& row : command.arguments) add_argument(app, slots, row);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string what = error.what();
    return std::unexpected("option " + what.substr(0, what.find(':')) + " needs a value");
  } catch (const CLI::ParseError& error) {
    return std::unexpected(error.what());
  }

  Arguments out;
  for (Slot& slot : slots) {
    if (slot.option->count() > 0) out.add(slot.name, std::move(slot.values));
  }
  if (out.has(kHelpRow.name)) return out;
  if (const auto extras = app.remaining(); !extras.empty()) {
    return std::unexpected(explain_extra(command, extras.front()));
  }
  for (const Slot& slot : slots) {
    if (slot.required && !out.has(slot.name)) return std::unexpected(std::string(slot.name) + " is missing");
    if (!slot.repeats && out.all(slot.name).size() > 1) {
      return std::unexpected("option " + std::string(slot.name) + " is given more than once");
    }
  }
  return out;
}

}  // namespace grapnel::cli
