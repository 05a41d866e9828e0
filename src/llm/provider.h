#pragma once

#include <memory>
#include <string>

#include "base/environment.h"
#include "grapnel_agent/model.h"
#include "llm/http_model.h"

/// Model clients, for the interface in `grapnel_agent/model.h`:
///
///   provider.h         which client, with which address and key
///   http_model.h       any wire format over HTTP, with the retries of retry.h
///   wire_format.h      what a format is: a row of pure functions
///   anthropic.h, openai.h, gemini.h   one format each: request out, stream in
///   response_builder.h pieces of a streamed answer into a `ModelResponse`
///   replay.h, replay_script.h         answers from a file instead of a server
///   gemini_wire.h      to and from the Gemini SDK's shape, which model hooks see
namespace grapnel::llm {

/// Which model to talk to. What is empty is looked up in `env`:
///
///   provider    key                              address                  model
///   anthropic   ANTHROPIC_API_KEY                ANTHROPIC_BASE_URL       ANTHROPIC_MODEL
///   openai      OPENAI_API_KEY                   OPENAI_BASE_URL          OPENAI_MODEL
///   gemini      GEMINI_API_KEY, GOOGLE_API_KEY   GOOGLE_GEMINI_BASE_URL   GEMINI_MODEL
///   replay      none; `replay_file`, or the file of GRAPNEL_REPLAY, is read
///
/// and for all: HTTPS_PROXY, NO_PROXY (small letters too), SSL_CERT_FILE. An OpenAI-compatible server at an address of
/// its own may want no key; all others do.
struct ProviderOptions {
  std::string provider;  ///< empty: replay when there is a file, else the first whose key is set
  std::string model;
  std::string base_url;
  std::string api_key;
  std::string replay_file;
  RetryPolicy retry;
  net::HttpTimeouts timeouts;
  Environment env;
};

/// Fails: BadConfig, saying what to set; for replays as reading the file does. No message has a key in it.
Result<std::unique_ptr<ModelClient>> make_model_client(const ProviderOptions& options);

/// Whether anything says whom to talk to: a file, a name, an address, or a key in `env`.
bool names_provider(const ProviderOptions& options);

/// The model that will be asked when a request names none; "" for replays.
std::string model_name(const ProviderOptions& options);

}  // namespace grapnel::llm
