#pragma once

#include <string_view>
#include <vector>

#include "shell/parse.h"
#include "shell/tree.h"

namespace grapnel::shell {

/// The commands in the tree of one text, node by node: each with its words, assignments and redirections.
///
/// The tree follows the grammar, which is not always how a shell sees it: redirections hang above their command, words
/// behind a redirection belong to the redirection, and a here-document contains the rest of its line. Most functions
/// here move such parts back to where a shell has them. What cannot be repaired makes the text unclear.
class CommandTree : protected Tree {
 protected:
  /// `has_places`: offsets in the text mean something to the caller. `is_open`: words are added to each command.
  /// `is_unclear` is set when there is something that cannot be repaired.
  CommandTree(std::string_view text, bool has_places, bool is_open, bool& is_unclear)
      : Tree(text), has_places_(has_places), is_open_(is_open), is_unclear_(is_unclear) {}

  /// An empty command at the place of this node.
  SimpleCommand start(int at) const;
  /// The grammar takes an escaped blank that stands alone for white space, but for a shell it is a word.
  void check_between(size_t end, size_t begin);
  /// Adds the words of these nodes. Nodes that touch each other, or are joined by a line continuation, are one word;
  /// one word in the source may become several, or none, by expansion.
  void add_words(const std::vector<int>& literals, SimpleCommand& command);
  /// The redirections that the grammar hangs above the command. At the end of a pipeline or list, they belong to its
  /// last command.
  std::vector<int> redirects_behind(int at) const;
  /// Whether the redirections of this statement belong to a command in it, which `redirects_behind` finds. Otherwise
  /// they belong to a group or loop, and are listed as a command of their own.
  bool ends_in_command(int at) const;
  /// The whole command at this node: assignments, words and redirections.
  SimpleCommand gather(int at);
  /// Whether the first of these words is a keyword, so that the grammar took a part of a block for a command: `do rm
  /// x`.
  bool is_misread(const std::vector<int>& literals) const;
  /// `export A=1`, `unset A`: all parts are simply words.
  SimpleCommand gather_declaration(int at);
  /// Adds one redirection. The grammar takes the words behind the target for further targets, but in a shell they are
  /// words of the command: `> file rm -r x` runs `rm`.
  void add_redirect(int at, SimpleCommand& command);
  /// The text of a here-document becomes the target. The rest of its first line (`cat <<EOF > file x`) is below this
  /// node in the tree, so its words and redirections are given back to the command.
  void add_here_document(int at, SimpleCommand& command);

  Variables variables_;  ///< whose values are known

 private:
  bool has_places_;
  bool is_open_;
  bool& is_unclear_;
};

}  // namespace grapnel::shell
