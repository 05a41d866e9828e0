#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace grapnel::cli {

struct Command;

/// What a value is, so that a shell can complete it.
enum class ValueKind : uint8_t { None, Text, File, Directory, Event, Dialect, Agent, Shell };

/// One option of a verb.
struct OptionRow {
  std::string_view name;        ///< `--json`
  std::string_view short_name;  ///< `-v`, or ""
  std::string_view value;       ///< `FILE`, `one|of|these`, or "" for a switch
  std::string_view help;
  ValueKind kind = ValueKind::None;
  bool repeats = false;
  bool may_stand_alone = false;  ///< the value may be left out; then it is ""
};

/// The words `one|of|these` stands for; none when a value is free.
std::vector<std::string_view> choices_of(const OptionRow& row);

/// One positional argument.
struct ArgumentRow {
  std::string_view name;  ///< `EVENT`
  std::string_view help;
  ValueKind kind = ValueKind::Text;
  bool required = false;
  bool repeats = false;
};

/// The values of a command line, by the names of their rows.
class Arguments {
 public:
  bool has(std::string_view name) const { return values_.contains(name); }
  /// The value, or "".
  std::string text(std::string_view name) const;
  const std::vector<std::string>& all(std::string_view name) const;

  void add(std::string_view name, std::vector<std::string> values);

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

/// Reads the words after the verb by its rows; `--help` comes through as a switch. The error is a sentence for people.
std::expected<Arguments, std::string> parse_arguments(const Command& command, std::span<const std::string> words);

}  // namespace grapnel::cli
