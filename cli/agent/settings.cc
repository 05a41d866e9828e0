#include "cli/agent/settings.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "agent/transcript.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/agent/image.h"
#include "cli/agent_command.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/session_ids.h"
#include "dialect/dialect.h"
#include "discover/find/overrides.h"
#include "discover/find/places.h"
#include "discover/formats/sandbox_entry.h"
#include "discover/formats/settings_file.h"
#include "discover/servers/server_spec.h"
#include "engine/protected_places.h"
#include "os/files.h"

namespace grapnel::cli {

namespace fs = std::filesystem;

namespace {

constexpr size_t kMaxSystemPrompt = size_t{1} << 20;
constexpr size_t kMaxSettings = size_t{16} << 20;
/// Session ids become file names, so slashes and dots are out of the question.
constexpr std::string_view kIdCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// Relative to the directory of the program.
constexpr std::string_view kBundledSession = "../share/grapnel/hello.replay";

/// The real path of a directory. Fails: BadInput.
Result<std::string> directory(const std::string& path) {
  std::error_code error;
  const fs::path found = fs::canonical(path, error);
  if (error || !fs::is_directory(found, error)) return fail(Errc::BadInput, path + " is not a directory");
  return found.string();
}

/// The value of an option, which must be above 0; `otherwise` if the option is missing.
Result<int64_t> number(const Arguments& args, std::string_view name, int64_t otherwise) {
  if (!args.has(name)) return otherwise;
  const std::string text = args.text(name);
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value <= 0) {
    return fail(Errc::BadInput, "option " + std::string(name) + " needs a number above 0, not '" + text + "'");
  }
  return value;
}

/// Fills the settings step by step; the first error ends it. The workspace is read first, because hooks are searched
/// for in it.
class Reader {
 public:
  Reader(const Arguments& args, const Environment& env, const StartConditions& around)
      : args_(args), env_(env), around_(around) {}

  Result<Settings> read() {
    using Step = Result<void> (Reader::*)();
    for (const Step step :
         {&Reader::read_workspace, &Reader::read_sandbox, &Reader::read_hooks, &Reader::read_servers,
          &Reader::read_session, &Reader::read_limits, &Reader::read_system_prompt, &Reader::read_prompt}) {
      if (auto done = (this->*step)(); !done) return std::unexpected(done.error());
    }
    read_permissions();
    read_provider();
    read_launch_arguments();
    out_.output = output_format_from(args_.has("--json") ? "json" : args_.text("--output"));
    out_.journal = args_.text("--journal");
    return std::move(out_);
  }

 private:
  Result<void> read_workspace() {
    auto cwd = directory(args_.has("--cwd") ? args_.text("--cwd") : ".");
    if (!cwd) return std::unexpected(cwd.error());
    out_.options.cwd = std::move(*cwd);
    for (const std::string& path : args_.all("--add-dir")) {
      auto more = directory(path);
      if (!more) return std::unexpected(more.error());
      out_.options.also_allowed_dirs.push_back(std::move(*more));
    }
    return {};
  }

  /// Without a value: what work on a project needs. Directories of `--add-dir` belong to the workspace.
  Result<void> read_sandbox() {
    if (!args_.has("--sandbox")) return {};
    const std::string text = args_.text("--sandbox");
    auto sandbox =
        parse_sandbox(text.empty() ? "{ network: false, read: [project, system], write: [project, $TMPDIR] }" : text);
    if (!sandbox) return std::unexpected(sandbox.error());
    for (SandboxFiles& files : sandbox->files) {
      for (auto* places : {&files.read, &files.write}) {
        const bool has_project = *places && std::ranges::find(**places, "project") != (*places)->end();
        const auto& more = out_.options.also_allowed_dirs;
        if (has_project) (*places)->insert((*places)->end(), more.begin(), more.end());
      }
    }
    out_.options.sandbox = std::make_shared<const Sandbox>(std::move(*sandbox));
    return {};
  }

  /// Creates an engine only to find out whether the files named with `--hooks` can be used. An error here is better
  /// than a session without the hooks that the user asked for.
  Result<void> read_hooks() {
    if (args_.has("--as")) out_.options.dialect = args_.text("--as");
    if (auto known = check_dialect(out_.options.dialect); !known) return known;
    session_ = find_dialect(out_.options.dialect)->session;
    out_.blocked_is_success = session_.blocked_is_success;
    const std::string format = args_.text("--dialect");
    if (auto known = check_dialect(format); !known) return known;
    if (args_.has("--hooks") && args_.has("--no-hooks")) {
      return fail(Errc::BadInput, "--hooks and --no-hooks cannot be used together");
    }
    EngineOptions& engine = out_.options.engine_options;
    ProjectDirs project = find_project(out_.options.cwd, env_.home());
    engine.project_dir = std::move(project.root);
    engine.project_parts = std::move(project.parts);
    for (const std::string& path : args_.all("--hooks")) {
      engine.configs.push_back({format, path, {}, args_.text("--as")});
    }
    Environment env = env_;
    // The engine reads this variable; with `all` no hook runs.
    if (args_.has("--no-hooks")) env.set("GRAPNEL_DISABLE", "all");
    engine.env = env.entries();
    engine.sessions = make_file_session_store(env_.runtime_dir(), secret_patterns(env_));
    const auto trial = Engine::create(engine);
    if (const std::string why = unusable_config(*trial, engine.configs); !why.empty()) {
      return fail(Errc::BadInput, why);
    }
    out_.warnings = warnings_about(*trial, engine.configs);
    return {};
  }

