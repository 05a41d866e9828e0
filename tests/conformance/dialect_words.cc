#include "conformance/dialect_words.h"

namespace grapnel::conformance {

std::string words_for(Effect effect) {
  switch (effect) {
    case Effect::Verdict:
      return "the verdict: one of the words below";
    case Effect::LooseVerdict:
      return "a verdict that counts only if it asks or denies";
    case Effect::DenyIfTrue:
      return "`true` blocks";
    case Effect::DenyIfFalse:
      return "`false` blocks";
    case Effect::Objection:
      return "a text that blocks if it is there, and is the reason";
    case Effect::Reason:
      return "the reason";
    case Effect::Context:
      return "a text for the model";
    case Effect::InputReplace:
      return "replaces the whole tool input";
    case Effect::InputMerge:
      return "is merged into the tool input, key by key";
    case Effect::Output:
      return "replaces the tool's output";
    case Effect::Prompt:
      return "replaces the prompt";
    case Effect::Notification:
      return "replaces the text of the notification";
    case Effect::ModelRequest:
      return "is merged into the request to the model";
    case Effect::ModelResponse:
      return "replaces the model's response";
    case Effect::ToolChoice:
      return "which tools the model may choose";
    case Effect::TailCall:
      return "another tool call, to be made right after this one";
    case Effect::ElicitationAction:
      return "answers a tool server for the person: `accept`, `decline` or `cancel`";
    case Effect::ElicitationContent:
      return "what the answer contains, an object";
    case Effect::ClearContext:
      return "`true` clears the conversation";
    case Effect::StopIfFalse:
      return "`false` stops the agent";
    case Effect::StopIfTrue:
      return "`true` stops the agent";
    case Effect::StopReason:
      return "the reason for stopping the agent";
    case Effect::Env:
      return "environment variables for all later hooks of the session";
    case Effect::Message:
      return "a text for the person";
    case Effect::Log:
      return "a text for the record";
    case Effect::SuppressOutput:
      return "`true` asks the agent not to show the hook's output";
  }
  return "";
}

std::string words_for(ExitMeaning meaning) {
  switch (meaning) {
    case ExitMeaning::Success:
      return "success: standard output is read";
    case ExitMeaning::Warn:
      return "the hook failed; the person sees the text that it printed as a warning";
    case ExitMeaning::Deny:
      return "blocks, with standard error as the reason";
    case ExitMeaning::DenyText:
      return "plain text blocks and is the reason; JSON output decides for itself";
    case ExitMeaning::DenyTail:
      return "blocks, with the last lines of the output as the reason";
    case ExitMeaning::Failure:
      return "the hook failed";
    case ExitMeaning::FailureUnlessJson:
      return "the hook failed, unless it printed an answer in JSON";
    case ExitMeaning::Timeout:
      return "the hook reports a timeout: it failed";
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
      return "is written to the record";
  }
  return "";
}

std::string words_for(MatchSyntax syntax) {
  switch (syntax) {
    case MatchSyntax::Exact:
      return "compared with the whole text";
    case MatchSyntax::NamesOrRegex:
      return "names separated by `|`, or a regular expression that matches the whole text";
    case MatchSyntax::NamesOrSearch:
      return "`*`, names separated by `|`, or a regular expression that matches anywhere in the text";
    case MatchSyntax::ListOrSearch:
      return "`*`, names separated by `|` or `,`, or a regular expression that matches anywhere in the text";
    case MatchSyntax::WordsOrSearch:
      return "`*`, names without hyphens separated by `|`, or a regular expression that matches anywhere in the text";
    case MatchSyntax::SearchRegex:
      return "`*`, or a regular expression that matches anywhere in the text";
    case MatchSyntax::StrictRegex:
      return "a regular expression that matches anywhere in the text; an invalid one is an error";
    case MatchSyntax::ExactOrAny:
      return "`*`, or compared with the whole text";
    case MatchSyntax::Glob:
      return "a path pattern, in which `**` matches `/` and `*` does not";
    case MatchSyntax::GlobBash:
      return "a pattern in which `*` matches `/` as well";
    case MatchSyntax::GlobMatchBase:
      return "path patterns separated by `|`; a pattern without `/` is compared with the file's name";
    case MatchSyntax::GlobPath:
      return "a path pattern in which `*` matches a leading dot; without `/` it is compared with the file's name";
    case MatchSyntax::Command:
      return "the pattern of a permission rule, compared with each command of a shell line";
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
      return "the timeout of hooks that set none";
    case Setting::TimeoutBehavior:
      return "what happens if a hook times out (see below)";
    case Setting::FailureBehavior:
      return "what happens if a hook fails (see below)";
    case Setting::MaxConcurrent:
      return "how many hooks may run at the same time";
    case Setting::HttpUrls:
      return "patterns for the only URLs that hooks may post to; a pattern that names a host also permits this machine "
             "and private networks";
    case Setting::HttpVariables:
      return "the only variables that the headers of a post may use";
    case Setting::HttpHosts:
      return "patterns for hosts that hooks may always post to, even in private networks and without TLS";
    case Setting::HttpLoopback:
      return "`true`: hooks may post to this machine";
    case Setting::HttpPrivate:
      return "`true`: hooks may post to private networks";
    case Setting::HttpPlain:
      return "`true`: hooks may post without TLS";
    case Setting::Ignored:
      return "known, but without effect here";
  }
  return "";
}

std::string words_for(GroupKey key) {
  switch (key) {
    case GroupKey::Name:
      return "the name of its hooks that have none of their own";
    case GroupKey::Matcher:
      return "when its hooks run (see below); without a matcher they always run";
    case GroupKey::Hooks:
      return "the list of hooks";
    case GroupKey::Sequential:
      return "`true`: the hooks run one after another";
  }
  return "";
}

std::string words_for(HookKey key) {
  switch (key) {
    case HookKey::Type:
      return "the type of the hook (see below)";
    case HookKey::Event:
      return "the event";
    case HookKey::Matcher:
      return "when the hook runs (see below); without a matcher it always runs";
    case HookKey::Command:
      return "the command to run";
    case HookKey::Args:
      return "arguments; if there are any, the command is started without a shell";
    case HookKey::Prompt:
      return "the prompt for the model";
    case HookKey::Target:
      return "the tool that a hook without a command calls";
    case HookKey::Url:
      return "the URL that the event is posted to";
    case HookKey::Headers:
      return "an object of headers; `$NAME` stands for a variable, if the headers may use it";
    case HookKey::AllowedEnv:
      return "the variables that the headers may use";
    case HookKey::Retries:
      return "how often a failed post is repeated";
    case HookKey::MaxReply:
      return "the maximum length of the reply in bytes; a longer reply is a failure";
    case HookKey::Model:
      return "the model to ask";
    case HookKey::GoesOn:
      return "`true`: the objection of a prompt hook does not end the turn";
    case HookKey::Timeout:
      return "how long the hook may run (see below)";
    case HookKey::Name:
      return "the name of the hook, for lists, settings and records";
    case HookKey::Description:
      return "a description for people";
    case HookKey::StatusMessage:
      return "a text that is shown while the hook runs";
    case HookKey::Env:
      return "an object of further environment variables";
    case HookKey::Async:
      return "`true`: the hook runs in the background and decides nothing";
    case HookKey::OnFailure:
      return "what happens if the hook fails (see below)";
    case HookKey::If:
      return "one permission rule, `Tool` or `Tool(pattern)`, that must match as well";
    case HookKey::Priority:
      return "0 to 1000; hooks with a higher priority run earlier; the default is 100";
    case HookKey::Metadata:
      return "an object for anything you like";
    case HookKey::Ignored:
      return "known, but without effect here";
  }
  return "";
}

std::string words_for(OnFailure policy) {
  switch (policy) {
    case OnFailure::Open:
      return "lets the event go on";
    case OnFailure::Ask:
      return "asks a person";
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
      return "allow, without asking a person";
    case Verdict::Ask:
      return "ask a person";
    case Verdict::Deny:
      return "deny";
  }
  return "";
}

std::string words_for(Strategy strategy) {
  return strategy == Strategy::Parallel ? "in parallel" : "in sequence";
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
