#include "llm/provider.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "llm/model_support.h"
#include "llm/streams.h"
#include "net/loopback_server.h"

namespace grapnel::llm {
namespace {

using testing::LoopbackServer;

struct Case {
  const char* note;
  ProviderOptions options;
  std::vector<std::string> env;
  const char* want;  ///< the client's name, or `error: message`
};

TEST(Provider, ChoosesAndChecks) {
  const Case cases[] = {
      {"nothing at all",
       {},
       {},
       "error: no model to talk to: set ANTHROPIC_API_KEY or OPENAI_API_KEY or GEMINI_API_KEY, or name a provider"},
      {"by name", {.provider = "openai", .model = "m", .api_key = "k"}, {}, "openai"},
      {"by the key in the environment", {.model = "m"}, {"GEMINI_API_KEY=k"}, "gemini"},
      {"by another name of the key", {.model = "m"}, {"GOOGLE_API_KEY=k"}, "gemini"},
      {"the first of several keys", {.model = "m"}, {"GEMINI_API_KEY=k", "ANTHROPIC_API_KEY=k"}, "anthropic"},
      {"a name outranks keys",
       {.provider = "gemini", .model = "m"},
       {"GEMINI_API_KEY=k", "ANTHROPIC_API_KEY=k"},
       "gemini"},
      {"an unknown name",
       {.provider = "acme"},
       {},
       "error: no such provider: 'acme'; there are replay, anthropic, openai, gemini"},
      {"no key", {.provider = "anthropic", .model = "m"}, {}, "error: anthropic: no key: set ANTHROPIC_API_KEY"},
      {"an empty key",
       {.provider = "anthropic", .model = "m"},
       {"ANTHROPIC_API_KEY= \n"},
       "error: anthropic: no key: set ANTHROPIC_API_KEY"},
      {"no key for an address of one's own",
       {.provider = "openai", .model = "m", .base_url = "http://localhost:1"},
       {},
       "openai"},
      {"no key for OpenAI's own address",
       {.provider = "openai", .model = "m", .base_url = "https://api.openai.com/v1/"},
       {},
       "error: openai: no key: set OPENAI_API_KEY"},
      {"no key, but another provider's",
       {.provider = "gemini", .model = "m"},
       {"ANTHROPIC_API_KEY=k"},
       "error: gemini: no key: set GEMINI_API_KEY"},
      {"no model",
       {.provider = "gemini", .api_key = "k"},
       {},
       "error: gemini: no model: name one with --model, or set GEMINI_MODEL"},
      {"a model in the environment", {.provider = "gemini", .api_key = "k"}, {"GEMINI_MODEL=m"}, "gemini"},
      {"an address that is none",
       {.provider = "gemini", .model = "m", .base_url = "localhost", .api_key = "k"},
       {},
       "error: gemini: the address has to begin with https:// or http://"},
      {"replay without a file", {.provider = "replay"}, {}, "error: replay: no file to replay"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    ProviderOptions options = c.options;
    options.env = Environment(c.env);
    const auto client = make_model_client(options);
    EXPECT_EQ(client ? std::string((*client)->name()) : "error: " + client.error().message, c.want);
  }
}

struct SentCase {
  const char* note;
  const char* option_key;
  const char* option_model;
  const char* want_key;
  const char* want_model;
};

TEST(Provider, OptionsOutrankTheEnvironment) {
  const SentCase cases[] = {
      {"from the environment", "", "", "Bearer env-key", "env-model"},
      {"from the options", "option-key", "option-model", "Bearer option-key", "option-model"},
      {"white space around a key is not part of it", " option-key\n", "", "Bearer option-key", "env-model"},
  };
  for (const SentCase& c : cases) {
    SCOPED_TRACE(c.note);
    const LoopbackServer server({{.body = std::string(testing::kOpenAiStream)}});
    ProviderOptions options{.provider = "openai", .model = c.option_model, .api_key = c.option_key};
    options.env =
        Environment({"OPENAI_API_KEY=env-key\n", "OPENAI_MODEL=env-model", "OPENAI_BASE_URL=" + server.url("/v1/"),
                     "NO_PROXY=127.0.0.1", "https_proxy=http://127.0.0.1:9"});
    const auto client = make_model_client(options);
    ASSERT_TRUE(client.has_value()) << client.error().message;
    ModelRequest request = testing::ask("go");
    request.model = "";
    const auto response = (*client)->generate(request, {}, {});
    ASSERT_TRUE(response.has_value()) << response.error().message;
    const auto sent = server.requests().at(0);
    EXPECT_EQ(sent.target, "/v1/chat/completions");
    EXPECT_EQ(sent.header("authorization"), c.want_key);
    EXPECT_TRUE(testing::json(sent.body)["model"].equals_string(c.want_model));
    EXPECT_EQ(model_name(options), c.want_model);
  }
}

TEST(Provider, AsksThroughTheProxy) {
  const LoopbackServer proxy({{.body = std::string(testing::kOpenAiStream)}});
  ProviderOptions options{.provider = "openai", .model = "m", .base_url = "http://models.invalid/v1"};
  options.env = Environment({"https_proxy=" + proxy.url()});
  const auto response = make_model_client(options).value()->generate(testing::ask("go"), {}, {});
  ASSERT_TRUE(response.has_value()) << response.error().message;
  EXPECT_EQ(proxy.requests().at(0).target, "http://models.invalid/v1/chat/completions");
}

}  // namespace
}  // namespace grapnel::llm
