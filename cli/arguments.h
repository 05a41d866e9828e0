#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// From the words of a command line to values.
///
/// Each verb describes its options and arguments in a table of rows (command.h). The parser knows only these rows, and
/// a verb asks for a value by the name that its row has: `args.text("--project")`, `args.has("--json")`,
/// `args.all("FILE")`.
namespace grapnel::cli {

struct Command;

/// The kind of a value. Shells use it to complete the value; the parser does not check it.
enum class ValueKind : uint8_t {
  None,
  Text,
  File,
  Directory,
  Event,
  Dialect,
  Agent,
  Shell,
  Job,           ///< what `grapnel init` can set up
  Hook,          ///< the name of a hook that applies here
  Session,       ///< the id of a session on record
  AgentSession,  ///< the id of a session that `grapnel agent` can continue
  EventId,       ///< the id of an event on record
  Fixture,       ///< a test file, or a directory with some
  Pack,          ///< the name of a pack of the project or the user
};

/// One option of a verb. If the value is written as `one|of|these`, the parser accepts only these words.
struct OptionRow {
  std::string_view name;        ///< `--json`
  std::string_view short_name;  ///< `-v`, or ""
  std::string_view value;       ///< `FILE`, `one|of|these`, or "" for a switch
  std::string_view help;
  ValueKind kind = ValueKind::None;
  bool repeats = false;
  bool may_stand_alone = false;  ///< the value may be left out; then it is ""
};

/// The words that an option accepts, from a value like `one|of|these`; empty when any value is allowed.
std::vector<std::string_view> choices_of(const OptionRow& row);

/// One positional argument. Only the last one of a verb may repeat.
struct ArgumentRow {
  std::string_view name;  ///< `EVENT`
  std::string_view help;
  ValueKind kind = ValueKind::Text;
  bool required = false;
  bool repeats = false;
};

/// The values of a command line, found by the names of their rows. An option without a value (a switch) is present with
/// no values.
class Arguments {
 public:
  bool has(std::string_view name) const { return values_.contains(name); }
  /// The last value, or "" when there is none.
  std::string text(std::string_view name) const;
  const std::vector<std::string>& all(std::string_view name) const;

  void add(std::string_view name, std::vector<std::string> values);

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

/// Reads the words after the verb with the help of its rows. `--help` is always accepted and comes through as a switch,
/// even if other words are wrong. The error is a sentence for people.
std::expected<Arguments, std::string> parse_arguments(const Command& command, std::span<const std::string> words);

}  // namespace grapnel::cli
