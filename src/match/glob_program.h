#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "grapnel/error.h"

#include "match/char_class.h"
#include "match/glob_parse.h"

namespace grapnel::match {

/// The most nodes that one glob may have, whatever it is made of.
inline constexpr size_t kMaxGlobNodes = 2048;

/// A compiled token list: a graph of nodes, each of which says "from here on, the rest of the subject fits".
class GlobProgram {
 public:
  /// Fails: LimitExceeded when the program would be too large.
  static Result<GlobProgram> compile(const TokenList& tokens, const GlobStyle& style);

  bool matches(std::string_view subject) const;
  size_t size() const { return nodes_.size(); }

 private:
  friend class GlobCompiler;

  enum class Op : uint8_t {
    End,           ///< the subject ends here
    EndSlash,      ///< the subject ends here, but for one `/`
    Byte,          ///< this byte
    Char,          ///< one character, not `/`
    Class,         ///< one character of a set
    RestOfChar,    ///< the continuation bytes of a character already accepted
    Star,          ///< any characters but `/`
    StarAll,       ///< any characters
    Globstar,      ///< any characters, but no segment with a leading dot
    GlobstarDots,  ///< any characters, but no segment `.` or `..`
    Split,         ///< either way
    NoDot,         ///< no leading dot here
    NotDots,       ///< not in a segment `.` or `..`
    More,          ///< the subject goes on
    InSegment,     ///< the segment goes on
    Unless,        ///< the other way must not fit
  };
  struct Node {
    Op op = Op::End;
    char byte = 0;
    uint16_t next = 0;
    uint16_t other = 0;  ///< the second way, or the number of the character set
  };
  struct At;

  bool holds(const Node& node, size_t self, const At& at) const;
  bool sweep(const At& at, uint8_t* row) const;

  std::vector<Node> nodes_;  ///< each node's ways lead to nodes before it, except around a loop
  std::vector<CharClass> sets_;
  uint16_t start_ = 0;
  bool has_loop_ = false;
};

}  // namespace grapnel::match
