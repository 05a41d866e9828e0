#include "bridge/install_corpus.h"

namespace grapnel::testing {

namespace {

constexpr const char* kBom = "\xEF\xBB\xBF";

std::string huge_settings() {
  std::string out = "{\n  \"permissions\": {\n    \"allow\": [\n";
  for (int i = 0; i < 2000; ++i) out += "      \"Bash(tool-" + std::to_string(i) + ":*)\",\n";
  return out + "      \"Read\"\n    ]\n  }\n}\n";
}

std::string deep_settings() {
  std::string out;
  for (int i = 0; i < 60; ++i) out += "{\"level\": ";
  out += "[[[1]]]";
  return out + std::string(60, '}') + "\n";
}

std::string many_groups() {
  std::string out = "{\"hooks\": {\"PreToolUse\": [";
  for (int i = 0; i < 40; ++i) {
    out += (i == 0 ? "" : ", ");
    out += R"({"matcher": "Tool)" + std::to_string(i) + R"(", "hooks": [{"type": "command", "command": "true"}]})";
  }
  return out + "]}}";
}

}  // namespace

std::vector<SettingsCase> json_settings() {
  return {
      {"an empty file", ""},
      {"a line break alone", "\n"},
      {"blanks alone", "  \t\n\n"},
      {"an empty object", "{}"},
      {"an empty object and a line break", "{}\n"},
      {"an empty object over lines", "{\n}\n"},
      {"an empty object with blanks", "{   }"},
      {"one setting", "{\n  \"model\": \"opus\"\n}\n"},
      {"one setting, no final line break", "{\n  \"model\": \"opus\"\n}"},
      {"one line", R"({"model": "opus", "theme": "dark"})"},
      {"one line without blanks", R"({"model":"opus","theme":"dark"})"},
      {"four blanks of indentation", "{\n    \"model\": \"opus\",\n    \"theme\": \"dark\"\n}\n"},
      {"one blank of indentation", "{\n \"model\": \"opus\"\n}\n"},
      {"tabs", "{\n\t\"model\": \"opus\",\n\t\"env\": {\n\t\t\"A\": \"1\"\n\t}\n}\n"},
      {"no indentation", "{\n\"model\": \"opus\",\n\"env\": {\n\"A\": \"1\"\n}\n}\n"},
      {"CRLF", "{\r\n  \"model\": \"opus\"\r\n}\r\n"},
      {"CRLF and tabs", "{\r\n\t\"model\": \"opus\"\r\n}"},
      {"CRLF and LF mixed", "{\r\n  \"model\": \"opus\",\n  \"theme\": \"dark\"\r\n}\n"},
      {"many final line breaks", "{\n  \"model\": \"opus\"\n}\n\n\n"},
      {"line breaks in front", "\n\n{\n  \"model\": \"opus\"\n}\n"},
      {"blanks at line ends", "{  \n  \"model\": \"opus\"  \n}  \n"},
      {"a byte-order mark", std::string(kBom) + "{\n  \"model\": \"opus\"\n}\n", false},
      {"a byte-order mark and CRLF", std::string(kBom) + "{\r\n  \"model\": \"opus\"\r\n}\r\n", false},
      {"a line comment in front", "// mine\n{\n  \"model\": \"opus\"\n}\n", false},
      {"a line comment behind a value", "{\n  \"model\": \"opus\" // the big one\n}\n", false},
      {"a line comment before the brace", "{\n  \"model\": \"opus\"\n  // nothing else\n}\n", false},
      {"a block comment", "{\n  /* models */\n  \"model\": \"opus\"\n}\n", false},
      {"a block comment over lines", "{\n  /*\n   * models\n   */\n  \"model\": \"opus\"\n}\n", false},
      {"a comment in an empty object", "{\n  // nothing yet\n}\n", false},
      {"a comment behind everything", "{\"model\": \"opus\"}\n// the end", false},
      {"a comment that looks like a string", "{\n  // \"hooks\": {}\n  \"model\": \"opus\"\n}\n", false},
      {"a string that looks like a comment", "{\n  \"url\": \"https://example.org/a//b\"\n}\n"},
      {"a trailing comma", "{\n  \"model\": \"opus\",\n}\n", false},
      {"a trailing comma on one line", R"({"model": "opus",})", false},
      {"a trailing comma and a comment", "{\n  \"model\": \"opus\", // why not\n}\n", false},
      {"empty hooks", "{\n  \"hooks\": {}\n}\n"},
      {"empty hooks over lines", "{\n  \"hooks\": {\n  }\n}\n"},
      {"empty hooks with a comment", "{\n  \"hooks\": {\n    // none\n  }\n}\n", false},
      {"an empty event", "{\n  \"hooks\": {\n    \"PreToolUse\": []\n  }\n}\n"},
      {"an empty event over lines", "{\n  \"hooks\": {\n    \"PreToolUse\": [\n    ]\n  }\n}\n"},
      {"hooks first", "{\n  \"hooks\": {},\n  \"model\": \"opus\"\n}\n"},
      {"a hook of the user's",
       "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [\n"
       "          {\n            \"type\": \"command\",\n            \"command\": \"./guard.sh\"\n          }\n        "
       "]\n"
       "      }\n    ]\n  }\n}\n"},
      {"a hook on one line", R"({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}})"},
      {"a hook without blanks", R"({"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}})"},
      {"a list on one line inside lines",
       "{\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}]\n  "
       "}\n}\n"},
      {"hooks with comments everywhere",
       "{\n  // hooks\n  \"hooks\": { // of mine\n    /* before */ \"Stop\": [ // list\n      // the only one\n"
       "      { \"hooks\": [ { \"type\": \"command\", \"command\": \"say done\" } ] } // end of it\n      // really\n"
       "    ] /* after */\n    // no more\n  }\n}\n",
       false},
      {"hooks with trailing commas",
       "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          { \"type\": \"command\", "
       "\"command\": \"say done\", },\n        ],\n      },\n    ],\n  },\n}\n",
       false},
      {"hooks with tabs and CRLF",
       "{\r\n\t\"hooks\": {\r\n\t\t\"Stop\": [\r\n\t\t\t{ \"hooks\": [{ \"type\": \"command\", \"command\": \"say "
       "done\" "
       "}] }\r\n\t\t]\r\n\t}\r\n}\r\n"},
      {"an event that nobody knows", R"({"hooks": {"SomethingNew": [{"hooks": []}]}})"},
      {"hooks of another tool that calls itself much like us",
       R"({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "/usr/bin/grapple fire --as claude"}]}]}})"},
      {"a call of grapnel that is the user's own",
       R"({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "grapnel fire --as claude"}]}]}})"},
      {"entries that are no commands",
       R"({"hooks": {"Stop": [{"hooks": [{"type": "http", "url": "https://example.org"}, {"type": "prompt", "prompt": "ok?"}]}]}})"},
      {"groups that are odd",
       R"({"hooks": {"PreToolUse": [null, 7, "x", [], {}, {"hooks": null}, {"hooks": [1, null]}]}})"},
      {"an event that we do not wire and that is odd", R"({"hooks": {"Unknown": "text", "Other": null}})"},
      {"unicode keys", "{\n  \"überschrift\": \"ä\",\n  \"名前\": \"値\",\n  \"🪝\": true\n}\n"},
      {"escaped keys", R"({"a\"b": 1, "c\\d": 2, "e\/f~0": 3, "\u0068ello": 4})"},
      {"a key that is empty", R"({"": {"": []}})"},
      {"hooks spelled with an escape", R"({"\u0068ooks": {"Stop": []}})"},
      {"duplicate keys", "{\n  \"model\": \"a\",\n  \"model\": \"b\"\n}\n"},
      {"hooks twice", R"({"hooks": {"Stop": []}, "model": "a", "hooks": {"PreToolUse": []}})"},
      {"an event twice", R"({"hooks": {"Stop": [{"hooks": []}], "Stop": []}})"},
      {"numbers as people write them", R"({"a": 1.0, "b": 1e3, "c": -0, "d": 12345678901234567890})"},
      {"huge", huge_settings()},
      {"deep", deep_settings()},
      {"many groups", many_groups()},
      {"a typical file of Claude Code",
       R"json({
  "$schema": "https://json.schemastore.org/claude-code-settings.json",
  "permissions": {
    "allow": ["Bash(npm run lint)", "Bash(npm run test:*)", "Read(~/.zshrc)"],
    "deny": ["Bash(curl:*)", "Read(./.env)", "Read(./secrets/**)"]
  },
  "env": {"CLAUDE_CODE_ENABLE_TELEMETRY": "1"},
  "hooks": {
    "PostToolUse": [
      {
        "matcher": "Edit|Write",
        "hooks": [{"type": "command", "command": "jq -r .tool_input.file_path | xargs npx prettier --write"}]
      }
    ],
    "Notification": [
      {"matcher": "", "hooks": [{"type": "command", "command": "notify-send 'Claude Code'"}]}
    ]
  },
  "statusLine": {"type": "command", "command": "~/.claude/statusline.sh"}
}
)json"},
      {"a typical file of Gemini CLI",
       R"({
  // https://geminicli.com
  "security": { "auth": { "selectedType": "oauth-personal" } },
  "ui": { "theme": "Default", "hideTips": true },
  "mcpServers": {
    "github": { "command": "docker", "args": ["run", "-i", "ghcr.io/github/github-mcp-server"] }
  },
  "hooks": {
    "BeforeTool": [
      {
        "matcher": "write_file|replace",
        "hooks": [
          { "name": "secrets", "type": "command", "command": "$GEMINI_PROJECT_DIR/.gemini/hooks/secrets.sh", "timeout": 5000 }
        ]
      }
    ]
  }
}
)",
       false},
  };
}

