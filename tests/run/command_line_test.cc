#include "run/command_line.h"

#include <gtest/gtest.h>

namespace grapnel {

namespace {

struct QuoteCase {
  const char* note;
  const char* command;
  const char* want;
};

TEST(CommandLine, VariablesStayOneWordWhereverTheyStand) {
  const QuoteCase cases[] = {
      {"unquoted", "$GEMINI_CWD/a.sh", "\"${GEMINI_CWD}\"/a.sh"},
      {"braces", "${GEMINI_CWD}/a.sh", "\"${GEMINI_CWD}\"/a.sh"},
      {"double quotes", "\"$GEMINI_CWD/a b\"", "\"${GEMINI_CWD}/a b\""},
      {"single quotes", "'$GEMINI_CWD/a b'", "''\"${GEMINI_CWD}\"'/a b'"},
      {"substitution", "x=$(ls $GEMINI_CWD)", "x=$(ls \"${GEMINI_CWD}\")"},
      {"substitution in double quotes", "\"$(ls $GEMINI_CWD) $GEMINI_CWD\"",
       "\"$(ls \"${GEMINI_CWD}\") ${GEMINI_CWD}\""},
      {"backticks", "`ls $GEMINI_CWD`", "`ls \"${GEMINI_CWD}\"`"},
      {"escaped", "\\$GEMINI_CWD", "\\$GEMINI_CWD"},
      {"a longer name", "$GEMINI_CWD_X", "$GEMINI_CWD_X"},
      {"a default", "${GEMINI_CWD:-x}", "${GEMINI_CWD:-x}"},
      {"another variable", "$HOME", "$HOME"},
      {"a quote behind an escape", "it\\'s $GEMINI_CWD", "it\\'s \"${GEMINI_CWD}\""},
      {"another shell's program", "sh -c 'cd $GEMINI_CWD && ls'", "sh -c 'cd ${GEMINI_CWD} && ls'"},
      {"in double quotes", "bash -ec \"cd $GEMINI_CWD\"", "bash -ec \"cd \\${GEMINI_CWD}\""},
      {"behind options", "/bin/bash --norc -c 'ls $GEMINI_CWD'", "/bin/bash --norc -c 'ls ${GEMINI_CWD}'"},
      {"eval", "eval \"ls $GEMINI_CWD\"", "eval \"ls \\${GEMINI_CWD}\""},
      {"arguments of that shell", "sh -c 'ls $1' '$GEMINI_CWD'", "sh -c 'ls $1' ''\"${GEMINI_CWD}\"''"},
      {"what follows that program", "sh -c 'x' $(ls $GEMINI_CWD)", "sh -c 'x' $(ls \"${GEMINI_CWD}\")"},
      {"not a shell", "grep -c '$GEMINI_CWD' f", "grep -c ''\"${GEMINI_CWD}\"'' f"},
  };
  for (const QuoteCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(quote_variables(c.command, kGeminiDialect.process.variables), c.want);
  }
}

}  // namespace

}  // namespace grapnel
