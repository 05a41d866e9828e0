#pragma once

#include <memory>
#include <string>

#include "base/environment.h"
#include "grapnel_agent/model.h"
#include "llm/http_model.h"

/// src/llm has the model clients, behind the interface in `grapnel_agent/model.h`:
///
///   provider.h         chooses the client, its address and its key
///   http_model.h       speaks any wire format over HTTP, with the retries of retry.h
///   wire_format.h      describes a wire format: a row of pure functions
///   anthropic.h, openai.h, gemini.h   one wire format each: encode a request, decode a stream
///   response_builder.h assembles a streamed answer into a `ModelResponse`
///   replay.h, replay_script.h         play answers from a file instead of asking a server
///   gemini_wire.h      converts to and from the Gemini SDK's shape, which model hooks see
///
/// A call goes `make_model_client` → `HttpModel::generate` → the format's encoder → `net::HttpClient` →
/// `net::SseParser` → the format's decoder → `ResponseBuilder`.
namespace grapnel::llm {

/// Which model to talk to. Empty members are looked up in `env`:
///
///   provider    key                              address                  model
///   anthropic   ANTHROPIC_API_KEY                ANTHROPIC_BASE_URL       ANTHROPIC_MODEL
///   openai      OPENAI_API_KEY                   OPENAI_BASE_URL          OPENAI_MODEL
///   gemini      GEMINI_API_KEY, GOOGLE_API_KEY   GOOGLE_GEMINI_BASE_URL   GEMINI_MODEL
///   replay      none; reads `replay_file`, or the file that GRAPNEL_REPLAY names
///
/// All providers also use HTTPS_PROXY, NO_PROXY (lower case works too) and SSL_CERT_FILE. An OpenAI-compatible server
/// at another address may work without a key; everything else needs one.
struct ProviderOptions {
  std::string provider;  ///< empty: replay if a file is given, else the first one whose key is set
  std::string model;
  std::string base_url;
  std::string api_key;
  std::string replay_file;
  RetryPolicy retry;
  net::HttpTimeouts timeouts;
  Environment env;
};

/// Fails: BadConfig, with a message that says what to set; errors of reading the replay file. No message contains a
/// key.
Result<std::unique_ptr<ModelClient>> make_model_client(const ProviderOptions& options);

/// Whether the options or `env` name a provider at all: with a file, a name, an address or a key.
bool names_provider(const ProviderOptions& options);

/// The model that is used when a request names none; "" for replays.
std::string model_name(const ProviderOptions& options);

}  // namespace grapnel::llm
