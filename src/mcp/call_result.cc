#include "mcp/call_result.h"

namespace grapnel::mcp {

namespace {

std::string text_at(const Json& object, const char* key) {
  return object[key].as_string().value_or("");
}

/// `[image/png, 1234 bytes]`: the model gets no bytes.
std::string bytes_text(const Json& holder, const char* key, std::string_view kind) {
  const std::string type = text_at(holder, "mimeType");
  const size_t size = text_at(holder, key).size() / 4 * 3;
  return "[" + (type.empty() ? std::string(kind) : type) + ", about " + std::to_string(size) + " bytes]";
}

std::string resource_text(const Json& resource) {
  const auto text = resource["text"].as_string();
  return text ? *text : bytes_text(resource, "blob", "bytes");
}

std::string item_text(const Json& item) {
  const std::string type = text_at(item, "type");
  if (type == "text") return text_at(item, "text");
  if (type == "image" || type == "audio") return bytes_text(item, "data", type);
  if (type == "resource") {
    const Json resource = item["resource"];
    return "[resource " + text_at(resource, "uri") + "]\n" + resource_text(resource);
  }
  if (type == "resource_link") {
    const std::string about = text_at(item, "description");
    return "[resource " + text_at(item, "uri") + ": " + text_at(item, "name") + (about.empty() ? "" : ", " + about) +
           "]";
  }
  return "[content of the unknown type '" + type.substr(0, 40) + "']";
}

void add(std::string& text, const std::string& part) {
  if (!text.empty() && !part.empty()) text += "\n";
  text += part;
}

}  // namespace

CallResult read_call_result(const Json& result) {
  CallResult out{
      .is_error = result["isError"].as_bool() == true, .text = "", .structured = result["structuredContent"]};
  for (const Json& item : result["content"].elements()) add(out.text, item_text(item));
  // A server should repeat its data as text, but need not.
  if (out.text.empty() && out.structured) out.text = out.structured.dump();
  return out;
}

CallResult read_resource(const Json& result) {
  CallResult out;
  for (const Json& content : result["contents"].elements()) add(out.text, resource_text(content));
  return out;
}

}  // namespace grapnel::mcp
