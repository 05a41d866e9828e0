#include <algorithm>

#include "base/text.h"
#include "cli/ask.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/project_hooks.h"
#include "engine/hook_info.h"
#include "trust/pinned_files.h"
#include "trust/program.h"

namespace grapnel::cli {

namespace {

// Trust is given to bytes, not to names: the digest of a hook covers its definition and the project's files that its
// command names. This verb shows all of that before it asks. What cannot be pinned (the commands that `make` runs, code
// that is fetched at run time) is shown too, so that nobody trusts more than they know.

constexpr auto kTrustArguments = std::to_array<ArgumentRow>({
    {"DIR", "the project (default: found upwards from the current directory)", ValueKind::Directory},
});
constexpr auto kTrustOptions = std::to_array<OptionRow>({
    {"--yes", "-y", "", "trust what is shown without asking"},
    kJsonOption,
});

constexpr size_t kTrustLabelWidth = 12;

/// The directory in which the hook starts, if no event says another one.
std::string start_of(const HookSpec& hook) {
  const std::string declared = declared_dir(hook, directory_of(hook));
  return declared.empty() ? directory_of(hook) : declared;
}

/// The program that the command starts, as far as it can be found: a name in PATH may not be what it seems.
std::string program_text(const HookSpec& hook, const Environment& env) {
  const Program program = program_of(hook.command_text(), env.get("PATH"), start_of(hook));
  if (program.path.empty()) return "";
  return "\n  program     " + printable(short_path(program.path)) +
         (program.interpreter.empty() ? "" : ", run by " + printable(program.interpreter));
}

/// Everything that a person needs to decide about one hook.
std::string hook_block(const HookSpec& hook, const Project& project, const Invocation& in) {
  const Console& console = in.console;
  const bool is_trusted = hook.trust == Trust::Trusted;
  const auto files = files_of(hook, project);
  const std::string changes = project.changes_of(hook);
  std::string out = console.styled(Style::Bold, printable(hook.name)) + "  " +
                    (is_trusted ? console.styled(Style::Green, "trusted") : console.styled(Style::Red, "not trusted")) +
                    (changes.empty() ? "" : ", changed since it was trusted");
  out += "\n  event       " + events_text(info_of(hook));
  out += "\n  source      " + place_text({hook.source.file, hook.source.line, 0});
  out += "\n  definition  " + printable(hook.definition);
  const HookInfo info = info_of(hook);
  const std::string label = action_label(info);
  out += "\n  " + label + std::string(kTrustLabelWidth - label.size(), ' ') + printable(info.action);
  out += program_text(hook, in.env);
  out += "\n  files       ";
  // A command without files of the project is pinned by its text only: the program it starts may change.
  const bool starts_something = info.handler == "command" || info.handler == "worker";
  const std::string none =
      starts_something ? "none: only the definition is pinned, not what the command starts" : "none";
  out += files.empty() ? none : printable(text::join(files, ", "));
  if (starts_something) {
    out += "\n  sandbox     " + (info.sandbox.empty()
                                     ? "none: it can do what you can; `sandbox: guard` in your settings.yaml narrows it"
                                     : printable(info.sandbox));
  }
  const auto unpinned = open_parts(hook);
  if (!unpinned.empty()) out += "\n  not pinned  " + printable(text::join(unpinned, "; "));
  out += "\n  digest      " +
         (hook.digest.empty() ? "none, because a file cannot be read, or there are too many" : hook.digest) + "\n";
  if (!changes.empty()) out += "  changes\n" + diff_text(changes, console);
  return out + "\n";
}

/// The same about an MCP server: it is started by the agent, not by an event.
std::string server_block(const ServerSpec& server, const Project& project, const Invocation& in) {
  const Console& console = in.console;
  const HookSpec& own = server.trusted;
  const std::string changes = project.changes_of(own);
  std::string out =
      console.styled(Style::Bold, printable(server.name)) + "  MCP server, " +
      (server.is_trusted() ? console.styled(Style::Green, "trusted") : console.styled(Style::Red, "not trusted")) +
      (changes.empty() ? "" : ", changed since it was trusted");
  out += "\n  source      " + place_text({own.source.file, own.source.line, 0});
  out += "\n  definition  " + printable(own.definition);
  out += "\n  " + std::string(server.command.empty() ? "address     " : "starts      ") + printable(server.address());
  if (!server.command.empty()) {
    out += program_text(own, in.env);
    const auto files = files_of(own, project);
    out += "\n  files       " + (files.empty() ? "none: only the definition is pinned, not what the command starts"
                                               : printable(text::join(files, ", ")));
    const auto unpinned = open_parts(own);
    if (!unpinned.empty()) out += "\n  not pinned  " + printable(text::join(unpinned, "; "));
  }
  out += "\n  digest      " +
         (own.digest.empty() ? "none, because a file cannot be read, or there are too many" : own.digest) + "\n";
  if (!changes.empty()) out += "  changes\n" + diff_text(changes, console);
  return out + "\n";
}

Json hook_json(const HookSpec& hook, const Project& project, const Environment& env) {
  const Program program = program_of(hook.command_text(), env.get("PATH"), start_of(hook));
  const std::string changes = project.changes_of(hook);
  const auto text_or_missing = [](const std::string& text) { return text.empty() ? Json() : Json::string(text); };
  std::vector<Json> unpinned;
  for (const std::string& what : open_parts(hook)) unpinned.push_back(Json::string(what));
  std::vector<Json> files;
  for (const std::string& file : files_of(hook, project)) files.push_back(Json::string(file));
  return Json::object({{"name", Json::string(hook.name)},
                       {"trusted", Json::boolean(hook.trust == Trust::Trusted)},
                       {"source", to_json(hook.source)},
                       {"definition", Json::parse(hook.definition).value_or(Json::null())},
                       {"command", Json::string(hook.command_text())},
                       {"program", text_or_missing(program.path)},
                       {"interpreter", text_or_missing(program.interpreter)},
                       {"files", Json::array(files)},
                       {"not_pinned", unpinned.empty() ? Json() : Json::array(unpinned)},
                       {"digest", Json::string(hook.digest)},
                       {"changes", text_or_missing(changes)}});
}

/// What is wrong with whole files, before the hooks.
std::string broken_lines(const Project& project) {
  std::string out;
  for (const BrokenFile& file : project.broken) {
    if (file.state != BrokenFile::State::Unreadable) continue;
    out += printable(place_text(file.at) + ": " + file.why) + "; " +
           (file.good_from.empty() ? "its hooks cannot be shown"
                                   : "shown is its last good version, of " + file.good_from) +
           "\n\n";
  }
  for (const BrokenFile* file : lost_files(project)) {
    out += printable(place_text(file->at)) + " no longer has its " + count_text(file->good_hooks, "hook") + "\n\n";
  }
  return out;
}

void show(Invocation& in, const Project& project) {
  in.console.out(broken_lines(project));
  for (const HookSpec& hook : project.hooks) in.console.out(hook_block(hook, project, in));
  for (const ServerSpec& server : project.servers) in.console.out(server_block(server, project, in));
}

/// How many things there are to trust.
struct TrustCount {
  size_t hooks = 0;
  size_t servers = 0;

