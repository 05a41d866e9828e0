#pragma once

#include <string>
#include <vector>

#include "bridge/entry.h"

/// Our entries in a settings file in JSON. Everything else in the file stays byte for byte.
namespace grapnel {

/// A file with our entries in it.
struct EditedSettings {
  std::string text;
  std::vector<std::string> made;  ///< pointers of the containers that were not there before
};

/// A group of our own behind the others of each event. Fails: BadConfig at the place (file left empty) of what cannot
/// be read or is no container where one must be.
Result<EditedSettings> add_json_entries(std::string_view text, const Wiring& wiring);

/// Without any entry of ours, wherever people have moved it. Of containers that are empty then, those in `made` go as
/// well; all when nothing is known about who made them. Fails: BadConfig at the place.
Result<std::string> remove_json_entries(std::string_view text, const Dialect& dialect,
                                        const std::vector<std::string>* made);

/// Our entries, by event, with their places: the group and the position in it.
struct FoundEntry {
  std::string event;  ///< as the file spells it
  size_t group = 0;
  size_t index = 0;
  Json entry;
};
std::vector<FoundEntry> find_json_entries(std::string_view text, const Dialect& dialect);

}  // namespace grapnel
