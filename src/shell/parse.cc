#include "shell/parse.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "shell/command_tree.h"
#include "shell/fast_path.h"
#include "shell/odd_text.h"
#include "shell/printed.h"
#include "shell/shell_words.h"
#include "shell/syntax_check.h"
#include "shell/word_scan.h"

/// From a syntax tree to a flat list of simple commands.
///
/// `Collector` visits every node of the tree, wherever it is nested, and turns each command into a `SimpleCommand`.
/// `add_command` appends it to the list and asks `unwrap` what it runs. The scripts that wrappers run (`bash -c '…'`)
/// go through `parse_text` again, one level deeper; a `Frame` says which wrappers are around.
namespace grapnel::shell {

namespace {

/// Wrappers inside wrappers. Below this depth there is an unknown command, which may be anything.
constexpr int kMaxNesting = 12;
/// A text with more commands than this is unclear.
constexpr size_t kMaxCommands = 10'000;

/// The surroundings of a text: the wrappers that run it. At the top there are none.
struct Frame {
  Unwrap unwrap = nullptr;
  const Variables* known = nullptr;
  std::vector<std::string> wrappers = {};
  bool is_open = false;
  bool is_remote = false;
  int depth = 0;
  size_t begin = 0;  ///< where the outermost wrapper stands in the source
  size_t end = 0;
  Written* written = nullptr;  ///< the files that the whole text has written so far
  Feed feed = {};              ///< what the text reads, if nothing in it feeds a command
};

void parse_text(std::string_view text, const Frame& frame, ParsedCommand& out);

/// The name of a program with `*`, `?` and `[…]` turned into gaps: `/bin/r?` may be any program that fits.
Word without_globs(const Word& word) {
  // The program `[`, which is no glob by itself.
  if (!word.has_glob || word.text == "[") {
    Word out = word;
    out.has_glob = false;
    return out;
  }
  Word out{.begin = word.begin, .end = word.end};
  for (const char c : word.text) {
    if (std::string_view("*?[]").contains(c)) {
      if (out.gaps.empty() || out.gaps.back() != out.text.size()) out.gaps.push_back(out.text.size());
    } else {
      out.text += c;
    }
  }
  // The gaps that the word already had are at other offsets now. A wrong gap would claim too much, so all of it is
  // unknown.
  if (!word.gaps.empty()) out = unknown_word();
  return out;
}

/// Appends a command to the list and, behind it, the commands that it runs.
void add_command(SimpleCommand command, const Feed& feed, const Frame& frame, ParsedCommand& out) {
  if (out.commands.size() >= kMaxCommands) {
    out.is_unclear = true;
    return;
  }
  command.wrappers = frame.wrappers;
  command.is_remote = command.is_remote || frame.is_remote;
  // The script of a wrapper has no place in the source, so the place of the outermost wrapper is used.
  if (frame.depth > 0) {
    command.begin = frame.begin;
    command.end = frame.end;
  }
  if (!command.words.empty()) {
    Word& name = command.words.front();
    name = without_globs(name);
    // Program names are ASCII in practice. A letter from another script is more likely a disguise.
    name.is_odd = name.is_odd || has_foreign_characters(name.text);
  }
  std::vector<Inner> inner;
  if (frame.unwrap != nullptr) {
    Feed all = feed;
    all.written = frame.written;
    inner = frame.unwrap(command, all);
  }
  Frame below = frame;
  below.depth = frame.depth + 1;
  below.begin = command.begin;
  below.end = command.end;
  out.commands.push_back(std::move(command));
  if (!inner.empty() && below.depth > kMaxNesting) {
    out.is_unclear = true;
    out.commands.push_back(unknown_command());
    return;
  }
  for (Inner& one : inner) {
    // Set again for each one, since the previous one may have added its wrapper.
    below.wrappers = frame.wrappers;
    if (!one.wrapper.empty()) below.wrappers.push_back(one.wrapper);
    below.is_remote = frame.is_remote || one.is_remote;
    below.is_open = one.is_open;
    if (one.script) {
      below.feed = feed;
      parse_text(*one.script, below, out);
    } else {
      add_command(std::move(one.command), feed, below, out);
    }
  }
}

/// Walks the tree of one text. A flat loop over all nodes is enough, because every command counts, at any depth.
class Collector : private CommandTree {
 public:
  Collector(std::string_view text, const Frame& frame, ParsedCommand& out)
      : CommandTree(text, frame.depth == 0, frame.is_open, out.is_unclear), frame_(frame), out_(out) {}

