#include "cli/guesses.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "cli/program_help.h"

namespace grapnel::cli {
namespace {

TEST(AllVerbs, AreInTheHelp) {
  EXPECT_GE(all_verbs().size(), 23U);
}

TEST(Guesses, LeadToVerbsThatExist) {
  const auto verbs = all_verbs();
  for (const VerbGuess& row : verb_guesses()) {
    SCOPED_TRACE(row.guess);
    EXPECT_EQ(std::ranges::count(verbs, row.guess), 0) << "it is a verb, so it needs no row";
    const std::string meant(row.meant);
    const std::string verb = meant.substr(0, meant.find(' '));
    EXPECT_EQ(std::ranges::count(verbs, verb), 1) << "there is no verb " << verb;
    if (verb == meant) continue;
    const std::string option = meant.substr(verb.size() + 1);
    EXPECT_NE(output_of(verb + " --help").find(option), std::string::npos) << verb << " has no " << option;
  }
}

TEST(Guesses, EachIsThereOnce) {
  for (const VerbGuess& row : verb_guesses()) {
    EXPECT_EQ(std::ranges::count(verb_guesses(), row.guess, &VerbGuess::guess), 1) << row.guess;
  }
}

}  // namespace
}  // namespace grapnel::cli
