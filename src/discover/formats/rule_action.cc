#include "discover/formats/rule_action.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "discover/formats/rule_command.h"
#include "discover/problems.h"
#include "model/http_url.h"

namespace grapnel {

namespace {

// What an entry can do. These lists are also the keys that the JSON Schema of rule files requires one of.
constexpr auto kVerdicts = std::to_array<std::string_view>({"deny", "ask", "allow", "rewrite", "inject", "notify"});
constexpr auto kActions = std::to_array<std::string_view>({"run", "worker", "http", "prompt", "agent"});

// The keys of the maps below the verdicts and actions. An unknown key is an error, so a new key must be added here.
constexpr auto kRewriteKeys = std::to_array<std::string_view>({"input", "command", "output"});
constexpr auto kOutputKeys = std::to_array<std::string_view>({"max_lines", "drop_lines", "mask"});
constexpr auto kInjectKeys = std::to_array<std::string_view>({"text", "file", "command", "once", "budget"});
constexpr auto kOnce = std::to_array<std::string_view>({"session", "compaction"});
constexpr auto kWorkerKeys = std::to_array<std::string_view>({"command", "idle", "max_events"});
constexpr auto kHttpKeys =
    std::to_array<std::string_view>({"url", "headers", "allowed_env", "allowed_hosts", "loopback_addresses",
                                     "private_addresses", "retries", "max_reply"});
constexpr auto kPromptKeys = std::to_array<std::string_view>({"prompt", "model"});
constexpr auto kAgentKeys = std::to_array<std::string_view>({"prompt", "model", "max_turns"});
constexpr auto kActionMaps = std::to_array<RuleMap>({{"rewrite", kRewriteKeys},
                                                     {"output", kOutputKeys},
                                                     {"inject", kInjectKeys},
                                                     {"worker", kWorkerKeys},
                                                     {"http", kHttpKeys},
                                                     {"prompt", kPromptKeys},
                                                     {"agent", kAgentKeys}});

// src/schema/rule_schema.cc repeats these limits.
constexpr int64_t kMaxLines = 1000000;
constexpr int64_t kMaxRetries = 10;
constexpr int64_t kMaxTurns = 100;
constexpr int64_t kMaxEvents = 1000000000;

/// Reads what one entry does. After a mistake the returned handler is meaningless: the mistake is noted in `fields`,
/// and the caller drops the entry.
class ActionReader {
 public:
  ActionReader(const YamlNode& entry, RuleFields& fields) : entry_(entry), fields_(fields) {}

  Handler read() {
    const std::vector<std::string_view> verdicts = present(kVerdicts);
    const std::vector<std::string_view> actions = present(kActions);
    if (verdicts.empty() && actions.empty()) {
      fields_.error(entry_, "a hook needs something to do",
                    "one of " + quoted_list(kVerdicts) + ", or " + quoted_list(kActions));
      return RuleHandler{};
    }
    // A hook has one handler, so two actions, or a verdict beside an action, would leave open which one answers.
    if (actions.size() > 1) return contradict(actions[0], actions[1], "split it into two hooks");
    if (!actions.empty() && !verdicts.empty()) {
      return contradict(verdicts[0], actions[0],
                        "a hook either decides by itself or runs something; split it into two hooks");
    }
    return actions.empty() ? read_rule(verdicts) : read_named(actions.front(), *entry_.find(actions.front()));
  }

 private:
  /// The keys of the list that the entry has, in the order of the list.
  std::vector<std::string_view> present(KeyList keys) const {
    std::vector<std::string_view> out;
    for (const std::string_view key : keys) {
      if (entry_.find(key) != nullptr) out.push_back(key);
    }
    return out;
  }

  /// Reports two keys that exclude each other, at the second one. Returns a handler only so that callers can return it.
  Handler contradict(std::string_view one, std::string_view other, std::string hint) {
    fields_.error_at_key(*entry_.find(other), quoted_key(one) + " and " + quoted_key(other) + " contradict each other",
                         std::move(hint));
    return RuleHandler{};
  }

