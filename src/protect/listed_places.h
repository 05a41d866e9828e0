#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "call/call.h"
#include "protect/named_places.h"

namespace grapnel::protect {

/// Whether the program lists files, which another command then changes (`find -exec`, `| xargs`).
bool is_lister(std::string_view program);

/// The places that the listers of one text lead to, and what its other commands do to these. Borrows what it is made
/// from. Thread: one.
class ListedPlaces {
 public:
  ListedPlaces(const NamedPlaces& named, std::string_view text, const shell::ParsedCommand& parsed);

  /// `find … -delete`, `find … -exec`, `grep -l … | xargs`, `for f in $(find …)`: the lister itself may write, or a
  /// command that gets the list. It is not worked out which list goes to which command.
  const ProtectedPlace* changed_by(const shell::SimpleCommand& command) const;

 private:
  /// A command that changes files whose names it gets from another one.
  struct ListTaker {
    const shell::SimpleCommand* command = nullptr;
    bool takes_any = false;  ///< from any command, not only from one inside itself
    call::Certainty harm = call::Certainty::No;
  };

  static std::vector<ListTaker> takers_of(std::string_view text, const shell::ParsedCommand& parsed);
  call::Certainty harm_by_list(const shell::SimpleCommand& lister) const;
  const ProtectedPlace* listed_below(const shell::SimpleCommand& command, const std::string& spelled,
                                     const std::string& directory, call::Certainty harm) const;
  bool passes_greps(const shell::SimpleCommand& lister, const std::string& path) const;

  const NamedPlaces& named_;
  const shell::ParsedCommand& parsed_;
  std::vector<ListTaker> takers_;
};

}  // namespace grapnel::protect
