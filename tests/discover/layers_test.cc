#include "discover/find/layers.h"

#include <gtest/gtest.h>

namespace grapnel {
namespace {

struct Layer {
  Scope scope;
  std::string text;
};

/// Hooks as one line: `name` when it is on, `(name)` when it is off.
std::string layered(const Dialect& dialect, const std::vector<Layer>& layers) {
  std::vector<SettingsFile> files;
  for (const Layer& layer : layers) files.push_back(read_settings(layer.text, {&dialect, layer.scope, "f"}));
  std::string out;
  for (const HookSpec& hook : layer_files(files, {})) {
    out += (out.empty() ? "" : " ") + (hook.enabled ? hook.name : "(" + hook.name + ")");
  }
  return out;
}

std::string clawd(const char* settings, const std::string& stop) {
  std::string out = std::string("{\"hooks\": {") + settings;
  if (!stop.empty()) {
    out += (*settings == '\0' ? "" : ", ") + std::string("\"Stop\": [{\"name\": \"") + stop +
           "\", \"hooks\": [{\"type\": \"command\", \"command\": \"c\"}]}]";
  }
  return out + "}}";
}

std::string gemini(const char* settings, const std::string& name) {
  const std::string hooks = name.empty() ? ""
                                         : "\"BeforeTool\": [{\"hooks\": [{\"type\": \"command\", \"command\": "
                                           "\"c\", \"name\": \"" +
                                               name + "\"}]}]";
  return std::string("{\"hooksConfig\": {") + settings + "}, \"hooks\": {" + hooks + "}}";
}

TEST(Layers, ReplacePerEventInsideARealm) {
  struct Case {
    const char* note;
    std::vector<Layer> layers;
    const char* want;
  };
  const Case cases[] = {
      {"no files", {}, ""},
      {"the later of the user's files", {{Scope::User, clawd("", "a")}, {Scope::User, clawd("", "b")}}, "b"},
      {"an empty list replaces", {{Scope::User, clawd("", "a")}, {Scope::User, clawd("\"Stop\": []", "")}}, ""},
      {"what is no list does not", {{Scope::User, clawd("", "a")}, {Scope::User, clawd("\"Stop\": 7", "")}}, "a"},
      {"another event does not", {{Scope::User, clawd("", "a")}, {Scope::User, clawd("\"SessionEnd\": []", "")}}, "a"},
      {"the local file is the project's", {{Scope::Project, clawd("", "p")}, {Scope::Local, clawd("", "l")}}, "l"},
      {"never across realms", {{Scope::User, clawd("", "u")}, {Scope::Project, clawd("", "p")}}, "u p"},
      {"an empty list neither", {{Scope::User, clawd("", "u")}, {Scope::Project, clawd("\"Stop\": []", "")}}, "u"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(layered(kClawdDialect, c.layers), c.want);
  }
}

TEST(Layers, ConcatenateAddsUp) {
  EXPECT_EQ(layered(kGeminiDialect, {{Scope::User, gemini("", "a")}, {Scope::User, gemini("", "b")}}), "a b");
  EXPECT_EQ(layered(kGeminiDialect, {{Scope::Managed, gemini("", "m1")},
                                     {Scope::User, gemini("", "u")},
                                     {Scope::Project, gemini("", "p")},
                                     {Scope::Managed, gemini("", "m2")}}),
            "m1 m2 u p");
}

TEST(Layers, SwitchesFlowDownNeverUp) {
  struct Case {
    const char* note;
    const char *managed, *user, *project;
    const char* want;
  };
  const Case cases[] = {
      {"nothing said", "", "", "", "m u p"},
      {"a project switches its own off", "", "", R"("enabled": false)", "m u (p)"},
      {"a user switches the project's off", "", R"("enabled": false)", "", "m (u) (p)"},
      {"and a project cannot switch them on", "", R"("enabled": false)", R"("enabled": true)", "m (u) (p)"},
      {"an administrator switches all off", R"("enabled": false)", R"("enabled": true)", "", "(m) (u) (p)"},
      {"names, by the project", "", "", R"("disabled": ["m", "u", "p"])", "m u (p)"},
      {"names, by the user", "", R"("disabled": ["m", "u", "p"])", "", "m (u) (p)"},
      {"names, by the administrator", R"("disabled": ["m", "p"])", "", "", "(m) u (p)"},
      {"names are united", "", R"("disabled": ["u"])", R"("disabled": ["p"])", "m (u) (p)"},
      {"a project cannot take a name off the list", "", R"("disabled": ["p"])", R"("disabled": [])", "m u (p)"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(layered(kGeminiDialect, {{Scope::Managed, gemini(c.managed, "m")},
                                       {Scope::User, gemini(c.user, "u")},
                                       {Scope::Project, gemini(c.project, "p")}}),
              c.want);
  }
}

TEST(Layers, DefaultsFlowDownNeverUp) {
  std::vector<SettingsFile> files;
  files.push_back(
      read_settings(clawd(R"("defaultTimeout": 5, "failureBehavior": "deny", "maxConcurrentHooks": 2)", "u"),
                    {&kClawdDialect, Scope::User, "f"}));
  files.push_back(read_settings(clawd(R"("defaultTimeout": 1, "timeoutBehavior": "ask")", "p"),
                                {&kClawdDialect, Scope::Project, "f"}));
  const std::vector<HookSpec> hooks = layer_files(files, {});
  ASSERT_EQ(hooks.size(), 2u);
  EXPECT_EQ(hooks[0].timeout, std::chrono::seconds(5));
  EXPECT_EQ(hooks[0].failure.on_failure, OnFailure::Closed);
  EXPECT_EQ(hooks[0].failure.on_timeout, OnFailure::Open) << "the project's setting is not the user's";
  EXPECT_EQ(hooks[0].max_concurrent, 2u);
  EXPECT_EQ(hooks[1].timeout, std::chrono::seconds(1));
  EXPECT_EQ(hooks[1].failure.on_failure, OnFailure::Closed) << "the user's holds for the project";
  EXPECT_EQ(hooks[1].failure.on_timeout, OnFailure::Ask);
  EXPECT_EQ(hooks[1].max_concurrent, 2u);

  const std::vector<HookSpec> overridden = layer_files(files, {std::chrono::milliseconds(70)});
  EXPECT_EQ(overridden[0].timeout, std::chrono::milliseconds(70)) << "the environment beats every file's default";
  EXPECT_EQ(overridden[1].timeout, std::chrono::milliseconds(70));
}

TEST(Layers, WithoutSettingsTheDialectsDefaultsHold) {
  const std::vector<HookSpec> hooks =
      layer_files({read_settings(clawd("", "u"), {&kClawdDialect, Scope::User, "f"})}, {});
  ASSERT_EQ(hooks.size(), 1u);
  EXPECT_EQ(hooks[0].timeout, std::chrono::seconds(60));
  EXPECT_EQ(hooks[0].max_concurrent, 5u);
  EXPECT_EQ(hooks[0].failure.on_failure, OnFailure::Open);
  EXPECT_TRUE(hooks[0].enabled);
}

TEST(Layers, ManyNamesOff) {
  std::string names;
  for (int i = 0; i < 10000; ++i) names += (i == 0 ? "\"n" : ", \"n") + std::to_string(i) + "\"";
  std::string hooks;
  for (int i = 0; i < 10000; ++i) {
    hooks += (i == 0 ? "" : ",") + std::string("{\"type\":\"command\",\"command\":\"c\",\"name\":\"n") +
             std::to_string(i * 2) + "\"}";
  }
  const std::string text =
      "{\"hooksConfig\": {\"disabled\": [" + names + "]}, \"hooks\": {\"BeforeTool\": [{\"hooks\": [" + hooks + "]}]}}";
  size_t off = 0;
  for (const HookSpec& hook : layer_files({read_settings(text, {&kGeminiDialect, Scope::User, "f"})}, {})) {
    off += hook.enabled ? 0 : 1;
  }
  EXPECT_EQ(off, 5000u);
}

}  // namespace
}  // namespace grapnel
