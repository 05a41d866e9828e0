#include "shell/parse.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "shell/fast_path.h"
#include "shell/odd_text.h"
#include "shell/syntax.h"
#include "shell/syntax_check.h"
#include "shell/word_scan.h"
#include "shell/wrappers.h"

namespace grapnel::shell {

namespace {

constexpr int kMaxNesting = 12;
constexpr size_t kMaxCommands = 10'000;

/// What is around a text: the wrappers that run it.
struct Frame {
  std::vector<std::string> wrappers;
  bool is_open = false;
  bool is_remote = false;
  int depth = 0;
  size_t begin = 0;  ///< where the outermost wrapper stands
  size_t end = 0;
};

void parse_text(std::string_view text, const Frame& frame, ParsedCommand& out);

/// A glob in a program's name may be any program.
Word without_globs(const Word& word) {
  if (!word.has_glob) return word;
  Word out;
  for (const char c : word.text) {
    if (std::string_view("*?[]").contains(c)) {
      if (out.gaps.empty() || out.gaps.back() != out.text.size()) out.gaps.push_back(out.text.size());
    } else {
      out.text += c;
    }
  }
  // The gaps that were there are at other offsets now; what is left of the text would claim too much.
  if (!word.gaps.empty()) out = unknown_word();
  return out;
}

/// Lists a command and, behind it, what it runs.
void add_command(SimpleCommand command, const Feed& feed, const Frame& frame, ParsedCommand& out) {
  if (out.commands.size() >= kMaxCommands) {
    out.is_unclear = true;
    return;
  }
  command.wrappers = frame.wrappers;
  command.is_remote = command.is_remote || frame.is_remote;
  if (frame.depth > 0) {
    command.begin = frame.begin;
    command.end = frame.end;
  }
  if (!command.words.empty()) {
    Word& name = command.words.front();
    name = without_globs(name);
    name.is_odd = name.is_odd || has_foreign_characters(name.text);
  }
  std::vector<Inner> inner = unwrap(command, feed);
  Frame below = frame;
  below.depth = frame.depth + 1;
  below.begin = command.begin;
  below.end = command.end;
  out.commands.push_back(std::move(command));
  if (!inner.empty() && below.depth > kMaxNesting) {
    out.commands.push_back(unknown_command());
    return;
  }
  for (Inner& one : inner) {
    below.wrappers = frame.wrappers;
    below.wrappers.push_back(one.wrapper);
    below.is_remote = frame.is_remote || one.is_remote;
    below.is_open = one.is_open;
    if (one.script) {
      parse_text(*one.script, below, out);
    } else {
      add_command(std::move(one.command), feed, below, out);
    }
  }
}

bool is_any_of(std::string_view kind, std::initializer_list<std::string_view> kinds) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

bool is_redirect(std::string_view kind) {
  return is_any_of(kind, {"file_redirect", "herestring_redirect", "heredoc_redirect"});
}

bool is_expansion(std::string_view kind) {
  return is_any_of(
      kind, {"simple_expansion", "expansion", "command_substitution", "process_substitution", "arithmetic_expansion"});
}

bool is_literal(std::string_view kind) {
  return is_expansion(kind) || is_any_of(kind, {"word", "string", "raw_string", "ansi_c_string", "translated_string",
                                                "number", "concatenation", "brace_expression", "extglob_pattern"});
}

/// Walks the tree of one text.
class Collector {
 public:
  Collector(std::string_view text, const Frame& frame, ParsedCommand& out)
      : text_(text), frame_(frame), out_(out), syntax_(read_syntax(text)) {}

  void collect() {
    if (!syntax_.is_whole || !agrees_with_shell(text_, syntax_)) out_.is_unclear = true;
    find_variables();
    for (int i = 0; i < static_cast<int>(syntax_.nodes.size()); ++i) visit(i);
  }

 private:
  const Node& node(int at) const { return syntax_.nodes[static_cast<size_t>(at)]; }
  std::string_view kind(int at) const { return at < 0 ? "" : node(at).kind; }
  std::string_view source(int at) const { return text_.substr(node(at).begin, node(at).end - node(at).begin); }

