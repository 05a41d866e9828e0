#include "shell/command_tree.h"

#include <utility>

#include "shell/shell_words.h"
#include "shell/word_scan.h"

namespace grapnel::shell {

SimpleCommand CommandTree::start(int at) const {
  SimpleCommand command;
  command.begin = node(at).begin;
  command.end = node(at).end;
  command.is_open = is_open_;
  return command;
}

void CommandTree::check_between(size_t end, size_t begin) {
  const std::string_view between = begin < end ? "" : text().substr(end, begin - end);
  for (size_t at = between.find('\\'); at != std::string_view::npos; at = between.find('\\', at + 1)) {
    if (!between.substr(at).starts_with("\\\n")) is_unclear_ = true;
  }
}

void CommandTree::add_words(const std::vector<int>& literals, SimpleCommand& command) {
  for (size_t i = 0; i < literals.size();) {
    if (i > 0) check_between(node(literals[i - 1]).end, node(literals[i]).begin);
    const int first = literals[i];
    size_t end = node(first).end;
    for (++i; i < literals.size() && node(literals[i]).begin >= end && is_joined(end, node(literals[i]).begin); ++i) {
      end = node(literals[i]).end;
    }
    // A keyword split by a line continuation (`i\` and `f` on the next line) is a keyword for a shell, while the
    // grammar saw a command.
    const bool is_pieced = end != node(first).end;
    std::vector<Word> words = scan_words(span_of(first, node(first).begin, end), variables_);
    if (words.size() == 1 && has_places_) {
      words[0].begin = node(first).begin;
      words[0].end = end;
    }
    for (Word& word : words) {
      if (is_pieced && command.words.empty() && is_reserved(word.text)) is_unclear_ = true;
      command.words.push_back(std::move(word));
    }
  }
}

std::vector<int> CommandTree::redirects_behind(int at) const {
  std::vector<int> redirects;
  for (int parent = node(at).parent; parent >= 0; at = parent, parent = node(parent).parent) {
    const bool is_last = node(at).next < 0 && is_any_of(kind(parent), {"pipeline", "list", "negated_command"});
    if (is_last) continue;
    if (kind(parent) != "redirected_statement" || node(parent).first != at) break;
    for (const int child : children(parent)) {
      if (is_redirect(kind(child))) redirects.push_back(child);
    }
  }
  return redirects;
}

bool CommandTree::ends_in_command(int at) const {
  at = node(at).first;
  while (at >= 0 && is_any_of(kind(at), {"pipeline", "list", "negated_command", "redirected_statement"})) {
    at = kind(at) == "redirected_statement" ? node(at).first : children(at).back();
  }
  return kind(at) == "command";
}

SimpleCommand CommandTree::gather(int at) {
  SimpleCommand command = start(at);
  std::vector<int> literals;
  std::vector<int> redirects;
  for (const int child : children(at)) {
    if (kind(child) == "variable_assignment") {
      command.assignments.push_back(read_assignment(child, variables_));
      // The next node touches the value, maybe through a line continuation: the value goes on where the grammar ended
      // it.
      if (node(child).next >= 0 && is_joined(node(child).end, node(node(child).next).begin)) is_unclear_ = true;
    } else if (is_redirect(kind(child))) {
      redirects.push_back(child);
    } else if (kind(child) != "comment") {
      literals.push_back(child);
    }
  }
  add_words(literals, command);
  if (is_misread(literals)) is_unclear_ = true;
  for (const int redirect : redirects_behind(at)) redirects.push_back(redirect);
  for (const int redirect : redirects) add_redirect(redirect, command);
  return command;
}

bool CommandTree::is_misread(const std::vector<int>& literals) const {
  for (const int literal : literals) {
    const std::string_view word = source(literal);
    if (opens_block(word)) return true;
    if (!is_any_of(word, {"!", "time", "-p", "--"})) return false;
  }
  return false;
}

SimpleCommand CommandTree::gather_declaration(int at) {
  SimpleCommand command = start(at);
  for (const int child : children(at)) {
    for (Word& word : scan_words(span_of(child), variables_)) command.words.push_back(std::move(word));
  }
  return command;
}

void CommandTree::add_redirect(int at, SimpleCommand& command) {
  if (kind(at) == "heredoc_redirect") return add_here_document(at, command);
  Redirection redirection;
  std::vector<int> literals;
  for (const int child : children(at)) {
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

void CommandTree::add_here_document(int at, SimpleCommand& command) {
  Redirection redirection{.op = "<<"};
  std::vector<int> literals;
  std::vector<int> redirects;
  bool is_raw = false;
  for (const int child : children(at)) {
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

}  // namespace grapnel::shell
