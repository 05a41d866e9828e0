#pragma once

#include <string>
#include <string_view>

/// The names that machines, collectors and servers agree on.
///
/// There are two accounts. Machines are in AGENTS, everything else and all storage in FLEET. AGENTS imports a few
/// services of FLEET and nothing more, so a reply subject that a machine chooses leads nowhere in FLEET.
///
///   rec.MACHINE          a batch of records, into the stream REC_1       (batch.h)
///   hb.MACHINE           a machine's state, every few seconds; not stored
///   join, renew.MACHINE  a machine asks for credentials, or for new ones (enrolment)
///   query                what people ask of the central store: log, why, stats, status
///   policy.now.CHANNEL   says that the policy of a channel changed; the signed text is in the bucket `policy`
///   job.MACHINE.ID       a hook that a worker is to run, into JOBS_1     (job.h)
///   done.MACHINE.ID      how far a job is, in the stream DONE_1; dead.MACHINE.ID: one that failed, in DEAD_1
///   ask.MACHINE          a question for a person; approver.now: somebody is there to answer (far_ask.h)
///   blob.DIGEST.N        the pieces of bundles, in the stream BLOBS_1
namespace grapnel::fleet {

inline constexpr std::string_view kRecordStream = "REC_1";
inline constexpr std::string_view kBlobStream = "BLOBS_1";
inline constexpr std::string_view kJobStream = "JOBS_1";
inline constexpr std::string_view kDoneStream = "DONE_1";
inline constexpr std::string_view kDeadStream = "DEAD_1";
inline constexpr std::string_view kWorkers = "workers";  ///< the durable consumer of JOBS_1
inline constexpr std::string_view kApproverNotice = "approver.now";
inline constexpr std::string_view kMarkBucket = "KV_mark";
inline constexpr std::string_view kPolicyBucket = "KV_policy";
inline constexpr std::string_view kCollector = "collector";  ///< the durable consumer of REC_1

inline std::string joined_subject(std::string_view first, std::string_view rest) {
  return std::string(first) + "." + std::string(rest);
}
inline std::string mark_subject(std::string_view machine) {
  return joined_subject("$KV.mark", machine);
}
inline std::string policy_subject(std::string_view channel) {
  return joined_subject("$KV.policy", channel);
}
inline std::string policy_notice(std::string_view channel) {
  return joined_subject("policy.now", channel);
}
/// `what` is `job`, `done` or `dead`.
inline std::string job_subject(std::string_view what, std::string_view machine, std::string_view id) {
  return joined_subject(what, joined_subject(machine, id));
}
inline std::string blob_subject(std::string_view digest, size_t piece) {
  return joined_subject("blob", joined_subject(digest, std::to_string(piece)));
}
/// The request that reads the newest message with that subject from a stream.
inline std::string direct_get(std::string_view stream, std::string_view subject) {
  return "$JS.API.DIRECT.GET." + std::string(stream) + "." + std::string(subject);
}

/// Whether a name may be one token of a subject: letters, digits, `-` and `_`, at most 64.
bool is_name(std::string_view name);

}  // namespace grapnel::fleet