  void visit(int at) {
    const std::string_view what = kind(at);
    if (what == "command") {
      visit_command(at);
    } else if (what == "declaration_command" || what == "unset_command") {
      add(gather_declaration(at), {});
    } else if (what == "variable_assignment") {
      if (!is_any_of(kind(node(at).parent), {"command", "declaration_command"})) add_assignment(at);
    } else if (what == "redirected_statement" && kind(node(at).first) != "command") {
      SimpleCommand command = start(at);
      for (const int child : syntax_.children(at)) {
        if (is_redirect(kind(child))) add_redirect(child, command);
      }
      add(std::move(command), {});
    }
  }

  void visit_command(int at) {
    // `(( … ))` computes and runs nothing.
    if (source(at).starts_with("((")) return;
    add(gather(at), feed_of(at));
  }

  void add(SimpleCommand command, const Feed& feed) { add_command(std::move(command), feed, frame_, out_); }

  SimpleCommand start(int at) const {
    SimpleCommand command;
    command.begin = node(at).begin;
    command.end = node(at).end;
    command.is_open = frame_.is_open;
    return command;
  }

  Span span_of(int at, size_t begin, size_t end) const {
    Span span{text_, begin, end, {}};
    size_t covered = 0;
    for (size_t i = static_cast<size_t>(at); i < syntax_.nodes.size() && syntax_.nodes[i].begin < end; ++i) {
      const Node& n = syntax_.nodes[i];
      if (n.begin < begin || n.begin < covered || !is_expansion(n.kind) || n.end > end) continue;
      const bool is_variable = n.kind == "simple_expansion" || n.kind == "expansion";
      span.holes.push_back({n.begin, n.end, is_variable, is_variable || n.kind == "command_substitution"});
      covered = n.end;
    }
    return span;
  }
  Span span_of(int at) const { return span_of(at, node(at).begin, node(at).end); }

  /// Only line continuations, or nothing, stand between two nodes: they are one word.
  bool is_joined(size_t end, size_t begin) const {
    std::string_view between = text_.substr(end, begin - end);
    while (between.starts_with("\\\n")) between.remove_prefix(2);
    return between.empty();
  }

  /// The grammar takes an escaped blank that stands alone for white space; to a shell it is a word.
  void check_between(size_t end, size_t begin) {
    const std::string_view between = begin < end ? "" : text_.substr(end, begin - end);
    for (size_t at = between.find('\\'); at != std::string_view::npos; at = between.find('\\', at + 1)) {
      if (!between.substr(at).starts_with("\\\n")) out_.is_unclear = true;
    }
  }

  void add_words(const std::vector<int>& literals, SimpleCommand& command) {
    for (size_t i = 0; i < literals.size();) {
      if (i > 0) check_between(node(literals[i - 1]).end, node(literals[i]).begin);
      const int first = literals[i];
      size_t end = node(first).end;
      for (++i; i < literals.size() && node(literals[i]).begin >= end && is_joined(end, node(literals[i]).begin); ++i) {
        end = node(literals[i]).end;
      }
      for (Word& word : scan_words(span_of(first, node(first).begin, end), variables_)) {
        command.words.push_back(std::move(word));
      }
    }
  }

  SimpleCommand gather(int at) {
    SimpleCommand command = start(at);
    std::vector<int> literals;
    std::vector<int> redirects;
    for (const int child : syntax_.children(at)) {
      if (kind(child) == "variable_assignment") {
        command.assignments.push_back(read_assignment(child));
        if (node(child).next >= 0 && is_joined(node(child).end, node(node(child).next).begin)) out_.is_unclear = true;
      } else if (is_redirect(kind(child))) {
        redirects.push_back(child);
      } else if (kind(child) != "comment") {
        literals.push_back(child);
      }
    }
    add_words(literals, command);
    const int parent = node(at).parent;
    if (kind(parent) == "redirected_statement" && node(parent).first == at) {
      for (const int child : syntax_.children(parent)) {
        if (is_redirect(kind(child))) redirects.push_back(child);
      }
    }
    for (const int redirect : redirects) add_redirect(redirect, command);
    return command;
  }

  SimpleCommand gather_declaration(int at) {
    SimpleCommand command = start(at);
    for (const int child : syntax_.children(at)) {
      for (Word& word : scan_words(span_of(child), variables_)) command.words.push_back(std::move(word));
    }
    return command;
  }

  void add_assignment(int at) {
    SimpleCommand command = start(at);
    command.assignments.push_back(read_assignment(at));
    add(std::move(command), {});
  }

