#include <chrono>
#include <filesystem>

#include "agent/compaction.h"
#include "agent/loop.h"
#include "agent/mcp_question.h"
#include "agent/new_id.h"
#include "agent/notification.h"
#include "agent/ui_adapters.h"
#include "base/clock.h"
#include "base/environment.h"
#include "base/error.h"
#include "grapnel_agent/http_hook_client.h"
#include "grapnel_agent/judge.h"

namespace grapnel::agent {

namespace {

/// The system prompt of agents that have none of their own.
constexpr std::string_view kDefaultPrompt =
    "You are an agent that works in the user's project with the tools you are given. Do the work instead of only "
    "announcing it; "
    "check your work; answer briefly.";

/// A conversation. `start` opens it, `send` runs one prompt in a `Loop`, `clear` ends it and opens another under a new
/// id, `close` ends it. Every session that opened gets exactly one SessionEnd, at the latest from the destructor.
class SessionImpl final : public Session {
 public:
  explicit SessionImpl(std::unique_ptr<Core> core) : core_(std::move(core)) {}
  ~SessionImpl() override { close("other"); }

  Result<void> start(const std::stop_token& interrupt);

  TurnResult send(std::string_view prompt, const std::vector<llm::ImagePart>& images,
                  std::stop_token interrupt) override;
  void clear() override;
  bool compact(std::stop_token interrupt) override;
  std::optional<std::string> notify(std::string_view type, std::string_view message) override;
  void close(std::string_view reason) override;

  const std::string& id() const override { return core_->facts.session_id; }
  std::string transcript_path() const override { return transcript_.path(); }
  Engine& engine() override { return *core_->engine; }
  llm::ModelUsage usage() const override { return core_->usage; }
  std::vector<McpServerState> mcp_servers() const override { return core_->servers->states(); }
  Result<void> reconnect(std::string_view server, std::stop_token interrupt) override {
    return core_->servers->reconnect(server, interrupt);
  }

 private:
  Result<void> open(std::string_view source, const std::stop_token& interrupt);
  void end(std::string_view reason);
  void connect_servers(const std::stop_token& interrupt);
  void add(llm::ModelMessage message);

