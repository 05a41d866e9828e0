#include "json/rpc.h"

namespace grapnel::rpc {

namespace {

constexpr std::string_view kVersion = "2.0";

bool is_id(const Json& id) {
  return id.is_string() || id.as_integer().has_value();
}

}  // namespace

MessageKind kind_of(const Json& message) {
  if (!message.is_object() || !message["jsonrpc"].equals_string(kVersion)) return MessageKind::Invalid;
  const Json id = message["id"];
  if (message["method"].is_string()) {
    if (!id) return MessageKind::Notification;
    return is_id(id) ? MessageKind::Request : MessageKind::Invalid;
  }
  if (message["error"].is_object())
    return is_id(id) || !id || id.is_null() ? MessageKind::Answer : MessageKind::Invalid;
  return message["result"] && is_id(id) ? MessageKind::Answer : MessageKind::Invalid;
}

bool has_id(const Json& message) {
  return is_id(message["id"]);
}

Json request(const Json& id, std::string_view method, const Json& params) {
  return Json::object(
      {{"jsonrpc", Json::string(kVersion)}, {"id", id}, {"method", Json::string(method)}, {"params", params}});
}

Json notification(std::string_view method, const Json& params) {
  return request({}, method, params);
}

Json result(const Json& id, const Json& value) {
  return Json::object({{"jsonrpc", Json::string(kVersion)}, {"id", id}, {"result", value}});
}

Json error(const Json& id, int64_t code, std::string_view message, const Json& data) {
  return Json::object(
      {{"jsonrpc", Json::string(kVersion)},
       {"id", id ? id : Json::null()},
       {"error", Json::object({{"code", Json::number(code)}, {"message", Json::string(message)}, {"data", data}})}});
}

}  // namespace grapnel::rpc