  Assignment read_assignment(int at) const {
    Assignment out;
    const std::vector<int> parts = syntax_.children(at);
    if (parts.empty()) return out;
    out.name = source(parts.front());
    if (parts.size() > 2) out.value = scan_value(span_of(parts[2], node(parts[2]).begin, node(at).end), variables_);
    return out;
  }

  /// The grammar takes the words behind a redirection's target for more targets: they are the command's.
  void add_redirect(int at, SimpleCommand& command) {
    if (kind(at) == "heredoc_redirect") return add_here_document(at, command);
    Redirection redirection;
    std::vector<int> literals;
    for (const int child : syntax_.children(at)) {
      if (is_literal(kind(child))) {
        literals.push_back(child);
      } else if (kind(child) != "file_descriptor") {
        redirection.op += source(child);
      }
    }
    if (!literals.empty()) {
      size_t end = node(literals[0]).end;
      size_t used = 1;
      for (; used < literals.size() && is_joined(end, node(literals[used]).begin); ++used) {
        end = node(literals[used]).end;
      }
      redirection.target = scan_value(span_of(literals[0], node(literals[0]).begin, end), variables_);
      add_words({literals.begin() + static_cast<ptrdiff_t>(used), literals.end()}, command);
    }
    command.redirections.push_back(std::move(redirection));
  }

  void add_here_document(int at, SimpleCommand& command) {
    Redirection redirection{.op = "<<"};
    std::vector<int> literals;
    std::vector<int> redirects;
    bool is_raw = false;
    for (const int child : syntax_.children(at)) {
      if (kind(child) == "heredoc_start") {
        is_raw = source(child).find_first_of("'\"\\") != std::string_view::npos;
      } else if (kind(child) == "heredoc_body") {
        redirection.target = is_raw ? literal_word(source(child)) : scan_here_document(span_of(child), variables_);
      } else if (is_literal(kind(child))) {
        literals.push_back(child);
      } else if (is_redirect(kind(child))) {
        redirects.push_back(child);
      }
    }
    command.redirections.push_back(std::move(redirection));
    add_words(literals, command);
    for (const int redirect : redirects) add_redirect(redirect, command);
  }

  static Feed redirected_feed(const SimpleCommand& command) {
    for (const Redirection& r : command.redirections) {
      if (!r.op.starts_with("<")) continue;
      if (!r.op.starts_with("<<") || r.target.is_dynamic()) return {true, std::nullopt};
      return {true, r.target.text};
    }
    return {};
  }

  Feed feed_of(int at) {
    if (Feed own = redirected_feed(gather(at)); own.is_there) return own;
    int whole = at;
    if (kind(node(at).parent) == "redirected_statement") whole = node(at).parent;
    const int pipeline = node(whole).parent;
    if (kind(pipeline) != "pipeline") return {};
    int before = -1;
    for (const int child : syntax_.children(pipeline)) {
      if (child == whole) break;
      if (!is_any_of(kind(child), {"|", "|&"})) before = child;
    }
    // `cat <<EOF | sh`: the grammar hangs the rest of the pipeline below the here-document.
    if (before < 0 && kind(node(pipeline).parent) == "heredoc_redirect") {
      before = node(node(pipeline).parent).parent;
    }
    return before < 0 ? Feed{} : Feed{true, output_of(before)};
  }

  /// What a command prints, when the text tells.
  std::optional<std::string> output_of(int at) {
    if (kind(at) == "redirected_statement") at = node(at).first;
    if (kind(at) != "command") return std::nullopt;
    const SimpleCommand command = gather(at);
    if (command.words.empty() || std::ranges::any_of(command.words, &Word::is_dynamic)) return std::nullopt;
    const std::string_view name = base_name(command.words[0].text);
    if (name == "cat" && command.words.size() == 1) return redirected_feed(command).text;
    if (name == "echo") return echoed(command);
    if (name == "printf") return printed(command);
    return std::nullopt;
  }

  static std::string echoed(const SimpleCommand& command) {
    std::string out;
    size_t at = 1;
    bool decodes = false;
    for (; at < command.words.size() && is_any_of(command.words[at].text, {"-n", "-e", "-E", "-ne", "-en"}); ++at) {
      decodes = decodes || command.words[at].text.contains('e');
    }
    for (; at < command.words.size(); ++at) out += command.words[at].text + ' ';
    return decodes ? decode_escapes(out, Escapes::Echo) : out;
  }