  std::unique_ptr<Core> core_;
  Messages messages_;
  Transcript transcript_;
  int64_t turns_ = 0;
  SteadyClock::time_point started_ = SteadyClock::now();
  bool is_open_ = false;
};

/// Opens a new session, or loads the transcript of the one to continue.
Result<void> SessionImpl::start(const std::stop_token& interrupt) {
  const AgentOptions& options = core_->options;
  core_->facts.session_id = options.session_id.empty() ? new_id() : options.session_id;
  if (!options.resume) {
    if (auto opened = open("startup", interrupt); !opened) return opened;
    connect_servers(interrupt);
    return {};
  }
  auto messages = load_transcript(agent::transcript_path(options.transcripts, options.session_id));
  if (!messages) return std::unexpected(messages.error());
  messages_ = std::move(*messages);
  core_->call_ids.note(messages_);
  if (auto opened = open("resume", interrupt); !opened) return opened;
  connect_servers(interrupt);
  return {};
}

/// Opens the transcript, completes a conversation that broke off, and fires SessionStart for the current id.
Result<void> SessionImpl::open(std::string_view source, const std::stop_token& interrupt) {
  const AgentOptions& options = core_->options;
  const bool is_resume = source == "resume";
  if (!options.transcripts.empty()) {
    auto transcript = Transcript::open(options.transcripts, core_->facts.session_id);
    if (!transcript) return std::unexpected(transcript.error());
    transcript_ = std::move(*transcript);
    core_->facts.transcript_path = transcript_.path();
  }
  if (auto answers = answer_open_calls(messages_, "The session ended before this call did.")) add(std::move(*answers));
  const Decision decision =
      core_->hooks.fire(EventKind::SessionStart, core_->facts,
                        {{Field::Source, Json::string(source)},
                         {Field::LaunchArguments, options.launch_arguments},
                         {Field::IsResume, Json::boolean(is_resume)},
                         {Field::ResumeSessionId, is_resume ? Json::string(core_->facts.session_id) : Json()}},
                        interrupt);
  // The session counts as open only after these checks. One that never opened gets no SessionEnd.
  if (interrupt.stop_requested()) return fail(Errc::Cancelled, "interrupted");
  if (decision.denied()) return fail(Errc::Refused, "a hook refused to start the session: " + decision.reason());
  if (decision.effects.stop) {
    return fail(Errc::Refused, "a hook refused to start the session: " + decision.stop_reason());
  }
  is_open_ = true;
  // Variables that SessionStart hooks set apply to the commands that tools run.
  core_->env = decision.effects.env;
  core_->ui->show(SessionStarted{core_->facts.session_id, std::string(source)});
  if (std::string context = hook_context(decision); !context.empty()) {
    add(user_message(std::move(context)));
  }
  return {};
}

void SessionImpl::add(llm::ModelMessage message) {
  transcript_.add(message);
  messages_.push_back(std::move(message));
}

/// Each prompt gets a new actor, because `clear` changes the session's id.
TurnResult SessionImpl::send(std::string_view prompt, const std::vector<llm::ImagePart>& images,
                             std::stop_token interrupt) {
  const std::string& own = core_->options.system_prompt;
  Actor actor{core_->facts, core_->tools, own.empty() ? std::string(kDefaultPrompt) : own};
  if (const std::string hooks = Disclosure::overview(*core_->engine); !hooks.empty()) {
    actor.system_prompt += "\n\n" + hooks;
  }
  ++turns_;
  return Loop(*core_, actor, messages_, transcript_).run(prompt, images, std::move(interrupt));
}

/// This cannot fail: if a hook refuses the new session, the UI shows the reason.
void SessionImpl::clear() {
  end("clear");
  messages_.clear();
  core_->tasks.clear();
  core_->hooks.disclosure().forget();
  core_->facts.session_id = new_id();
  turns_ = 0;
  core_->steps = 0;
  started_ = SteadyClock::now();
  if (auto opened = open("clear", {}); !opened) core_->ui->show(Told{{"", opened.error().to_string()}});
}

/// The user asked for this, so hooks may always refuse it, unlike an automatic compaction at the hard limit.
bool SessionImpl::compact(std::stop_token interrupt) {
  if (messages_.empty()) {
    core_->ui->show(Told{{"", "there is nothing to compact"}});
    return false;
  }
  const CompactionResult result = compact_conversation(messages_, "manual", *core_, interrupt);
  if (result.done) {
    transcript_.reset(messages_);
  } else {
    show_notification(*core_, "warning", "the conversation was not compacted: " + result.reason, interrupt);
  }
  return result.done;
}

std::optional<std::string> SessionImpl::notify(std::string_view type, std::string_view message) {
  return fire_notification(*core_, type, message);
}

/// Fires SessionEnd, at most once for each SessionStart.
void SessionImpl::end(std::string_view reason) {
  if (!is_open_) return;
  is_open_ = false;
  const auto took = std::chrono::duration_cast<std::chrono::seconds>(SteadyClock::now() - started_);
  const llm::ModelUsage used = core_->usage;
  const Decision decision =
      core_->hooks.fire(EventKind::SessionEnd, core_->facts,
                        {{Field::EndReason, Json::string(reason)},
                         {Field::TotalTurns, Json::number(turns_)},
                         {Field::StepCount, Json::number(core_->steps.load())},
                         {Field::TotalTokens, Json::number(used.input_tokens + used.output_tokens)},
                         {Field::DurationSeconds, Json::number(int64_t{took.count()})}});
  tell_stop_is_ignored(*core_->ui, EventKind::SessionEnd, decision);
  core_->ui->show(SessionEnded{core_->facts.session_id, std::string(reason), turns_, used});
}

void SessionImpl::close(std::string_view reason) {
  end(reason);
  core_->servers->close();
}

/// The servers of a session start when hooks have let it start.
void SessionImpl::connect_servers(const std::stop_token& interrupt) {
  core_->servers->connect(interrupt);
  for (const McpServerState& server : core_->servers->states()) {
    if (server.phase == McpServerState::Phase::Ready) continue;
    core_->ui->show(Told{{"", "the MCP server '" + server.name + "' cannot be used: " + server.failure}});
  }
}

/// The tools of the session's servers.
std::unique_ptr<McpServers> servers_of(Core& core) {
  const auto ask = [&core](const std::string& server, const Json& params, const std::stop_token& stop) {
    return answer_question(core, server, params, stop);
  };
  const auto tell = [&core](const std::string& text) { core.ui->show(Told{{"", text}}); };
  return std::make_unique<McpServers>(core.options.mcp_servers,
                                      McpSession{core.workspace.root(), core.options.tool_timeout, ask, tell});
}

/// Shows what each stop hook says in the UI.
std::function<void(const StopHookLine&)> stop_lines_to(std::shared_ptr<AgentUi> ui) {
  return [ui = std::move(ui)](const StopHookLine& line) { ui->show(StopHookSaid{line.text, line.is_error}); };
}

/// Shows the engine's notices in the UI, except those of stop hooks, which `stop_lines_to` shows.
std::function<void(const Notice&)> notices_to(std::shared_ptr<AgentUi> ui) {
  return [ui = std::move(ui)](const Notice& notice) {
    if (!notice.hook.starts_with(StopHooks::kMadeUpName)) ui->show(Told{notice});
  };
}

/// The environment that the engine will use; only its home directory matters here.
Environment environment_of(const AgentOptions& options) {
  const auto& given = options.engine_options.env;
  return given ? Environment(*given) : Environment::of_process();
}

/// The embedder's engine, or a new one with the agent's own HTTP client, observer and judge. The judge needs the engine
/// and the engine needs the judge; the weak pointer breaks that cycle.
std::shared_ptr<Engine> engine_for(AgentOptions& options, const std::shared_ptr<AgentUi>& ui) {
  if (options.engine) return options.engine;
  EngineOptions& wanted = options.engine_options;
  if (wanted.project_dir.empty()) wanted.project_dir = options.cwd;
  if (options.hooks) {
    wanted.configs.push_back({options.hooks_dialect, "", Json::object({{"hooks", options.hooks}})});
  }
  if (!wanted.host.notices) wanted.host.notices = notices_to(ui);
  if (!wanted.host.http_client) wanted.host.http_client = make_http_hook_client();
  if (!wanted.host.observer) wanted.host.observer = std::make_shared<ShowingObserver>(ui);
  // `made` is filled after the engine exists. The judge is not asked before that.
  const auto made = std::make_shared<std::weak_ptr<Engine>>();
  if (!wanted.host.judge) {
    wanted.host.judge = make_judge(
        {.model = options.model, .model_name = options.model_name, .engine = [made] { return made->lock(); }});
  }
  std::shared_ptr<Engine> engine = Engine::create(wanted);
  *made = engine;
  return engine;
}

}  // namespace

/// The order matters: the rules are checked before anything is created, the UI is locked before the engine gets it, and
/// stop hooks are registered before SessionStart fires.
Result<std::unique_ptr<Session>> create_session(AgentOptions options, std::stop_token interrupt) {
  if (!options.model) return fail(Errc::BadConfig, "the agent has no model");
  if (options.cwd.empty()) options.cwd = std::filesystem::current_path();
  if (!options.ui) options.ui = std::make_shared<AgentUi>();
  options.can_use_tool = one_at_a_time(std::move(options.can_use_tool));
  auto permissions = Permissions::create(options.approval, options.rules, environment_of(options).home());
  if (!permissions) return std::unexpected(permissions.error());

  const auto ui = std::make_shared<LockedUi>(options.ui);
  const std::shared_ptr<Engine> engine = engine_for(options, ui);
  Workspace workspace(options.cwd, options.also_allowed_dirs);
  std::vector<Tool> tools = options.tools ? *options.tools : built_in_tools();
  auto core = std::unique_ptr<Core>(new Core{.options = std::move(options),
                                             .engine = engine,
                                             .hooks = AgentHooks(engine, ""),
                                             .workspace = std::move(workspace),
                                             .permissions = std::move(*permissions),
                                             .ui = ui,
                                             .tools = std::move(tools),
                                             .stop_hooks = std::make_unique<StopHooks>(engine, stop_lines_to(ui))});
  // `options` has moved into the core, so the dialect is only available now.
  core->hooks = AgentHooks(engine, core->options.dialect);
  core->facts.cwd = core->workspace.root();
  core->facts.mode = core->options.approval;
  core->facts.model = core->options.model_name;
  core->servers = servers_of(*core);
  for (const StopHook& hook : core->options.stop_hooks) {
    if (auto added = core->stop_hooks->add(hook); !added) return std::unexpected(added.error());
  }
  auto session = std::make_unique<SessionImpl>(std::move(core));
  if (auto started = session->start(interrupt); !started) return std::unexpected(started.error());
  return session;
}

}  // namespace grapnel::agent
