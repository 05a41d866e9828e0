#include <cstdint>

#include "discover/formats/frontmatter.h"
#include "discover/formats/hook_fields.h"
#include "discover/formats/rule_checks.h"
#include "discover/formats/rule_file.h"
#include "settings_check.h"

// Input: the frontmatter of a HOOK.md, and the same text as a rule file. The frontmatter is a map that gives a hook or
// problems, or it is an error. A rule file gives hooks that can be shown and compared, and problems. Every problem has
// a position in the text.

namespace {

using namespace grapnel;

/// A position may also be right after the end of the text.
bool is_near(const SourcePos& at, std::string_view document) {
  const size_t lines = text::split(document, '\n').size();
  return at.line >= 1 && at.line <= lines && at.column >= 1 && at.column <= document.size() + 1;
}

void check_node(const YamlNode& node, std::string_view document) {
  GRAPNEL_CHECK(is_near(node.at, document));
  GRAPNEL_CHECK(node.is_map() || node.kind == YamlNode::Kind::List || node.members.empty());
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
  std::vector<ConfigProblem> problems = head->warnings;
  const auto fields = read_hook_fields(head->root, {kAgentHooksDialect, "hook", true}, problems);
  GRAPNEL_CHECK(!fields || (fields->event != nullptr && fields->name == "hook"));
  for (const ConfigProblem& problem : problems) GRAPNEL_CHECK(is_near(problem.at, document));
}

void check_rule_file(const std::string& document) {
  const RuleFile file = read_rules(document, {Scope::User, "grapnel.yaml", std::nullopt});
  for (const ConfigProblem& problem : file.problems) GRAPNEL_CHECK(is_near(problem.at, document));
  for (const HookSpec& hook : file.hooks) {
    GRAPNEL_CHECK(!hook.name.empty() && hook.events.any() && is_near(hook.source, document));
    GRAPNEL_CHECK(!hook.action_text().empty() && hook.when.has_value() == !hook.condition_text().empty());
    GRAPNEL_CHECK(Json::parse(hook.definition).has_value());
  }
  constexpr size_t kFewHooks = 50;  // each is compared with each
  if (file.hooks.size() > kFewHooks) return;
  for (const ConfigProblem& problem : check_rules(file.hooks)) GRAPNEL_CHECK(is_near(problem.at, document));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string content(reinterpret_cast<const char*>(data), size);
  check_document(content);
  check_document("---\n" + content + "\n---\n");
  check_rule_file(content);
  check_rule_file("version: 1\nhooks:\n" + content);
  return 0;
}