std::vector<SettingsCase> toml_settings() {
  return {
      {"an empty file", ""},
      {"a comment alone", "# nothing yet\n"},
      {"keys", "default_model = \"kimi\"\nyolo = false\n"},
      {"no final line break", "default_model = \"kimi\""},
      {"CRLF", "default_model = \"kimi\"\r\n\r\n[loop_control]\r\nmax_steps = 100\r\n"},
      {"a byte-order mark", std::string(kBom) + "default_model = \"kimi\"\n"},
      {"tables", "[models.a]\nmodel = \"a\"\n\n[providers.b]\ntype = \"kimi\"\nkey = \"x\" # secret\n"},
      {"hooks as tables", "[[hooks]]\nevent = \"Stop\"\ncommand = \"say done\"\n"},
      {"hooks as tables among others",
       "a = 1\n\n[[hooks]] # mine\nevent = \"Stop\"\n# why\ncommand = \"say done\"\n\n[t]\nb = 2\n"},
      {"an empty list", "default_model = \"kimi\"\nhooks = []\n\n[models]\n"},
      {"an empty list over lines", "hooks = [\n]\nyolo = true\n"},
      {"a list on one line", "hooks = [{event = \"Stop\", command = \"say done\"}]\n"},
      {"a list over lines, with a trailing comma",
       "hooks = [\n  { event = \"Stop\", command = \"say done\" }, # first\n  # no more\n]\n"},
      {"a list over lines, without", "hooks = [\n  { event = \"Stop\", command = \"say ]\" } # first\n]\nx = 1\n"},
      {"text that looks like hooks",
       "text = \"\"\"\n[[hooks]]\ncommand = \"grapnel fire --bridge --as kimi\"\n\"\"\"\nmore = '''\n[[hooks]]'''\n"},
      {"arrays that look like headers", "matrix = [\n[1, 2],\n[3]\n]\n"},
      {"unicode", "\"名前\" = \"値\"\n'ü' = \"ä\"\n"},
  };
}

