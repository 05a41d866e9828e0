#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "llm/response_builder.h"
#include "net/http_client.h"

namespace grapnel::llm {

/// Where a provider is reached.
struct Endpoint {
  std::string base_url;  ///< without a slash at the end
  std::string api_key;   ///< empty: sent without
};

/// One provider's protocol as a row: everything about it that is not transport. All functions are pure.
struct WireFormat {
  std::string_view name;
  std::string_view default_base_url;
  std::array<std::string_view, 2> key_variables;  ///< of the environment; the first that is set counts
  std::string_view base_url_variable;
  std::string_view model_variable;
  bool keyless_elsewhere = false;  ///< a server other than the default one may want no key

  std::string (*url)(const Endpoint& endpoint, const ModelRequest& request);
  std::vector<net::HttpHeader> (*auth_headers)(const Endpoint& endpoint);
  Json (*encode)(const Endpoint& endpoint, const ModelRequest& request);
  std::unique_ptr<StreamDecoder> (*make_decoder)(ChunkSink on_chunk, CallIdSource make_call_id);
};

}  // namespace grapnel::llm
