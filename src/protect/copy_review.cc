#include "protect/copy_review.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "call/words.h"
#include "protect/command_words.h"

namespace grapnel::protect {

namespace {

using call::Certainty;
using shell::SimpleCommand;
using shell::Word;

/// Programs that copy or move their operands into the last one.
constexpr auto kCopy = std::to_array<std::string_view>({"cp", "mv", "ln", "install", "rsync", "scp"});

/// Whether it copies a directory whose content is not known yet, or deletes what the source does not have.
bool brings_unknown(const NamedPlaces& named, const SimpleCommand& command, const std::vector<const Word*>& sources) {
  if (call::has_flag(command, "--delete") == Certainty::Yes) return true;
  const bool is_recursive = program_of(command) == "rsync" || call::has_flag(command, "-r") == Certainty::Yes ||
                            call::has_flag(command, "-R") == Certainty::Yes ||
                            call::has_flag(command, "-a") == Certainty::Yes;
  return is_recursive && std::ranges::any_of(sources, [&](const Word* source) {
           return source->is_dynamic() || std::ranges::none_of(named.paths_of(source->text), is_there);
         });
}

/// The place that is overwritten if the source is copied to the target. If the target is a directory, a file gets its
/// own name there, and a directory brings along everything that is in it.
const ProtectedPlace* copied_onto(const NamedPlaces& named, const Word& source, const Word& target) {
  if (source.is_dynamic() || target.is_dynamic()) return nullptr;
  for (const std::string& to : named.paths_of(target.text)) {
    const std::string landed = to + "/" + std::string(shell::base_name(source.text));
    if (const ProtectedPlace* place = named.places().at(landed)) return place;
    for (const std::string& from : named.paths_of(source.text)) {
      // Depending on the options, the content of the source lands in the target itself, or in a directory of its
      // name.
      for (const std::string& directory : {to, landed}) {
        for (const auto& [place, rest] : named.places().rests_below(directory)) {
          if (is_there(from + rest)) return place;
        }
      }
    }
  }
  return nullptr;
}

}  // namespace

bool is_copier(std::string_view program) {
  return lists(kCopy, program);
}

const ProtectedPlace* changed_by_copy(const NamedPlaces& named, const SimpleCommand& command) {
  std::vector<const Word*> sources = operands_of(command);
  // The target is the value of `-t`, or else the last operand.
  const Word* target = nullptr;
  for (size_t i = 1; i + 1 < command.words.size(); ++i) {
    if (command.words[i].text == "-t") target = &command.words[i + 1];
  }
  if (target == nullptr && !sources.empty()) target = sources.back();
  std::erase(sources, target);
  for (const Word& word : command.words) {
    if (const ProtectedPlace* place = is_option(word) ? named.place_at(word) : nullptr) return place;
  }
  const bool takes_source = program_of(command) == "mv" || program_of(command) == "ln" ||
                            call::has_flag(command, "--link") != Certainty::No ||
                            call::has_flag(command, "--symbolic-link") != Certainty::No ||
                            call::has_flag(command, "--remove-source-files") != Certainty::No;
  for (const Word* source : sources) {
    const ProtectedPlace* place = takes_source ? named.place_at(*source) : nullptr;
    if (place == nullptr && takes_source) place = named.place_below(*source);
    if (place == nullptr && target != nullptr) place = copied_onto(named, *source, *target);
    if (place != nullptr) return place;
  }
  if (target == nullptr) return nullptr;
  // A link that takes the place of a directory hides everything in it.
  const bool replaces = program_of(command) == "ln" && (call::has_flag(command, "-n") == Certainty::Yes ||
                                                        call::has_flag(command, "-T") == Certainty::Yes);
  const ProtectedPlace* place = named.place_at(*target);
  if (place == nullptr && brings_unknown(named, command, sources)) place = named.place_inside(*target);
  return place == nullptr && replaces ? named.place_below(*target) : place;
}

}  // namespace grapnel::protect