  static std::optional<std::string> printed(const SimpleCommand& command) {
    if (command.words.size() < 2) return std::nullopt;
    const std::string format = decode_escapes(command.words[1].text, Escapes::Ansi);
    if (!format.contains('%')) return format;
    if (format != "%s" && format != "%s\n" && format != "%b" && format != "%b\n") return std::nullopt;
    std::string out;
    for (size_t i = 2; i < command.words.size(); ++i) out += command.words[i].text + format.substr(2);
    return format[1] == 'b' ? decode_escapes(out, Escapes::Ansi) : out;
  }

  /// Only an assignment that certainly runs, and is the only one of its name, tells a value.
  bool runs_always(int at) const {
    for (int parent = node(at).parent; parent >= 0; at = parent, parent = node(parent).parent) {
      if (kind(parent) == "program") return true;
      const bool is_first = node(parent).first == at;
      if (kind(parent) == "variable_assignments" || (kind(parent) == "list" && is_first)) continue;
      if (kind(parent) == "declaration_command" && source(node(parent).first) == "export") continue;
      return false;
    }
    return false;
  }

  /// Commands that change variables in ways the tree does not show.
  bool has_hidden_assignments() const {
    for (size_t i = 0; i < syntax_.nodes.size(); ++i) {
      if (syntax_.nodes[i].kind != "command_name") continue;
      if (is_any_of(source(static_cast<int>(i)), {"read", "eval", "source", ".", "printf", "mapfile", "readarray",
                                                  "let", "getopts", "unset", "wait"})) {
        return true;
      }
    }
    return false;
  }

  void find_variables() {
    if (syntax_.nodes.empty() || has_hidden_assignments()) return;
    std::multiset<std::string, std::less<>> seen;
    std::vector<int> certain;
    for (int i = 0; i < static_cast<int>(syntax_.nodes.size()); ++i) {
      const bool assigns = kind(i) == "variable_assignment";
      if (assigns && node(i).first >= 0) seen.emplace(source(node(i).first));
      if (kind(i) == "variable_name" && is_any_of(kind(node(i).parent), {"for_statement", "unset_command"})) {
        seen.insert({std::string(source(i)), std::string(source(i))});
      }
      if (assigns && runs_always(i)) certain.push_back(i);
    }
    for (const int at : certain) {
      const Assignment assignment = read_assignment(at);
      const std::vector<int> parts = syntax_.children(at);
      const bool is_plain = parts.size() > 1 && source(parts[1]) == "=" && !source(at).contains("=(");
      if (is_plain && seen.count(assignment.name) == 1 && !assignment.value.is_dynamic()) {
        variables_[assignment.name] = assignment.value.text;
        assigned_at_[assignment.name] = node(at).end;
      }
    }
    drop_early_uses();
  }

  /// A use in front of the assignment sees what the environment has.
  void drop_early_uses() {
    for (int i = 0; i < static_cast<int>(syntax_.nodes.size()); ++i) {
      if (kind(i) != "variable_name" || !is_expansion(kind(node(i).parent))) continue;
      const auto found = assigned_at_.find(source(i));
      if (found != assigned_at_.end() && node(i).begin < found->second) variables_.erase(found->first);
    }
  }

  std::string_view text_;
  const Frame& frame_;
  ParsedCommand& out_;
  Syntax syntax_;
  Variables variables_;
  std::map<std::string, size_t, std::less<>> assigned_at_;
};

void parse_text(std::string_view text, const Frame& frame, ParsedCommand& out) {
  if (auto plain = split_plain(text)) {
    plain->is_open = frame.is_open;
    add_command(std::move(*plain), {}, frame, out);
    return;
  }
  Collector(text, frame, out).collect();
}

}  // namespace

ParsedCommand parse(std::string_view text) {
  ParsedCommand out;
  if (text.size() > kMaxText) {
    out.is_unclear = true;
  } else {
    parse_text(text, {}, out);
  }
  return out;
}

ParsedCommand parse_by_grammar(std::string_view text) {
  ParsedCommand out;
  const Frame frame;
  Collector(text, frame, out).collect();
  return out;
}

SimpleCommand unknown_command() {
  SimpleCommand command;
  command.words = {unknown_word()};
  command.is_open = true;
  return command;
}

std::string_view base_name(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace grapnel::shell
