#include "discover/formats/yaml_mistake.h"

#include <gtest/gtest.h>

#include "discover/formats/frontmatter.h"

/// What a reader of YAML says about the mistakes that people make: at the mistake, and with the way out of it.
namespace grapnel {
namespace {

struct MistakeCase {
  const char* note;
  const char* yaml;
  const char* want;
};

constexpr MistakeCase kMistakes[] = {
    {"a tab", "a:\n\tb: 1\n", "2:1: a tab indents this line (indent with spaces; YAML does not accept tabs)"},
    {"a tab behind spaces", "a:\n  \tb: 1\n",
     "2:3: a tab indents this line (indent with spaces; YAML does not accept tabs)"},
    {"a star", "a: **/.env\n",
     "1:4: a value that starts with '*' is a reference in YAML (put it in quotes: '**/.env')"},
    {"a star in brackets", "a: [x, *.lock] # two\n",
     "1:8: a value that starts with '*' is a reference in YAML (put it in quotes: '*.lock')"},
    {"a star in a list", "a:\n  - *.lock # one\n",
     "2:5: a value that starts with '*' is a reference in YAML (put it in quotes: '*.lock')"},
    {"an at sign", "a: @me\n", "1:4: a value cannot start with '@' in YAML (put it in quotes: '@me')"},
    {"a percent sign", "a: %s\n", "1:4: a value cannot start with '%' in YAML (put it in quotes: '%s')"},
    {"a backtick", "a: `x` don't\n", "1:4: a value cannot start with '`' in YAML (put it in quotes: \"`x` don't\")"},
    {"an exclamation mark", "a: !src/**\n",
     "1:4: a value that starts with '!' is a tag in YAML (put it in quotes: '!src/**')"},
    {"an ampersand", "a: &b c\n", "1:4: a value that starts with '&' is an anchor in YAML (put it in quotes: '&b c')"},
    {"a placeholder", "run: {project}/x {path}\n",
     "1:6: a value that starts with '{' is a map in YAML, and this one goes on behind it (put the whole value in "
     "quotes: '{project}/x {path}')"},
    {"a character class", "a: { b: [Mm]akefile, c: d }\n",
     "1:9: a value that starts with '[' is a list in YAML, and this one goes on behind it (put the whole value in "
     "quotes: '[Mm]akefile')"},
    {"a key further in", "a: 1\n  b: 2\n",
     "2:3: this key is indented by 2, unlike the keys above it (indent it by 0, like 'a' in line 1)"},
    {"a key further out", "a:\n    b: 1\n  c: 2\n",
     "3:3: this key is indented by 2, unlike the keys above it (indent it by 4, like 'b' in line 2)"},
    {"a key below its dash", "a:\n  - b: 1\n  c: 2\n",
     "3:3: this key is indented by 2, unlike the keys above it (indent it by 4, like 'b' in line 2)"},
    {"a dash further in", "a:\n  - b: 1\n   - b: 2\n",
     "3:4: this dash is indented by 3, unlike the dashes above it (indent it by 2, like the dash in line 2)"},
    {"no space after a colon", "a:\n  on:Stop\n  run: x\n", "2:3: there is no space after 'on:' (write on: Stop)"},
    {"no space after a dash", "a:\n  -b: 1\n   c: 2\n", "2:3: there is no space after the dash (write - b: 1)"},
    {"a colon in a text", "a: Not here: ask\n",
     "1:4: the value of 'a' contains ': ', which starts a map in YAML (put the value in quotes: 'Not here: ask')"},
    {"no comma", "a: { b: c d: e }\n",
     "1:11: there is no comma before 'd' (write a comma between two members, or put a text with ': ' in quotes)"},
    {"an open quote", "a: 'x\nb: y\nc: z\n", "1:4: the quote that starts here is not closed (end the text with ')"},
    {"an open quote, then the end", "a: 1\nb: 'x\n",
     "2:4: the quote that starts here is not closed (end the text with ')"},
    {"an open quote in the last list", "a:\n  - \"x\n  - y\n",
     "2:5: the quote that starts here is not closed (end the text with \")"},
    {"an open quote before another", "a: { b: 'x }\nc: y\nd: 'z'\n",
     "1:9: the quote that starts here is not closed (end the text with ')"},
    {"an open double quote", "a: \"x\nb: y\n", "1:4: the quote that starts here is not closed (end the text with \")"},
    {"an apostrophe", "a: 'don't'\n",
     "1:8: the text goes on behind its closing quote (write '' for an apostrophe inside single quotes, or use double "
     "quotes)"},
    {"quotes in double quotes", "a: \"say \"no\"\"\n",
     "1:9: the text goes on behind its closing quote (write \\\" for a quote inside double quotes, or use single "
     "quotes)"},
    {"an open brace", "a: { b: c\nd: e\n", "1:4: '{' is not closed (end it with })"},
    {"an open bracket at the end", "a: [\n", "1:4: '[' is not closed (end it with ])"},
    {"the wrong bracket", "a: { b: [c, d }\n", "1:9: '[' is closed with '}' (end it with ])"},
    {"a bracket too many", "a: { b: c }}\n", "1:11: there is a closing bracket too many (remove it)"},
    {"an escape", "a: \"C:\\Users\"\n",
     "1:7: a backslash in double quotes starts an escape in YAML (put the text in single quotes)"},
    {"a key twice", "a: 1\nb: 2\na: 3\n",
     "3:1: a second 'a' beside the one in line 1 is not allowed here (join the two, or remove one)"},
    {"two documents", "a: 1\n---\nb: 2\n",
     "2:1: '---' starts a second document, and a file is one (remove the '---'; all hooks are in one list)"},
    {"a second document with a comment only", "a: 1\n---\n# nothing\n",
     "2:1: '---' starts a second document, and a file is one (remove the '---'; all hooks are in one list)"},
    {"a second document with nothing", "a: 1\n\n---\n",
     "3:1: '---' starts a second document, and a file is one (remove the '---'; all hooks are in one list)"},
    {"a merge", "a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> other\n",
     "2:1: git could not merge this file (decide between the two versions and remove git's marks)"},
    {"a block of text is not looked at", "a: |\n  don't { look 'here\nb: [\n",
     "3:4: '[' is not closed (end it with ])"},
    {"nor is a comment", "a: 1 # don't { look 'here\nb: [\n", "2:4: '[' is not closed (end it with ])"},
    {"nor an apostrophe in a word", "a: don't [x\nb: [\n", "2:4: '[' is not closed (end it with ])"},
    {"a text over several lines", "a: 'one\n  two'\nb: [\n", "3:4: '[' is not closed (end it with ])"},
    {"brackets over several lines", "a: [\n  b,\n  c ]\nd: {\n", "4:4: '{' is not closed (end it with })"},
    {"behind a byte-order mark",
     "\xEF\xBB\xBF"
     "a: *b\n",
     "1:4: a value that starts with '*' is a reference in YAML (put it in quotes: '*b')"},
};

TEST(YamlMistake, IsReportedWhereItIsWithAWayOut) {
  for (const MistakeCase& c : kMistakes) {
    SCOPED_TRACE(c.note);
    const auto read = read_yaml_fields(c.yaml, "f");
    ASSERT_FALSE(read.has_value());
    const ConfigProblem problem = explain_yaml_error(c.yaml, read.error());
    const std::string place = std::to_string(problem.at.line) + ":" + std::to_string(problem.at.column) + ": ";
    ASSERT_TRUE(problem.message.starts_with("Invalid YAML: ")) << problem.message;
    EXPECT_EQ(place + problem.message.substr(14) + " (" + problem.hint + ")", c.want);
  }
}

TEST(YamlMistake, KeepsWhatIsNoMatterOfSyntax) {
  const auto read = read_yaml_fields("- a\n", "f");
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(explain_yaml_error("- a\n", read.error()).message, "the file must be a YAML mapping");
}

/// In a HOOK.md the lines of the file count, and the prose below is not looked at.
TEST(YamlMistake, IsFoundInFrontmatter) {
  const std::string document = "---\nname: a\npattern: *x\n---\ndon't { look 'here\n";
  const auto read = read_frontmatter(document, "HOOK.md");
  ASSERT_FALSE(read.has_value());
  const ConfigProblem problem = explain_yaml_error(document, read.error());
  EXPECT_EQ(problem.message, "Invalid YAML in frontmatter: a value that starts with '*' is a reference in YAML");
  EXPECT_EQ(problem.at.line, 3U);
  EXPECT_EQ(problem.at.column, 10U);
  EXPECT_EQ(problem.hint, "put it in quotes: '*x'");
}

}  // namespace
}  // namespace grapnel
