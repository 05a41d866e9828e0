#include <cstdint>

#include "config/frontmatter.h"
#include "config/hook_fields.h"
#include "settings_check.h"

// The head of a HOOK.md. It is a map whose fields are a hook or mistakes, or an error; all of them have a place.

namespace {

using namespace grapnel;

/// A place may be right behind the text.
bool is_near(const SourcePos& at, std::string_view document) {
  const size_t lines = text::split(document, '\n').size();
  return at.line >= 1 && at.line <= lines && at.column >= 1 && at.column <= document.size() + 1;
}

void check_node(const FieldNode& node, std::string_view document) {
  GRAPNEL_CHECK(is_near(node.at, document));
  GRAPNEL_CHECK(node.is_map() || node.kind == FieldNode::Kind::List || node.members.empty());
  for (const auto& [key, member] : node.members) check_node(member, document);
}

void check_document(const std::string& document) {
  const auto head = read_frontmatter(document, "HOOK.md");
  if (!head) {
    GRAPNEL_CHECK(head.error().at.has_value() && is_near(*head.error().at, document));
    return;
  }
  GRAPNEL_CHECK(head->root.is_map());
  check_node(head->root, document);
  std::vector<Problem> problems = head->warnings;
  const auto fields = read_hook_fields(head->root, {kAgentHooksDialect, "hook", true}, problems);
  GRAPNEL_CHECK(!fields || (fields->event != nullptr && fields->name == "hook"));
  for (const Problem& problem : problems) GRAPNEL_CHECK(is_near(problem.at, document));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string content(reinterpret_cast<const char*>(data), size);
  check_document(content);
  check_document("---\n" + content + "\n---\n");
  return 0;
}
