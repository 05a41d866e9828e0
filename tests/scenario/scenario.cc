#include "scenario/scenario.h"

#include <algorithm>
#include <filesystem>

#include "run/supervisor.h"

namespace grapnel::scenario {

namespace {

constexpr std::chrono::minutes kTimeout{10};

std::string text_of(const Json& value) {
  return value.is_string() ? *value.as_string() : value.dump(JsonStyle::Pretty) + "\n";
}

std::vector<std::string> strings(const Json& array) {
  std::vector<std::string> out;
  for (const Json& item : array.elements()) out.push_back(item.as_string().value_or(""));
  return out;
}

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
  return "[" + out + "]";
}

std::string check_texts(const char* name, const Json& wanted, const std::string& got) {
  std::string wrong;
  for (std::string text : strings(wanted)) {
    const bool must_not = text.starts_with('!');
    if (must_not) text.erase(0, 1);
    if (got.contains(text) == must_not) {
      wrong += std::string(name) + (must_not ? " has '" : " lacks '") + text + "':\n" + got + "\n";
    }
  }
  return wrong;
}

std::string check_list(const char* name, const Json& wanted, const std::vector<std::string>& got) {
  if (!wanted || strings(wanted) == got) return "";
  return std::string(name) + ": wanted " + joined(strings(wanted)) + ", got " + joined(got) + "\n";
}

std::vector<const Json*> lines_of(const Ran& ran, std::string_view type) {
  std::vector<const Json*> out;
  for (const Json& line : ran.journal) {
    if (line["type"].equals_string(type)) out.push_back(&line);
  }
  return out;
}

/// Every member wanted is there; texts may be parts of the text.
bool holds(const Json& wanted, const Json& got) {
  if (wanted.is_object()) {
    return std::ranges::all_of(wanted.members(), [&](const JsonMember& m) { return holds(m.value, got[m.key]); });
  }
  if (wanted.is_string() && got.is_string()) return got.as_string()->contains(*wanted.as_string());
  return wanted == got;
}

}  // namespace

void Scenario::write_files(const std::string& below, const Json& files) const {
  for (const JsonMember& file : files.members()) {
    const bool executable = file.key.ends_with('!');
    const std::string name = executable ? file.key.substr(0, file.key.size() - 1) : file.key;
    dir_.put(below + "/" + name, text_of(file.value), executable ? 0755 : 0644);
  }
}

Ran Scenario::run(const Json& step) {
  const std::string number = std::to_string(++runs_);
  const std::string journal = dir_ / ("journal-" + number);
  std::string script;
  for (const Json& line : step["replay"].elements()) script += line.dump() + "\n";

  ChildSpec child;
  child.path = GRAPNEL_AGENT;
  child.argv = {"grapnel-agent", "--replay", dir_.put("replay-" + number, script), "--journal", journal};
  if (const auto as = json_["as"].as_string()) child.argv.insert(child.argv.end(), {"--as", *as});
  for (const std::string& argument : strings(step["args"])) child.argv.push_back(argument);
  if (const auto prompt = step["prompt"].as_string()) child.argv.push_back(*prompt);
  child.env = {"PATH=" + (dir_ / "home/bin") + ":/usr/bin:/bin", "HOME=" + (dir_ / "home"), "LANG=C.UTF-8"};
  child.cwd = dir_ / "project";
  child.timeout = kTimeout;
  const RunOutcome outcome = run_children({&child, 1}, 0, {}, {}).front();

  Ran ran;
  ran.ending = describe(outcome.ending);
  if (const auto* exited = std::get_if<Exited>(&outcome.ending)) ran.exit = exited->code;
  ran.out = outcome.out.bytes;
  ran.err = outcome.err.bytes;
  std::ifstream lines(journal);
  for (std::string line; std::getline(lines, line);) ran.journal.push_back(Json::parse(line).value_or(Json()));
  return ran;
}

std::string Scenario::check(const Json& want, const Ran& ran) const {
  std::string wrong;
  if (ran.exit != want["exit"].as_integer().value_or(0)) {
    wrong += "it ended with " + ran.ending + "\n" + ran.out + ran.err + "\n";
  }
  wrong += check_texts("stdout", want["stdout"], ran.out);
  wrong += check_texts("stderr", want["stderr"], ran.err);
  for (const JsonMember& file : want["files"].members()) {
    const bool exists = std::filesystem::exists(dir_ / ("project/" + file.key));
    const std::string content = dir_.read("project/" + file.key);
    if (exists == file.value.is_null()) wrong += file.key + (exists ? " is there\n" : " is not there\n");
    if (exists && file.value.is_string() && content != *file.value.as_string()) {
      wrong += file.key + " has '" + content + "'\n";
    }
  }
  std::vector<std::string> hooks;
  for (const Json* line : lines_of(ran, "hook_finished")) hooks.push_back((*line)["hook"].as_string().value_or(""));
  wrong += check_list("hooks", want["hooks"], hooks);
  std::vector<std::string> tools;
  for (const Json* line : lines_of(ran, "tool_finished")) {
    const bool success = (*line)["success"].as_bool().value_or(false);
    tools.push_back((success ? "" : "!") + (*line)["name"].as_string().value_or(""));
  }
  wrong += check_list("tools", want["tools"], tools);
  if (const auto calls = want["model_calls"].as_integer()) {
    const auto got = std::ssize(lines_of(ran, "model_called"));
    if (got != *calls) wrong += "the model was asked " + std::to_string(got) + " times\n";
  }
  for (const Json& line : want["journal"].elements()) {
    if (std::ranges::none_of(ran.journal, [&](const Json& got) { return holds(line, got); })) {
      wrong += "the journal has no line " + line.dump() + "\n";
    }
  }
  return wrong;
}

std::string Scenario::play() {
  std::filesystem::create_directories(dir_ / "project");
  std::filesystem::create_directories(dir_ / "home");
  write_files("home", json_["home"]);
  write_files("project", json_["files"]);
  if (!json_["runs"]) return check(json_["want"], run(json_));
  std::string wrong;
  for (const Json& step : json_["runs"].elements()) wrong += check(step["want"], run(step));
  return wrong;
}

}  // namespace grapnel::scenario
