#include "agent/tools/tool_answer.h"

#include <algorithm>
#include <utility>

#include "agent/workspace.h"
#include "base/error.h"
#include "base/text.h"

namespace grapnel::agent {

namespace {

/// Whether the byte is inside a UTF-8 character; a cut must not fall there.
bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

}  // namespace

/// The schemas are constants of this program, so one that does not parse is a bug here.
Tool make_tool(ToolKind kind, std::string description, std::string schema,
               std::function<ToolResult(const Json& input, const ToolContext& context)> run) {
  auto parsed = Json::parse(std::move(schema));
  GRAPNEL_CHECK(parsed.has_value());
  return {std::string(tool_name(kind, "canonical")), kind, std::move(description), *std::move(parsed), std::move(run)};
}

/// Both cuts move away from the middle of a character: the head gets shorter, the tail begins later.
std::string cut_middle(std::string_view bytes, size_t limit) {
  // Repairing comes before cutting: replacement characters can make the text longer.
  std::string whole = text::to_valid_utf8(bytes);
  if (whole.size() <= limit) return whole;
  size_t head = limit / 2;
  size_t tail = whole.size() - (limit - head);
  while (head > 0 && continues_character(whole[head])) --head;
  while (tail < whole.size() && continues_character(whole[tail])) ++tail;
  return whole.substr(0, head) + "\n[… " + std::to_string(tail - head) + " bytes cut …]\n" + whole.substr(tail);
}

ToolResult answer(std::string_view text, const ToolContext& context, Json data) {
  return {.text = cut_middle(text, context.max_output), .data = std::move(data)};
}

ToolResult failure(ToolFailure kind, std::string text) {
  return {.failure = kind, .text = std::move(text)};
}

/// A cancelled step means that the user interrupted; any other error is the tool's own failure.
ToolResult failure(const Error& error) {
  return failure(error.code == Errc::Cancelled ? ToolFailure::Interrupted : ToolFailure::Failed, error.to_string());
}

std::string count_of(size_t count, std::string_view noun) {
  return std::to_string(count) + ' ' + std::string(noun) + (count == 1 ? "" : "s");
}

std::string text_argument(const Json& input, std::string_view name) {
  return input[name].as_string().value_or("");
}

/// A missing argument is an empty path, which the workspace resolves to its root.
Result<std::string> path_argument(const Json& input, std::string_view name, const ToolContext& context) {
  if (context.workspace == nullptr) return fail(Errc::Refused, "there is no workspace");
  return context.workspace->resolve(text_argument(input, name));
}

}  // namespace grapnel::agent