  /// Reads the one action of the entry.
  Handler read_named(std::string_view action, const YamlNode& node) {
    if (action == "run") return read_command(node, action, fields_);
    if (action == "worker") return read_worker(node);
    if (action == "http") return read_http(node);
    if (action == "prompt") return read_prompt(node);
    return read_agent(node);
  }

  /// Reads the verdicts. They go together except for three cases: two of deny, ask and allow; a rewrite beside a
  /// denial; and an `inject` that runs a command, which makes the hook a command instead of a rule.
  Handler read_rule(const std::vector<std::string_view>& verdicts) {
    RuleHandler rule;
    std::vector<std::string_view> decisive;
    for (const std::string_view key : verdicts) {
      if (key == "deny" || key == "ask" || key == "allow") decisive.push_back(key);
    }
    if (decisive.size() > 1) return contradict(decisive[0], decisive[1], "a hook has one verdict");
    if (!decisive.empty()) read_verdict(decisive.front(), rule);
    const YamlNode* rewrite = entry_.find("rewrite");
    if (rewrite != nullptr && rule.verdict == Verdict::Deny)
      return contradict("deny", "rewrite", "a denied call never runs, so there is nothing to rewrite");
    if (rewrite != nullptr) rule.rewrite = read_rewrite(*rewrite);
    if (const YamlNode* notify = entry_.find("notify")) rule.notify = fields_.text(*notify, "notify");
    const YamlNode* inject = entry_.find("inject");
    if (inject == nullptr) return rule;
    const YamlNode* command = inject->is_map() ? inject->find("command") : nullptr;
    if (command == nullptr) {
      rule.inject = read_inject(*inject);
      return rule;
    }
    const bool is_alone = verdicts.size() == 1;
    if (!is_alone)
      return contradict(verdicts.front() == "inject" ? verdicts.back() : verdicts.front(), "inject",
                        "put the command into a hook of its own");
    CommandHandler handler = read_command(*command, "command", fields_);
    handler.inject = read_inject(*inject);
    return handler;
  }

  /// `deny: some reason`, or `deny: true` without a reason. `deny: false` is refused, because it looks like a way to
  /// switch the hook off and would deny with the reason "false".
  void read_verdict(std::string_view key, RuleHandler& rule) {
    const YamlNode& node = *entry_.find(key);
    rule.verdict = key == "deny" ? Verdict::Deny : key == "ask" ? Verdict::Ask : Verdict::Allow;
    const std::string word = text::to_lower(node.text);
    if (node.is_text() && word == "true") return;
    if (node.is_text() && word == "false") {
      return fields_.error(node, quoted_key(key) + " must be a reason or true",
                           "write enabled: false to switch a hook off");
    }
    rule.reason = fields_.text(node, key);
  }

  /// Changes to the input, the command or the output of a call.
  RuleRewrite read_rewrite(const YamlNode& node) {
    RuleRewrite out;
    if (!node.is_map() || node.members.empty()) {
      fields_.error(node, "'rewrite' must be a map", "as in rewrite: { input: { /timeout: '60000' } }");
      return out;
    }
    fields_.check_keys(node, kRewriteKeys, "in 'rewrite'");
    if (const YamlNode* input = node.find("input")) {
      for (auto& [key, value] : fields_.pairs(*input, "input")) {
        // A plain name is short for the JSON pointer to a top-level member.
        out.input.emplace_back(key.starts_with('/') ? key : "/" + key, std::move(value));
      }
    }
    if (const YamlNode* command = node.find("command")) {
      const std::string words = fields_.text(*command, "command");
      for (const std::string_view word : text::split(words, ' ')) {
        if (!word.empty()) out.command.emplace_back(word);
      }
    }
    if (const YamlNode* output = node.find("output")) read_output(*output, out);
    // A value with a mistake is empty, too, but it has been reported already.
    if (out.empty() && !fields_.failed()) fields_.error(node, "'rewrite' changes nothing");
    return out;
  }

