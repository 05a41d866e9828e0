#include "convert/convert.h"

#include <algorithm>
#include <iterator>

#include "convert/write_rules.h"

namespace grapnel {

namespace {

/// Converts all hooks of a set. Hooks are converted one by one first. Some settings apply to a whole file in the target
/// dialect (what is disabled, what a failure means, how many hooks run at once), so they are decided at the end, when
/// all hooks are known.
class HookSetConverter {
 public:
  explicit HookSetConverter(const Dialect& to) : to_(to) {}

  Conversion convert(const std::vector<HookSpec>& hooks) {
    for (const HookSpec& spec : hooks) {
      ConvertedHook converted = convert_hook(spec, to_);
      for (std::string& sentence : converted.losses) lose(spec, std::move(sentence));
      for (TargetHook& hook : converted.hooks) add(std::move(hook));
    }
    list_wider_events();
    switch_off();
    write_failure();
    write_concurrency();
    WrittenFiles written = write_hook_files(set_, to_);
    std::ranges::move(written.losses, std::back_inserter(losses_));
    return {std::move(written.files), std::move(losses_)};
  }

 private:
  void lose(const HookSpec& spec, std::string sentence) {
    losses_.push_back({ConfigProblem::Severity::Warning, std::move(sentence), place_of(spec), ""});
  }

  /// Two events of the source may be the same event in the target. Then the hook is written once.
  void add(TargetHook hook) {
    for (TargetHook& known : set_.hooks) {
      const bool is_same = known.event == hook.event && known.group_name == hook.group_name &&
                           known.sequential == hook.sequential && known.matcher == hook.matcher &&
                           known.entry == hook.entry && known.source->enabled == hook.source->enabled;
      if (!is_same || hook.kinds.none() || (known.kinds & hook.kinds).any()) continue;
      known.kinds |= hook.kinds;
      return;
    }
    set_.hooks.push_back(std::move(hook));
  }

  /// The other way round: one event of the target may cover kinds that the source hook did not listen to.
  void list_wider_events() {
    for (const TargetHook& hook : set_.hooks) {
      const EventRow* named = to_.find_event(hook.event);
      if (named == nullptr || hook.kinds.none()) continue;
      for (const EventRow& row : to_.events) {
        if (row.wire_name != named->wire_name || hook.kinds.test(static_cast<size_t>(row.kind))) continue;
        lose(*hook.source, "in " + std::string(to_.name) + ", " + hook.event + " also covers " +
                               std::string(to_string(row.kind)) + ", so the hook runs more often");
      }
    }
  }

  /// The name by which the target's settings can disable the hook.
  std::string name_in_target(const TargetHook& hook) const {
    const std::string given = to_.key_of(HookKey::Name).empty() ? hook.group_name : given_name(*hook.source);
    const CommandHandler* run = hook.source->command();
    return given.empty() && run != nullptr ? command_line_of(*run) : given;
  }

  /// Disabled hooks stay disabled. Dialects have up to three ways to say that: a file in the directory, one switch for
  /// all hooks, or a list of names.
  void switch_off() {
    const auto is_off = [](const TargetHook& hook) { return !hook.source->enabled; };
    if (std::ranges::none_of(set_.hooks, is_off)) return set_.switched_off.assign(set_.hooks.size(), false);
    if (to_.file_format() == PlaceFormat::HookDirectories) {
      for (const TargetHook& hook : set_.hooks) set_.switched_off.push_back(is_off(hook));
      return;
    }
    if (std::ranges::all_of(set_.hooks, is_off) && switch_all_off()) return;
    switch_names_off();
  }

  /// Returns false if the dialect has no switch for all hooks.
  bool switch_all_off() {
    const std::string_view enabled = to_.pointer_of(Setting::Enabled);
    const std::string_view disable = to_.pointer_of(Setting::DisableAll);
    if (!enabled.empty()) set_.settings.emplace_back(enabled, Json::boolean(false));
    if (enabled.empty() && !disable.empty()) set_.settings.emplace_back(disable, Json::boolean(true));
    return !enabled.empty() || !disable.empty();
  }

