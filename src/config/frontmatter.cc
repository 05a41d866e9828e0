#include "config/frontmatter.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "base/text.h"

namespace grapnel {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr uint32_t kFirstYamlLine = 2;  // the first line is the dashes
constexpr size_t kMaxRepairs = 64;

std::unexpected<Error> refuse(const std::string& path, uint32_t line, uint32_t column, std::string message) {
  return std::unexpected(Error{Errc::BadConfig, std::move(message), SourcePos{path, line, column}, 0});
}

/// Builds a tree out of what the parser reports, and notes the first thing that has no place in frontmatter.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& path) : path_(path) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    check(mark, "", anchor);
    add({}, mark);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse_at(mark, "an alias");
    add({}, mark);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check(mark, tag, anchor);
    FieldNode node;
    node.kind = FieldNode::Kind::Text;
    node.text = value;
    add(std::move(node), mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(FieldNode::Kind::List, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(FieldNode::Kind::Map, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

  FieldNode take_root() { return std::move(root_); }
  const std::optional<Error>& refusal() const { return refusal_; }

  SourcePos position(const YAML::Mark& mark) const {
    if (mark.line < 0) return {path_, 1, 1};
    return {path_, static_cast<uint32_t>(mark.line) + kFirstYamlLine, static_cast<uint32_t>(mark.column) + 1};
  }

 private:
  struct Level {
    FieldNode node;
    YAML::Mark mark;
    bool has_key = false;
    std::string key;
    SourcePos key_at;
  };

  void refuse_at(const YAML::Mark& mark, const std::string& what) {
    if (refusal_) return;
    refusal_ = Error{Errc::BadConfig, "Invalid YAML in frontmatter: " + what + " has no place here", position(mark), 0};
  }

  /// Plain scalars have the tag `?`, quoted ones `!`.
  void check(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) refuse_at(mark, "an anchor");
    if (tag.size() > 1) refuse_at(mark, "a tag");
  }

  void open(FieldNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    check(mark, tag, anchor);
    Level& level = levels_.emplace_back();
    level.node.kind = kind;
    level.mark = mark;
  }

  void close() {
    Level level = std::move(levels_.back());
    levels_.pop_back();
    add(std::move(level.node), level.mark);
  }

  void add(FieldNode node, const YAML::Mark& mark) {
    node.at = position(mark);
    if (levels_.empty()) {
      root_ = std::move(node);
      return;
    }
    Level& level = levels_.back();
    if (level.node.kind == FieldNode::Kind::List) {
      level.node.members.emplace_back("", std::move(node));
    } else if (!level.has_key) {
      if (!node.is_text()) refuse_at(mark, "a key that is no word");
      if (level.node.find(node.text) != nullptr) refuse_at(mark, "a second '" + node.text + "'");
      level.has_key = true;
      level.key = std::move(node.text);
      level.key_at = std::move(node.at);
    } else {
      node.at = level.key_at;
      level.node.members.emplace_back(std::move(level.key), std::move(node));
      level.has_key = false;
    }
  }

  const std::string& path_;
  std::vector<Level> levels_;
  FieldNode root_;
  std::optional<Error> refusal_;
};

/// Doubles the backslash of an escape that YAML does not know; false when the parser complains about something else.
bool repair_escape(const YAML::ParserException& error, std::string& yaml) {
  constexpr std::string_view kComplaint = "unknown escape character";
  if (!std::string_view(error.msg).starts_with(kComplaint) || error.mark.pos < 2) return false;
  const auto backslash = static_cast<size_t>(error.mark.pos) - 2;
  if (backslash >= yaml.size() || yaml[backslash] != '\\') return false;
  yaml.insert(backslash, 1, '\\');
  return true;
}

Problem escape_warning(SourcePos at) {
  return {Problem::Severity::Warning, "YAML has no such escape in double quotes; the backslash is taken as it stands",
          std::move(at), "put it in single quotes"};
}

Result<Frontmatter> parse_yaml(std::string yaml, const std::string& path) {
  Frontmatter out;
  for (size_t repairs = 0;; ++repairs) {
    TreeBuilder builder(path);
    try {
      std::istringstream stream(yaml);
      YAML::Parser parser(stream);
      parser.HandleNextDocument(builder);
    } catch (const YAML::ParserException& error) {
      SourcePos at = builder.position(error.mark);
      if (repairs >= kMaxRepairs || !repair_escape(error, yaml)) {
        return refuse(path, at.line, at.column, "Invalid YAML in frontmatter: " + error.msg);
      }
      at.column -= std::min(at.column - 1, 2U);
      const bool is_new_line = out.warnings.empty() || out.warnings.back().at.line != at.line;
      if (is_new_line) out.warnings.push_back(escape_warning(std::move(at)));
      continue;
    }
    if (builder.refusal()) return std::unexpected(*builder.refusal());
    out.root = builder.take_root();
    if (!out.root.is_map()) return refuse(path, 1, 1, "the frontmatter must be a YAML mapping");
    return out;
  }
}

/// Whether a line is three dashes and nothing else that can be seen.
bool is_delimiter(std::string_view line) {
  return line.starts_with("---") && line.find_first_not_of(" \t\r", 3) == std::string_view::npos;
}

}  // namespace

Result<Frontmatter> read_frontmatter(std::string_view document, const std::string& path) {
  if (document.starts_with(kByteOrderMark)) document.remove_prefix(kByteOrderMark.size());
  // With a NUL among the first characters yaml-cpp takes the text for UTF-16 or UTF-32.
  const bool is_text = text::is_valid_utf8(document) && document.find('\0') == std::string_view::npos;
  if (!is_text) return refuse(path, 1, 1, "the file is not UTF-8");
  const size_t first_end = document.find('\n');
  if (!is_delimiter(document.substr(0, first_end))) {
    return refuse(path, 1, 1, "HOOK.md must start with YAML frontmatter, a line '---'");
  }
  const size_t begin = first_end == std::string_view::npos ? document.size() : first_end + 1;
  for (size_t line = begin; line < document.size();) {
    const size_t end = std::min(document.find('\n', line), document.size());
    if (is_delimiter(document.substr(line, end - line))) {
      return parse_yaml(std::string(document.substr(begin, line - begin)), path);
    }
    line = end + 1;
  }
  return refuse(path, 1, 1, "frontmatter not properly closed: a second line '---' is missing");
}

}  // namespace grapnel
