#include <cstdlib>
#include <exception>
#include <thread>

#include "abi/open_engine.h"
#include "abi/question.h"
#include "abi/texts.h"
#include "engine/info_json.h"

/// The functions of grapnel.h. Each is a few lines around one call of the C++ library: find the engine, read the
/// arguments, make the call, write the result. No exception crosses the border.

using namespace grapnel;
using namespace grapnel::abi;

/// An event that was fired asynchronously.
struct grapnel_firing {
  std::stop_source cancel;
};

namespace {

std::string_view or_empty(const char* text) {
  return text == nullptr ? "" : text;
}

/// Makes the call. What it throws becomes an error, and the result is `T{}`.
template <typename T, typename Call>
T guarded(char** error, const Call& call) noexcept {
  if (error != nullptr) *error = nullptr;
  try {
    return call();
  } catch (const std::exception& e) {
    report(error, std::string("internal: ") + e.what());
  } catch (...) {
    report(error, "internal: something that is no std::exception was thrown");
  }
  return T{};
}

/// Finds the engine, and makes the call with it.
template <typename T, typename Call>
T with_engine(const grapnel_engine* handle, char** error, const Call& call) noexcept {
  return guarded<T>(error, [&]() -> T {
    std::string_view why;
    const Use use = find_engine(handle, why);
    if (use) return call(use);
    report(error, why);
    return T{};
  });
}

/// Reports the error of a result, if it has one.
template <typename T>
bool succeeded(const Result<T>& result, char** error) {
  if (!result) report(error, describe(result.error()));
  return result.has_value();
}

Result<Event> read_event(const char* dialect, const char* name, const char* payload, size_t length) {
  auto parsed = Json::parse(payload == nullptr ? std::string("{}") : std::string(payload, length));
  if (!parsed) {
    Error error = parsed.error();
    error.message = "the payload is not JSON: " + error.message;
    return std::unexpected(error);
  }
  return Event::from_native(dialect == nullptr ? "canonical" : dialect, *parsed, or_empty(name));
}

/// The decision as the command prints it, with what only a host in the same process can use.
std::string decision_text(const Decision& decision) {
  Json json = decision.to_json();
  if (!decision.continuation.empty()) json = json.with("continuation", Json::string(decision.continuation));
  if (!decision.effects.data.empty()) {
    std::vector<Json> data;
    for (const auto& [hook, value] : decision.effects.data) {
      data.push_back(Json::object({{"hook", Json::string(hook)}, {"data", value}}));
    }
    json = json.with("data", Json::array(data));
  }
  return json.dump();
}

template <typename T>
char* list_text(const std::vector<T>& items) {
  std::vector<Json> list;
  list.reserve(items.size());
  for (const T& item : items) list.push_back(to_json(item));
  return to_c(Json::array(list).dump());
}

/// Fires the event and tells the host. `firing` may be given back while this runs.
void fire_and_tell(OpenEngine& open, const Event& event, const std::stop_source& cancel, grapnel_done done,
                   void* user) {
  const Inside inside;
  char* error = nullptr;
  char* decision = guarded<char*>(&error, [&] {
    const std::stop_callback on_close(open.closing(), [&] { std::stop_source(cancel).request_stop(); });
    return to_c(decision_text(open.engine().fire(event, cancel.get_token())));
  });
  try {
    done(user, decision, error);
  } catch (...) {  // the host was told not to; there is nobody to tell
  }
}

}  // namespace

