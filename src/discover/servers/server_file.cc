#include "discover/servers/server_file.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/variables.h"
#include "discover/formats/settings_file.h"
#include "discover/formats/toml_document.h"
#include "discover/problems.h"
#include "model/http_url.h"

namespace grapnel {

namespace {

constexpr size_t kMaxServerName = 100;
constexpr std::chrono::milliseconds kLongestTimeout = std::chrono::hours(24);

/// What a file says with the key for it; null if the agent has no such key.
const ServerKeyRow* find_key(const Dialect& dialect, std::string_view key) {
  const auto found = std::ranges::find(dialect.servers.keys, key, &ServerKeyRow::key);
  return found == dialect.servers.keys.end() ? nullptr : &*found;
}

/// Reads the entry of one server. The first mistake makes it unusable, and all are reported.
class ServerReader {
 public:
  ServerReader(const ServerFile& file, const Environment& env, Problems& problems)
      : dialect_(*file.dialect), file_(file), env_(env), problems_(problems) {}

  std::optional<ServerSpec> read(const JsonMember& member) {
    spec_.name = member.key;
    spec_.dialect = &dialect_;
    spec_.scope = file_.place == nullptr ? Scope::User : file_.place->file.scope;
    spec_.source = problems_.position_at(member.key_offset);
    if (member.key.empty() || member.key.size() > kMaxServerName)
      wrong(member.value, "the name of a server is missing or too long");
    if (!member.value.is_object()) {
      wrong(member.value, "a server must be an object");
    } else {
      for (const JsonMember& key : counting_members(member.value, problems_)) read_key(key);
    }
    check_address(member.value);
    if (!is_right_) return std::nullopt;
    pin(member);
    return std::move(spec_);
  }

 private:
  void wrong(const Json& where, const std::string& what, std::string hint = {}) {
    is_right_ = false;
    problems_.error(where, "the MCP server '" + spec_.name + "' is not used: " + what, std::move(hint));
  }

  void read_key(const JsonMember& member) {
    const ServerKeyRow* row = find_key(dialect_, member.key);
    if (row == nullptr) {
      std::vector<std::string_view> known;
      for (const ServerKeyRow& one : dialect_.servers.keys) known.push_back(one.key);
      return problems_.warning_at(member.key_offset, "the key '" + member.key + "' of a server is unknown",
                                  did_you_mean(member.key, known));
    }
    const Json& value = member.value;
    switch (row->meaning) {
      case ServerKey::Type:
        return read_type(value);
      case ServerKey::Command:
        return take_text(value, spec_.command, member.key);
      case ServerKey::Args:
        return take_texts(value, spec_.args, member.key);
      case ServerKey::Env:
        return take_pairs(value, spec_.env, member.key);
      case ServerKey::Cwd:
        return take_text(value, spec_.cwd, member.key);
      case ServerKey::Url:
        // One agent has two keys for it.
        if (spec_.url.empty()) take_url(value, member.key);
        return;
      case ServerKey::Headers:
        return take_pairs(value, spec_.headers, member.key);
      case ServerKey::CallTimeout:
        return take_timeout(value, *row, spec_.call_timeout);
      case ServerKey::StartTimeout:
        return take_timeout(value, *row, spec_.start_timeout);
      case ServerKey::OnlyTools:
        return take_texts(value, spec_.only_tools, member.key);
      case ServerKey::WithoutTools:
        return take_texts(value, spec_.without_tools, member.key);
      case ServerKey::Enabled:
        spec_.enabled = value.as_bool().value_or(false);
        return;
      case ServerKey::Disabled:
        spec_.enabled = !value.as_bool().value_or(true);
        return;
      case ServerKey::TokenVariable:
        return add_header("Authorization", "Bearer ", value);
      case ServerKey::HeaderVariables:
        for (const JsonMember& header : value.members()) add_header(header.key, "", header.value);
        return;
      case ServerKey::InheritVariables:
        for (const Json& name : value.elements()) inherit(name);
        return;
      case ServerKey::Ignored:
        return;
    }
  }