  /// Changes to the output of a tool before the model sees it.
  void read_output(const YamlNode& node, RuleRewrite& out) {
    if (!node.is_map()) return fields_.error(node, "'output' must be a map with " + quoted_list(kOutputKeys));
    fields_.check_keys(node, kOutputKeys, "in 'output'");
    if (const YamlNode* lines = node.find("max_lines")) {
      out.max_lines = static_cast<size_t>(fields_.number(*lines, "max_lines", 1, kMaxLines));
    }
    if (const YamlNode* drop = node.find("drop_lines")) {
      out.drop_lines = fields_.patterns(*drop, "drop_lines", PatternKind::Text);
    }
    if (const YamlNode* mask = node.find("mask")) read_mask(*mask, out);
  }

  /// A list of regular expressions, which are replaced by `***`, or a map from regular expressions to their
  /// replacements.
  void read_mask(const YamlNode& node, RuleRewrite& out) {
    const auto add = [&](YamlNode pattern, std::string instead) {
      const auto regex = fields_.regex_of(pattern);
      if (!regex) return fields_.error(pattern, "'mask' takes regular expressions", "write /…/");
      // Compiled only to find mistakes now; the text is what is kept.
      if (!fields_.patterns(pattern, "mask", PatternKind::Text).empty())
        out.mask.emplace_back(*regex, std::move(instead));
    };
    if (!node.is_map()) {
      for (const YamlNode* element : fields_.elements(node, "mask")) add(*element, "***");
      return;
    }
    for (const auto& [key, value] : node.members) {
      // The pattern is the key here, but the checks take a node, so the key is wrapped in one.
      YamlNode pattern = value;
      pattern.kind = YamlNode::Kind::Text;
      pattern.text = key;
      pattern.value_at = value.at;
      if (!value.is_text()) fields_.error(value, "the replacement for " + key + " must be a text");
      add(std::move(pattern), value.text);
    }
  }

  /// A text, or a map that says where the text comes from. `command` is counted here but read by `read_rule`.
  Inject read_inject(const YamlNode& node) {
    Inject out;
    if (node.is_text()) {
      out.text = fields_.text(node, "inject");
      return out;
    }
    if (!node.is_map()) {
      fields_.error(node, "'inject' must be a text or a map with " + quoted_list(kInjectKeys));
      return out;
    }
    fields_.check_keys(node, kInjectKeys, "in 'inject'");
    const YamlNode* text = node.find("text");
    const YamlNode* file = node.find("file");
    const int sources =
        (text != nullptr ? 1 : 0) + (file != nullptr ? 1 : 0) + (node.find("command") != nullptr ? 1 : 0);
    if (sources != 1) fields_.error(node, "'inject' needs one of 'text', 'file' or 'command'");
    if (text != nullptr) out.text = fields_.text(*text, "text");
    if (file != nullptr) out.file = fields_.text(*file, "file");
    if (const YamlNode* once = node.find("once")) {
      const auto index = fields_.word(*once, "once", kOnce);
      // The position in `kOnce`: 0 is the session, 1 the compaction.
      out.how = index == size_t{1} ? Inject::How::OncePerCompaction : Inject::How::OncePerSession;
    }
    if (const YamlNode* budget = node.find("budget")) out.budget = fields_.size(*budget, "budget");
    return out;
  }

  /// Like the readers below: the short form is one value, the long form a map with options.
  Handler read_worker(const YamlNode& node) {
    WorkerHandler out;
    if (!node.is_map()) {
      out.start = read_command(node, "worker", fields_);
      return out;
    }
    fields_.check_keys(node, kWorkerKeys, "in 'worker'");
    if (const YamlNode* command = required(node, "command", "worker"))
      out.start = read_command(*command, "command", fields_);
    if (const YamlNode* idle = node.find("idle")) out.idle = fields_.duration(*idle, "idle");
    if (const YamlNode* events = node.find("max_events")) {
      out.max_events = static_cast<uint64_t>(fields_.number(*events, "max_events", 1, kMaxEvents));
    }
    return out;
  }