  void collect() {
    if (!syntax().is_whole || !agrees_with_shell(text(), syntax())) out_.is_unclear = true;
    // Variables first: their values may be part of any word. What substitutions give may be part of a value, and the
    // other way round.
    find_outputs();
    variables_ = find_variables(frame_.known);
    find_outputs();
    for (int i = 0; i < size(); ++i) visit(i);
    if (out_.is_unclear) add_braced();
  }

 private:
  /// The grammar takes `{r,}m -r x` for the start of a group. A shell sees braces to expand, and then a command.
  void add_braced() {
    const std::string_view all = text();
    for (size_t begin = all.find('{'); begin != std::string_view::npos; begin = all.find('{', begin + 1)) {
      const size_t before = begin == 0 ? std::string_view::npos : all.find_last_not_of(" \t", begin - 1);
      const bool is_first = before == std::string_view::npos || std::string_view("\n;|&(`").contains(all[before]);
      if (!is_first || begin + 1 == all.size() || all[begin + 1] == ' ') continue;
      const size_t end = std::min(all.find_first_of("\n;|&)`", begin), all.size());
      SimpleCommand command;
      for (size_t from = begin; from < end;) {
        const size_t stop = std::min(all.find_first_of(" \t", from), end);
        for (Word& word : scan_words({all, from, stop, {}}, variables_)) command.words.push_back(std::move(word));
        from = std::min(all.find_first_not_of(" \t", stop), end);
      }
      command.begin = begin;
      command.end = end;
      if (!command.words.empty()) add(std::move(command), {});
    }
  }

  /// Adds the command of this node, if it is one: an ordinary command, a declaration, assignments that stand alone, or
  /// redirections without a command (`> file` empties a file).
  void visit(int at) {
    const std::string_view what = kind(at);
    // Only blocks in the text itself count, not those in the scripts of wrappers.
    if (frame_.depth == 0 && is_block(what)) out_.has_blocks = true;
    if (what == "command") {
      visit_command(at);
    } else if (what == "declaration_command" || what == "unset_command") {
      add(gather_declaration(at), {});
    } else if (what == "variable_assignment") {
      if (!is_any_of(kind(node(at).parent), {"command", "declaration_command"})) add_assignment(at);
    } else if (what == "file_redirect" &&
               is_any_of(kind(node(at).parent), {"command_substitution", "function_definition"})) {
      // `$(< file)` reads the file without any program; `f() { …; } > file` writes it whenever f is called.
      SimpleCommand command = start(at);
      add_redirect(at, command);
      add(std::move(command), {});
    } else if (what == "raw_string" && is_tested(at)) {
      // `[[ -v 'a[$(rm x)]' ]]`: an index is expanded although it is quoted.
      const std::string_view text = source(at);
      if (text.contains("$(") || text.contains('`')) {
        parse_text(": " + std::string(text.substr(1, text.size() - 2)), inner_frame(at), out_);
      }
    } else if (what == "expansion" && source(at).ends_with("@P}")) {
      // `${x@P}` expands the value as a prompt, which runs the substitutions in it.
      const auto value = variables_.find(source(at).substr(2, source(at).size() - 5));
      if (value == variables_.end()) {
        out_.commands.push_back(unknown_command());
      } else {
        parse_text(": " + value->second, inner_frame(at), out_);
      }
    } else if (sets_special_variable(at)) {
      out_.is_unclear = true;
    } else if (what == "redirected_statement" && !ends_in_command(at)) {
      SimpleCommand command = start(at);
      for (const int child : children(at)) {
        if (is_redirect(kind(child))) add_redirect(child, command);
      }
      add(std::move(command), {});
    }
  }

  /// Whether the node is inside a test or an arithmetic expression.
  bool is_tested(int at) const {
    for (int parent = node(at).parent; parent >= 0; parent = node(parent).parent) {
      if (is_any_of(kind(parent), {"test_command", "arithmetic_expansion"})) return true;
      if (is_any_of(kind(parent), {"command", "command_substitution"})) return false;
    }
    return false;
  }

  /// A loop over a variable that decides which programs are found is more than it looks like.
  bool sets_special_variable(int at) const {
    if (kind(at) == "arithmetic_expansion") return source(at).contains("PATH");
    if (kind(at) != "variable_name" || kind(node(at).parent) != "for_statement") return false;
    return is_any_of(source(at), {"PATH", "IFS", "ENV", "BASH_ENV", "LD_PRELOAD", "LD_LIBRARY_PATH", "HOME", "CDPATH"});
  }

