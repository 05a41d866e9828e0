#include "convert/convert_hook.h"

#include <algorithm>
#include <array>

#include "base/shell_word.h"
#include "base/text.h"
#include "convert/convert_matcher.h"
#include "discover/formats/if_rule.h"

namespace grapnel {

namespace {

constexpr int kUsualPriority = 100;

bool has_directories(const Dialect& dialect) {
  return dialect.file_format() == PlaceFormat::HookDirectories;
}

/// The dialect's row for a type of handler; null when it has no such hooks.
const HandlerTypeRow* find_type(const Dialect& dialect, HandlerType type) {
  const auto found = std::ranges::find(dialect.entries.handler_types, type, &HandlerTypeRow::type);
  return found == dialect.entries.handler_types.end() ? nullptr : &*found;
}

/// The steps for one hook:
///
///   find_handler   is there such a type of hook in the target? If not, the hook is not written.
///   find_events    one TargetHook for each event of the target; `make_hook` fills in its keys from the table
///   list_losses    everything that the hook says and for which the target has no key
///
/// A value reaches the target in one of two ways. Most are read from the `HookSpec` (`said`). Values that mean
/// something only to the agent are copied from the hook's own entry if both dialects have the same key (`carried`).
class HookConverter {
 public:
  HookConverter(const HookSpec& spec, const Dialect& to)
      : spec_(spec), from_(*spec.dialect), to_(to), own_(Json::parse(spec.definition).value_or(Json())["hook"]) {}

  ConvertedHook convert() {
    if (find_handler()) {
      find_events();
      if (!out_.hooks.empty()) list_losses();
    }
    return std::move(out_);
  }

 private:
  std::string target() const { return std::string(to_.name); }

  void lose(std::string sentence) {
    if (std::ranges::find(out_.losses, sentence) == out_.losses.end()) out_.losses.push_back(std::move(sentence));
  }

  /// Returns false if the target has no hooks of this type. For hooks that are no commands, the type is known only from
  /// the hook's own entry.
  bool find_handler() {
    if (spec_.command() != nullptr) {
      const HandlerTypeRow* row = find_type(to_, HandlerType::Command);
      type_ = row == nullptr ? "" : row->word;
      return true;
    }
    const std::string word = own_[from_.key_of(HookKey::Type)].as_string().value_or("");
    const auto known = std::ranges::find(from_.entries.handler_types, word, &HandlerTypeRow::word);
    const HandlerTypeRow* row = known == from_.entries.handler_types.end() ? nullptr : find_type(to_, known->type);
    if (row != nullptr) type_ = row->word;
    if (row == nullptr) lose(target() + " has no hooks of type '" + word + "'; the hook is not written");
    return row != nullptr;
  }

  /// One hook may listen to several kinds. Kinds that the target does not have are losses.
  void find_events() {
    std::vector<std::string_view> missing;
    for (const EventKind kind : all_event_kinds()) {
      if (!spec_.listens_to(kind) || kind == EventKind::Other) continue;
      const EventRow* row = to_.find_event(kind);
      if (row == nullptr) missing.push_back(to_string(kind));
      if (row != nullptr) add_event(*row, kind);
    }
    for (const std::string& name : spec_.other_events) find_other_event(name);
    for (const std::string_view kind : missing) {
      lose(target() + " has no event " + std::string(kind) + "; the hook is not written" +
           (out_.hooks.empty() ? "" : " for it"));
    }
  }

  /// An event for which Grapnel has no kind is kept if the target has an event of the same name.
  void find_other_event(const std::string& name) {
    const auto& known = to_.entries.other_events;
    if (std::ranges::find(known, name) == known.end()) {
      return lose(target() + " has no event " + name + "; the hook is not written");
    }
    const EventRow row{.kind = EventKind::Other, .wire_name = name};
    TargetHook hook = make_hook(row);
    hook.matcher = Json::parse(spec_.definition).value_or(Json())["matcher"];
    if (hook.matcher.is_null()) hook.matcher = Json();
    out_.hooks.push_back(std::move(hook));
  }

  /// Several kinds may be one event in the target. Then the hook that is already there only gets one more kind.
  void add_event(const EventRow& row, EventKind kind) {
    const auto same = [&](const TargetHook& hook) { return hook.event == spelling(row); };
    bool is_there = false;
    for (TargetHook& hook : out_.hooks) {
      if (!same(hook)) continue;
      hook.kinds.set(static_cast<size_t>(kind));
      is_there = true;
    }
    if (is_there) return;
    ConvertedMatcher matcher = convert_matcher(clauses(), {from_, to_, row});
    for (std::string& sentence : matcher.losses) lose(std::move(sentence));
    for (const Json& one : matcher.any_of) {
      TargetHook hook = make_hook(row, one);
      hook.kinds.set(static_cast<size_t>(kind));
      out_.hooks.push_back(std::move(hook));
    }
  }

