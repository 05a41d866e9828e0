#include "discover/formats/rule_file.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "discover/formats/frontmatter.h"
#include "discover/formats/rule_action.h"
#include "discover/formats/rule_condition.h"
#include "discover/formats/rule_entry.h"
#include "discover/formats/sandbox_entry.h"
#include "discover/formats/yaml_mistake.h"
#include "discover/problems.h"

namespace grapnel {

namespace {

constexpr auto kFileKeys =
    std::to_array<std::string_view>({"version", "mode", "async", "unsure", "unsure_unattended", "hooks"});
constexpr size_t kMaxRules = 10000;

/// Reads one rule file from its root down to the list of entries.
class RuleFileReader {
 public:
  explicit RuleFileReader(const RuleFileOptions& options) : options_(options), fields_(out_.problems) {}

  RuleFile read(std::string_view text) {
    auto document = read_yaml_fields(text, options_.path);
    if (!document) {
      out_.is_broken = true;
      ConfigProblem& problem = out_.problems.emplace_back(explain_yaml_error(text, document.error()));
      problem.message += "; " + std::string(kNothingLoaded);
      if (problem.hint.empty()) problem.hint = "start it with version: 1";
      return std::move(out_);
    }
    out_.problems = std::move(document->warnings);
    // An empty file is not a mistake: people start with one.
    if (!document->root.members.empty()) read_root(document->root);
    return std::move(out_);
  }

 private:
  /// Without a version that we know, keys may mean something else, so no entry is read.
  void read_root(const YamlNode& root) {
    fields_.check_keys(root, kFileKeys, "in a rule file");
    // Taken back below, when the entries can be read.
    out_.is_broken = true;
    if (!check_version(root)) return;
    if (const YamlNode* mode = root.find("mode")) mode_ = read_mode(*mode, fields_);
    if (const YamlNode* async = root.find("async")) {
      prefers_jobs_ = fields_.word(*async, "async", {&kFleetWord, 1}).has_value();
    }
    for (const std::string_view key : kUnsureKeys) {
      if (const YamlNode* unsure = root.find(key)) read_unsure(*unsure, key, doubt_, fields_);
    }
    const YamlNode* hooks = root.find("hooks");
    // `hooks:` without a value is not a mistake: its entries may all be commented out.
    const bool has_entries = hooks != nullptr && hooks->kind != YamlNode::Kind::Empty;
    if (has_entries && hooks->kind != YamlNode::Kind::List) {
      return fields_.error(*hooks, "'hooks' must be a list", "start each hook with a dash: - name: …");
    }
    if (has_entries && hooks->members.size() > kMaxRules) return fields_.error(*hooks, "more than 10000 hooks");
    out_.is_broken = false;
    if (!has_entries) return;
    for (const auto& [none, entry] : hooks->members) add(entry);
  }

  /// The version is compared as text, since the reader keeps all scalars as text.
  bool check_version(const YamlNode& root) {
    const YamlNode* version = root.find("version");
    if (version == nullptr) {
      fields_.error(root, "the file does not say which version it is written for", "start it with version: 1");
    } else if (version->text != "1") {
      fields_.error(*version, "version '" + version->text + "' is not supported; " + std::string(kNothingLoaded),
                    "write version: 1, or get a newer grapnel");
    }
    return version != nullptr && version->text == "1";
  }

  /// Adds the hook of an entry unless its name is taken. Names must be unique, because people switch hooks off by name.
  void add(const YamlNode& entry) {
    auto hook = read_rule_entry(entry, fields_);
    if (!hook) return;
    const auto [known, is_new] = names_.try_emplace(hook->name, hook->source.line);
    if (!is_new) {
      const YamlNode* name = entry.find("name");
      return fields_.error(name == nullptr ? entry : *name,
                           "line " + std::to_string(known->second) + " already defines a hook '" + hook->name + "'",
                           "give this one another name");
    }
    hook->scope = options_.scope;
    if (entry.find("mode") == nullptr && mode_ != Mode::Enforce) take_mode(*hook);
    take_doubt(*hook);
    if (prefers_jobs_ && could_be_job(*hook)) hook->is_job = true;
    // The default from the environment does not change a timeout that the rule itself sets.
    if (!entry.find("timeout") && options_.default_timeout) hook->timeout = *options_.default_timeout;
    out_.hooks.push_back(std::move(*hook));
  }

  /// The mode of the file becomes part of the hook's definition: a person trusts a hook together with its mode.
  void take_mode(HookSpec& hook) const {
    hook.mode = mode_;
    hook.definition =
        Json::parse(hook.definition).value_or(Json::object()).with("mode", Json::string("observe")).dump();
  }

  /// The same for what the file says about doubt.
  void take_doubt(HookSpec& hook) const {
    const auto* rule = std::get_if<RuleHandler>(&hook.handler);
    if (rule == nullptr || rule->verdict < Verdict::Ask) return;
    const auto take = [&](std::string_view key, std::optional<Unsure>& own, const std::optional<Unsure>& from) {
      if (own || !from) return;
      own = from;
      const Json word = Json::string(kUnsureWords[static_cast<size_t>(*from)]);
      hook.definition = Json::parse(hook.definition).value_or(Json::object()).with(key, word).dump();
    };
    take(kUnsureKeys[0], hook.unsure, doubt_.unsure);
    take(kUnsureKeys[1], hook.unsure_unattended, doubt_.unsure_unattended);
  }

  const RuleFileOptions& options_;
  RuleFile out_;
  RuleFields fields_;
  Mode mode_ = Mode::Enforce;  ///< of hooks that do not set it themselves
  bool prefers_jobs_ = false;  ///< async hooks run on a worker of the fleet, if they can
  HookSpec doubt_;             ///< only its `unsure` members: what hooks do in doubt that do not say it themselves
  std::map<std::string, uint32_t> names_;
};

}  // namespace

RuleFile read_rules(std::string_view text, const RuleFileOptions& options) {
  return RuleFileReader(options).read(text);
}

std::vector<RuleMap> rule_maps() {
  std::vector<RuleMap> out = {{"file", kFileKeys},
                              {"hook", entry_keys()},
                              {"when", condition_keys()},
                              {"on_failure", failure_keys()},
                              {"sandbox", sandbox_keys()}};
  std::ranges::copy(action_maps(), std::back_inserter(out));
  return out;
}

bool names_rule_file(std::string_view path) {
  return path.ends_with(".yaml") || path.ends_with(".yml");
}

}  // namespace grapnel