  /// The surroundings of a text that is quoted at this node.
  Frame inner_frame(int at) const {
    Frame frame = frame_;
    ++frame.depth;
    if (frame_.depth == 0) {
      frame.begin = node(at).begin;
      frame.end = node(at).end;
    }
    return frame;
  }

  static bool is_block(std::string_view kind) {
    return is_any_of(kind, {"if_statement", "for_statement", "c_style_for_statement", "while_statement",
                            "case_statement", "function_definition", "compound_statement", "test_command"});
  }

  void visit_command(int at) {
    // The grammar takes `(( … ))` for a command, but a shell only computes with it. Commands inside, in substitutions,
    // are nodes of their own.
    if (source(at).starts_with("((")) {
      out_.has_blocks = out_.has_blocks || frame_.depth == 0;
      SimpleCommand command = start(at);
      for (const int redirect : redirects_behind(at)) add_redirect(redirect, command);
      if (!command.redirections.empty()) add(std::move(command), {});
      return;
    }
    SimpleCommand command = gather(at);
    note_written(command);
    const Feed feed = feed_of(at, command);
    add(std::move(command), feed);
  }

  /// Notes what the command prints into files, if both are known: a later command may run such a file.
  void note_written(const SimpleCommand& command) {
    if (frame_.written == nullptr || command.redirections.empty()) return;
    for (const Redirection& redirection : command.redirections) {
      if (!redirection.op.contains('>') || redirection.target.is_dynamic()) continue;
      const std::string name(base_name(redirection.target.text));
      const std::optional<std::string> text = output_of(command);
      // That it has been written is known, too.
      if (!text) frame_.written->emplace("? " + name, "");
      if (!text) return;
      frame_.written->erase("? " + name);
      std::string& file = (*frame_.written)[name];
      file = redirection.op.contains(">>") ? file + *text + "\n" : *text + "\n";
    }
  }

  void add(SimpleCommand command, const Feed& feed) { add_command(std::move(command), feed, frame_, out_); }

  void add_assignment(int at) {
    SimpleCommand command = start(at);
    command.assignments.push_back(read_assignment(at, variables_));
    add(std::move(command), {});
  }

  /// What the command reads because of its own redirections. With several of them the text is not known.
  Feed redirected_feed(const SimpleCommand& command) const {
    Feed feed;
    for (const Redirection& r : command.redirections) {
      if (!r.op.starts_with("<")) continue;
      if (const std::string* text = r.op == "<" ? written_to(r.target) : nullptr) {
        feed = {true, *text};
        continue;
      }
      const bool is_known = !feed.is_there && r.op.starts_with("<<") && !r.target.is_dynamic();
      feed = {true, is_known ? std::optional(r.target.text) : std::nullopt};
    }
    return feed;
  }

  /// What the text has written to this file; null when that is not known.
  const std::string* written_to(const Word& file) const {
    if (frame_.written == nullptr || file.is_dynamic()) return nullptr;
    const auto found = frame_.written->find(base_name(file.text));
    return found == frame_.written->end() ? nullptr : &found->second;
  }

  /// What the command reads: from its redirections, or from the command before it in a pipeline. Interpreters need
  /// this: `echo "rm x" | sh` runs `rm x`.
  Feed feed_of(int at, const SimpleCommand& command) {
    Feed own = redirected_feed(command);
    int whole = at;
    if (kind(node(at).parent) == "redirected_statement") whole = node(at).parent;
    const int pipeline = node(whole).parent;
    if (kind(pipeline) != "pipeline") return own.is_there ? own : frame_.feed;
    int before = -1;
    for (const int child : children(pipeline)) {
      if (child == whole) break;
      if (!is_any_of(kind(child), {"|", "|&"})) before = child;
    }
    // In `cat <<EOF | sh` the grammar hangs the rest of the pipeline below the here-document.
    if (before < 0 && kind(node(pipeline).parent) == "heredoc_redirect") {
      before = node(node(pipeline).parent).parent;
    }
    if (before < 0) return own;
    return {true, own.is_there ? std::nullopt : output_of(before)};
  }

