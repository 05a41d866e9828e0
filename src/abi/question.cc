#include "abi/question.h"

#include <stdexcept>

#include "abi/open_engine.h"
#include "decide/interpret.h"
#include "dialect/dialect.h"
#include "dialect/payload.h"

namespace grapnel::abi {

bool Question::take(std::optional<std::string>& place, std::string text) {
  const std::lock_guard lock(mutex_);
  if (answer_ || failure_ || abandoned_ || stop_.stop_requested()) return false;
  place = std::move(text);
  changed_.notify_all();
  return true;
}

bool Question::answer(std::string json) {
  return take(answer_, std::move(json));
}

bool Question::fail(std::string message) {
  return take(failure_, std::move(message));
}

bool Question::is_abandoned() const {
  const std::lock_guard lock(mutex_);
  return abandoned_;
}

std::string Question::wait(bool is_later) {
  std::unique_lock lock(mutex_);
  if (is_later) changed_.wait(lock, stop_, [&] { return answer_ || failure_; });
  abandoned_ = true;
  if (failure_) throw std::runtime_error(*failure_);
  return answer_.value_or("");
}

namespace {

/// What the answer means, by the tables of its dialect: the same as an answer of a worker. `data` is for the host alone
/// and no part of them.
Effects read_effects(const std::string& answer, const HookSpec& spec, EventKind kind) {
  if (answer.empty()) return {};
  auto object = Json::parse(answer);
  if (!object) throw std::runtime_error("its answer is not JSON: " + object.error().to_string());
  if (object->is_null()) return {};
  if (!object->is_object()) throw std::runtime_error("its answer is not a JSON object");
  const Json data = (*object)["data"];
  RunOutcome outcome;
  outcome.ending = Answered{};
  outcome.out.bytes = (data ? object->without("data") : *object).dump();
  HookAnswer read = interpret(spec, kind, outcome);
  if (read.failure) throw std::runtime_error(read.failure->what);
  if (data) read.effects.data.emplace_back(spec.name, data);
  return std::move(read.effects);
}

/// The handle of a question, while its function runs. A function that answers ends it; one that neither answers nor
/// will, or throws, leaves it to us.
class Handle {
 public:
  explicit Handle(const std::shared_ptr<Question>& question)
      : question_(*question), call_(new grapnel_call{question}) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (!is_kept_ && !question_.is_handle_over()) delete call_;
  }
  grapnel_call* get() const { return call_; }
  void leave_to_host() { is_kept_ = true; }

 private:
  Question& question_;
  grapnel_call* call_;
  bool is_kept_ = false;
};

}  // namespace

HookCallback make_callback(const HookOptions& options, HostFunction function) {
  HookSpec spec;
  spec.name = options.hook.name;
  spec.dialect = options.dialect.empty() ? &kGrapnelDialect : find_dialect(options.dialect);
  return [spec, function = std::move(function)](const Event& event, std::stop_token stop) -> Effects {
    const std::string payload = payload_for(event, *spec.dialect, {});
    const auto question = std::make_shared<Question>(std::move(stop));
    bool is_later = false;
    {
      const Inside inside;
      Handle handle(question);
      is_later = function.call(function.user.get(), handle.get(), payload.c_str(), payload.size()) == GRAPNEL_LATER;
      if (is_later) handle.leave_to_host();
    }
    return read_effects(question->wait(is_later), spec, event.kind());
  };
}

}  // namespace grapnel::abi
