// Says what the C and C++ libraries look like from main(), a line each, and after it. Addresses and the like differ
// from run to run and are not said.
#include <pthread.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/auxv.h>

namespace {

int constructions = 0;

struct Global {
  Global() { ++constructions; }
  ~Global() { std::puts("global: destroyed"); }
};
Global global;
thread_local std::string own = "fresh";

void say(const char* what, const std::string& found) {
  std::printf("%s: %s\n", what, found.c_str());
}

std::string joined(char** words) {
  std::string out;
  for (; *words != nullptr; ++words) out += std::string("[") + *words + "]";
  return out;
}

/// Of all sizes, to the left and to the right, beyond what caches hold.
bool copies_are_right() {
  for (const size_t size : {1, 15, 16, 17, 100, 4095, 4096, 70000, 1 << 20, (3 << 20) + 5, 9 << 20}) {
    std::vector<unsigned char> bytes(size + 64);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 7 + i / 251);
    const std::vector<unsigned char> before = bytes;
    std::vector<unsigned char> other(size + 64, 1);
    std::memcpy(other.data() + 3, bytes.data() + 5, size);
    if (std::memcmp(other.data() + 3, before.data() + 5, size) != 0 || other[size + 3] != 1) return false;
    std::memmove(bytes.data() + 33, bytes.data(), size);
    if (std::memcmp(bytes.data() + 33, before.data(), size) != 0) return false;
    std::memmove(bytes.data(), bytes.data() + 33, size);
    if (std::memcmp(bytes.data(), before.data(), size) != 0) return false;
    std::memset(other.data(), 9, size);
    if (other[0] != 9 || other[size - 1] != 9) return false;
  }
  return true;
}

std::string searches() {
  const std::string text = std::string(100, 'a') + "Needle" + std::string(100, 'b');
  const char* in = text.c_str();
  std::string out = std::to_string(std::strlen(in));
  for (const char* at : {std::strstr(in, "Needle"), std::strchr(in, 'b'), std::strrchr(in, 'a')}) {
    out += " " + std::to_string(at - in);
  }
  return out + " " + std::to_string(strncasecmp("NEEDLES", in + 100, 6));
}

std::string from_a_thread() {
  own = "main's";
  return std::async(std::launch::async, [] { return own; }).get() + ", " + own;
}

std::string thrown_and_caught() {
  try {
    throw std::runtime_error(std::string("thrown"));
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::string numbers() {
  std::ostringstream out;
  out << 1234567 << ' ' << 0.1 << ' ' << std::strtod("2.5e3", nullptr);
  return out.str();
}

bool has_guards() {
  uintptr_t canary = 0;
  uintptr_t pointers = 0;
  __asm__("mov %%fs:0x28, %0" : "=r"(canary));
  __asm__("mov %%fs:0x30, %0" : "=r"(pointers));
  return canary != 0 && (canary & 0xff) == 0 && pointers != 0 && canary != pointers;
}

bool knows_its_stack() {
  pthread_attr_t attributes;
  void* begin = nullptr;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
  pthread_attr_getstack(&attributes, &begin, &size);
  pthread_attr_destroy(&attributes);
  const char* here = static_cast<const char*>(__builtin_frame_address(0));
  return here > begin && here < static_cast<char*>(begin) + size;
}

/// What MALLOC_PERTURB_ asks for.
std::string fresh_memory() {
  auto* bytes = static_cast<volatile unsigned char*>(std::malloc(1000));
  const int found = bytes[500];
  std::free(const_cast<unsigned char*>(bytes));
  return std::to_string(found);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2 && std::strcmp(argv[2], "only-start") == 0) return 0;
  std::atexit([] { std::puts("atexit: called"); });
  say("words", joined(argv + 2));
  say("variable", std::getenv("PROBE"));
  say("name", program_invocation_short_name);
  say("page", std::to_string(getauxval(AT_PAGESZ)));
  say("constructions", std::to_string(constructions));
  say("copies", copies_are_right() ? "right" : "wrong");
  say("searches", searches());
  say("threads", from_a_thread());
  say("exceptions", thrown_and_caught());
  say("numbers", numbers());
  say("guards", has_guards() ? "set" : "missing");
  say("stack", knows_its_stack() ? "known" : "unknown");
  say("fresh memory", fresh_memory());
  return 7;
}
