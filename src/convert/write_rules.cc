#include "convert/write_rules.h"

#include <algorithm>

#include "grapnel/tool.h"

#include "base/text.h"
#include "convert/pattern_text.h"
#include "convert/yaml_writer.h"
#include "discover/formats/hook_name.h"
#include "discover/formats/rule_entry.h"
#include "discover/formats/sandbox_entry.h"

namespace grapnel {

namespace {

constexpr int kUnwrittenPriority = 100;  // the default, which is not written

/// One text stays a string, because rule files allow both and it is easier to read.
Json strings(const std::vector<std::string>& texts) {
  std::vector<Json> out;
  for (const std::string& text : texts) out.push_back(Json::string(text));
  return texts.size() == 1 ? out.front() : Json::array(out);
}

Json pairs(const std::vector<std::pair<std::string, std::string>>& texts) {
  std::vector<std::pair<std::string, Json>> out;
  for (const auto& [name, value] : texts) out.emplace_back(name, Json::string(value));
  return Json::object(out);
}

Json duration(std::chrono::milliseconds time) {
  const bool is_whole = time.count() % 1000 == 0;
  return Json::string(is_whole ? std::to_string(time.count() / 1000) + "s" : std::to_string(time.count()) + "ms");
}

/// A tool's name for a rule. If the tool has a kind, the kind is used, so that the rule applies in every agent.
std::string tool_word(const std::string& name, const Dialect& dialect) {
  const ToolKind kind = tool_kind(name, dialect.name);
  const bool is_open = kind == ToolKind::Other || kind == ToolKind::Mcp;
  return is_open ? name : std::string(to_string(kind));
}

/// Whether the word is a tool that has a kind.
bool is_tool(std::string_view word, const Dialect& dialect) {
  return is_plain_word(word) && tool_kind(word, dialect.name) != ToolKind::Other;
}

/// One alternative of a matcher as patterns of a rule; empty when a rule cannot say the same. A regex whose
/// alternatives are all known tools becomes a list; any other stays a regex between slashes.
std::vector<std::string> tool_patterns(const PatternText& pattern, const Dialect& dialect) {
  const bool is_whole = pattern.kind == PatternText::Kind::Whole;
  if (pattern.kind == PatternText::Kind::Name) return {tool_word(pattern.text, dialect)};
  if (pattern.kind != PatternText::Kind::Search && !is_whole) return {};
  std::vector<std::string> words;
  for (const std::string_view word : split_alternatives(pattern.text)) {
    if (!is_tool(word, dialect)) return {is_whole ? "/^(?:" + pattern.text + ")$/" : "/" + pattern.text + "/"};
    words.push_back(tool_word(std::string(word), dialect));
  }
  return words;
}

/// Writes one rule for each hook. The members are written in the order in which people usually write them.
class RuleWriter {
 public:
  Conversion write(const std::vector<HookSpec>& hooks) {
    std::string text = "version: 1\nhooks:";
    for (const HookSpec& hook : hooks) {
      spec_ = &hook;
      const Json rule = rule_of();
      if (rule) text += "\n" + entry_text(rule);
    }
    // A rule file without rules still needs a valid list.
    if (text.ends_with(':')) text += " []";
    return {{{"", text + (text.ends_with('\n') ? "" : "\n"), false}}, std::move(losses_)};
  }

 private:
  const HookSpec& spec() const { return *spec_; }

  void lose(std::string sentence) {
    losses_.push_back({ConfigProblem::Severity::Warning, std::move(sentence), place_of(spec()), ""});
  }

  /// The rule as an element of a YAML list: the first line gets a dash in its indentation.
  static std::string entry_text(const Json& rule) {
    std::string lines = yaml_lines(rule, "    ");
    return lines.replace(2, 1, "-");
  }

  /// The rule as an object. Missing if the hook cannot be a rule at all; the reason is then a loss.
  Json rule_of() {
    std::vector<std::pair<std::string, Json>> members;
    const auto [key, action] = action_of();
    if (!action) {
      lose("a rule cannot be of type '" + spec().handler_word() + "'; the hook is not written");
      return {};
    }
    // Defaults are left out, so that the file shows only what somebody chose.
    const bool needs_timeout = spec().timeout != kGrapnelDialect.timeouts.by_default;
    members.emplace_back("name", Json::string(new_name()));
    members.emplace_back("description", spec().description.empty() ? Json() : Json::string(spec().description));
    members.emplace_back("on", events());
    members.emplace_back("when", condition());
    members.emplace_back(key, action);
    members.emplace_back("timeout", needs_timeout ? duration(spec().timeout) : Json());
    members.emplace_back("async", spec().is_job  ? Json::string(kFleetWord)
                                  : spec().async ? Json::boolean(true)
                                                 : Json());
    members.emplace_back("priority",
                         spec().priority == kUnwrittenPriority ? Json() : Json::number(int64_t{spec().priority}));
    members.emplace_back("env", environment());
    members.emplace_back("on_failure", failure());
    members.emplace_back("sandbox", sandbox());
    members.emplace_back("enabled", spec().enabled ? Json() : Json::boolean(false));
    list_losses();
    return Json::object(members);
  }

