/// The compiled part of the Node package: the functions of grapnel.h, with texts as JavaScript strings.
///
/// Threads of the engine cannot call JavaScript. They send messages to the main thread instead, and one function of
/// index.js, `receive`, gets them all:
///
///   receive(kDone, id, decision, error)     an event that was fired with `fire` has ended
///   receive(kCall, hook, event, ticket)     a callback is asked; `answer` and `fail` take the ticket
///   receive(kCancel, number)                nobody waits for the answer to the call with this number any more
#include <node_api.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "grapnel.h"

namespace {

enum Kind : uint32_t { kDone, kCall, kCancel };

struct Message {
  Kind kind = kDone;
  double id = 0;
  std::string text = {};
  std::string error = {};
  bool has_text = false;
  bool has_error = false;
  grapnel_call* call = nullptr;
  double number = 0;  ///< of the call
};

/// One for each environment of Node (the main thread, each worker thread). Callbacks that were left behind may outlive
/// the environment, so everybody shares it.
struct Host {
  std::mutex mutex;
  napi_threadsafe_function send = nullptr;  ///< guarded by `mutex`; null when the environment is gone
  std::set<grapnel_engine*> engines;        ///< main thread only
  std::atomic<uint64_t> calls{0};

  /// False if there is nobody to receive it.
  bool post(std::unique_ptr<Message> message) {
    const std::lock_guard lock(mutex);
    if (send == nullptr) return false;
    if (napi_call_threadsafe_function(send, message.get(), napi_tsfn_nonblocking) != napi_ok) return false;
    static_cast<void>(message.release());  // the receiver owns it
    return true;
  }
};
using SharedHost = std::shared_ptr<Host>;

SharedHost& host_of(napi_env env) {
  void* data = nullptr;
  napi_get_instance_data(env, &data);
  return *static_cast<SharedHost*>(data);
}

/// A question that JavaScript has to answer.
struct Ticket {
  SharedHost host;
  grapnel_call* call = nullptr;
  double number = 0;
};

/// A registered callback, and an event that was fired: what the engine passes back to us.
struct Hook {
  SharedHost host;
  double id = 0;
};

napi_value to_js(napi_env env, const char* text, size_t length = NAPI_AUTO_LENGTH) {
  napi_value value = nullptr;
  if (text == nullptr) {
    napi_get_null(env, &value);
  } else {
    napi_create_string_utf8(env, text, length, &value);
  }
  return value;
}

/// The argument as a string; nothing for null and undefined.
struct Text {
  std::string value;
  bool is_given = false;
  const char* c_str() const { return is_given ? value.c_str() : nullptr; }
};

Text text_of(napi_env env, napi_value value) {
  Text text;
  size_t length = 0;
  if (napi_get_value_string_utf8(env, value, nullptr, 0, &length) != napi_ok) return text;
  text.value.resize(length + 1);
  napi_get_value_string_utf8(env, value, text.value.data(), length + 1, &length);
  text.value.resize(length);
  text.is_given = true;
  return text;
}

double number_of(napi_env env, napi_value value) {
  double number = 0;
  napi_get_value_double(env, value, &number);
  return number;
}

/// A handle is a small number in disguise (src/abi/open_engine.h).
grapnel_engine* engine_of(napi_env env, napi_value value) {
  return reinterpret_cast<grapnel_engine*>(static_cast<uintptr_t>(number_of(env, value)));
}

void throw_error(napi_env env, char* error) {
  napi_throw_error(env, nullptr, error == nullptr ? "internal: no memory" : error);
  grapnel_free(error);
}

/// A text that the library returned, or an exception.
napi_value give(napi_env env, char* text, char* error) {
  if (text == nullptr) {
    throw_error(env, error);
    return nullptr;
  }
  napi_value value = to_js(env, text);
  grapnel_free(text);
  return value;
}

napi_value boolean(napi_env env, bool value) {
  napi_value result = nullptr;
  napi_get_boolean(env, value, &result);
  return result;
}

constexpr size_t kMostArguments = 5;
struct Arguments {
  napi_value values[kMostArguments] = {};
  Arguments(napi_env env, napi_callback_info info) {
    size_t count = kMostArguments;
    napi_get_cb_info(env, info, &count, values, nullptr, nullptr);
  }
  napi_value operator[](size_t i) const { return values[i]; }
};

/// Runs on the main thread: hands one message to `receive`.
void receive(napi_env env, napi_value function, void*, void* data) {
  std::unique_ptr<Message> message(static_cast<Message*>(data));
  if (env == nullptr) {  // the environment ends
    if (message->call != nullptr) grapnel_fail(message->call, "the Node process ends");
    return;
  }
  napi_value undefined = nullptr;
  napi_get_undefined(env, &undefined);
  napi_value arguments[4] = {nullptr, nullptr, undefined, undefined};
  napi_create_uint32(env, message->kind, &arguments[0]);
  napi_create_double(env, message->kind == kCancel ? message->number : message->id, &arguments[1]);
  if (message->kind == kDone) {
    arguments[2] = message->has_text ? to_js(env, message->text.c_str(), message->text.size()) : to_js(env, nullptr);
    arguments[3] = message->has_error ? to_js(env, message->error.c_str(), message->error.size()) : to_js(env, nullptr);
  } else if (message->kind == kCall) {
    arguments[2] = to_js(env, message->text.c_str(), message->text.size());
    napi_create_double(env, message->number, &arguments[3]);
    auto* ticket = new Ticket{host_of(env), message->call, message->number};
    // The number names the ticket in JavaScript; the table is in `index.js`, as an external value.
    napi_value external = nullptr;
    napi_create_external(env, ticket, nullptr, nullptr, &external);
    napi_value pair = nullptr;
    napi_create_array_with_length(env, 2, &pair);
    napi_set_element(env, pair, 0, arguments[3]);
    napi_set_element(env, pair, 1, external);
    arguments[3] = pair;
    // From here on the message of a cancel finds the call in JavaScript's table.
    napi_call_function(env, undefined, function, 4, arguments, nullptr);
    return;
  }
  napi_call_function(env, undefined, function, 4, arguments, nullptr);
}

/// Threads of the engine, below this line.

void note_done(void* user, char* decision, char* error) {
  const std::unique_ptr<Hook> fired(static_cast<Hook*>(user));
  auto message = std::make_unique<Message>();
  message->kind = kDone;
  message->id = fired->id;
  message->has_text = decision != nullptr;
  message->has_error = error != nullptr;
  if (decision != nullptr) message->text = decision;
  if (error != nullptr) message->error = error;
  grapnel_free(decision);
  grapnel_free(error);
  fired->host->post(std::move(message));
}

struct CancelNote {
  SharedHost host;
  double number = 0;
};
void note_cancel(void* user) {
  const auto* note = static_cast<const CancelNote*>(user);
  auto message = std::make_unique<Message>();
  message->kind = kCancel;
  message->number = note->number;
  note->host->post(std::move(message));
}

int ask_javascript(void* user, grapnel_call* call, const char* event, size_t length) {
  const auto* hook = static_cast<const Hook*>(user);
  auto message = std::make_unique<Message>();
  message->kind = kCall;
  message->id = hook->id;
  message->text.assign(event, length);
  message->call = call;
  message->number = static_cast<double>(++hook->host->calls);
  if (hook->host->post(std::move(message))) return GRAPNEL_LATER;
  grapnel_fail(call, "the Node process ends");
  return GRAPNEL_DONE;
}

void release_hook(void* user) {
  delete static_cast<Hook*>(user);
}

/// The main thread again: the functions of the module.

napi_value open(napi_env env, napi_callback_info info) {
  const Arguments in(env, info);
  const Text options = text_of(env, in[0]);
  char* error = nullptr;
  grapnel_engine* engine = grapnel_open(options.c_str(), &error);
  if (engine == nullptr) {
    throw_error(env, error);
    return nullptr;
  }
  host_of(env)->engines.insert(engine);
  napi_value handle = nullptr;
  napi_create_double(env, static_cast<double>(reinterpret_cast<uintptr_t>(engine)), &handle);
  return handle;
}

/// Closing waits for events, so it happens in a thread, and a promise tells when it is over.
struct Closing {
  grapnel_engine* engine = nullptr;
  napi_async_work work = nullptr;
  napi_deferred deferred = nullptr;
};
napi_value close(napi_env env, napi_callback_info info) {
  const Arguments in(env, info);
  auto closing = std::make_unique<Closing>();
  closing->engine = engine_of(env, in[0]);
  host_of(env)->engines.erase(closing->engine);
  napi_value promise = nullptr;
  napi_create_promise(env, &closing->deferred, &promise);
  napi_create_async_work(
      env, nullptr, to_js(env, "grapnel_close"),
      [](napi_env, void* data) { grapnel_close(static_cast<Closing*>(data)->engine); },
      [](napi_env in_env, napi_status, void* data) {
        const std::unique_ptr<Closing> done(static_cast<Closing*>(data));
        napi_value undefined = nullptr;
        napi_get_undefined(in_env, &undefined);
        napi_resolve_deferred(in_env, done->deferred, undefined);
        napi_delete_async_work(in_env, done->work);
      },
      closing.get(), &closing->work);
  napi_queue_async_work(env, closing->work);
  static_cast<void>(closing.release());
  return promise;
}

/// fire(engine, dialect, event, payload, id): a handle for `cancel`.
napi_value fire(napi_env env, napi_callback_info info) {
  const Arguments in(env, info);
  const Text dialect = text_of(env, in[1]);
  const Text event = text_of(env, in[2]);
  const Text payload = text_of(env, in[3]);
  auto fired = std::make_unique<Hook>(Hook{host_of(env), number_of(env, in[4])});
  char* error = nullptr;
  grapnel_firing* firing = grapnel_fire_async(engine_of(env, in[0]), dialect.c_str(), event.c_str(), payload.c_str(),
                                              payload.value.size(), note_done, fired.get(), &error);
  if (firing == nullptr) {
    throw_error(env, error);
    return nullptr;
  }
  static_cast<void>(fired.release());  // note_done owns it
  napi_value handle = nullptr;
  napi_create_external(
      env, firing, [](napi_env, void* data, void*) { grapnel_release(static_cast<grapnel_firing*>(data)); }, nullptr,
      &handle);
  return handle;
}

napi_value cancel(napi_env env, napi_callback_info info) {
  void* firing = nullptr;
  napi_get_value_external(env, Arguments(env, info)[0], &firing);
  grapnel_cancel(static_cast<grapnel_firing*>(firing));
  return nullptr;
}

napi_value fire_sync(napi_env env, napi_callback_info info) {
  const Arguments in(env, info);
  const Text dialect = text_of(env, in[1]);
  const Text event = text_of(env, in[2]);
  const Text payload = text_of(env, in[3]);
  char* error = nullptr;
  char* decision = grapnel_fire(engine_of(env, in[0]), dialect.c_str(), event.c_str(), payload.c_str(),
                                payload.value.size(), &error);
  return give(env, decision, error);
}

napi_value explain(napi_env env, napi_callback_info info) {
  const Arguments in(env, info);
  const Text dialect = text_of(env, in[1]);
  const Text event = text_of(env, in[2]);
  const Text payload = text_of(env, in[3]);
  char* error = nullptr;
  char* list = grapnel_explain(engine_of(env, in[0]), dialect.c_str(), event.c_str(), payload.c_str(),
                               payload.value.size(), &error);
  return give(env, list, error);
}

/// register(engine, hook, id): calls of the callback are messages with this id.
napi_value register_callback(napi_env env, napi_callback_info info) {
  const Arguments in(env, info);
  const Text hook = text_of(env, in[1]);
  auto* owned = new Hook{host_of(env), number_of(env, in[2])};
  char* error = nullptr;
  if (grapnel_register(engine_of(env, in[0]), hook.c_str(), ask_javascript, owned, release_hook, &error) == 0) {
    throw_error(env, error);
  }
  return nullptr;
}

napi_value unregister_callback(napi_env env, napi_callback_info info) {
  const Arguments in(env, info);
  return boolean(env, grapnel_unregister(engine_of(env, in[0]), text_of(env, in[1]).c_str()) != 0);
}

Ticket* ticket_of(napi_env env, napi_value value) {
  void* ticket = nullptr;
  napi_get_value_external(env, value, &ticket);
  return static_cast<Ticket*>(ticket);
}

/// watch(ticket): a message comes when nobody waits any more. The note is freed with the ticket, after the call.
napi_value watch(napi_env env, napi_callback_info info) {
  Ticket* ticket = ticket_of(env, Arguments(env, info)[0]);
  if (ticket == nullptr || ticket->call == nullptr) return nullptr;
  auto* note = new CancelNote{ticket->host, ticket->number};
  napi_value external = nullptr;
  napi_create_external(env, note, nullptr, nullptr, &external);
  grapnel_on_cancel(ticket->call, note_cancel, note);
  return external;
}

/// answer(ticket, json, note), fail(ticket, message, note): each ends the ticket.
template <bool kFails>
napi_value finish(napi_env env, napi_callback_info info) {
  const Arguments in(env, info);
  const std::unique_ptr<Ticket> ticket(ticket_of(env, in[0]));
  const Text text = text_of(env, in[1]);
  const int in_time =
      kFails ? grapnel_fail(ticket->call, text.c_str()) : grapnel_answer(ticket->call, text.c_str(), text.value.size());
  void* note = nullptr;
  napi_get_value_external(env, in[2], &note);
  delete static_cast<CancelNote*>(note);
  return boolean(env, in_time != 0);
}

napi_value hooks(napi_env env, napi_callback_info info) {
  char* error = nullptr;
  char* list = grapnel_hooks(engine_of(env, Arguments(env, info)[0]), &error);
  return give(env, list, error);
}

napi_value problems(napi_env env, napi_callback_info info) {
  char* error = nullptr;
  char* list = grapnel_problems(engine_of(env, Arguments(env, info)[0]), &error);
  return give(env, list, error);
}

napi_value reload(napi_env env, napi_callback_info info) {
  char* error = nullptr;
  if (grapnel_reload(engine_of(env, Arguments(env, info)[0]), &error) == 0) throw_error(env, error);
  return nullptr;
}

napi_value enable(napi_env env, napi_callback_info info) {
  const Arguments in(env, info);
  const Text name = text_of(env, in[1]);
  bool on = false;
  napi_get_value_bool(env, in[2], &on);
  char* error = nullptr;
  if (grapnel_enable(engine_of(env, in[0]), name.c_str(), on ? 1 : 0, &error) == 0) throw_error(env, error);
  return nullptr;
}

napi_value is_enabled(napi_env env, napi_callback_info info) {
  return boolean(env, grapnel_is_enabled(engine_of(env, Arguments(env, info)[0])) != 0);
}

napi_value journal(napi_env env, napi_callback_info info) {
  const Arguments in(env, info);
  bool on = false;
  napi_get_value_bool(env, in[1], &on);
  const Text directory = text_of(env, in[2]);
  char* error = nullptr;
  if (grapnel_journal(engine_of(env, in[0]), on ? 1 : 0, directory.c_str(), &error) == 0) throw_error(env, error);
  return nullptr;
}

napi_value tool_access(napi_env env, napi_callback_info info) {
  const Arguments in(env, info);
  return to_js(env, grapnel_tool_access(text_of(env, in[0]).c_str(), text_of(env, in[1]).c_str()));
}

/// hold(true): the process does not end while events are being decided.
napi_value hold(napi_env env, napi_callback_info info) {
  bool on = false;
  napi_get_value_bool(env, Arguments(env, info)[0], &on);
  const SharedHost& host = host_of(env);
  if (host->send == nullptr) return nullptr;
  on ? napi_ref_threadsafe_function(env, host->send) : napi_unref_threadsafe_function(env, host->send);
  return nullptr;
}

/// start(receive): has to come first.
napi_value start(napi_env env, napi_callback_info info) {
  const SharedHost& host = host_of(env);
  napi_create_threadsafe_function(env, Arguments(env, info)[0], nullptr, to_js(env, "grapnel"), 0, 1, nullptr, nullptr,
                                  nullptr, receive, &host->send);
  napi_unref_threadsafe_function(env, host->send);
  return nullptr;
}

/// The environment ends: nobody receives messages any more, and open engines are closed.
void clean_up(void* data) {
  const SharedHost host = *static_cast<SharedHost*>(data);
  {
    const std::lock_guard lock(host->mutex);
    host->send = nullptr;
  }
  for (grapnel_engine* engine : host->engines) grapnel_close(engine);
}

napi_value init(napi_env env, napi_value exports) {
  auto* host = new SharedHost(std::make_shared<Host>());
  napi_set_instance_data(
      env, host, [](napi_env, void* data, void*) { delete static_cast<SharedHost*>(data); }, nullptr);
  napi_add_env_cleanup_hook(env, clean_up, host);
  constexpr std::pair<const char*, napi_callback> kFunctions[] = {{"open", open},
                                                                  {"close", close},
                                                                  {"fire", fire},
                                                                  {"cancel", cancel},
                                                                  {"fireSync", fire_sync},
                                                                  {"explain", explain},
                                                                  {"register", register_callback},
                                                                  {"unregister", unregister_callback},
                                                                  {"watch", watch},
                                                                  {"answer", finish<false>},
                                                                  {"fail", finish<true>},
                                                                  {"hooks", hooks},
                                                                  {"problems", problems},
                                                                  {"reload", reload},
                                                                  {"enable", enable},
                                                                  {"isEnabled", is_enabled},
                                                                  {"journal", journal},
                                                                  {"toolAccess", tool_access},
                                                                  {"hold", hold},
                                                                  {"start", start}};
  for (const auto& [name, function] : kFunctions) {
    napi_value value = nullptr;
    napi_create_function(env, name, NAPI_AUTO_LENGTH, function, nullptr, &value);
    napi_set_named_property(env, exports, name, value);
  }
  napi_set_named_property(env, exports, "version", to_js(env, grapnel_version()));
  return exports;
}

}  // namespace

NAPI_MODULE(grapnel, init)
