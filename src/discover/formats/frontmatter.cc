#include "discover/formats/frontmatter.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "base/text.h"
#include "discover/formats/yaml_lines.h"

namespace grapnel {

namespace {

/// How yaml-cpp marks scalars in quotes.
constexpr std::string_view kQuotedTag = "!";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
/// Each repair parses the whole text again.
constexpr size_t kMaxRepairs = 64;
constexpr size_t kMaxKeys = 2000;  // each key is compared with all keys before it

/// Where the YAML is in its file, and how messages about it start.
struct YamlPlace {
  const std::string& path;
  uint32_t first_line = 1;
  std::string_view complaint = "Invalid YAML";
};

std::unexpected<Error> refuse(const std::string& path, uint32_t line, uint32_t column, std::string message) {
  return std::unexpected(Error{Errc::BadConfig, std::move(message), SourcePos{path, line, column}, 0});
}

/// Builds a tree from the parser's events and notes the first thing that frontmatter must not contain.
///
/// Open maps and lists are a stack of levels. A finished value is added to the innermost level: to a list as its next
/// element, to a map in turns as a key and as the value of this key. After a refusal the stack is still kept in order,
/// but nothing is added any more.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const YamlPlace& place) : place_(place) {}

  void OnDocumentStart(const YAML::Mark& mark) override { start_ = position(mark); }
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
    if (tag == kQuotedTag) last_quoted_ = mark;
    YamlNode node;
    node.kind = YamlNode::Kind::Text;
    node.text = value;
    add(std::move(node), mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::List, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::Map, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

  YamlNode take_root() { return std::move(root_); }
  const std::optional<Error>& refusal() const { return refusal_; }
  /// The last text in quotes.
  const YAML::Mark& last_quoted() const { return last_quoted_; }
  /// Where the document starts: at its `---`, if it has one.
  const SourcePos& start() const { return start_; }

  /// yaml-cpp counts from 0, and has negative marks for errors without a place.
  SourcePos position(const YAML::Mark& mark) const {
    if (mark.line < 0) return {place_.path, 1, 1};
    const auto line = static_cast<uint32_t>(mark.line) + place_.first_line;
    return {place_.path, line, static_cast<uint32_t>(mark.column) + 1};
  }

 private:
  /// A map or list that is not closed yet. `key` waits for its value while `has_key` is set.
  struct Level {
    YamlNode node;
    YAML::Mark mark;
    bool has_key = false;
    std::string key;
    SourcePos key_at;
  };

  void refuse_at(const YAML::Mark& mark, const std::string& what) {
    if (refusal_) return;
    const std::string complaint(place_.complaint);
    refusal_ = Error{Errc::BadConfig, complaint + ": " + what + " is not allowed here", position(mark), 0};
  }

  /// Refuses anchors and explicit tags. yaml-cpp gives plain scalars the tag `?` and quoted ones `!`, so only longer
  /// tags were written by the author.
  void check(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) refuse_at(mark, "an anchor");
    if (tag.size() > 1) refuse_at(mark, "a tag");
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
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

  void add(YamlNode node, const YAML::Mark& mark) {
    if (refusal_) return;
    node.at = position(mark);
    node.value_at = node.at;
    if (levels_.empty()) {
      root_ = std::move(node);
      return;
    }
    Level& level = levels_.back();
    if (level.node.kind == YamlNode::Kind::List) {
      level.node.members.emplace_back("", std::move(node));
    } else if (!level.has_key) {
      if (!node.is_text()) refuse_at(mark, "a key that is not a plain word");
      if (level.node.members.size() >= kMaxKeys) refuse_at(mark, "a map of more than 2000 keys");
      if (const YamlNode* first = level.node.find(node.text)) {
        refuse_at(mark, "a second '" + node.text + "' beside the one in line " + std::to_string(first->at.line));
      }
      level.has_key = true;
      level.key = std::move(node.text);
      level.key_at = std::move(node.at);
    } else {
      // Messages about a field point to its key; `value_at` still has the place of the value.
      node.at = level.key_at;
      level.node.members.emplace_back(std::move(level.key), std::move(node));
      level.has_key = false;
    }
  }

  const YamlPlace& place_;
  std::vector<Level> levels_;
  YamlNode root_;
  SourcePos start_;
  YAML::Mark last_quoted_ = YAML::Mark::null_mark();
  std::optional<Error> refusal_;
};

/// Repairs an escape that YAML does not know by doubling its backslash. False when the parser complains about something
/// else. yaml-cpp has no code for this error, so its text is compared; its mark is two characters behind the backslash.
bool repair_escape(const YAML::ParserException& error, std::string& yaml) {
  constexpr std::string_view kComplaint = "unknown escape character";
  if (!std::string_view(error.msg).starts_with(kComplaint) || error.mark.pos < 2) return false;
  const auto backslash = static_cast<size_t>(error.mark.pos) - 2;
  if (backslash >= yaml.size() || yaml[backslash] != '\\') return false;
  yaml.insert(backslash, 1, '\\');
  return true;
}

ConfigProblem escape_warning(SourcePos at) {
  return {ConfigProblem::Severity::Warning, "YAML has no such escape in double quotes; the backslash is kept as it is",
          std::move(at), "put the text in single quotes"};
}

/// Parses the text, and after a repair parses it again, until it is accepted or cannot be repaired. Each repair becomes
/// a warning, at most one for each line.
Result<Frontmatter> parse_yaml(std::string yaml, const YamlPlace& place) {
  Frontmatter out;
  for (size_t repairs = 0;; ++repairs) {
    TreeBuilder builder(place);
    try {
      std::istringstream stream(yaml);
      YAML::Parser parser(stream);
      parser.HandleNextDocument(builder);
      // A second document would be ignored in silence, and with it maybe a guard.
      TreeBuilder behind(place);
      if (parser.HandleNextDocument(behind)) {
        return refuse(place.path, behind.start().line, behind.start().column,
                      std::string(place.complaint) + ": the file holds a second document");
      }
    } catch (const YAML::ParserException& error) {
      SourcePos at = builder.position(error.mark);
      if (repairs >= kMaxRepairs || !repair_escape(error, yaml)) {
        return refuse(place.path, at.line, at.column, std::string(place.complaint) + ": " + error.msg);
      }
      // Points to the backslash.
      at.column -= std::min(at.column - 1, 2U);
      const bool is_new_line = out.warnings.empty() || out.warnings.back().at.line != at.line;
      if (is_new_line) out.warnings.push_back(escape_warning(std::move(at)));
      continue;
    }
    if (builder.refusal()) return std::unexpected(*builder.refusal());
    const YAML::Mark& quote = builder.last_quoted();
    if (quote.pos >= 0 && !has_closing_quote(yaml, static_cast<size_t>(quote.pos))) {
      const SourcePos at = builder.position(quote);
      return refuse(place.path, at.line, at.column, std::string(place.complaint) + ": a quote is not closed");
    }
    out.root = builder.take_root();
    return out;
  }
}

/// Whether a line has three dashes and nothing else but white space.
bool is_delimiter(std::string_view line) {
  return line.starts_with("---") && line.find_first_not_of(" \t\r", 3) == std::string_view::npos;
}

/// Whether the document is UTF-8 without NULs. yaml-cpp would take a text with a NUL near its start for UTF-16 or
/// UTF-32.
bool is_text(std::string_view document) {
  return text::is_valid_utf8(document) && document.find('\0') == std::string_view::npos;
}

/// Some editors put a byte order mark in front, which is not part of the text.
std::string_view without_mark(std::string_view document) {
  if (document.starts_with(kByteOrderMark)) document.remove_prefix(kByteOrderMark.size());
  return document;
}

Result<Frontmatter> parse_frontmatter(std::string yaml, const std::string& path) {
  auto head = parse_yaml(std::move(yaml), {path, 2, "Invalid YAML in frontmatter"});  // line 1 has the dashes
  if (head && !head->root.is_map()) return refuse(path, 1, 1, "the frontmatter must be a YAML mapping");
  return head;
}

}  // namespace

Result<Frontmatter> read_frontmatter(std::string_view document, const std::string& path) {
  document = without_mark(document);
  if (!is_text(document)) return refuse(path, 1, 1, "the file is not UTF-8");
  const size_t first_end = document.find('\n');
  if (!is_delimiter(document.substr(0, first_end))) {
    return refuse(path, 1, 1, "HOOK.md must start with YAML frontmatter, a line '---'");
  }
  const size_t begin = first_end == std::string_view::npos ? document.size() : first_end + 1;
  // Looks for the second line of dashes. The prose behind it may be anything and is not parsed.
  for (size_t line = begin; line < document.size();) {
    const size_t end = std::min(document.find('\n', line), document.size());
    if (is_delimiter(document.substr(line, end - line))) {
      return parse_frontmatter(std::string(document.substr(begin, line - begin)), path);
    }
    line = end + 1;
  }
  return refuse(path, 1, 1, "frontmatter not properly closed: a second line '---' is missing");
}

Result<Frontmatter> read_yaml_fields(std::string_view document, const std::string& path) {
  document = without_mark(document);
  if (!is_text(document)) return refuse(path, 1, 1, "the file is not UTF-8");
  auto out = parse_yaml(std::string(document), {path});
  if (!out || out->root.is_map()) return out;
  // A file without content, or with comments only, has no fields.
  if (out->root.kind != YamlNode::Kind::Empty) return refuse(path, 1, 1, "the file must be a YAML mapping");
  out->root.kind = YamlNode::Kind::Map;
  return out;
}

}  // namespace grapnel
