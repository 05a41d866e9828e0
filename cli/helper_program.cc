#include "cli/helper_program.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <sys/auxv.h>

#include "base/error.h"
#include "base/text.h"
#include "os/resolve.h"
#include "run/supervisor.h"

namespace grapnel::cli {

namespace {

/// The directory of this program's file, even if it was started through a link or from PATH. Where there is no /proc,
/// it is that of the name the kernel was given. Never empty, because an empty entry of PATH means the current
/// directory.
std::string own_directory() {
  std::error_code error;
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto* const started_as = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  if (error && started_as != nullptr) program = std::filesystem::absolute(started_as, error);
  return program.has_parent_path() ? program.parent_path().string() : "/nonexistent";
}

}  // namespace

Result<std::string> find_helper_program(const Environment& env, std::string_view program) {
  // Our own directory comes first: programs of one build belong together, and PATH may hold another version.
  const std::string beside = own_directory();
  auto path = os::find_executable(program, beside + ":" + std::string(env.get("PATH")), ".");
  if (path) return *path;
  return fail(Errc::NotFound, std::string(program) + " is not installed: it is neither in " + printable(beside) +
                                  " nor in a directory of PATH");
}

Result<std::vector<HelperAnswer>> ask_helper_program(const Environment& env, std::string_view program,
                                                     const std::vector<std::vector<std::string>>& words,
                                                     std::chrono::milliseconds patience) {
  const auto path = find_helper_program(env, program);
  if (!path) return std::unexpected(path.error());
  std::vector<ChildSpec> children;
  for (const std::vector<std::string>& own : words) {
    std::vector<std::string> argv = {std::string(program)};
    argv.insert(argv.end(), own.begin(), own.end());
    children.push_back(
        {.path = *path, .argv = argv, .env = env, .cwd = "", .stdin_bytes = nullptr, .timeout = patience});
  }
  std::vector<HelperAnswer> answers;
  const ChildLimits limits{.max_output = size_t{64} << 20};
  for (const RunOutcome& outcome : run_children(children, 0, limits, {})) {
    const auto* const exited = std::get_if<Exited>(&outcome.ending);
    if (exited == nullptr) return fail(Errc::Unavailable, describe(outcome.ending));
    answers.push_back(
        {exited->code, outcome.out.bytes, std::string(text::trim(text::to_valid_utf8(outcome.err.bytes)))});
  }
  return answers;
}

// A program that fails explains itself on standard error; if it wrote nothing, how it ended has to do.
Result<std::string> run_helper_program(const Environment& env, std::string_view program, std::vector<std::string> words,
                                       std::chrono::milliseconds patience) {
  auto answers = ask_helper_program(env, program, {std::move(words)}, patience);
  if (!answers) return std::unexpected(answers.error());
  HelperAnswer& answer = answers->front();
  if (answer.status == 0) return std::move(answer.out);
  return fail(Errc::Unavailable, answer.err.empty() ? describe(Exited{answer.status}) : answer.err);
}

// exec instead of a child process: the other program inherits the terminal, the signals and the exit status, and there
// is no second process that waits for it.
int become_helper_program(Invocation& in, std::string_view program, std::vector<std::string> words) {
  const auto path = find_helper_program(in.env, program);
  if (!path) {
    in.console.say(path.error().message);
    return kInternal;
  }
  words.insert(words.begin(), std::string(program));
  // execv wants pointers to writable strings and a null pointer at the end.
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(path->c_str(), argv.data());
  in.console.say("cannot start " + printable(*path) + ": " + std::strerror(errno));
  return kInternal;
}

}  // namespace grapnel::cli