  std::string spelling(const EventRow& row) const {
    const bool by_alias = to_.entries.aliases_are_current && !row.aliases.empty();
    return std::string(by_alias ? row.aliases.front() : row.wire_name);
  }

  /// The hook's conditions, without those that came from its `if` if the target has an `if`, too: then the `if` is
  /// copied.
  std::vector<Clause> clauses() const {
    std::vector<Clause> out = spec_.clauses;
    const std::string rule = condition();
    if (rule.empty() || to_.key_of(HookKey::If).empty()) return out;
    const auto own = clauses_of_rule(rule, from_);
    if (own) out.erase(out.end() - static_cast<std::ptrdiff_t>(std::min(own->size(), out.size())), out.end());
    return out;
  }

  /// The text of the hook's `if`, or "".
  std::string condition() const {
    const std::string_view key = from_.key_of(HookKey::If);
    return key.empty() ? "" : own_[key].as_string().value_or("");
  }

  /// Fills in the entry: one value for each row of the target's table of keys.
  TargetHook make_hook(const EventRow& row, const Json& matcher = {}) {
    TargetHook hook;
    hook.source = &spec_;
    hook.event = spelling(row);
    hook.sequential = spec_.sequential && !to_.key_of(GroupKey::Sequential).empty();
    if (!to_.key_of(GroupKey::Name).empty()) hook.group_name = spec_.group.empty() ? given_name(spec_) : spec_.group;
    hook.matcher = matcher;
    hook.entry = Json::object();
    for (const HookKeyRow& key : to_.entries.hook_keys) {
      // If the dialect accepts several keys for one meaning, only the preferred one is written.
      if (to_.key_of(key.meaning) != key.key && !is_carried(key.meaning)) continue;
      const Json value = value_of(key, row, hook);
      if (!value) continue;
      hook.entry = key.key.starts_with('/') ? hook.entry.with_pointer(key.key, value) : hook.entry.with(key.key, value);
    }
    return hook;
  }

  /// Keys whose values are copied as they are, if both dialects have them.
  static bool is_carried(HookKey meaning) {
    switch (meaning) {
      case HookKey::Ignored:
      case HookKey::Target:
      case HookKey::Url:
      case HookKey::Headers:
      case HookKey::AllowedEnv:
      case HookKey::Retries:
      case HookKey::MaxReply:
      case HookKey::Metadata:
        return true;
      default:
        return false;
    }
  }

  /// The value of such a key, without members that have a key row of their own.
  Json carried(const HookKeyRow& row) const {
    Json value = own_[row.key];
    for (const HookKeyRow& inner : from_.entries.hook_keys) {
      const std::string prefix = "/" + std::string(row.key) + "/";
      if (inner.key.starts_with(prefix)) value = value ? value.without(inner.key.substr(prefix.size())) : value;
    }
    return value.is_object() && value.size() == 0 ? Json() : value;
  }

  static Json text_or_missing(std::string_view text) { return text.empty() ? Json() : Json::string(text); }

  Json value_of(const HookKeyRow& key, const EventRow& row, const TargetHook& hook) {
    if (is_carried(key.meaning)) return carried(key);
    switch (key.meaning) {
      case HookKey::Type:
        return text_or_missing(type_);
      case HookKey::Event:
        return Json::string(hook.event);
      case HookKey::Matcher:
        return hook.matcher;
      case HookKey::Timeout:
        return timeout_for(row);
      case HookKey::OnFailure:
        return on_failure_for(row);
      default:
        return said(key.meaning);
    }
  }

  /// What the hook says, independent of any dialect; missing when it says nothing.
  Json said(HookKey meaning) const {
    const CommandHandler* run = spec_.command();
    switch (meaning) {
      case HookKey::Command:
        if (run == nullptr) return {};
        return Json::string(to_.key_of(HookKey::Args).empty() ? command_line_of(*run) : run->command);
      case HookKey::Args:
        return run == nullptr || !run->args ? Json() : strings(*run->args);
      case HookKey::Env:
        return run == nullptr || run->env.empty() ? Json() : variables(run->env);
      case HookKey::Prompt:
      case HookKey::Model:
      case HookKey::GoesOn:
        return from_.key_of(meaning).empty() ? Json() : own_[from_.key_of(meaning)];
      case HookKey::Name:
        return text_or_missing(given_name(spec_));
      case HookKey::Description:
        return text_or_missing(spec_.description);
      case HookKey::StatusMessage:
        return text_or_missing(spec_.status_message);
      case HookKey::Async:
        return spec_.async ? Json::boolean(true) : Json();
      case HookKey::If:
        return text_or_missing(condition());
      case HookKey::Priority:
        return spec_.priority == kUsualPriority ? Json() : Json::number(int64_t{spec_.priority});
      default:
        return {};
    }
  }