extern "C" {

uint32_t grapnel_abi_version(void) {
  return GRAPNEL_ABI_VERSION;
}

const char* grapnel_version(void) {
  return GRAPNEL_VERSION;
}

grapnel_engine* grapnel_open(const char* options, char** error) {
  return guarded<grapnel_engine*>(error, [&]() -> grapnel_engine* {
    auto read = read_open_options(options == nullptr ? "{}" : options);
    if (!succeeded(read, error)) return nullptr;
    return add_engine(std::make_shared<OpenEngine>(std::move(*read)));
  });
}

void grapnel_close(grapnel_engine* engine) {
  guarded<bool>(nullptr, [&] {
    std::shared_ptr<OpenEngine> open = remove_engine(engine);
    if (!open) return false;
    if (!Use::is_inside()) {
      open->shut_down();
    } else {
      // A callback of the engine's wants to close it: its event has to end first.
      std::thread([open = std::move(open)]() mutable {
        open->shut_down();
        open.reset();
      }).detach();
    }
    return true;
  });
}

void grapnel_free(char* text) {
  std::free(text);
}

char* grapnel_fire(grapnel_engine* engine, const char* dialect, const char* event, const char* payload, size_t length,
                   char** error) {
  return with_engine<char*>(engine, error, [&](const Use& use) -> char* {
    const auto read = read_event(dialect, event, payload, length);
    if (!succeeded(read, error)) return nullptr;
    return to_c(decision_text(use->engine().fire(*read, use->closing())));
  });
}

grapnel_firing* grapnel_fire_async(grapnel_engine* engine, const char* dialect, const char* event, const char* payload,
                                   size_t length, grapnel_done done, void* user, char** error) {
  return with_engine<grapnel_firing*>(engine, error, [&](const Use& use) -> grapnel_firing* {
    auto read = read_event(dialect, event, payload, length);
    if (!succeeded(read, error)) return nullptr;
    auto firing = std::make_unique<grapnel_firing>();
    use->post([open = &*use, event = std::move(*read), cancel = firing->cancel, done, user] {
      fire_and_tell(*open, event, cancel, done, user);
    });
    return firing.release();
  });
}

void grapnel_cancel(grapnel_firing* firing) {
  if (firing != nullptr) firing->cancel.request_stop();
}

void grapnel_release(grapnel_firing* firing) {
  delete firing;
}

int grapnel_register(grapnel_engine* engine, const char* hook, grapnel_callback callback, void* user,
                     void (*release)(void* user), char** error) {
  return with_engine<int>(engine, error, [&](const Use& use) {
    const std::shared_ptr<void> owned(user, [release](void* it) {
      if (release != nullptr) release(it);
    });
    auto options = read_hook_options(or_empty(hook));
    if (!succeeded(options, error)) return 0;
    if (callback != nullptr) options->hook.call = make_callback(*options, {callback, owned});
    return static_cast<int>(succeeded(use->engine().register_callback(std::move(options->hook)), error));
  });
}

int grapnel_unregister(grapnel_engine* engine, const char* name) {
  return with_engine<int>(engine, nullptr, [&](const Use& use) {
    return static_cast<int>(use->engine().unregister_callback(or_empty(name)));
  });
}

int grapnel_answer(grapnel_call* call, const char* answer, size_t length) {
  if (call == nullptr) return 0;
  return guarded<int>(nullptr, [&] {
    const std::shared_ptr<Question> question = call->question;
    question->end_handle();
    delete call;
    return static_cast<int>(question->answer(answer == nullptr ? "" : std::string(answer, length)));
  });
}

int grapnel_fail(grapnel_call* call, const char* message) {
  if (call == nullptr) return 0;
  return guarded<int>(nullptr, [&] {
    const std::shared_ptr<Question> question = call->question;
    question->end_handle();
    delete call;
    return static_cast<int>(question->fail(std::string(or_empty(message))));
  });
}

int grapnel_is_cancelled(const grapnel_call* call) {
  return static_cast<int>(call == nullptr || call->question->is_cancelled());
}

void grapnel_on_cancel(grapnel_call* call, void (*notify)(void* user), void* user) {
  if (call == nullptr || notify == nullptr) return;
  guarded<bool>(nullptr, [&] {
    call->on_cancel.reset();
    call->on_cancel.emplace(call->question->stop(), [notify, user] { notify(user); });
    return true;
  });
}

char* grapnel_explain(grapnel_engine* engine, const char* dialect, const char* event, const char* payload,
                      size_t length, char** error) {
  return with_engine<char*>(engine, error, [&](const Use& use) -> char* {
    const auto read = read_event(dialect, event, payload, length);
    return succeeded(read, error) ? list_text(use->engine().explain(*read)) : nullptr;
  });
}

char* grapnel_hooks(grapnel_engine* engine, char** error) {
  return with_engine<char*>(engine, error, [](const Use& use) { return list_text(use->engine().hooks()); });
}

char* grapnel_problems(grapnel_engine* engine, char** error) {
  return with_engine<char*>(engine, error, [](const Use& use) { return list_text(use->engine().problems()); });
}

int grapnel_reload(grapnel_engine* engine, char** error) {
  return with_engine<int>(engine, error, [](const Use& use) {
    use->engine().reload();
    return 1;
  });
}

int grapnel_enable(grapnel_engine* engine, const char* name, int enabled, char** error) {
  return with_engine<int>(engine, error, [&](const Use& use) {
    if (name != nullptr) {
      if (use->engine().set_enabled(name, enabled != 0)) return 1;
      report(error, "not found: there is no hook named '" + std::string(name) + "' that can be switched");
      return 0;
    }
    use->engine().set_all_enabled(enabled != 0);
    return 1;
  });
}

int grapnel_is_enabled(grapnel_engine* engine) {
  return with_engine<int>(engine, nullptr, [](const Use& use) { return static_cast<int>(use->engine().is_enabled()); });
}

int grapnel_journal(grapnel_engine* engine, int on, const char* directory, char** error) {
  return with_engine<int>(engine, error, [&](const Use& use) {
    use->set_journal(on != 0, std::string(or_empty(directory)));
    return 1;
  });
}

const char* grapnel_tool_access(const char* dialect, const char* tool) {
  const std::string_view wanted = dialect == nullptr ? "canonical" : dialect;
  const std::string_view name = or_empty(tool);
  return to_string(access_of(tool_kind(name, dialect_of_tool(name, wanted)))).data();
}

}  // extern "C"
