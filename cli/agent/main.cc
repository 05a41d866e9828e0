#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "cli/agent/conversation.h"
#include "cli/agent/delegated_tasks.h"
#include "cli/agent/orphan_killer.h"
#include "cli/agent/waiting_process.h"
#include "cli/agent_command.h"
#include "cli/hook_source.h"
#include "grapnel_agent/judge.h"

/// The program behind `grapnel agent`:
///
///   settings.h      the command line → options
///   conversation.h  one prompt (prompt.cc), or a conversation (conversation.cc)
///   output.h        prints the answer to one prompt
///   terminal_ui.h   shows a conversation and asks questions; line_editor.h reads what is typed
///   slash.h         commands of a conversation; folded_output.h keeps what /show shows
///   journal.h       writes everything that happens to a file
///   signals.h       handles Ctrl-C and requests to end
///   orphan_killer.h    ends child processes if the agent is killed
///   waiting_process.h  the caller does not wait for async hooks
///   delegated_tasks.h  work that `grapnel` passes on to this program
namespace grapnel::cli {

namespace {

constexpr size_t kMaxPrompt = size_t{4} << 20;

/// One per process. `run_program` waits for them.
BackgroundHooks& background_hooks() {
  static BackgroundHooks hooks;
  return hooks;
}

/// Reads all of standard input as the prompt. Fails: BadInput when it is empty, LimitExceeded.
Result<std::string> read_prompt_from_stdin() {
  std::string text;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0) return fail_errno("cannot read the prompt");
    if (count == 0) break;
    text.append(buffer.data(), static_cast<size_t>(count));
    if (text.size() > kMaxPrompt) return fail(Errc::LimitExceeded, "the prompt is too long");
  }
  if (text::trim(text).empty()) return fail(Errc::BadInput, "there is no prompt: give one, or pipe it in");
  return std::string(text::trim(text));
}

/// The program's directory comes from /proc, because `argv[0]` need not be a path.
StartConditions look_around() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return {::isatty(STDIN_FILENO) == 1, ::isatty(STDOUT_FILENO) == 1, program.parent_path().string()};
}

/// Adds the parts that every run needs: a model and a sink for records. Fails with a message for people.
Result<void> complete(Run& run) {
  auto model = llm::make_model_client(run.settings.provider);
  if (!model) return std::unexpected(model.error());
  run.settings.options.model = std::move(*model);
  std::shared_ptr<RecordSink> records = open_records(run.env);
  if (!run.settings.journal.empty()) {
    auto journal = Journal::open(run.settings.journal, Mask(secret_patterns(run.env)), records);
    if (!journal) return std::unexpected(journal.error());
    run.journal = *journal;
    records = *journal;
  }
  run.settings.options.engine_options.recording.sink = records;
  if (run.settings.plays_bundled_session) {
    // The recorded session has no answers for prompt hooks. They fail with the message that says how to set up a model.
    llm::ProviderOptions nothing{.env = run.env};
    const auto none = llm::make_model_client(nothing);
    run.settings.options.engine_options.host.judge = agent::make_judge({.no_model = none ? "" : none.error().message});
  }
  run.settings.options.engine_options.host.background = [](std::function<void()> work) {
    background_hooks().run(std::move(work));
  };
  // Events for which no hook ran are recorded as well, as with `grapnel fire`.
  run.settings.options.engine_options.recording.unmatched = true;
  return {};
}

/// `Signals` comes first: threads that start later inherit its signal mask.
int run_agent(Invocation& in) {
  Signals signals;
  auto settings = read_settings(in.args, in.env, look_around());
  if (!settings) return report_input(in.console, printable(settings.error().to_string()));
  Run run{std::move(*settings), nullptr, in.console, in.env, signals};
  if (!run.settings.is_conversation && run.settings.prompt.empty()) {
    auto prompt = read_prompt_from_stdin();
    if (!prompt) return report_input(in.console, prompt.error().message);
    run.settings.prompt = std::move(*prompt);
  }
  if (auto done = complete(run); !done) return report_input(in.console, printable(done.error().to_string()));
  if (run.settings.plays_bundled_session) {
    in.console.say("no model is set up, so a recorded session is played; see `grapnel agent --help`");
  }
  for (const std::string& warning : run.settings.warnings) in.console.say(printable(warning));
  const int status = run.settings.is_conversation ? run_conversation(run) : run_prompt(run);
  if (run.journal != nullptr && !run.journal->is_complete()) in.console.say("the journal is not complete");
  return status;
}

int run(std::span<const std::string> words, Console& console, const Environment& env) {
  const Command command = agent_command(run_agent);
  const auto args = parse_arguments(command, words);
  if (!args) return report_usage(console, command.name, args.error());
  return run_verb(command, {*args, console, env, words});
}

/// The hooks show their ends on the console, so they are waited for while it exists.
int run_program(std::span<const std::string> words, const Environment& env, WaitingProcess& caller) {
  Console console(env);
  const int status = run_guarded(console, words, [&] { return run(words, console, env); }).value_or(kInternal);
  if (background_hooks().are_running()) caller.release(status);
  background_hooks().wait();
  return status;
}

}  // namespace

}  // namespace grapnel::cli

int main(int argc, char** argv) {
  const auto words = grapnel::cli::begin_program(argc, argv);
  if (argc == 3 && argv[1] == grapnel::cli::kTaskOption) {
    return grapnel::cli::run_delegated_task(argv[2], grapnel::cli::all_delegated_tasks(),
                                            grapnel::Environment::of_process());
  }
  grapnel::cli::start_orphan_killer(argv);
  auto caller = grapnel::cli::WaitingProcess::split();
  return grapnel::cli::run_program(words, grapnel::Environment::of_process(), caller);
}
