#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grapnel/error.h"

/// Writes new rules for `grapnel new` and `grapnel init`, so that people do not have to start with an empty file.
namespace grapnel::cli {

/// A rule as the command line describes it.
struct NewRule {
  std::string name;
  std::string description;                                ///< or ""
  std::vector<std::string> events;                        ///< as they are written into the file
  std::vector<std::pair<std::string, std::string>> when;  ///< keys and values; a key that is given twice becomes a list
  std::string action;                                     ///< `deny`, `run`…
  std::string value;                                      ///< the reason, text or command
  std::string sandbox = {};                               ///< of its program, or ""
  std::vector<std::string> answers = {};                  ///< of an allow: the hooks whose questions it answers
};

/// The rule as an entry in the list of a rule file, indented by two columns.
std::string rule_text(const NewRule& rule);

/// The text of a rule file with the rule added at its end; everything else stays as it is, byte for byte. `file` is the
/// old text, "" when the file does not exist yet. Fails: BadInput when the rule cannot be used or its name is already
/// used; BadConfig when the file has mistakes, or is written in a way that nothing can be appended.
Result<std::string> add_rule(const std::string& file, const NewRule& rule, const std::string& path);

/// Adds the rule to the file at that path, which is created if it does not exist. Fails: as `add_rule`; System.
Result<void> write_rule(const NewRule& rule, const std::string& path);

/// The same for the text of one or more entries, which are correct and indented by two columns.
Result<std::string> add_entries(const std::string& file, const std::string& entries, const std::string& path);

}  // namespace grapnel::cli
