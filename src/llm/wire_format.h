#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "llm/response_builder.h"
#include "net/http_client.h"

namespace grapnel::llm {

/// The address of a provider and the key for it. The key goes into headers only, never into URLs, which end up in logs.
struct Endpoint {
  std::string base_url;  ///< without a slash at the end
  std::string api_key;   ///< empty: no key is sent
};

/// Everything about a provider's protocol except the transport, as one row of a table. All functions are pure.
///
/// A new provider needs a file with such a row, a decoder, and an entry in `kFormats` (provider.cc).
struct WireFormat {
  std::string_view name;
  std::string_view default_base_url;
  std::array<std::string_view, 2> key_variables;  ///< environment variables; the first one that is set is used
  std::string_view base_url_variable;
  std::string_view model_variable;
  bool keyless_elsewhere = false;  ///< servers at other addresses may work without a key

  /// The address of a request. Some formats have the model's name in it.
  std::string (*url)(const Endpoint& endpoint, const ModelRequest& request);
  std::vector<net::HttpHeader> (*auth_headers)(const Endpoint& endpoint);
  /// Returns the body of the request.
  Json (*encode)(const Endpoint& endpoint, const ModelRequest& request);
  /// Returns a decoder for one answer. `make_call_id` is for calls that arrive without an id.
  std::unique_ptr<StreamDecoder> (*make_decoder)(ChunkSink on_chunk, CallIdSource make_call_id);
};

}  // namespace grapnel::llm
