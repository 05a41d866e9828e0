#include "cli/init/menu.h"

#include <charconv>

#include "base/error.h"
#include "base/text.h"
#include "cli/ask.h"

namespace grapnel::cli {

namespace {

constexpr int kTries = 3;
/// What most people want first; Enter alone chooses it.
constexpr std::string_view kUsual = "1 2";

/// The name of a job for a number in the menu; any other word stays as it is.
std::string name_for(std::string_view word) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(word.begin(), word.end(), number);
  const bool is_number = error == std::errc{} && end == word.end();
  const bool is_job = is_number && number >= 1 && number <= all_jobs().size();
  return std::string(is_job ? all_jobs()[number - 1].name : word);
}

Result<std::vector<const Job*>> jobs_in(const std::string& answer) {
  std::string spaced = answer;
  for (char& c : spaced) c = c == ',' || c == '\t' ? ' ' : c;
  std::vector<std::string> names;
  for (const std::string_view word : text::split(spaced, ' ')) {
    if (!word.empty()) names.push_back(name_for(word));
  }
  return jobs_named(names);
}

}  // namespace

Result<std::vector<const Job*>> ask_for_jobs(Console& console) {
  console.out("What should Grapnel do here?\n\n" + jobs_text() + "\n");
  for (int i = 0; i < kTries; ++i) {
    std::string answer = answer_to(console, "Numbers or names, 'all', or 'q' to leave [" + std::string(kUsual) + "]: ");
    if (answer == "q") break;
    if (answer.empty()) answer = kUsual;
    auto jobs = jobs_in(answer);
    if (jobs && !jobs->empty()) return jobs;
    console.say(jobs ? "that names no job" : jobs.error().message);
  }
  return fail(Errc::BadInput, "nothing was written");
}

std::vector<const Adapter*> ask_for_agents(Console& console, const std::vector<const Adapter*>& found) {
  std::vector<const Adapter*> out;
  for (const Adapter* adapter : found) {
    if (says_yes(console, "Let " + std::string(adapter->title) + " call Grapnel?", true)) out.push_back(adapter);
  }
  return out;
}

}  // namespace grapnel::cli
