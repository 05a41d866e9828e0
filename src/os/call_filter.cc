#include "os/call_filter.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

namespace grapnel::os {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the filter of system calls does not know this processor"
#endif

// Numbers that Debian 12's headers lack; they are the same on all machines.
constexpr uint32_t kOpenTree = 428, kMoveMount = 429, kFsOpen = 430, kFsConfig = 431, kFsMount = 432, kFsPick = 433;
constexpr uint32_t kPidfdSendSignal = 424, kPidfdGetfd = 438, kMountSetattr = 442, kQuotactlFd = 443;

constexpr sock_filter statement(uint16_t code, uint32_t value) {
  return {code, 0, 0, value};
}
constexpr sock_filter jump(uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false) {
  return {code, if_true, if_false, value};
}
constexpr sock_filter give(uint32_t action) {
  return statement(BPF_RET | BPF_K, action);
}
constexpr sock_filter kAllow = give(SECCOMP_RET_ALLOW);
constexpr sock_filter kRefuse = give(SECCOMP_RET_ERRNO | EPERM);
constexpr sock_filter kUnknown = give(SECCOMP_RET_ERRNO | ENOSYS);

/// Loads the lower half of an argument. The halves above are zero or meaningless for all that is compared here, except
/// for pointers, see `load_high`.
sock_filter load(unsigned argument) {
  return statement(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offsetof(seccomp_data, args) + 8 * argument));
}
sock_filter load_high(unsigned argument) {
  return statement(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offsetof(seccomp_data, args) + 8 * argument + 4));
}
sock_filter equal(uint32_t value, uint8_t if_true, uint8_t if_false) {
  return jump(BPF_JMP | BPF_JEQ | BPF_K, value, if_true, if_false);
}

/// What happens to the call with this number.
struct Entry {
  uint32_t number;
  std::vector<sock_filter> body;  ///< returns in any case
};

/// Administrators' calls, those that reach into other processes, and those that go around the rest.
constexpr auto kRefusedCalls = std::to_array<uint32_t>({
    SYS_acct,
    SYS_add_key,
    SYS_bpf,
    SYS_clock_settime,
    SYS_delete_module,
    SYS_finit_module,
    SYS_init_module,
#ifdef SYS_ioperm
    SYS_ioperm,
    SYS_iopl,
#endif
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
    SYS_kexec_load,
    SYS_keyctl,
    SYS_mount,
    SYS_open_by_handle_at,
    SYS_perf_event_open,
    SYS_pivot_root,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_ptrace,
    SYS_quotactl,
    SYS_reboot,
    SYS_request_key,
    SYS_setdomainname,
    SYS_sethostname,
    SYS_setns,
    SYS_settimeofday,
    SYS_swapoff,
    SYS_swapon,
    SYS_syslog,
    SYS_umount2,
    SYS_userfaultfd,
    SYS_vhangup,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    kOpenTree,
    kMoveMount,
    kFsOpen,
    kFsConfig,
    kFsMount,
    kFsPick,
    kPidfdGetfd,
    kMountSetattr,
    kQuotactlFd,
});

/// Without a new limit the call only reads. Limits of other processes are theirs; and the mark must stay.
std::vector<sock_filter> own_limits() {
  return {load(2), equal(0, 0, 2), load_high(2), equal(0, 5, 0),  // a null pointer
          load(0), equal(0, 0, 2), load(1),      equal(RLIMIT_RTTIME, 0, 1),
          kRefuse, kAllow};
}

std::vector<sock_filter> all_but_the_mark() {
  return {load(0), equal(RLIMIT_RTTIME, 0, 1), kRefuse, kAllow};
}

/// Commands that type into a terminal, and those by which the kernel sends somebody a signal when a socket is ready.
std::vector<sock_filter> no_typing_or_owner() {
  constexpr uint32_t kTypeLinux = 0x541C;
  return {
      load(1), equal(TIOCSTI, 3, 0), equal(kTypeLinux, 2, 0), equal(FIOSETOWN, 1, 0), equal(SIOCSPGRP, 0, 1), kRefuse,
      kAllow};
}

/// The owner of a file gets a signal of the caller's choice, for example KILL, when the file is ready.
std::vector<sock_filter> no_owner() {
  return {load(1), equal(F_SETOWN, 1, 0), equal(F_SETOWN_EX, 0, 1), kRefuse, kAllow};
}

/// Only about the caller itself, which these calls name by 0: other processes are not to be slowed down.
std::vector<sock_filter> only_itself() {
  return {load(0), equal(0, 0, 1), kAllow, kRefuse};
}
/// The same where the first argument says what the second one names. The user 0 is everything that the user runs.
std::vector<sock_filter> only_itself_as(uint32_t process) {
  return {load(0), equal(process, 0, 3), load(1), equal(0, 0, 1), kAllow, kRefuse};
}

/// A connected pair reaches nobody else. With datagrams, each message may name another receiver.
std::vector<sock_filter> connected_pairs() {
  constexpr uint32_t kKind = 0xF;
  return {load(0),
          equal(AF_UNIX, 0, 4),
          load(1),
          statement(BPF_ALU | BPF_AND | BPF_K, kKind),
          equal(SOCK_STREAM, 2, 0),
          equal(SOCK_SEQPACKET, 1, 0),
          kRefuse,
          kAllow};
}