  static Json strings(const std::vector<std::string>& texts) {
    std::vector<Json> out;
    for (const std::string& text : texts) out.push_back(Json::string(text));
    return Json::array(out);
  }

  static Json variables(const std::vector<std::pair<std::string, std::string>>& env) {
    std::vector<std::pair<std::string, Json>> out;
    for (const auto& [name, value] : env) out.emplace_back(name, Json::string(value));
    return Json::object(out);
  }

  /// Missing if the target's default is the same. The target may have a smaller range or a coarser unit; a timeout is
  /// rounded up, and a change is a loss.
  Json timeout_for(const EventRow& row) {
    const auto first_set = [](auto a, auto b) { return a.count() > 0 ? a : b; };
    const auto known = std::ranges::find(to_.entries.handler_types, type_, &HandlerTypeRow::word);
    const HandlerTypeRow type = known == to_.entries.handler_types.end() ? HandlerTypeRow{} : *known;
    const auto usual = first_set(type.default_timeout, first_set(row.running.default_timeout, to_.timeouts.by_default));
    if (spec_.timeout == usual || spec_.timeout.count() <= 0) return {};
    const auto clamped = std::clamp(spec_.timeout, to_.timeouts.min, to_.timeouts.max);
    const auto unit = first_set(type.timeout_unit, to_.timeouts.unit).count();
    const auto units = (clamped.count() + unit - 1) / unit;
    const std::string now = std::to_string(units) + (unit == 1 ? " ms" : " s");
    if (units * unit != spec_.timeout.count()) {
      lose("the timeout of " + std::to_string(spec_.timeout.count()) + " ms becomes " + now);
    }
    return Json::number(int64_t{units});
  }

  /// The target has one word for failures and timeouts, so the stricter of the two policies is written.
  Json on_failure_for(const EventRow& row) {
    const OnFailure wish = std::max(spec_.failure.on_failure, spec_.failure.on_timeout);
    if (wish == to_.failure.on_failure) return {};
    if (row.failure.always_fails_open) {
      lose("in " + target() + " a failing hook of " + std::string(row.wire_name) + " blocks nothing");
      return {};
    }
    if (spec_.failure.on_failure != spec_.failure.on_timeout) {
      lose(target() + " treats a failure and a timeout alike: both become " + std::string(to_string(wish)));
    }
    // A dialect without a word for Ask gets the stricter Closed.
    const OnFailure strictest = failure_word(to_, wish).empty() ? OnFailure::Closed : wish;
    if (strictest != wish) lose("a failure now blocks instead of asking");
    const std::string_view word = failure_word(to_, strictest);
    return word == "true" ? Json::boolean(true) : text_or_missing(word);
  }

  /// Something that a hook may say, and its name in messages. Add a row for each new key in `said`.
  struct Saying {
    HookKey key;
    std::string_view what;
  };

  void list_losses() {
    static constexpr auto kSayings = std::to_array<Saying>({
        {HookKey::Description, "description"},
        {HookKey::StatusMessage, "status message"},
        {HookKey::Env, "environment"},
        {HookKey::Async, "async"},
        {HookKey::If, "condition 'if'"},
        {HookKey::Priority, "priority"},
        {HookKey::Prompt, "prompt"},
        {HookKey::Model, "model"},
        {HookKey::GoesOn, "option to continue after an objection"},
    });
    for (const Saying& saying : kSayings) {
      const Json value = said(saying.key);
      if (value && to_.key_of(saying.key).empty() && !has_other_way(saying.key)) lose_value(saying.what, value);
    }
    lose_name();
    lose_carried();
    lose_sandbox();
    lose_order();
    lose_variables();
  }

  void lose_value(std::string_view what, const Json& value) {
    lose(target() + " hooks have no " + std::string(what) + "; " + text::cap(value.dump(), 100) + " is lost");
  }

  /// In a hook directory, the script sets the variables itself.
  bool has_other_way(HookKey key) const { return key == HookKey::Env && has_directories(to_); }

