#include "cli/helper_program.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "os/resolve.h"
#include "run/supervisor.h"

namespace grapnel::cli {

namespace {

/// The directory of this program's file, even if it was started through a link or from PATH.
std::string own_directory() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path().string();
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

Result<std::string> run_helper_program(const Environment& env, std::string_view program, std::vector<std::string> words,
                                       std::chrono::milliseconds patience) {
  const auto path = find_helper_program(env, program);
  if (!path) return path;
  words.insert(words.begin(), std::string(program));
  const ChildSpec child{
      .path = *path, .argv = std::move(words), .env = env, .cwd = "", .stdin_bytes = nullptr, .timeout = patience};
  // A program that fails explains itself on standard error; if it wrote nothing, how it ended has to do.
  const RunOutcome outcome = run_children({&child, 1}, 0, {}, {}).front();
  const auto* const exited = std::get_if<Exited>(&outcome.ending);
  if (exited != nullptr && exited->code == 0) return outcome.out.bytes;
  const std::string said(text::trim(text::to_valid_utf8(outcome.err.bytes)));
  return fail(Errc::Unavailable, said.empty() ? describe(outcome.ending) : said);
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
