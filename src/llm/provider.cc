#include "llm/provider.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "llm/anthropic.h"
#include "llm/gemini.h"
#include "llm/openai.h"
#include "llm/replay.h"

namespace grapnel::llm {

namespace {

constexpr std::string_view kReplay = "replay";
/// In the order in which keys are looked for when no provider is named. A new provider is a new row.
constexpr std::array<const WireFormat*, 3> kFormats = {&kAnthropicFormat, &kOpenAiFormat, &kGeminiFormat};

/// The first variable that is set. White space is removed, because people often paste it along with a key.
std::string first_set(const Environment& env, const auto& names) {
  for (const std::string_view name : names) {
    const std::string_view value = name.empty() ? name : text::trim(env.get(name));
    if (!value.empty()) return std::string(value);
  }
  return "";
}

/// The option if it is given, otherwise the variable.
std::string or_variable(const std::string& option, const Environment& env, std::string_view name) {
  const std::string_view given = text::trim(option);
  return given.empty() ? first_set(env, std::array{name}) : std::string(given);
}

/// An explicit key wins over those in the environment.
std::string key_of(const WireFormat& format, const ProviderOptions& options) {
  const std::string_view given = text::trim(options.api_key);
  return given.empty() ? first_set(options.env, format.key_variables) : std::string(given);
}

/// Wire formats append paths that begin with a slash, so the address must not end with one.
std::string base_url_of(const WireFormat& format, const ProviderOptions& options) {
  std::string url = or_variable(options.base_url, options.env, format.base_url_variable);
  if (url.empty()) url = format.default_base_url;
  while (url.ends_with('/')) url.pop_back();
  return url;
}

/// A list for messages, with one entry per wire format.
std::string join_names(std::string_view separator, auto name_of) {
  std::vector<std::string> names;
  for (const WireFormat* format : kFormats) names.emplace_back(name_of(*format));
  return text::join(names, separator);
}

/// The named provider, or else the first one whose key is in the environment.
Result<const WireFormat*> choose_format(const ProviderOptions& options) {
  if (options.provider.empty()) {
    const auto has_key = [&](const WireFormat* f) { return !first_set(options.env, f->key_variables).empty(); };
    if (const auto* const found = std::ranges::find_if(kFormats, has_key); found != kFormats.end()) return *found;
    return fail(Errc::BadConfig, "no model to talk to: set " + join_names(" or ", [](const WireFormat& f) {
                                   return f.key_variables[0];
                                 }) + ", or name a provider");
  }
  const auto is_named = [&](const WireFormat* f) { return f->name == options.provider; };
  if (const auto* const found = std::ranges::find_if(kFormats, is_named); found != kFormats.end()) return *found;
  return fail(Errc::BadConfig, "no such provider: '" + options.provider + "'; there are " + std::string(kReplay) +
                                   ", " + join_names(", ", [](const WireFormat& f) { return f.name; }));
}

/// The settings that all requests of a client share. `net` does not read the environment, so proxies come from here.
net::HttpRequest make_template(const ProviderOptions& options) {
  net::HttpRequest http;
  http.timeouts = options.timeouts;
  http.proxy = first_set(options.env, std::array<std::string_view, 2>{"https_proxy", "HTTPS_PROXY"});
  http.no_proxy = first_set(options.env, std::array<std::string_view, 2>{"no_proxy", "NO_PROXY"});
  http.ca_file = options.env.get("SSL_CERT_FILE");
  return http;
}

/// Finds missing settings now, with a message that says what to set, instead of at the first request.
Result<void> check(const WireFormat& format, const HttpModelOptions& made) {
  const std::string name(format.name);
  if (!made.endpoint.base_url.starts_with("https://") && !made.endpoint.base_url.starts_with("http://")) {
    return fail(Errc::BadConfig, name + ": the address has to begin with https:// or http://");
  }
  const bool may_lack_key = format.keyless_elsewhere && made.endpoint.base_url != format.default_base_url;
  if (made.endpoint.api_key.empty() && !may_lack_key) {
    return fail(Errc::BadConfig, name + ": no key: set " + std::string(format.key_variables[0]));
  }
  if (made.model.empty()) {
    return fail(Errc::BadConfig,
                name + ": no model: name one with --model, or set " + std::string(format.model_variable));
  }
  return {};
}

std::string replay_file_of(const ProviderOptions& options) {
  return or_variable(options.replay_file, options.env, "GRAPNEL_REPLAY");
}

/// A named provider decides. Otherwise options take precedence over the environment: an address on the command line
/// means a real server even if GRAPNEL_REPLAY is set.
bool is_replay(const ProviderOptions& options) {
  if (!options.provider.empty()) return options.provider == kReplay;
  return !options.replay_file.empty() || (options.base_url.empty() && !replay_file_of(options).empty());
}

}  // namespace

bool names_provider(const ProviderOptions& options) {
  return is_replay(options) || !options.provider.empty() || !options.base_url.empty() || choose_format(options);
}

/// Falls back to the option when no provider can be chosen; `make_model_client` reports that problem.
std::string model_name(const ProviderOptions& options) {
  if (is_replay(options)) return options.model;
  const auto format = choose_format(options);
  return format ? or_variable(options.model, options.env, (*format)->model_variable) : options.model;
}

Result<std::unique_ptr<ModelClient>> make_model_client(const ProviderOptions& options) {
  if (is_replay(options)) {
    const std::string file = replay_file_of(options);
    if (file.empty()) return fail(Errc::BadConfig, "replay: no file to replay");
    return open_replay(file);
  }
  const auto format = choose_format(options);
  if (!format) return std::unexpected(format.error());
  HttpModelOptions made{.endpoint = {base_url_of(**format, options), key_of(**format, options)},
                        .model = model_name(options),
                        .retry = options.retry,
                        .http = make_template(options)};
  if (auto checked = check(**format, made); !checked) return std::unexpected(checked.error());
  return std::make_unique<HttpModel>(**format, std::move(made));
}

/// The public factory for embedders, who have no `Environment`.
Result<std::shared_ptr<ModelClient>> open_model(const ModelSource& source) {
  ProviderOptions options;
  options.provider = source.provider;
  options.model = source.model;
  options.base_url = source.base_url;
  options.api_key = source.api_key;
  options.replay_file = source.replay_file;
  options.env = Environment::of_process();
  auto client = make_model_client(options);
  if (!client) return std::unexpected(client.error());
  return std::shared_ptr<ModelClient>(std::move(*client));
}

}  // namespace grapnel::llm