  /// The key of the action and its value; empty for types of hooks that rules do not have.
  std::pair<std::string, Json> action_of() const {
    if (const CommandHandler* run = spec().command()) {
      if (!run->args) return {"run", Json::string(run->command)};
      std::vector<std::string> words = *run->args;
      words.insert(words.begin(), run->command);
      std::vector<Json> list;
      for (const std::string& word : words) list.push_back(Json::string(word));
      return {"run", Json::array(list)};
    }
    if (const auto* post = std::get_if<HttpHandler>(&spec().handler)) {
      return {"http", Json::object({{"url", Json::string(post->url)},
                                    {"headers", post->headers.empty() ? Json() : pairs(post->headers)},
                                    {"allowed_env", post->allowed_env.empty() ? Json() : strings(post->allowed_env)}})};
    }
    if (const auto* prompt = std::get_if<PromptHandler>(&spec().handler)) {
      return {"prompt", question(prompt->prompt, prompt->model)};
    }
    if (const auto* agent = std::get_if<AgentHandler>(&spec().handler)) {
      return {"agent", question(agent->prompt, agent->model)};
    }
    return {};
  }

  static Json question(const std::string& prompt, const std::string& model) {
    if (model.empty()) return Json::string(prompt);
    return Json::object({{"prompt", Json::string(prompt)}, {"model", Json::string(model)}});
  }

  /// Rules need unique names in a certain form. A name that somebody gave and that has to change is a loss.
  std::string new_name() {
    const std::string given = given_name(spec());
    const std::string action = spec().action_text();
    const std::string base = usable_name(given.empty() ? action : given);
    std::string name = base;
    for (size_t count = 2; std::ranges::find(names_, name) != names_.end(); ++count) {
      name = base + "-" + std::to_string(count);
    }
    names_.push_back(name);
    if (!given.empty() && name != given) lose("the hook '" + text::cap(given, 100) + "' is renamed to '" + name + "'");
    return name;
  }

  Json events() const { return strings(spec().event_names()); }

  /// The `when` of the rule. A condition that cannot be expressed is left out, so that the hook runs too often rather
  /// than too rarely.
  Json condition() {
    std::vector<std::string> tools;
    for (const Clause& clause : spec().clauses) {
      // `when` has one list of tools, so only the first condition on the tool can be written.
      const auto patterns = clause.subject == Field::ToolName && tools.empty() ? patterns_of(clause) : std::nullopt;
      if (patterns) {
        tools = *patterns;
      } else {
        lose("a rule cannot express the condition " + std::string(to_string(clause.subject)) + " " + clause.describe() +
             ", so the hook runs more often");
      }
    }
    return tools.empty() ? Json() : Json::object({{"tool", strings(tools)}});
  }

  /// The condition as patterns; nullopt if a part of it cannot be expressed.
  std::optional<std::vector<std::string>> patterns_of(const Clause& clause) const {
    std::vector<std::string> out;
    for (const Matcher& matcher : clause.any_of) {
      for (const PatternText& pattern : pattern_texts(matcher)) {
        const std::vector<std::string> texts = tool_patterns(pattern, *spec().dialect);
        if (texts.empty()) return std::nullopt;
        for (const std::string& text : texts) {
          if (std::ranges::find(out, text) == out.end()) out.push_back(text);
        }
      }
    }
    return out;
  }

  Json environment() const {
    const CommandHandler* run = spec().command();
    return run == nullptr || run->env.empty() ? Json() : pairs(run->env);
  }

  /// One word if both policies are the same, otherwise one for each cause.
  Json failure() const {
    const FailurePolicy& policy = spec().failure;
    if (policy.on_failure == OnFailure::Open && policy.on_timeout == OnFailure::Open) return {};
    if (policy.on_failure == policy.on_timeout) return Json::string(to_string(policy.on_failure));
    return Json::object({{"timeout", Json::string(to_string(policy.on_timeout))},
                         {"crash", Json::string(to_string(policy.on_failure))}});
  }

  Json sandbox() {
    const Json value = spec().sandbox ? sandbox_value(*spec().sandbox) : Json();
    if (spec().sandbox && !value) {
      lose("its sandbox (" + describe(*spec().sandbox) + ") is that of a file and of settings together; it is lost");
    }
    return value;
  }

  /// Members that rules do not have, and variables that only the source agent sets.
  void list_losses() {
    const Dialect& from = *spec().dialect;
    const Json own = Json::parse(spec().definition).value_or(Json())["hook"];
    for (const HookKeyRow& row : from.entries.hook_keys) {
      const Json value = row.meaning == HookKey::Ignored ? own[row.key] : Json();
      if (value) lose("rules have no '" + std::string(row.key) + "'; " + text::cap(value.dump(), 100) + " is lost");
    }
    if (!spec().status_message.empty()) lose("rules have no status message; it is lost");
    const CommandHandler* run = spec().command();
    if (run == nullptr) return;
    for (const VariableRow& row : from.process.variables) {
      if (!uses_variable(run->command, row.name)) continue;
      lose("the command uses $" + std::string(row.name) + ", which is not set for commands of rules");
    }
  }

  const HookSpec* spec_ = nullptr;
  std::vector<std::string> names_;
  std::vector<ConfigProblem> losses_;
};

}  // namespace

Conversion convert_to_rules(const std::vector<HookSpec>& hooks) {
  return RuleWriter().write(hooks);
}

}  // namespace grapnel
