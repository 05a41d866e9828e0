#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grapnel/error.h"

/// New rules, for people who would rather not start with an empty file.
namespace grapnel::cli {

struct NewRule {
  std::string name;
  std::string description;                                ///< or ""
  std::vector<std::string> events;                        ///< as they are to be spelled
  std::vector<std::pair<std::string, std::string>> when;  ///< keys of `when`; a key that is there twice becomes a list
  std::string action;                                     ///< `deny`, `run`…
  std::string value;                                      ///< its text
};

/// The rule as an entry of a rule file's list, `indent` columns in.
std::string rule_text(const NewRule& rule, size_t indent = 2);

/// A rule file with the rule at its end; all that was there stays as it is, byte for byte. "" is a file that is not
/// there yet. Fails: BadInput when the rule cannot be used, or has a name that is taken; BadConfig when the file has
/// mistakes, or is written in a way that nothing can be put behind.
Result<std::string> add_rule(const std::string& file, const NewRule& rule, const std::string& path);

}  // namespace grapnel::cli
