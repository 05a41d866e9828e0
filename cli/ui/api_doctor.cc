#include "cli/helper_program.h"
#include "cli/ui/api.h"

namespace grapnel::cli {

namespace {

constexpr std::string_view kEngineProgram = "grapnel-engine";
constexpr std::chrono::seconds kPatience{60};

/// What a verb printed as JSON; what it said on standard error if it printed none.
Json parsed(const HelperAnswer& answer) {
  if (auto json = Json::parse(answer.out)) return *json;
  return Json::object({{"error", Json::object({{"message", Json::string(answer.err)}})}});
}

}  // namespace

Answer run_doctor(Ui& ui, const HttpRequest&) {
  const auto answers = ask_helper_program(ui.env, kEngineProgram,
                                          {{"doctor", "--json"},
                                           {"log", "--verify", "--json"},
                                           {"serve", "--status", "--json"},
                                           {"status", "--json"},
                                           {"--version"}},
                                          kPatience);
  if (!answers) return std::unexpected(answers.error());
  const Json verified = parsed((*answers)[1]);
  if (verified["faults"].is_array()) ui.chain.note(verified["faults"].size() == 0);
  return Json::object({{"doctor", parsed((*answers)[0])},
                       {"verify", verified},
                       {"serve", parsed((*answers)[2])},
                       {"status", parsed((*answers)[3])},
                       {"version", Json::string((*answers)[4].out)}});
}

}  // namespace grapnel::cli