  /// What a command prints, if that can be told from the text: for `cat` with a here-document, `echo` and `printf`.
  std::optional<std::string> output_of(int at) {
    if (kind(at) == "redirected_statement") at = node(at).first;
    if (is_any_of(kind(at), {"compound_statement", "subshell", "list"})) return output_of_all(at);
    return kind(at) == "command" ? output_of(gather(at)) : std::nullopt;
  }
  std::optional<std::string> output_of(const SimpleCommand& command) const {
    if (command.words.empty() || std::ranges::any_of(command.words, is_uncertain)) return std::nullopt;
    if (command.words.size() > 1 && is_any_of(command.words[0].text, {"command", "builtin"}) &&
        !command.words[1].text.starts_with('-')) {
      SimpleCommand plain = command;
      plain.words.erase(plain.words.begin());
      return output_of(plain);
    }
    const std::string_view name = base_name(command.words[0].text);
    if (name == "cat" && command.words.size() == 1) return redirected_feed(command).text;
    if (name == "cat" && command.words.size() == 2) {
      const std::string* const text = written_to(command.words[1]);
      return text == nullptr ? std::nullopt : std::optional(*text);
    }
    return text_of(command);
  }

  /// Finds the substitutions whose output is known. Inner ones come first: their words are in the outer ones.
  void find_outputs() {
    // Nobody knows what a program prints that the text puts in place of the usual one.
    constexpr auto kReplacing = std::to_array<std::string_view>({"alias", "PATH", "hash", "enable"});
    const auto is_in_text = [&](std::string_view part) { return text().contains(part); };
    const auto is_function = [](const Node& one) { return one.kind == "function_definition"; };
    if (std::ranges::any_of(kReplacing, is_in_text) || std::ranges::any_of(syntax().nodes, is_function)) return;
    for (int at = size() - 1; at >= 0; --at) {
      if (kind(at) != "command_substitution") continue;
      if (std::optional<Output> output = substituted(at)) set_output(at, std::move(*output));
    }
  }

  /// What `$(…)` gives: what its only command prints, without line breaks at the end.
  std::optional<Output> substituted(int at) {
    const std::string_view text = source(at);
    if (text == "$()" || text == "``") return Output{};
    int only = -1;
    for (const int child : children(at)) {
      if (is_any_of(kind(child), {"$(", "`", ")"})) continue;
      if (only >= 0) return std::nullopt;
      only = child;
    }
    if (only < 0 || !is_any_of(kind(only), {"command", "redirected_statement"})) return std::nullopt;
    const int command = kind(only) == "command" ? only : node(only).first;
    if (command < 0 || kind(command) != "command") return std::nullopt;
    for (int i = only; i < size() && node(i).begin < node(only).end; ++i) {
      const bool is_apart = kind(i) == "file_redirect" && !source(i).starts_with('<') && !source(i).starts_with("2>");
      if (is_apart) return std::nullopt;
    }
    if (std::optional<Output> named = named_by(gather(command), variables_)) return named;
    std::optional<std::string> printed = output_of(command);
    if (!printed) return std::nullopt;
    while (printed->ends_with('\n')) printed->pop_back();
    return Output{std::move(*printed)};
  }

  /// The output of commands in a row.
  std::optional<std::string> output_of_all(int at) {
    std::string all;
    for (const int child : children(at)) {
      if (!is_any_of(kind(child), {"command", "redirected_statement", "list", "compound_statement", "subshell"})) {
        continue;
      }
      const std::optional<std::string> one = output_of(child);
      if (!one) return std::nullopt;
      all += *one + "\n";
    }
    return all;
  }

  const Frame& frame_;
  ParsedCommand& out_;
};

void parse_text(std::string_view text, const Frame& frame, ParsedCommand& out) {
  if (auto plain = split_plain(text)) {
    plain->is_open = frame.is_open;
    // Offsets in the script of a wrapper mean nothing in the source text.
    for (Word& word : plain->words) word.begin = frame.depth == 0 ? word.begin : 0;
    for (Word& word : plain->words) word.end = frame.depth == 0 ? word.end : 0;
    add_command(std::move(*plain), frame.feed, frame, out);
    return;
  }
  Collector(text, frame, out).collect();
}

}  // namespace

ParsedCommand parse(std::string_view text, Unwrap unwrap, const Variables* known) {
  ParsedCommand out;
  if (text.size() > kMaxText) {
    out.is_unclear = true;
  } else {
    Written written;
    parse_text(text, {.unwrap = unwrap, .known = known, .written = &written}, out);
  }
  return out;
}

ParsedCommand parse_by_grammar(std::string_view text, Unwrap unwrap) {
  ParsedCommand out;
  Written written;
  const Frame frame{.unwrap = unwrap, .written = &written};
  Collector(text, frame, out).collect();
  return out;
}

SimpleCommand unknown_command(std::optional<std::string> code) {
  SimpleCommand command;
  command.words = {unknown_word()};
  command.is_open = true;
  command.code = std::move(code);
  return command;
}

std::string_view base_name(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace grapnel::shell