  void lose_name() {
    const std::string name = given_name(spec_);
    const bool has_name = !to_.key_of(HookKey::Name).empty() || !to_.key_of(GroupKey::Name).empty();
    if (!name.empty() && !has_name) lose_value("name", Json::string(name));
  }

  /// It is in the metadata of a hook directory, which is copied as a whole. No agent's own format has one.
  void lose_sandbox() {
    const bool is_copied = has_directories(to_) && has_directories(from_);
    if (!spec_.sandbox || is_copied) return;
    lose(target() + " hooks have no sandbox: write `" + describe(*spec_.sandbox) +
         "` by the hook's name into settings.yaml of Grapnel");
  }

  /// Members that mean nothing to Grapnel may mean something to the agent, so their loss is listed, too.
  void lose_carried() {
    for (const HookKeyRow& row : from_.entries.hook_keys) {
      if (!is_carried(row.meaning)) continue;
      const Json value = carried(row);
      const auto same = std::ranges::find(to_.entries.hook_keys, row.key, &HookKeyRow::key);
      const bool is_kept = same != to_.entries.hook_keys.end() && same->meaning == row.meaning;
      if (value && !is_kept) lose_value("'" + std::string(row.key) + "'", value);
    }
  }

  /// `sequential` is no loss if all of the target's events run their hooks one after the other anyway.
  void lose_order() {
    if (!spec_.sequential || !to_.key_of(GroupKey::Sequential).empty()) return;
    const bool is_so_anyway = std::ranges::all_of(out_.hooks, [&](const TargetHook& hook) {
      const EventRow* row = to_.find_event(hook.event);
      return row != nullptr && row->running.strategy == Strategy::Sequential;
    });
    if (!is_so_anyway) lose(target() + " runs hooks side by side; 'sequential' is lost");
  }

  /// The command may use variables that only the source agent sets.
  void lose_variables() {
    const CommandHandler* run = spec_.command();
    if (run == nullptr || &from_ == &to_) return;
    for (const VariableRow& row : from_.process.variables) {
      const bool is_set =
          std::ranges::find(to_.process.variables, row.name, &VariableRow::name) != to_.process.variables.end();
      if (!is_set && uses_variable(run->command, row.name)) {
        lose("the command uses $" + std::string(row.name) + ", which " + target() + " does not set");
      }
    }
    const bool expands = std::ranges::any_of(run->env, [](const auto& entry) { return entry.second.contains('$'); });
    if (expands && from_.files.expand_environment != to_.files.expand_environment &&
        !to_.key_of(HookKey::Env).empty()) {
      lose(target() + (to_.files.expand_environment ? " expands '$NAME' in the values of 'env'"
                                                    : " does not expand '$NAME' in the values of 'env'"));
    }
  }

  const HookSpec& spec_;
  const Dialect& from_;
  const Dialect& to_;
  Json own_;  ///< the hook's entry as its file has it
  std::string_view type_;
  ConvertedHook out_;
};

}  // namespace

ConvertedHook convert_hook(const HookSpec& spec, const Dialect& to) {
  return HookConverter(spec, to).convert();
}

std::string_view failure_word(const Dialect& dialect, OnFailure meaning) {
  const auto found = std::ranges::find(dialect.failure.words, meaning, &FailureWordRow::meaning);
  return found == dialect.failure.words.end() ? std::string_view{} : found->word;
}

std::string given_name(const HookSpec& spec) {
  const CommandHandler* run = spec.command();
  if (run != nullptr) return spec.name == run->command ? "" : spec.name;
  const Json own = Json::parse(spec.definition).value_or(Json())["hook"];
  const std::string_view key = spec.dialect->key_of(HookKey::Name);
  return key.empty() ? spec.group : own[key].as_string().value_or(spec.group);
}

bool uses_variable(std::string_view text, std::string_view name) {
  for (size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    std::string_view rest = text.substr(at + 1);
    if (rest.starts_with('{')) rest.remove_prefix(1);
    const bool goes_on = rest.size() > name.size() &&
                         (rest[name.size()] == '_' || std::isalnum(static_cast<unsigned char>(rest[name.size()])) != 0);
    if (rest.starts_with(name) && !goes_on) return true;
  }
  return false;
}

std::string command_line_of(const CommandHandler& handler) {
  if (!handler.args) return handler.command;
  std::string out = shell_word(handler.command);
  for (const std::string& argument : *handler.args) out += " " + shell_word(argument);
  return out;
}

}  // namespace grapnel
