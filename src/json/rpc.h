#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "grapnel/json.h"

/// Messages of JSON-RPC 2.0, the language of MCP. A message with a method and an id is a request, one with a method
/// only is a notification, and one without a method answers the request with its id. Pure. Thread: any.
namespace grapnel::rpc {

/// The error codes that JSON-RPC defines.
inline constexpr int64_t kParseError = -32700;
inline constexpr int64_t kInvalidRequest = -32600;
inline constexpr int64_t kMethodNotFound = -32601;
inline constexpr int64_t kInvalidParams = -32602;

enum class MessageKind : uint8_t { Request, Notification, Answer, Invalid };

/// What a message is. Requests and answers have an id that is a string or a whole number; only an error may answer a
/// request whose id could not be read, with null.
MessageKind kind_of(const Json& message);
/// Whether it has an id that a request can have.
bool has_id(const Json& message);

/// Missing parameters are left out.
Json request(const Json& id, std::string_view method, const Json& params);
Json notification(std::string_view method, const Json& params);
Json result(const Json& id, const Json& value);
/// `id` may be missing, if the request could not be read.
Json error(const Json& id, int64_t code, std::string_view message, const Json& data = {});

}  // namespace grapnel::rpc