  /// The servers of every agent, or of the agent whose part this one takes. A file that is named and cannot be used is
  /// an error; other mistakes are warnings.
  Result<void> read_servers() {
    const ServerPlaces places{
        .roots = place_roots(out_.options.engine_options, env_),
        .trust_store = env_.state_dir() + "/trust.json",
        .only_dialect = out_.options.dialect == "canonical" ? "" : out_.options.dialect,
        .use_standard_places = !args_.has("--strict-mcp-config"),
        .files = args_.all("--mcp-config"),
    };
    const FoundServers found = find_servers(places);
    for (const ConfigProblem& problem : found.problems) {
      const bool is_named = std::ranges::find(places.files, problem.at.file) != places.files.end();
      if (is_named && problem.is_error()) return fail(Errc::BadInput, problem.to_string());
      out_.warnings.push_back(problem.to_string());
    }
    size_t untrusted = 0;
    for (const ServerSpec& server : found.servers) untrusted += server.is_trusted() ? 0 : 1;
    if (untrusted > 0) {
      out_.warnings.push_back(count_text(untrusted, "MCP server") + " of this project " +
                              (untrusted == 1 ? "is" : "are") + " not trusted; `grapnel trust` shows " +
                              (untrusted == 1 ? "it" : "them"));
    }
    for (const ServerSpec& server : usable_servers(found)) out_.options.mcp_servers.push_back(option_for(server));
    return {};
  }

  static agent::McpServer option_for(const ServerSpec& server) {
    agent::McpServer out{.name = server.name,
                         .command = server.command,
                         .args = server.args,
                         .env = server.env,
                         .cwd = server.cwd,
                         .url = server.url,
                         .headers = server.headers};
    if (server.start_timeout) out.startup_timeout = *server.start_timeout;
    out.tool_timeout = server.call_timeout;
    out.only_tools = server.only_tools;
    out.without_tools = server.without_tools;
    out.source = server.source.file + ":" + std::to_string(server.source.line);
    return out;
  }

  /// `--resume` without a value continues the latest session. Because its value is optional, a prompt that follows it
  /// is taken for an id; the last message explains that.
  Result<void> read_session() {
    agent::AgentOptions& options = out_.options;
    options.transcripts = transcripts_dir(env_);
    options.session_id = args_.text("--session-id");
    if (options.session_id.find_first_not_of(kIdCharacters) != std::string::npos) {
      return fail(Errc::BadInput, "a session id may only contain letters, digits, '-' and '_'");
    }
    if (!args_.has("--resume")) return {};
    if (!options.session_id.empty()) return fail(Errc::BadInput, "--resume and --session-id cannot be used together");
    options.resume = true;
    options.session_id = args_.text("--resume");
    if (options.session_id.empty()) options.session_id = agent::newest_session(options.transcripts);
    if (options.session_id.empty()) return fail(Errc::BadInput, "there is no session to continue");
    const auto meant = id_meant_by(options.session_id, agent_sessions(options.transcripts));
    if (!meant) return std::unexpected(meant.error());
    if (meant->empty()) {
      return fail(Errc::BadInput, "there is no session '" + options.session_id +
                                      "'; to continue the last one, write --resume after the prompt");
    }
    options.session_id = *meant;
    return {};
  }

  /// Limits on turns, context and waiting.
  Result<void> read_limits() {
    agent::AgentOptions& options = out_.options;
    const auto turns = number(args_, "--max-turns", options.max_turns);
    if (!turns) return std::unexpected(turns.error());
    options.max_turns = static_cast<int>(std::min<int64_t>(*turns, std::numeric_limits<int>::max()));
    const auto tokens = number(args_, "--context-tokens", options.context_tokens);
    if (!tokens) return std::unexpected(tokens.error());
    options.context_tokens = *tokens;
    options.after_model_per_chunk =
        args_.has("--after-model") ? args_.text("--after-model") == "chunk" : session_.responses_in_pieces;
    if (!args_.has("--idle-timeout")) return {};
    out_.idle_timeout = parse_duration(args_.text("--idle-timeout"));
    if (out_.idle_timeout) return {};
    return fail(Errc::BadInput, "'" + args_.text("--idle-timeout") + "' is not a duration; write 90s, 10m or 2h");
  }