  void read_type(const Json& value) {
    const std::string type = value.as_string().value_or("");
    if (type == "sse") {
      return wrong(value, "it speaks the old HTTP with server-sent events, which grapnel does not",
                   "servers of today have an address for 'type': 'http'");
    }
    const bool is_known = type == "stdio" || type == "http" || type == "streamable-http" || type == "streamableHttp";
    if (!is_known) wrong(value, "its type is neither stdio nor http");
    wants_address_ = type != "stdio";
  }

  /// A variable that is not set is a mistake in some agents, and stays as it is written in others.
  std::string expanded(const Json& where, const std::string& text) {
    const DialectServers& how = dialect_.servers;
    if (!how.expands) return text;
    if (const size_t open = text.rfind("${"); open != std::string::npos && text.find('}', open) == std::string::npos) {
      if (how.missing_is_error) wrong(where, "a '${' has no '}'");
      return text;
    }
    return expand_variables(
        text,
        [&](std::string_view name) -> std::optional<std::string> {
          if (env_.has(name)) return std::string(env_.get(name));
          const bool has_default = text.contains("${" + std::string(name) + ":-");
          if (how.missing_is_error && !has_default) {
            wrong(where, "the variable " + std::string(name) + " is not set",
                  "set it, or write ${" + std::string(name) + ":-default}");
          }
          return std::nullopt;
        },
        !how.expands_bare);
  }

  void take_text(const Json& value, std::string& target, std::string_view key) {
    const auto text = value.as_string();
    if (!text) return wrong(value, "'" + std::string(key) + "' must be a text");
    target = expanded(value, *text);
  }

  void take_url(const Json& value, std::string_view key) {
    take_text(value, spec_.url, key);
    if (!is_right_) return;
    if (const auto url = HttpUrl::parse(spec_.url); !url) wrong(value, "its address " + url.error().message);
  }

  void take_texts(const Json& value, std::vector<std::string>& target, std::string_view key) {
    if (!value.is_array()) return wrong(value, "'" + std::string(key) + "' must be a list of texts");
    for (const Json& element : value.elements()) take_text(element, target.emplace_back(), key);
  }

  void take_pairs(const Json& value, std::vector<std::pair<std::string, std::string>>& target, std::string_view key) {
    if (!value.is_object()) return wrong(value, "'" + std::string(key) + "' must be an object of texts");
    for (const JsonMember& member : counting_members(value, problems_)) {
      take_text(member.value, target.emplace_back(member.key, "").second, std::string(key) + "." + member.key);
    }
  }

  void take_timeout(const Json& value, const ServerKeyRow& row, std::optional<std::chrono::milliseconds>& target) {
    const auto number = value.as_number();
    const double most = static_cast<double>(kLongestTimeout / row.unit);
    if (!number || *number <= 0 || *number > most) return wrong(value, "its timeout must be a number above 0");
    target = std::chrono::milliseconds(std::llround(*number * static_cast<double>(row.unit.count())));
  }

  void add_header(const std::string& name, std::string_view before, const Json& variable) {
    const std::string from = variable.as_string().value_or("");
    if (from.empty()) return wrong(variable, "the name of a variable must be a text");
    if (!env_.has(from)) return wrong(variable, "the variable " + from + " is not set");
    spec_.headers.emplace_back(name, std::string(before) + std::string(env_.get(from)));
  }

  void inherit(const Json& name) {
    const std::string from = name.as_string().value_or("");
    if (env_.has(from)) spec_.env.emplace_back(from, env_.get(from));
  }

  void check_address(const Json& entry) {
    if (!is_right_) return;
    if (spec_.url.empty() && wants_address_)
      return wrong(entry, "it is reached by HTTP and has no address", "add 'url'");
    if (spec_.command.empty() && spec_.url.empty()) wrong(entry, "it has neither a command nor an address");
    if (!spec_.command.empty() && !spec_.url.empty()) wrong(entry, "it has both a command and an address");
  }

