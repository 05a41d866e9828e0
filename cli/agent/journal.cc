#include "cli/agent/journal.h"

#include <unistd.h>

#include <utility>

#include "base/clock.h"
#include "cli/agent/event_json.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

constexpr mode_t kOwnerOnly = 0600;  // prompts and files' contents are in it

/// Puts the journal between the agent and the real UI.
class JournalUi : public agent::AgentUi {
 public:
  JournalUi(std::shared_ptr<agent::AgentUi> ui, std::shared_ptr<Journal> journal)
      : ui_(std::move(ui)), journal_(std::move(journal)) {}

  void show(const agent::AgentEvent& event) override {
    // The journal comes first: if showing the event fails or the process dies, the event is still on record.
    journal_->write(to_json(event, Detail::Full));
    ui_->show(event);
  }

  agent::Approval ask(const agent::Question& question, std::stop_token cancel) override {
    // A question is only useful together with its answer, so it is written afterwards.
    const agent::Approval approval = ui_->ask(question, std::move(cancel));
    journal_->write(to_json(question, approval));
    return approval;
  }
  /// What was asked and answered is in the records of the hooks' events.
  agent::McpReply reply(const agent::McpQuestion& question, std::stop_token cancel) override {
    return ui_->reply(question, std::move(cancel));
  }

 private:
  std::shared_ptr<agent::AgentUi> ui_;
  std::shared_ptr<Journal> journal_;
};

}  // namespace

Result<std::shared_ptr<Journal>> Journal::open(const std::string& path, Mask mask, std::shared_ptr<RecordSink> next) {
  auto file = os::open_append(path, kOwnerOnly);
  if (!file) return std::unexpected(file.error());
  return std::shared_ptr<Journal>(new Journal(std::move(*file), std::move(mask), std::move(next)));
}

/// Secrets are masked before the line leaves the process. The line is written with one call, so lines of other
/// processes that append to the same file do not mix with it.
void Journal::write(const Json& line) noexcept {
  const Json time = Json::object({{"time", Json::string(format_timestamp(std::chrono::system_clock::now()))}});
  const std::string text = time.merged(mask_.apply(line)).dump() + "\n";
  const std::scoped_lock lock(mutex_);
  failed_ |= ::write(file_.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size());
}

/// Records go to the journal and to the usual sink, which `--journal` must not replace.
void Journal::record(const Record& record) noexcept {
  write(Json::object({{"type", Json::string("record")}, {"record", record.to_json()}}));
  if (next_ != nullptr) next_->record(record);
}

void Journal::snapshot(const std::string& digest, const Json& registry) noexcept {
  write(Json::object({{"type", Json::string("registry")}, {"digest", Json::string(digest)}, {"registry", registry}}));
  if (next_ != nullptr) next_->snapshot(digest, registry);
}

bool Journal::is_complete() const {
  const std::scoped_lock lock(mutex_);
  return !failed_;
}

std::shared_ptr<agent::AgentUi> with_journal(std::shared_ptr<agent::AgentUi> ui, std::shared_ptr<Journal> journal) {
  return std::make_shared<JournalUi>(std::move(ui), std::move(journal));
}

}  // namespace grapnel::cli