  Result<void> read_system_prompt() {
    out_.options.system_prompt = args_.text("--system-prompt");
    if (!args_.has("--system-prompt-file")) return {};
    if (args_.has("--system-prompt")) {
      return fail(Errc::BadInput, "--system-prompt and --system-prompt-file cannot be used together");
    }
    auto text = os::read_file(args_.text("--system-prompt-file"), kMaxSystemPrompt);
    if (!text) return std::unexpected(text.error());
    out_.options.system_prompt = std::move(*text);
    return {};
  }

  /// Without a prompt, a terminal on both sides means a conversation; otherwise the prompt is read from standard input
  /// later.
  Result<void> read_prompt() {
    for (const std::string& path : args_.all("--image")) {
      auto image = load_image(path);
      if (!image) return std::unexpected(image.error());
      out_.images.push_back(std::move(*image));
    }
    out_.prompt = args_.text("PROMPT");
    if (args_.has("PROMPT") && text::trim(out_.prompt).empty()) return fail(Errc::BadInput, "the prompt is empty");
    out_.is_conversation = !args_.has("PROMPT") && around_.is_stdin_terminal && around_.is_stdout_terminal;
    // A conversation always talks to a person at the terminal, so there is no format to choose.
    if (out_.is_conversation && (args_.has("--output") || args_.has("--json"))) {
      return fail(Errc::BadInput, std::string(args_.has("--json") ? "--json" : "--output") +
                                      " works only with a prompt, not in a conversation");
    }
    return {};
  }

  /// The option parser has checked the mode already. `Permissions::create` checks the rules.
  void read_permissions() {
    out_.options.approval = agent::approval_mode_from(args_.text("--approval")).value_or(agent::ApprovalMode::Default);
    out_.options.rules = {args_.all("--allow"), args_.all("--ask"), args_.all("--deny")};
  }

  /// Without any model, the program plays a recorded session, so that the first run of a new user shows something.
  void read_provider() {
    llm::ProviderOptions& provider = out_.provider;
    provider.provider = args_.text("--provider");
    provider.model = args_.text("--model");
    provider.base_url = args_.text("--base-url");
    provider.replay_file = args_.text("--replay");
    provider.env = env_;
    out_.plays_bundled_session = !llm::names_provider(provider);
    if (out_.plays_bundled_session) {
      provider.replay_file = (fs::path(around_.program_dir) / kBundledSession).lexically_normal().string();
    }
    if (llm::model_name(provider).empty()) provider.model = model_of_settings();
    out_.options.model_name = llm::model_name(provider);
  }

  /// The model that the settings of the agent name whose part this one takes; "" if they name none. As for that agent,
  /// the last of its files decides. A file that cannot be read is reported with its hooks.
  std::string model_of_settings() const {
    std::string model;
    if (session_.model_at.empty()) return model;
    for (const HookFile& file : hook_file_places(place_roots(out_.options.engine_options, env_))) {
      if (file.dialect->name != out_.options.dialect || file.format != PlaceFormat::Settings) continue;
      const auto text = os::read_file(file.path, kMaxSettings);
      const auto root = text ? parse_settings(*text, file.format) : std::unexpected(text.error());
      if (!root) continue;
      const std::string named(text::trim(root->at_pointer(session_.model_at).as_string().value_or("")));
      if (!named.empty()) model = named;
    }
    return model;
  }

  /// What SessionStart hooks learn about the start: the kind of the run, the agent, and the options by their names.
  void read_launch_arguments() {
    Json out = Json::object(
        {{"ui", Json::string(out_.is_conversation ? "shell" : "print")}, {"agent", Json::string("default")}});
    for (const OptionRow& option : kAgentOptions) {
      if (args_.has(option.name)) out = out.with(option.name.substr(2), value_of(option));
    }
    out_.options.launch_arguments = std::move(out);
  }

  /// A switch is true, and an option that may be repeated is a list.
  Json value_of(const OptionRow& option) const {
    if (option.value.empty()) return Json::boolean(true);
    if (!option.repeats) return Json::string(args_.text(option.name));
    std::vector<Json> values;
    for (const std::string& value : args_.all(option.name)) values.push_back(Json::string(value));
    return Json::array(values);
  }

  const Arguments& args_;
  const Environment& env_;
  const StartConditions& around_;
  DialectSession session_;
  Settings out_;
};

}  // namespace

Result<Settings> read_settings(const Arguments& args, const Environment& env, const StartConditions& around) {
  return Reader(args, env, around).read();
}

}  // namespace grapnel::cli
