/* How grapnel-engine begins when it is statically linked with a C library that is known here (CMakeLists.txt).
 *
 * Before main() glibc asks the processor for all it can do, by forty instructions that trap in a virtual machine: a
 * third of the time that an event takes. It asks in order to choose the fastest of several memcpy(). Nobody notices
 * which one works on a payload of a few kilobytes, so `fire` starts without asking and gets the one that every x86-64
 * can run. Everything else begins as the library wants it.
 *
 *   entry ──▶ _start ──▶ __libc_start_main ──▶ main        by default
 *         └─▶ begin_event: the same steps, without the questions ──▶ main
 *
 * The steps are private to glibc and change with its versions; tests/start compares both ways. Until functions are
 * chosen (choose_functions) and the thread has its memory (__libc_setup_tls), none of the library's may be called but
 * those that are made for it. */
#include <link.h>
#include <stdint.h>
#include <stdlib.h>

typedef void Initializer(int, char**, char**);

extern char** __environ;
extern void* __libc_stack_end;
extern void* _dl_random;
extern long __x86_shared_non_temporal_threshold, __x86_rep_movsb_stop_threshold;
extern const ElfW(Rela) __rela_iplt_start[], __rela_iplt_end[];
extern Initializer *const __preinit_array_start[], *const __preinit_array_end[];
extern Initializer *const __init_array_start[], *const __init_array_end[];
extern void (*const __fini_array_start[])(void), (*const __fini_array_end[])(void);

void _dl_aux_init(ElfW(auxv_t) *);
void __tunables_init(char**);
void __libc_setup_tls(void);
void __libc_early_init(_Bool);
void __libc_init_first(int, char**, char**);
void _dl_debug_initialize(ElfW(Addr), long);
int __cxa_atexit(void (*)(void*), void*, void*);
void _init(void);
void _fini(void);
int main(int, char**, char**);

/* In place of the library's own: where the program is, for libraries that say they are beside it. None is loaded here,
 * and the first question about /proc/self costs as much as twenty others. */
const char* _dl_get_origin(void) {
  return (const char*)-1; /* nobody knows */
}

static int starts_with(const char* text, const char* start) {
  while (*start != '\0' && *text == *start) ++text, ++start;
  return *start == '\0';
}

static ElfW(auxv_t) * facts_behind(char** env) {
  while (*env != NULL) ++env;
  return (ElfW(auxv_t)*)(env + 1);
}

/* Whoever runs with more rights than its caller has begins with care. */
static int is_secure(const ElfW(auxv_t) * fact) {
  while (fact->a_type != AT_NULL && fact->a_type != AT_SECURE) ++fact;
  return fact->a_type == AT_NULL || fact->a_un.a_val != 0;
}

/* The stack as the kernel made it: the number of words, the words, NULL, the variables, NULL, facts about the process.
 */
__attribute__((used)) static int is_event(long* stack) {
  char** argv = (char**)(stack + 1);
  return stack[0] > 1 && starts_with(argv[1], "fire") && argv[1][4] == '\0' &&
         !is_secure(facts_behind(argv + stack[0] + 1));
}

/* The library compares every variable with every setting it has. */
static void read_settings(char** env) {
  for (char** entry = env; *entry != NULL; ++entry) {
    if (!starts_with(*entry, "GLIBC_TUNABLES=") && !starts_with(*entry, "MALLOC_")) continue;
    __tunables_init(env);
    return;
  }
}

/* Functions of which there are several: each is asked for the one to use. What is known of caches is what the library
 * takes for granted, and for these two it takes nothing: three quarters of a cache of four megabytes. */
static void choose_functions(void) {
  __x86_shared_non_temporal_threshold = __x86_rep_movsb_stop_threshold = 3L << 20;
  for (const ElfW(Rela)* one = __rela_iplt_start; one < __rela_iplt_end; ++one) {
    ElfW(Addr) (*choose)(void) = (ElfW(Addr)(*)(void))one->r_addend;
    *(ElfW(Addr)*)one->r_offset = choose();
  }
}

/* What guards return addresses, and pointers to functions in the library's memory. */
static void set_guards(const uintptr_t* random) {
  __asm__ volatile("mov %0, %%fs:0x28" ::"r"(random[0] & ~(uintptr_t)0xff));
  __asm__ volatile("mov %0, %%fs:0x30" ::"r"(random[1]));
}

static void run_all(Initializer* const* begin, Initializer* const* end, int argc, char** argv) {
  for (; begin < end; ++begin) (*begin)(argc, argv, __environ);
}

static void finish(void* unused) {
  (void)unused;
  for (void (*const* one)(void) = __fini_array_end; one > __fini_array_start;) (*--one)();
  _fini();
}

__attribute__((used, noreturn)) static void begin_event(long* stack) {
  const int argc = (int)stack[0];
  char** argv = (char**)(stack + 1);
  __environ = argv + argc + 1;
  __libc_stack_end = stack;
  _dl_aux_init(facts_behind(__environ));
  read_settings(__environ);
  choose_functions();
  __libc_setup_tls();
  set_guards(_dl_random);
  __libc_early_init(1);
  __libc_init_first(argc, argv, __environ);
  __cxa_atexit(finish, NULL, NULL);
  run_all(__preinit_array_start, __preinit_array_end, argc, argv);
  _init();
  run_all(__init_array_start, __init_array_end, argc, argv);
  _dl_debug_initialize(0, 0);
  exit(main(argc, argv, __environ));
}

__asm__(
    ".pushsection .text.engine_start, \"ax\", @progbits\n"
    ".globl engine_start\n"
    ".type engine_start, @function\n"
    "engine_start:\n"
    "  xor %ebp, %ebp\n"
    "  mov %rsp, %rdi\n"
    "  call is_event\n"
    "  xor %edx, %edx\n" /* nothing to call at the end, as the kernel had it */
    "  test %eax, %eax\n"
    "  jz _start\n"
    "  mov %rsp, %rdi\n"
    "  call begin_event\n"
    ".size engine_start, . - engine_start\n"
    ".popsection\n");
