#pragma once

#include <string>
#include <vector>

#include "bridge/entry.h"

/// Our entries in a JSON settings file. Everything else in the file stays byte for byte.
namespace grapnel {

/// A settings file with our entries.
struct EditedSettings {
  std::string text;
  std::vector<std::string> made;  ///< JSON pointers of the containers that did not exist before
};

/// Adds a group of our own behind the other groups of each event. Fails: BadConfig, with the position but without the
/// file name, when the text cannot be read or a value is not the container that it must be.
Result<EditedSettings> add_json_entries(std::string_view text, const Wiring& wiring);

/// Removes all our entries, even if people have moved them. Containers that become empty are removed if they are in
/// `made`, or always if `made` is null because nobody knows who made them. Fails: BadConfig, with the position.
Result<std::string> remove_json_entries(std::string_view text, const Dialect& dialect,
                                        const std::vector<std::string>* made);

/// Our entries in a text.
std::vector<FoundEntry> find_json_entries(std::string_view text, const Dialect& dialect);

}  // namespace grapnel
