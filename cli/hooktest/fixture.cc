#include "cli/hooktest/fixture.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"
#include "cli/hooktest/expectation.h"
#include "dialect/dialect.h"
#include "discover/formats/yaml_document.h"
#include "discover/formats/yaml_mistake.h"
#include "discover/problems.h"

namespace grapnel::cli {

namespace {

constexpr std::string_view kDefaultDialect = "canonical";
/// What a test can expect. A row needs a getter in expectation.cc; the schema and the reader follow the table.
constexpr auto kExpectations = std::to_array<ExpectationRow>({
    {"verdict", Comparison::Word, "pass, allow, ask or deny"},
    {"reason", Comparison::Text, "why; a part of it, or /a regular expression/"},
    {"context", Comparison::Text, "the text that is added for the model"},
    {"message", Comparison::Text, "the messages for people"},
    {"rewrite", Comparison::Value, "the tool's input after hooks changed it; null when none did"},
    {"prompt", Comparison::Text, "the user's prompt after a hook changed it"},
    {"output", Comparison::Value, "the tool's output after a hook changed it"},
    {"env", Comparison::Value, "variables for the rest of the session"},
    {"stop", Comparison::Flag, "whether the agent must stop"},
    {"stop_reason", Comparison::Text, "why it must stop"},
    {"would", Comparison::Word, "what hooks with `mode: observe` would have answered: pass, allow, ask or deny"},
    {"decided_by", Comparison::Word, "the hook behind the verdict"},
    {"origin", Comparison::Word, "what made the decision: hook, fail-open, loop-cap, …"},
    {"hooks", Comparison::Fates, "what became of each hook: ran, failed, skipped or detached; `skipped(no match)`"},
});

/// The keys that are allowed at each level. A case has those of a setup and of a step too.
using Keys = std::span<const std::string_view>;
constexpr auto kSetupKeys = std::to_array<std::string_view>({"files", "env", "hooks", "answers"});
constexpr auto kFileKeys = std::to_array<std::string_view>({"version", "project", "copy", "cases"});
constexpr auto kStepKeys = std::to_array<std::string_view>({"name", "event", "as", "input", "expect"});
constexpr auto kCaseKeys = std::to_array<std::string_view>({"steps"});

/// Reads the document from top to bottom. Every mistake is noted with its place, and reading goes on, so that one run
/// shows all mistakes.
class Reader {
 public:
  Reader(Fixture& fixture, const YamlDocument& document)
      : fixture_(fixture), root_(document.root), problems_(fixture.path, document.places) {}

  std::vector<ConfigProblem> read() {
    if (!is_object(root_, "a test file")) return problems_.take();
    check_keys(root_, {kFileKeys, kSetupKeys});
    if (root_["version"].as_integer() != 1) problems_.error(root_, "this needs 'version: 1'");
    fixture_.project = text_of(root_, "project");
    for (const Json& path : list_of(root_, "copy")) fixture_.copy.push_back(text_at(path));
    Setup common;
    read_setup(root_, common);
    for (const Json& entry : list_of(root_, "cases")) read_case(entry, common);
    if (fixture_.cases.empty()) problems_.error(root_, "the file has no cases");
    return problems_.take();
  }

 private:
  // The next functions read values of one type. A missing value is empty; a value of another type is a mistake.

  bool is_object(const Json& value, std::string_view what) {
    if (value.is_object()) return true;
    problems_.error(value, std::string(what) + " must be a map");
    return false;
  }

  /// YAML reads `version: 1` or `FLAG: true` as a number or a boolean; where a text is wanted, it is taken as written.
  std::string text_at(const Json& value) {
    if (!value || value.is_null()) return "";
    if (const auto text = value.as_string()) return *text;
    const bool is_scalar = !value.is_object() && !value.is_array();
    if (!is_scalar) problems_.error(value, "this must be a text");
    return is_scalar ? value.dump() : "";
  }
  std::string text_of(const Json& object, std::string_view key) { return text_at(object[key]); }

  /// The elements of a list.
  std::vector<Json> list_of(const Json& object, std::string_view key) {
    const Json list = object[key];
    if (!list) return {};
    if (!list.is_array()) problems_.error(list, "'" + std::string(key) + "' must be a list");
    std::vector<Json> out;
    for (const Json& element : list.elements()) out.push_back(element);
    return out;
  }

