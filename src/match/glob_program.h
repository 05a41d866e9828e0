#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "grapnel/error.h"

#include "match/char_class.h"
#include "match/glob_parse.h"

/// The last step of compiling a glob: from tokens to a program that can be run. See glob.h for the whole way.
namespace grapnel::match {

/// The most nodes that one glob may have, however it is composed.
inline constexpr size_t kMaxGlobNodes = 2048;

/// A compiled token list.
///
/// It is a graph of nodes. A node is true at a position of the subject if the rest of the subject, from there on, fits
/// the rest of the pattern, from that node on. `matches` computes this for every node, from the last position to the
/// first; the subject matches if the start node is true at position 0.
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
    EndSlash,      ///< the subject ends here, or after one `/`
    Byte,          ///< this byte
    Char,          ///< one character, not `/`
    Class,         ///< one character of a set
    RestOfChar,    ///< skips the continuation bytes of a character that was accepted
    Star,          ///< any characters except `/`
    StarAll,       ///< any characters
    Globstar,      ///< any characters, but does not enter a segment with a leading dot
    GlobstarDots,  ///< any characters, but does not enter a segment `.` or `..`
    Split,         ///< `next` or `other`
    NoDot,         ///< there is no leading dot here
    NotDots,       ///< this segment is neither `.` nor `..`
    More,          ///< the subject does not end here
    InSegment,     ///< the segment does not end here
    Unless,        ///< `next`, but not `other`
  };
  struct Node {
    Op op = Op::End;
    char byte = 0;
    uint16_t next = 0;
    uint16_t other = 0;  ///< the second way, or the index of the character set
  };
  struct At;

  /// Whether a node is true at a position, given the rows of this position and of the next one.
  bool holds(const Node& node, size_t self, const At& at) const;
  /// Computes one row.
  bool sweep(const At& at, uint8_t* row) const;

  /// A node refers only to nodes before it, except in a loop. So one sweep from first to last is enough without loops.
  std::vector<Node> nodes_;
  std::vector<CharClass> sets_;
  uint16_t start_ = 0;
  bool has_loop_ = false;
};

}  // namespace grapnel::match
