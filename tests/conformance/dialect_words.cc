#include "conformance/dialect_words.h"

namespace grapnel::conformance {

std::string words_for(Effect effect) {
  switch (effect) {
    case Effect::Verdict:
      return "the verdict, one of the words below";
    case Effect::LooseVerdict:
      return "a verdict that counts when it asks or denies";
    case Effect::DenyIfTrue:
      return "`true` blocks";
    case Effect::DenyIfFalse:
      return "`false` blocks";
    case Effect::Objection:
      return "a text: blocks by being there, and is the reason";
    case Effect::Reason:
      return "why";
    case Effect::Context:
      return "text for the model";
    case Effect::InputReplace:
      return "takes the place of the whole tool input";
    case Effect::InputMerge:
      return "is laid over the tool input, key by key";
    case Effect::Output:
      return "takes the place of the tool's output";
    case Effect::Prompt:
      return "takes the place of the prompt";
    case Effect::Notification:
      return "takes the place of the notification's text";
    case Effect::ModelRequest:
      return "is laid over the request to the model";
    case Effect::ModelResponse:
      return "takes the place of the model's response";
    case Effect::ToolChoice:
      return "which tools the model may pick";
    case Effect::TailCall:
      return "another tool call to make right after this one";
    case Effect::ClearContext:
      return "`true` empties the conversation";
    case Effect::StopIfFalse:
      return "`false` stops the agent as a whole";
    case Effect::StopIfTrue:
      return "`true` stops the agent as a whole";
    case Effect::StopReason:
      return "why the agent stops";
    case Effect::Env:
      return "variables for all later hooks of the session";
    case Effect::Message:
      return "text for the person";
    case Effect::Log:
      return "text for the record";
    case Effect::SuppressOutput:
      return "`true` asks the agent not to show the hook's output";
  }
  return "";
}

std::string words_for(ExitMeaning meaning) {
  switch (meaning) {
    case ExitMeaning::Success:
      return "fine; standard output is read";
    case ExitMeaning::Warn:
      return "what was printed is a warning for the person; nothing is decided";
    case ExitMeaning::Deny:
      return "blocks; standard error is the reason";
    case ExitMeaning::DenyText:
      return "text blocks and is the reason; JSON decides for itself";
    case ExitMeaning::DenyTail:
      return "blocks; the end of what was printed is the reason";
    case ExitMeaning::Failure:
      return "the hook failed";
    case ExitMeaning::FailureUnlessJson:
      return "the hook failed, unless it printed an answer in JSON";
    case ExitMeaning::Timeout:
      return "the hook says that it ran out of time: it failed";
  }
  return "";
}

std::string words_for(TextMeaning meaning) {
  switch (meaning) {
    case TextMeaning::Nothing:
      return "is ignored";
    case TextMeaning::Message:
      return "is shown to the person";
    case TextMeaning::Context:
      return "goes to the model as context";
    case TextMeaning::Log:
      return "is noted in the record";
  }
  return "";
}

std::string words_for(MatchSyntax syntax) {
  switch (syntax) {
    case MatchSyntax::Exact:
      return "the whole text";
    case MatchSyntax::NamesOrRegex:
      return "names separated by `|`, or a regular expression over the whole text";
    case MatchSyntax::NamesOrSearch:
      return "`*`, names separated by `|`, or a regular expression found anywhere";
    case MatchSyntax::ListOrSearch:
      return "`*`, names separated by `|` or `,`, or a regular expression found anywhere";
    case MatchSyntax::WordsOrSearch:
      return "`*`, names without hyphens separated by `|`, or a regular expression found anywhere";
    case MatchSyntax::SearchRegex:
      return "`*`, or a regular expression found anywhere";
    case MatchSyntax::StrictRegex:
      return "a regular expression found anywhere; one that does not compile is an error";
    case MatchSyntax::ExactOrAny:
      return "`*`, or the whole text";
    case MatchSyntax::Glob:
      return "a path pattern; `*` stops at `/`, `**` does not";
    case MatchSyntax::GlobBash:
      return "a pattern where `*` crosses `/`";
    case MatchSyntax::GlobMatchBase:
      return "path patterns separated by `|`; one without `/` is about the file's name";
    case MatchSyntax::GlobPath:
      return "a path pattern; dots are ordinary, and one without `/` is about the file's name";
    case MatchSyntax::Command:
      return "a permission rule's pattern over the commands of a shell line";
  }
  return "";
}

std::string words_for(Setting setting) {
  switch (setting) {
    case Setting::Enabled:
      return "`false` switches all hooks off";
    case Setting::DisableAll:
      return "`true` switches all hooks off";
    case Setting::DisabledNames:
      return "names of hooks that are switched off";
    case Setting::ManagedOnly:
      return "in a managed file: only managed hooks run";
    case Setting::DefaultTimeout:
      return "timeout of hooks that set none";
    case Setting::TimeoutBehavior:
      return "when a hook runs out of time, see below";
    case Setting::FailureBehavior:
      return "when a hook fails, see below";
    case Setting::MaxConcurrent:
      return "how many hooks may run at a time";
    case Setting::HttpUrls:
      return "patterns of URLs, the only ones hooks may post to; one that names a host lets it be of this machine or "
             "of "
             "a private network";
    case Setting::HttpVariables:
      return "the only variables that headers of posts may use";
    case Setting::HttpHosts:
      return "patterns of hosts that may be posted to wherever they are, without TLS too";
    case Setting::HttpLoopback:
      return "`true`: this machine may be posted to";
    case Setting::HttpPrivate:
      return "`true`: private networks may be posted to";
    case Setting::HttpPlain:
      return "`true`: hooks may post without TLS";
    case Setting::Ignored:
      return "known, of no consequence";
  }
  return "";
}

std::string words_for(GroupKey key) {
  switch (key) {
    case GroupKey::Name:
      return "what its hooks are called where they have no name";
    case GroupKey::Matcher:
      return "when its hooks run, see below; without one always";
    case GroupKey::Hooks:
      return "the hooks, a list";
    case GroupKey::Sequential:
      return "`true`: one after another";
  }
  return "";
}

std::string words_for(HookKey key) {
  switch (key) {
    case HookKey::Type:
      return "what kind of hook it is, see below";
    case HookKey::Event:
      return "the event";
    case HookKey::Matcher:
      return "when it runs, see below; without one always";
    case HookKey::Command:
      return "what is run";
    case HookKey::Args:
      return "arguments; with these the command is started without a shell";
    case HookKey::Prompt:
      return "for a model";
    case HookKey::Target:
      return "what a hook without a command calls";
    case HookKey::Url:
      return "where the event is posted to";
    case HookKey::Headers:
      return "what is sent with it, an object; `$NAME` stands for a variable that may be used";
    case HookKey::AllowedEnv:
      return "the variables that headers may use";
    case HookKey::Retries:
      return "how often a post is tried again";
    case HookKey::MaxReply:
      return "bytes of a reply; a longer one is a failure";
    case HookKey::Model:
      return "which model";
    case HookKey::GoesOn:
      return "`true`: an objection of a prompt hook does not end the turn";
    case HookKey::Timeout:
      return "see below";
    case HookKey::Name:
      return "for lists, switches and records";
    case HookKey::Description:
      return "for people";
    case HookKey::StatusMessage:
      return "shown while it runs";
    case HookKey::Env:
      return "further variables, an object";
    case HookKey::Async:
      return "`true`: nobody waits for it, and it decides nothing";
    case HookKey::OnFailure:
      return "when it fails, see below";
    case HookKey::If:
      return "one permission rule, `Tool` or `Tool(pattern)`, that must hold too";
    case HookKey::Priority:
      return "0 to 1000, higher runs earlier; 100 where it is not said";
    case HookKey::Metadata:
      return "an object for whatever you like";
    case HookKey::Ignored:
      return "known, of no consequence";
  }
  return "";
}

std::string words_for(OnFailure policy) {
  switch (policy) {
    case OnFailure::Open:
      return "lets things pass";
    case OnFailure::Ask:
      return "has a person asked";
    case OnFailure::Closed:
      return "blocks";
  }
  return "";
}

std::string words_for(Verdict verdict) {
  switch (verdict) {
    case Verdict::Pass:
      return "no objection";
    case Verdict::Allow:
      return "allow: nobody needs to be asked";
    case Verdict::Ask:
      return "ask a person";
    case Verdict::Deny:
      return "deny";
  }
  return "";
}

std::string words_for(Strategy strategy) {
  return strategy == Strategy::Parallel ? "together" : "one by one";
}

bool can_run(HandlerType type) {
  return type != HandlerType::McpTool;
}

std::string words_for(std::chrono::milliseconds duration) {
  using std::chrono::hours;
  const auto plural = [](int64_t count, const std::string& unit) {
    return std::to_string(count) + " " + unit + (count == 1 ? "" : "s");
  };
  if (duration % hours{1} == hours{0}) return plural(duration / hours{1}, "hour");
  if (duration % std::chrono::minutes{1} == hours{0}) return plural(duration / std::chrono::minutes{1}, "minute");
  if (duration % std::chrono::seconds{1} == hours{0}) return plural(duration / std::chrono::seconds{1}, "second");
  return plural(duration.count(), "millisecond");
}

}  // namespace grapnel::conformance