  /// The members of a map. Null is an empty map: that is how YAML reads a key without a value.
  std::vector<JsonMember> members_of(const Json& object, std::string_view key) {
    const Json map = object[key];
    if (!map || map.is_null() || !is_object(map, "'" + std::string(key) + "'")) return {};
    std::vector<JsonMember> out;
    for (const JsonMember& member : map.members()) out.push_back(member);
    return out;
  }

  /// Reports keys that are in none of the lists, with the nearest known key as a hint.
  void check_keys(const Json& object, std::initializer_list<Keys> lists) {
    std::vector<std::string_view> known;
    for (const Keys list : lists) known.insert(known.end(), list.begin(), list.end());
    for (const JsonMember& member : object.members()) {
      if (std::ranges::find(known, member.key) != known.end()) continue;
      problems_.error_at(member.key_offset, "unknown key '" + member.key + "'", did_you_mean(member.key, known));
    }
  }

  // The setup: everything around an event.

  void read_setup(const Json& from, Setup& setup) {
    for (const JsonMember& member : members_of(from, "files")) read_file(member, setup);
    for (const JsonMember& member : members_of(from, "env")) setup.env[member.key] = text_at(member.value);
    // An empty list is different from no list: it means that there are no hooks at all.
    if (from["hooks"]) setup.hooks.emplace();
    for (const Json& entry : list_of(from, "hooks")) read_hooks(entry, *setup.hooks);
    if (const Json answers = from["answers"]; answers && is_object(answers, "'answers'")) read_answers(answers, setup);
  }

  /// Reads one entry of `files`: the text, or a map with more about the file. A file must stay inside the scratch
  /// directories.
  void read_file(const JsonMember& member, Setup& setup) {
    const std::string_view inside = std::string_view(member.key).substr(member.key.starts_with("~/") ? 2 : 0);
    const auto parts = text::split(inside, '/');
    if (inside.empty() || inside.front() == '/' || std::ranges::find(parts, "..") != parts.end()) {
      problems_.error_at(member.key_offset, "a file's path must be relative, without '..'; '~/' is the scratch home");
      return;
    }
    ScratchFile& file = setup.files[member.key];
    // A case may define a file of the common setup again; nothing of the first definition remains.
    file = {};
    if (!member.value.is_object()) {
      file.content = text_at(member.value);
      // A script is meant to be started.
      if (file.content.starts_with("#!")) file.mode = 0755;
      return;
    }
    constexpr auto kKeys = std::to_array<std::string_view>({"content", "symlink", "mode"});
    check_keys(member.value, {kKeys});
    file.content = text_of(member.value, "content");
    file.symlink = text_of(member.value, "symlink");
    if (const Json mode = member.value["mode"]) read_mode(mode, file.mode);
  }

  /// Reads permissions. YAML gives 755 as a number; its digits are octal anyway.
  void read_mode(const Json& value, mode_t& mode) {
    const std::string digits = text_at(value);
    unsigned bits = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 8);
    const bool is_right = error == std::errc() && end == digits.data() + digits.size() && bits <= 07777;
    if (!is_right) problems_.error(value, "a mode consists of octal digits, such as 755");
    mode = static_cast<mode_t>(bits);
  }

  /// Reads one entry of `hooks`: the path of a file, or settings in the test itself, which need a dialect.
  void read_hooks(const Json& entry, std::vector<HookConfig>& hooks) {
    if (!is_object(entry, "an entry of 'hooks'")) return;
    constexpr auto kKeys = std::to_array<std::string_view>({"dialect", "file", "settings"});
    check_keys(entry, {kKeys});
    HookConfig config{text_of(entry, "dialect"), text_of(entry, "file"), entry["settings"]};
    if (config.path.empty() == config.object.is_missing()) {
      problems_.error(entry, "this needs a 'file', or 'settings' with their 'dialect'");
    } else if (config.object && config.dialect.empty()) {
      problems_.error(entry, "'settings' need a 'dialect'");
    }
    check_dialect_word(entry["dialect"], config.dialect);
    hooks.push_back(std::move(config));
  }

  /// Reports an unknown dialect, with the nearest one as a hint.
  void check_dialect_word(const Json& where, const std::string& name) {
    if (name.empty() || find_dialect(name) != nullptr) return;
    std::vector<std::string_view> names;
    for (const Dialect* dialect : all_dialects()) names.push_back(dialect->name);
    problems_.error(where, "unknown dialect '" + name + "'", did_you_mean(name, names));
  }