  Handler read_http(const YamlNode& node) {
    HttpHandler out;
    if (!node.is_map()) {
      out.url = read_url(node, "http");
      return out;
    }
    fields_.check_keys(node, kHttpKeys, "in 'http'");
    if (const YamlNode* url = required(node, "url", "http")) out.url = read_url(*url, "url");
    if (const YamlNode* headers = node.find("headers")) out.headers = read_headers(*headers);
    if (const YamlNode* env = node.find("allowed_env")) out.allowed_env = fields_.texts(*env, "allowed_env");
    if (const YamlNode* hosts = node.find("allowed_hosts")) out.allowed_hosts = fields_.texts(*hosts, "allowed_hosts");
    if (const YamlNode* own = node.find("loopback_addresses")) {
      out.loopback_addresses = fields_.flag(*own, "loopback_addresses");
    }
    if (const YamlNode* own = node.find("private_addresses")) {
      out.private_addresses = fields_.flag(*own, "private_addresses");
    }
    if (const YamlNode* reply = node.find("max_reply")) out.max_reply = fields_.size(*reply, "max_reply");
    if (const YamlNode* retries = node.find("retries")) {
      out.retries = static_cast<uint32_t>(fields_.number(*retries, "retries", 0, kMaxRetries));
    }
    return out;
  }

  /// The URL is parsed strictly now, so that a mistake is found in the file and not when an event fires.
  std::string read_url(const YamlNode& node, std::string_view key) {
    std::string url = fields_.text(node, key);
    const auto parsed = HttpUrl::parse(url);
    if (!url.empty() && !parsed) fields_.error(node, quoted_key(key) + " " + parsed.error().message);
    return url;
  }

  /// A line break in a value would let it add headers of its own.
  std::vector<std::pair<std::string, std::string>> read_headers(const YamlNode& node) {
    auto headers = fields_.pairs(node, "headers");
    for (const auto& [name, value] : headers) {
      const bool is_clean = !name.empty() && name.find_first_of(": \t\r\n") == std::string::npos &&
                            value.find_first_of("\r\n") == std::string::npos;
      if (!is_clean)
        fields_.error(node, "'" + name + "' is not a valid header; it needs a plain name and a value on one line");
    }
    return headers;
  }

  Handler read_prompt(const YamlNode& node) {
    PromptHandler out;
    if (!node.is_map()) {
      out.prompt = fields_.text(node, "prompt");
      return out;
    }
    fields_.check_keys(node, kPromptKeys, "in 'prompt'");
    if (const YamlNode* prompt = required(node, "prompt", "prompt")) out.prompt = fields_.text(*prompt, "prompt");
    if (const YamlNode* model = node.find("model")) out.model = fields_.text(*model, "model");
    return out;
  }

  Handler read_agent(const YamlNode& node) {
    AgentHandler out;
    if (!node.is_map()) {
      out.prompt = fields_.text(node, "agent");
      return out;
    }
    fields_.check_keys(node, kAgentKeys, "in 'agent'");
    if (const YamlNode* prompt = required(node, "prompt", "agent")) out.prompt = fields_.text(*prompt, "prompt");
    if (const YamlNode* model = node.find("model")) out.model = fields_.text(*model, "model");
    if (const YamlNode* turns = node.find("max_turns")) {
      out.max_turns = static_cast<uint32_t>(fields_.number(*turns, "max_turns", 1, kMaxTurns));
    }
    return out;
  }

  /// A key that the map must have; null, with the error noted, when it is missing.
  const YamlNode* required(const YamlNode& map, std::string_view key, std::string_view where) {
    const YamlNode* node = map.find(key);
    if (node == nullptr) fields_.error(map, quoted_key(where) + " needs " + quoted_key(key));
    return node;
  }

  const YamlNode& entry_;
  RuleFields& fields_;
};

}  // namespace

Handler read_action(const YamlNode& entry, RuleFields& fields) {
  return ActionReader(entry, fields).read();
}

KeyList verdict_keys() {
  return kVerdicts;
}

KeyList action_keys() {
  return kActions;
}

std::span<const RuleMap> action_maps() {
  return kActionMaps;
}

}  // namespace grapnel