  /// `2 hooks and 1 MCP server`; without numbers if there is only one: `hook`.
  std::string text(bool with_number = true) const {
    const auto part = [&](size_t count, std::string_view noun) {
      return with_number ? count_text(count, noun) : std::string(noun);
    };
    if (servers == 0) return part(hooks, "hook");
    return (hooks == 0 ? "" : part(hooks, "hook") + " and ") + part(servers, "MCP server");
  }
};

/// Asks the person at the terminal. If there is nothing to trust, there are lost files.
bool ask(Console& console, const TrustCount& count) {
  if (count.hooks + count.servers == 0) return says_yes(console, "Forget these files?");
  return says_yes(console, "Trust " + std::string(count.hooks + count.servers == 1 ? "this " : "these ") +
                               count.text(count.hooks + count.servers > 1) + "?");
}

TrustCount count_untrusted(const Project& project) {
  const auto waits = [](const ServerSpec& server) { return !server.is_trusted(); };
  return {static_cast<size_t>(std::ranges::count(project.hooks, Trust::Untrusted, &HookSpec::trust)),
          static_cast<size_t>(std::ranges::count_if(project.servers, waits))};
}

int print_json(Invocation& in, const Project& project, bool all_trusted) {
  std::vector<Json> list;
  for (const HookSpec& hook : project.hooks) list.push_back(hook_json(hook, project, in.env));
  std::vector<Json> servers;
  for (const ServerSpec& server : project.servers) {
    servers.push_back(hook_json(server.trusted, project, in.env).with("name", Json::string(server.name)));
  }
  const Json json = Json::object({{"project", Json::string(project.directory)},
                                  {"trusted", Json::boolean(all_trusted)},
                                  {"hooks", Json::array(list)},
                                  {"servers", Json::array(servers)}});
  in.console.out(json.dump(JsonStyle::Pretty) + "\n");
  return all_trusted ? kOk : kNo;
}

/// Prints the error and returns the exit status for it.
int fail_with(Invocation& in, const Error& error) {
  in.console.say(error.to_string());
  return error.code == Errc::System ? kInternal : kBadUsage;
}

int run_trust(Invocation& in) {
  auto project = load_project(in);
  if (!project) return fail_with(in, project.error());
  const bool as_json = in.args.has("--json");
  const TrustCount waiting = count_untrusted(*project);
  const bool has_any = !project->hooks.empty() || !project->servers.empty();
  if (!as_json) show(in, *project);
  // Nothing to decide: every hook is trusted, or there are none.
  const bool has_lost = !lost_files(*project).empty();
  if (waiting.hooks + waiting.servers == 0 && !has_lost) {
    if (as_json) return print_json(in, *project, true);
    in.console.out(!has_any                   ? "This project has no hooks; there is nothing to trust.\n"
                   : project->servers.empty() ? "All hooks of this project are trusted already.\n"
                                              : "All hooks and MCP servers of this project are trusted already.\n");
    return kOk;
  }
  // Without a terminal nobody can answer, and consent is never assumed.
  const bool may_ask = !as_json && can_ask(in.console);
  if (!in.args.has("--yes") && !(may_ask && ask(in.console, waiting))) {
    if (as_json) return print_json(in, *project, false);
    in.console.say("nothing was trusted" +
                   std::string(may_ask ? "" : "; read the list above, then run it again with --yes"));
    return kNo;
  }
  if (const auto kept = trust_hooks(in.env, *project); !kept) return fail_with(in, kept.error());
  // A hook without a digest cannot be trusted, however often the user agrees.
  const TrustCount left = count_untrusted(*project);
  const bool is_whole = left.hooks + left.servers == 0;
  if (as_json) return print_json(in, *project, is_whole);
  if (!is_whole) {
    in.console.say(left.text() + " cannot be trusted: a file that it names cannot be read or is too large");
  }
  const TrustCount done{project->hooks.size() - left.hooks, project->servers.size() - left.servers};
  const size_t count = done.hooks + done.servers;
  if (count == 0 && has_lost) in.console.out("Forgot the hooks that are gone.\n");
  if (count == 0) return has_lost ? kOk : kNo;
  in.console.out("Trusted " + done.text() + " of " + printable(project->directory) +
                 (count == 1 ? ". It will be" : ". Each will be") +
                 " skipped again if its definition or one of its files changes.\n");
  return is_whole ? kOk : kNo;
}

}  // namespace

const Command kTrust{
    .name = "trust",
    .summary = "show a project's hooks and let them run",
    .about =
        "Hooks and MCP servers that come with a project run only after you trusted exactly these bytes: the definition "
        "and every "
        "file below the project that its command names. This shows each hook with all of that, with what cannot be "
        "pinned and "
        "with what is different since you trusted it last, and asks. When any "
        "of it changes, the hook is skipped until you look again. What is trusted is kept in your state "
        "directory, out of the project's reach.",
    .arguments = kTrustArguments,
    .options = kTrustOptions,
    .examples = R"(  grapnel trust
  grapnel trust ~/src/app --yes
  grapnel trust --json | jq -r '.hooks[] | select(.trusted | not) | .name'
)",
    .run = run_trust,
    .for_people = [](const Arguments&) { return ForPeople::NotAgent; },
};

}  // namespace grapnel::cli