  /// Reads the scripted answers that replace a model and a web server.
  void read_answers(const Json& answers, Setup& setup) {
    constexpr auto kKeys = std::to_array<std::string_view>({"model", "server"});
    check_keys(answers, {kKeys});
    if (answers["model"]) setup.model_answer = text_of(answers, "model");
    const Json server = answers["server"];
    if (!server || !is_object(server, "'server'")) return;
    constexpr auto kServerKeys = std::to_array<std::string_view>({"status", "content_type", "body"});
    check_keys(server, {kServerKeys});
    const Json body = server["body"];
    setup.server_answer = HttpHookReply{static_cast<int>(server["status"].as_integer().value_or(200)),
                                        server["content_type"] ? text_of(server, "content_type") : "application/json",
                                        body.is_object() ? body.dump() : text_at(body)};
  }

  // Cases and their steps.

  void read_case(const Json& entry, const Setup& common) {
    if (!is_object(entry, "a case")) return;
    check_keys(entry, {kStepKeys, kSetupKeys, kCaseKeys});
    Case out{text_of(entry, "name"), common, {}, problems_.position_of(entry)};
    if (out.name.empty()) problems_.error(entry, "a case needs a name");
    const auto same = [&](const Case& other) { return other.name == out.name; };
    if (std::ranges::any_of(fixture_.cases, same)) problems_.error(entry["name"], "another case already has this name");
    read_setup(entry, out.setup);
    // A case without steps is its own single step. The name is the case's, so the step has none.
    if (!entry["steps"]) {
      out.steps.push_back(read_step(entry));
      out.steps.back().name.clear();
    }
    for (const Json& step : list_of(entry, "steps")) {
      if (!is_object(step, "a step")) continue;
      check_keys(step, {kStepKeys});
      out.steps.push_back(read_step(step));
      if (out.steps.back().name.empty()) out.steps.back().name = "step " + std::to_string(out.steps.size());
    }
    const bool has_both = entry["steps"] && (entry["event"] || entry["input"] || entry["expect"]);
    if (has_both)
      problems_.error(entry["steps"], "a case has either 'steps', or its own 'event', 'input' and 'expect'");
    fixture_.cases.push_back(std::move(out));
  }

  /// Reads one event and what is expected of it. Without an input the payload is an empty object.
  Step read_step(const Json& from) {
    Step step;
    step.at = problems_.position_of(from);
    step.name = text_of(from, "name");
    step.event = text_of(from, "event");
    step.dialect = from["as"] ? text_of(from, "as") : kDefaultDialect;
    check_dialect_word(from["as"], step.dialect);
    const Json input = from["input"];
    if (input && !input.is_object() && !input.is_string())
      problems_.error(input, "the input must be a map, or JSON text");
    step.input = input.is_object() ? input.dump() : text_at(input);
    if (step.input.empty()) step.input = "{}";
    for (const JsonMember& member : members_of(from, "expect")) read_expectation(member, step);
    return step;
  }

  /// Reads one key of `expect`. `hooks` is a map, which becomes one expectation for each hook.
  void read_expectation(const JsonMember& member, Step& step) {
    const auto* const row = std::ranges::find(kExpectations, member.key, &ExpectationRow::name);
    if (row == kExpectations.end()) {
      std::vector<std::string_view> names;
      for (const ExpectationRow& known : kExpectations) names.push_back(known.name);
      problems_.error_at(member.key_offset, "'" + member.key + "' cannot be expected", did_you_mean(member.key, names));
    } else if (row->comparison == Comparison::Fates) {
      if (!is_object(member.value, "'hooks'")) return;
      for (const JsonMember& hook : member.value.members()) add(hook, fate_expectation(hook.key), step);
    } else {
      add(member, member.key, step);
    }
  }

  /// Keeps an expectation, and reports a value that can never hold.
  void add(const JsonMember& member, std::string name, Step& step) {
    if (const std::string why = unusable_expectation(name, member.value); !why.empty()) {
      problems_.error(member.value, why);
    }
    step.expect.push_back({std::move(name), member.value, problems_.position_at(member.key_offset)});
  }

  Fixture& fixture_;
  const Json& root_;
  Problems problems_;
};

}  // namespace

std::span<const ExpectationRow> expectation_rows() {
  return kExpectations;
}

FixtureReading read_fixture(std::string path, std::string text) {
  FixtureReading out{{std::move(path), std::move(text), {}, {}, {}}, {}};
  const auto document = read_yaml(out.fixture.text);
  if (!document) {
    out.problems.push_back(explain_yaml_error(out.fixture.text, document.error()));
    out.problems.back().at.file = out.fixture.path;
    return out;
  }
  out.problems = Reader(out.fixture, *document).read();
  return out;
}

}  // namespace grapnel::cli
