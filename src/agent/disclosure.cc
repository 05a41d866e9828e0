#include "agent/disclosure.h"

#include <algorithm>

#include "base/text.h"
#include "os/files.h"

namespace grapnel::agent {

namespace {

constexpr size_t kMaxFile = size_t{1} << 20;
/// Bytes of a document that the model reads; the format asks authors for less than half of it.
constexpr size_t kMaxDocument = size_t{8} << 10;
constexpr std::string_view kFence = "---";

/// Whether the model reads the context of such a decision. At the end of a turn it does only if the hook objects.
bool reaches_model(EventKind kind, const Decision& decision) {
  switch (kind) {
    case EventKind::SessionStart:
    case EventKind::UserPromptSubmit:
    case EventKind::PreToolUse:
    case EventKind::PermissionRequest:
    case EventKind::PostToolUse:
    case EventKind::PostToolUseFailure:
    case EventKind::SubagentStart:
      return true;
    case EventKind::Stop:
    case EventKind::SubagentStop:
    case EventKind::TurnEnd:
      return decision.denied();
    default:
      return false;
  }
}

/// Whether there is text behind the frontmatter. Without it the overview has told all there is to say.
bool has_body(std::string_view document) {
  const size_t end = document.find("\n" + std::string(kFence), kFence.size());
  return end != std::string_view::npos && !text::trim(document.substr(end + 1 + kFence.size())).empty();
}

/// The text of a hook's document for the model, in an element of its own; "" if there is none worth reading.
std::string document_of(const HookInfo& hook) {
  const auto document = os::read_file(hook.document, kMaxFile);
  if (!document || !has_body(*document)) return "";
  return "<hook_document hook=\"" + hook.name + "\">\n" + text::cap(text::trim(*document), kMaxDocument) +
         "\n</hook_document>";
}

}  // namespace

std::string Disclosure::overview(const Engine& engine) {
  std::vector<HookInfo> hooks = engine.hooks();
  std::erase_if(hooks, [](const HookInfo& hook) { return hook.document.empty() || !hook.enabled || !hook.trusted; });
  if (hooks.empty()) return "";
  return "Hooks watch this session. Each runs at the events that it names, and may block what happens there:\n" +
         describe_to_model(hooks);
}

void Disclosure::add_documents(EventKind kind, const Engine& engine, Decision& decision) {
  if (decision.hooks.empty() || !reaches_model(kind, decision)) return;
  const std::vector<HookInfo> hooks = engine.hooks();
  for (const HookFate& fate : decision.hooks) {
    if (fate.kind == HookFate::Kind::Skipped) continue;
    const auto is_same = [&](const HookInfo& hook) {
      return !hook.document.empty() && hook.name == fate.name && fate.source.starts_with(hook.document);
    };
    const auto hook = std::ranges::find_if(hooks, is_same);
    if (hook == hooks.end()) continue;
    const std::lock_guard lock(mutex_);
    if (!told_.insert(hook->document).second) continue;
    if (std::string text = document_of(*hook); !text.empty()) {
      decision.effects.context.push_back({hook->name, std::move(text)});
    }
  }
}

void Disclosure::forget() {
  const std::lock_guard lock(mutex_);
  told_.clear();
}

}  // namespace grapnel::agent
