#include <optional>

#include "approve/listener.h"
#include "cli/approving.h"
#include "cli/hook_source.h"
#include "cli/rule_of_ask.h"
#include "discover/find/ask_setting.h"

namespace grapnel::cli {

namespace {

constexpr auto kApproveArguments = std::to_array<ArgumentRow>({
    {"ID", "the question, or the beginning of its id (default: you are asked about each)", ValueKind::EventId},
});
constexpr auto kApproveOptions = std::to_array<OptionRow>({
    {"--once", "", "", "allow this call"},
    {"--session", "", "", "allow it for the rest of the session"},
    {"--rule", "", "", "allow it, and write a rule that does so from now on; with --deny, a rule that denies"},
    {"--deny", "", "REASON", "deny it; the model is told the reason", ValueKind::Text, false, true},
    {"--pattern", "", "COMMANDS", "with --session or --rule: all commands like these, as in 'npm publish *'",
     ValueKind::Text},
    {"--follow", "-f", "",
     "stay, and show each question when it comes; as long as this runs, hooks wait for an answer"},
    kYesOption,
    kJsonOption,
});

/// The questions of this computer.
class OwnAsks final : public AskSource {
 public:
  explicit OwnAsks(const Environment& env) : env_(env) {}

  std::vector<WaitingAsk> asks() override { return waiting_asks(env_); }
  Result<void> listen() override {
    auto listener = AskListener::open(env_);
    if (!listener) return std::unexpected(listener.error());
    listener_.emplace(std::move(*listener));
    return {};
  }
  int fd() const override { return listener_->fd(); }
  void settle() override { listener_->settle(); }
  Result<void> give(const WaitingAsk& ask, const AskWish& wish) override {
    return give_answer(env_, ask, wish.answer, wish.denies_for_good);
  }
  bool can_make_rules() const override { return true; }
  std::string_view session_option() const override { return "--session"; }
  std::string nothing_waits() const override {
    return read_ask_setting({"/", "", &env_}).in_page
               ? "No question waits.\n"
               : "No question waits. Agents ask by themselves; `ask: page` in ~/.config/grapnel/settings.yaml lets "
                 "questions wait for you here.\n";
  }

 private:
  const Environment& env_;
  std::optional<AskListener> listener_;
};

int run_approve(Invocation& in) {
  OwnAsks source(in.env);
  return approve_from(source, in, in.args.text("ID"));
}

/// A rule stays, so it is noted like everything else that makes guards weaker. Other answers are in the event's record.
ForPeople who_approves(const Arguments& args) {
  return args.has("--rule") && !args.has("--deny") ? ForPeople::Consent : ForPeople::NotAgent;
}

}  // namespace

const Command kApprove{
    .name = "approve",
    .summary = "answer what hooks ask, in a terminal of your own",
    .about =
        "With `ask: page` in ~/.config/grapnel/settings.yaml, a call that hooks want a person to decide waits for an "
        "answer here or in the page of `grapnel ui`, also in agents that cannot ask. Without options it shows what "
        "waits and asks you about each. A hook waits only while somebody is there to answer: an open page that was "
        "unlocked, or `grapnel approve --follow`. Without an answer in time, the agent does what it does by itself. "
        "Agents cannot use this verb.",
    .arguments = kApproveArguments,
    .options = kApproveOptions,
    .examples = R"(  grapnel approve --follow
  grapnel approve 3f2a --once
  grapnel approve 3f2a --session --pattern 'npm publish *'
  grapnel approve 3f2a --deny 'Bump the version first.'
)",
    .run = run_approve,
    .for_people = who_approves,
};

}  // namespace grapnel::cli