  /// The entry as the file has it, so that trust holds for it whatever the variables are.
  void pin(const JsonMember& member) {
    HookSpec& own = spec_.trusted;
    own.name = "mcp:" + spec_.name;
    own.dialect = &dialect_;
    own.scope = spec_.scope;
    own.source = spec_.source;
    own.project = file_.project;
    own.trusted_as = file_.trusted_as;
    own.definition = Json::object({{"mcp_server", Json::string(spec_.name)}, {"entry", member.value}}).dump();
    own.cwd = spec_.cwd;
    if (spec_.command.empty()) {
      own.handler = HttpHandler{.url = spec_.url};
    } else {
      own.handler = CommandHandler{.command = spec_.command, .args = spec_.args, .env = spec_.env};
    }
  }

  const Dialect& dialect_;
  const ServerFile& file_;
  const Environment& env_;
  Problems& problems_;
  ServerSpec spec_;
  bool is_right_ = true;
  bool wants_address_ = false;  ///< its type says so
};

/// Names that the file allows or forbids.
void apply_lists(const Json& root, const Dialect& dialect, std::vector<ServerSpec>& servers) {
  const auto names = [&](std::string_view pointer) { return pointer.empty() ? Json() : root.at_pointer(pointer); };
  const auto has = [](const Json& list, const std::string& name) {
    return std::ranges::any_of(list.elements(), [&](const Json& one) { return one.equals_string(name); });
  };
  const Json only = names(dialect.servers.only);
  const Json without = names(dialect.servers.without);
  for (ServerSpec& server : servers) {
    if ((only.is_array() && !has(only, server.name)) || has(without, server.name)) server.enabled = false;
  }
}

/// Files of settings need not have servers. Those that are for nothing else have them, or a mistake.
void tell_missing(const Json& root, const ServerFile& file, Problems& problems) {
  constexpr std::string_view kWhat = "this file has no 'mcpServers'";
  constexpr const char* kHint = R"(write {"mcpServers": {"NAME": {"command": …}}})";
  if (file.place == nullptr) return problems.error(root, kWhat, kHint);
  const bool is_empty = root.is_object() && root.size() == 0;
  if (std::string_view(file.path).ends_with("mcp.json") && !is_empty) problems.warning(root, kWhat, kHint);
}

std::vector<ServerSpec> read_root(const Json& root, const ServerFile& file, const std::string& project_dir,
                                  const Environment& env, Problems& problems) {
  std::vector<ServerSpec> out;
  Json servers = root.at_pointer(file.place == nullptr ? "/mcpServers" : file.place->pointer);
  if (file.place != nullptr && !file.place->in_project.empty()) servers = servers[project_dir][file.place->in_project];
  if (!servers) {
    tell_missing(root, file, problems);
    return out;
  }
  if (!servers.is_object()) {
    problems.error(servers, "MCP servers must be an object: each has its name as key");
    return out;
  }
  for (const JsonMember& member : counting_members(servers, problems)) {
    if (auto server = ServerReader(file, env, problems).read(member)) out.push_back(std::move(*server));
  }
  apply_lists(root, *file.dialect, out);
  return out;
}

}  // namespace

std::vector<ServerSpec> read_server_file(const std::string& text, const ServerFile& file,
                                         const std::string& project_dir, const Environment& env,
                                         std::vector<ConfigProblem>& problems) {
  if (text::trim(text).empty()) return {};
  const auto fail_whole = [&](const Error& error) {
    SourcePos at = error.at.value_or(SourcePos{});
    at.file = file.path;
    problems.push_back({ConfigProblem::Severity::Error, error.message, at, "no server in this file is used"});
  };
  Json root;
  std::optional<Problems> own;
  if (format_of(file.path) == PlaceFormat::Toml) {
    auto document = read_toml(text);
    if (!document) return fail_whole(document.error()), std::vector<ServerSpec>();
    root = document->root;
    own.emplace(file.path, std::move(document->places));
  } else {
    auto parsed = Json::parse(text, {.comments = true});
    if (!parsed) return fail_whole(parsed.error()), std::vector<ServerSpec>();
    root = *parsed;
    own.emplace(file.path, root);
  }
  std::vector<ServerSpec> out = read_root(root, file, project_dir, env, *own);
  std::ranges::move(own->take(), std::back_inserter(problems));
  return out;
}

}  // namespace grapnel