/// `O_TRUNC` without asking for write access, which older versions of Landlock take for reading.
std::vector<sock_filter> no_silent_truncation(unsigned flags) {
  return {load(flags),
          statement(BPF_ALU | BPF_AND | BPF_K, O_TRUNC | O_ACCMODE),
          equal(O_TRUNC | O_RDONLY, 1, 0),
          equal(O_TRUNC | O_ACCMODE, 0, 1),
          kRefuse,
          kAllow};
}

/// Refused for these processes and their groups, and for everybody at once.
std::vector<sock_filter> spares(std::span<const pid_t> pids, unsigned argument) {
  std::vector<sock_filter> out = {load(argument)};
  const auto refuse = [&](int32_t pid) {
    out.push_back(equal(static_cast<uint32_t>(pid), 0, 1));
    out.push_back(kRefuse);
  };
  refuse(-1);
  for (const pid_t pid : pids) {
    refuse(pid);
    refuse(-pid);
  }
  out.push_back(kAllow);
  return out;
}

std::vector<Entry> entries_for(const CallRules& rules) {
  std::vector<Entry> out;
  for (const uint32_t number : kRefusedCalls) out.push_back({number, {kRefuse}});
  out.push_back({SYS_prlimit64, own_limits()});
  out.push_back({SYS_ioctl, no_typing_or_owner()});
  out.push_back({SYS_fcntl, no_owner()});
  for (const uint32_t number : {SYS_sched_setaffinity, SYS_sched_setattr, SYS_sched_setparam, SYS_sched_setscheduler}) {
    out.push_back({number, only_itself()});
  }
  constexpr uint32_t kDiskPriorityOfProcess = 1;
  out.push_back({SYS_setpriority, only_itself_as(PRIO_PROCESS)});
  out.push_back({SYS_ioprio_set, only_itself_as(kDiskPriorityOfProcess)});
#ifdef SYS_setrlimit
  out.push_back({SYS_setrlimit, all_but_the_mark()});
#endif
  if (!rules.allows_network) {
    for (const uint32_t number :
         {SYS_socket, SYS_bind, SYS_connect, SYS_listen, SYS_mq_open, SYS_msgget, SYS_semget, SYS_shmget}) {
      out.push_back({number, {kRefuse}});
    }
    out.push_back({SYS_socketpair, connected_pairs()});
  }
  if (!rules.allows_truncate) {
    out.push_back({SYS_truncate, {kRefuse}});
    out.push_back({SYS_openat, no_silent_truncation(2)});
    // Its flags are in memory, where they cannot be seen. Programs use `openat` instead.
    out.push_back({SYS_openat2, {kUnknown}});
#ifdef SYS_open
    out.push_back({SYS_open, no_silent_truncation(1)});
#endif
  }
  if (!rules.protected_from_signals.empty()) {
    for (const uint32_t number :
         {SYS_kill, SYS_tkill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_pidfd_open}) {
      out.push_back({number, spares(rules.protected_from_signals, 0)});
    }
    // With a group of theirs it could signal "its own" group.
    out.push_back({SYS_setpgid, spares(rules.protected_from_signals, 1)});
    // A directory of /proc stands for its process, too, and which one it is cannot be seen.
    out.push_back({kPidfdSendSignal, {kRefuse}});
  }
  std::ranges::sort(out, {}, &Entry::number);
  return out;
}

/// A binary tree. The left branch is next, and the right one behind it; 255 steps are the most that a jump can leap, so
/// a long left branch is leapt with a further instruction.
void grow(std::span<const Entry> entries, std::vector<sock_filter>& out) {
  if (entries.size() == 1) {
    const Entry& entry = entries.front();
    out.push_back(equal(entry.number, 1, 0));
    out.push_back(kAllow);
    out.insert(out.end(), entry.body.begin(), entry.body.end());
    return;
  }
  const size_t half = entries.size() / 2;
  std::vector<sock_filter> left;
  grow(entries.first(half), left);
  out.push_back(jump(BPF_JMP | BPF_JGE | BPF_K, entries[half].number, 0, 1));
  out.push_back(statement(BPF_JMP | BPF_JA, static_cast<uint32_t>(left.size())));
  out.insert(out.end(), left.begin(), left.end());
  grow(entries.subspan(half), out);
}

}  // namespace

std::vector<sock_filter> call_filter(const CallRules& rules) {
  // A 32-bit program has other numbers for its calls; it is ended with a signal that says so.
  std::vector<sock_filter> out = {
      statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      equal(kArchitecture, 1, 0),
      give(SECCOMP_RET_KILL_PROCESS),
      statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
  };
#if defined(__x86_64__)
  constexpr uint32_t kX32 = 0x40000000;
  out.push_back(jump(BPF_JMP | BPF_JGE | BPF_K, kX32, 0, 1));
  out.push_back(kUnknown);
#endif
  grow(entries_for(rules), out);
  return out;
}

}  // namespace grapnel::os
