/// What only a host in C++ can do to the library for C: throw in a callback. And what Python does to threads that come
/// back while it ends: let them exit in the middle.
#include <pthread.h>

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

#include "grapnel.h"

namespace {

int throw_error(void*, grapnel_call*, const char*, size_t) {
  throw std::runtime_error("the host has a bug");
}
int throw_number(void*, grapnel_call*, const char*, size_t) {
  throw 42;
}
int answer_and_throw(void*, grapnel_call* call, const char*, size_t) {
  grapnel_answer(call, "{}", 2);
  throw std::runtime_error("after the answer");
}

int exit_thread(void*, grapnel_call*, const char*, size_t) {
  ::pthread_exit(nullptr);
}

struct Row {
  grapnel_callback callback;
  const char* timeout;
  const char* wanted;
};

bool holds(const Row& row) {
  grapnel_engine* engine = grapnel_open(R"({"use_hook_files": false})", nullptr);
  const std::string hook =
      R"({"name": "it", "events": ["Stop"], "on_failure": "closed", "timeout_ms": )" + std::string(row.timeout) + "}";
  char* error = nullptr;
  if (grapnel_register(engine, hook.c_str(), row.callback, nullptr, nullptr, &error) == 0) std::puts(error);
  char* decision = grapnel_fire(engine, nullptr, "Stop", "{}", 2, &error);
  const bool is_right = decision != nullptr && std::strstr(decision, row.wanted) != nullptr &&
                        std::strstr(decision, "fail-closed") != nullptr;
  if (!is_right) std::printf("no '%s' in %s\n", row.wanted, decision == nullptr ? error : decision);
  grapnel_free(decision);
  grapnel_close(engine);
  return is_right;
}

}  // namespace

int main() {
  int failed = 0;
  // Without a timeout a callback runs in the thread that fires, with one in a thread of its own.
  for (const char* timeout : {"0", "600000"}) {
    for (const Row& row :
         {Row{throw_error, timeout, "the host has a bug"}, Row{throw_number, timeout, "no std::exception"},
          Row{answer_and_throw, timeout, "after the answer"}}) {
      if (!holds(row)) ++failed;
    }
  }
  if (!holds({exit_thread, "100", "timed out after 100 ms"})) ++failed;
  std::printf("%d passed, %d failed\n", 7 - failed, failed);
  return failed == 0 ? 0 : 1;
}
