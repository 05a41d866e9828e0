#pragma once

#include <string>
#include <utility>
#include <vector>

#include "protect/shell_review.h"

namespace grapnel::protect {

/// Whether the word is an option: a dash, and something behind it.
bool is_option(const shell::Word& word);

/// The words without the program and its options. Values of options are included, as no table says which options take
/// one.
std::vector<const shell::Word*> operands_of(const shell::SimpleCommand& command);

/// Whether the file is there, as itself or as a link to nothing.
bool is_there(const std::string& path);

/// The places that the words of one text lead to. It is not worked out which `cd` applies to which command: every name
/// is read relative to each directory that the text changes to. Borrows what it is made from. Thread: one.
class NamedPlaces {
 public:
  NamedPlaces(const ProtectedPlaces& places, const ReviewContext& around);

  /// Whether the current directory or the home is in this one, so that it is about much more than places.
  bool is_around(const std::string& path) const;
  /// Notes the directories that a command changes to: `cd dir`, `pushd dir`, `git -C dir`, `make -C dir`.
  void note_directories(const shell::SimpleCommand& command);
  /// Notes which directories have another name in a container: `-v /home/me:/h`, `--mount source=/home/me,target=/h`.
  void note_mounts(const shell::SimpleCommand& command);
  /// All absolute names that a name may mean: one for each directory of `bases_`.
  std::vector<std::string> paths_of(const std::string& name) const;
  /// The place that a word leads to: the word itself, or a name behind `=` or attached to an option.
  const ProtectedPlace* place_at(const shell::Word& word) const;
  /// A name that is attached to a short option: `-ofile`.
  const ProtectedPlace* attached(const shell::Word& word) const;
  /// The place that the whole word leads to, as a name or as a glob.
  const ProtectedPlace* named_at(const shell::Word& word) const;
  /// A place that a word with unknown parts may lead to: the known front leads to a directory that contains a place, or
  /// the known end is the end of a place's name.
  const ProtectedPlace* place_around_gaps(const shell::Word& word) const;
  /// The same for a directory that is about little more than places.
  const ProtectedPlace* place_inside(const shell::Word& word) const;
  /// A place that exists below the directory that the word names.
  const ProtectedPlace* place_below(const shell::Word& word) const;

  const ProtectedPlaces& places() const { return places_; }
  /// The directories that names may be relative to.
  const std::vector<std::string>& bases() const { return bases_; }

 protected:
  const ProtectedPlaces& places_;
  const ReviewContext& around_;
  std::vector<std::string> bases_;                           ///< directories that names may be relative to
  std::vector<std::pair<std::string, std::string>> mounts_;  ///< names in a container, and those outside
};

}  // namespace grapnel::protect