std::vector<BrokenCase> broken_json_settings() {
  return {
      {"no JSON at all", "hello", 1, 1},
      {"a brace is missing", "{\n  \"model\": \"opus\"\n", 3, 1},
      {"a comma is missing", "{\n  \"a\": 1\n  \"b\": 2\n}\n", 3, 3},
      {"text behind it", "{} x", 1, 4},
      {"single quotes", "{'a': 1}", 1, 2},
      {"a list", "[1]", 1, 1},
      {"a string", "\"settings\"", 1, 1},
      {"hooks is null", "{\n  \"hooks\": null\n}\n", 2, 12},
      {"hooks is a list", "{\"hooks\": []}", 1, 11},
      {"hooks is a text", "{\"hooks\": \"all\"}", 1, 11},
      {"hooks is false", "{\"hooks\": false}", 1, 11},
      {"conflict marks", "{\n<<<<<<< HEAD\n  \"a\": 1\n=======\n  \"a\": 2\n>>>>>>> b\n}\n", 2, 1},
      {"a comment that never ends", "{\n  /* \n}\n", 2, 3},
      {"not UTF-16", std::string("\xFF\xFE{\0}\0", 6), 1, 1},
  };
}

std::vector<BrokenCase> broken_toml_settings() {
  return {
      {"no TOML at all", "hello\n", 1, 6},
      {"a key twice", "a = 1\na = 2\n", 2, 5},
      {"an open string", "a = 1\nb = \"x\n", 2, 7},
      {"hooks is a table", "x = 1\n[hooks]\na = 1\n", 2, 1},
      {"hooks is a text", "hooks = \"all\"\n", 1, 9},
  };
}

}  // namespace grapnel::testing