  /// Disables hooks by name. A hook that cannot be disabled this way, or only together with an enabled one of the same
  /// name, is not written: otherwise it would suddenly run.
  void switch_names_off() {
    const std::string_view pointer = to_.pointer_of(Setting::DisabledNames);
    std::vector<std::string> names;
    const auto shares_name = [&](const TargetHook& hook) {
      return std::ranges::any_of(set_.hooks, [&](const TargetHook& other) {
        return other.source->enabled && name_in_target(other) == name_in_target(hook);
      });
    };
    std::vector<TargetHook> kept;
    for (const TargetHook& hook : set_.hooks) {
      const bool is_off = !hook.source->enabled;
      const bool is_sayable = !pointer.empty() && !name_in_target(hook).empty() && !shares_name(hook);
      if (is_off && !is_sayable) {
        lose(*hook.source,
             "the hook is switched off, which " + std::string(to_.name) + " cannot express; it is not written");
        continue;
      }
      if (is_off && std::ranges::find(names, name_in_target(hook)) == names.end())
        names.push_back(name_in_target(hook));
      kept.push_back(hook);
    }
    set_.hooks = std::move(kept);
    std::vector<Json> list;
    for (const std::string& name : names) list.push_back(Json::string(name));
    if (!list.empty()) set_.settings.emplace_back(pointer, Json::array(list));
  }

  /// If the target sets the failure policy for a whole file, all hooks must have the same one.
  void write_failure() {
    if (!to_.key_of(HookKey::OnFailure).empty()) return;
    write_failure_setting(Setting::TimeoutBehavior, &FailurePolicy::on_timeout, "a timeout");
    write_failure_setting(Setting::FailureBehavior, &FailurePolicy::on_failure, "a failure");
  }

  /// Writes one of the two settings. If the hooks disagree or there is no such setting, the differences are losses.
  void write_failure_setting(Setting setting, OnFailure FailurePolicy::* cause, const std::string& what) {
    const std::string_view pointer = to_.pointer_of(setting);
    const auto wish_of = [&](const TargetHook& hook) { return hook.source->failure.*cause; };
    const bool agree = std::ranges::adjacent_find(set_.hooks, std::ranges::not_equal_to{}, wish_of) == set_.hooks.end();
    if (set_.hooks.empty() || (agree && wish_of(set_.hooks.front()) == to_.failure.on_failure)) return;
    if (agree && !pointer.empty()) {
      const std::string_view word = failure_word(to_, wish_of(set_.hooks.front()));
      set_.settings.emplace_back(pointer, Json::string(word));
      return;
    }
    for (const TargetHook& hook : set_.hooks) {
      if (wish_of(hook) == to_.failure.on_failure) continue;
      lose(*hook.source, std::string(to_.name) + " cannot set what " + what + " of a single hook means; '" +
                             std::string(to_string(wish_of(hook))) + "' becomes '" +
                             std::string(to_string(to_.failure.on_failure)) + "'");
    }
  }

  /// The limit is one setting for all hooks. The first hook that sets one decides.
  void write_concurrency() {
    const auto says = [](const TargetHook& hook) {
      return hook.source->max_concurrent != hook.source->dialect->running.default_concurrency;
    };
    const auto found = std::ranges::find_if(set_.hooks, says);
    if (found == set_.hooks.end()) return;
    const std::string_view pointer = to_.pointer_of(Setting::MaxConcurrent);
    const auto count = static_cast<int64_t>(found->source->max_concurrent);
    if (!pointer.empty()) {
      set_.settings.emplace_back(pointer, Json::number(count));
    } else {
      lose(*found->source, std::string(to_.name) + " has no limit on hooks that run at the same time; " +
                               std::to_string(count) + " is lost");
    }
  }

  const Dialect& to_;
  TargetSet set_;
  std::vector<ConfigProblem> losses_;
};

}  // namespace

Conversion convert_hooks(const std::vector<HookSpec>& hooks, const Dialect& to) {
  if (&to == &kGrapnelDialect) return convert_to_rules(hooks);
  return HookSetConverter(to).convert(hooks);
}

}  // namespace grapnel
