#include "fleet/roles.h"

#include <algorithm>

namespace grapnel::fleet {

namespace {

using Subjects = std::string_view;

// Permissions say nothing about the reply subject of a message, so a machine could write anywhere in its own account by
// asking for an acknowledgement there. Nothing of value is in that account.
constexpr auto kMachineSays = std::to_array<Subjects>({
    "rec.{{name()}}",
    "hb.{{name()}}",
    "renew.{{name()}}",
    "job.{{name()}}.*",
    "ask.{{name()}}",
    "$JS.API.DIRECT.GET.DONE_1.done.{{name()}}.*",
    "$JS.API.DIRECT.GET.KV_mark.$KV.mark.{{name()}}",
    "$JS.API.DIRECT.GET.KV_policy.$KV.policy.*",
    "$JS.API.DIRECT.GET.BLOBS_1.blob.*.*",
});
constexpr auto kMachineHears = std::to_array<Subjects>({"_INBOX.{{name()}}.>", "policy.now.*", "approver.now"});

constexpr auto kJoinSays = std::to_array<Subjects>({"join"});
constexpr auto kOwnInbox = std::to_array<Subjects>({"_INBOX.{{name()}}.>"});

constexpr auto kCollectorSays = std::to_array<Subjects>({
    "$JS.API.CONSUMER.MSG.NEXT.REC_1.collector",
    "$JS.API.CONSUMER.INFO.REC_1.collector",
    "$JS.ACK.REC_1.collector.>",
    "$KV.mark.*",
});
constexpr auto kCollectorHears = std::to_array<Subjects>({"_INBOX.{{name()}}.>", "hb.*", "join", "renew.*", "query"});

constexpr auto kOperatorSays = std::to_array<Subjects>({
    "$KV.policy.*",
    "policy.now.*",
    "blob.*.*",
    "query",
    "job.*.*",
    "done.*.*",
    "$JS.API.STREAM.MSG.GET.DEAD_1",
    "$JS.API.STREAM.MSG.DELETE.DEAD_1",
    "$JS.API.DIRECT.GET.KV_policy.$KV.policy.*",
    "$JS.API.DIRECT.GET.BLOBS_1.blob.*.*",
    "$JS.API.STREAM.INFO.*",
});
constexpr auto kOperatorHears = std::to_array<Subjects>({"_INBOX.{{name()}}.>", "hb.*"});

constexpr auto kWorkerSays = std::to_array<Subjects>({
    "$JS.API.CONSUMER.MSG.NEXT.JOBS_1.workers",
    "$JS.ACK.JOBS_1.workers.>",
    "done.*.*",
    "dead.*.*",
    "$JS.API.DIRECT.GET.DONE_1.done.*.*",
    "$JS.API.DIRECT.GET.KV_policy.$KV.policy.*",
    "$JS.API.DIRECT.GET.BLOBS_1.blob.*.*",
});

// Approvers say that they are there, and answer.
constexpr auto kApproverSays = std::to_array<Subjects>({"approver.now"});
constexpr auto kApproverHears = std::to_array<Subjects>({"ask.*", "approver.now"});

constexpr auto kReaderSays = std::to_array<Subjects>({"query"});

constexpr auto kRoles = std::to_array<RoleRow>({
    {"machine", Account::Agents, kMachineSays, kMachineHears},
    {"join", Account::Agents, kJoinSays, kOwnInbox},
    {"collector", Account::Fleet, kCollectorSays, kCollectorHears, true},
    {"operator", Account::Fleet, kOperatorSays, kOperatorHears},
    {"worker", Account::Fleet, kWorkerSays, kOwnInbox},
    {"approver", Account::Fleet, kApproverSays, kApproverHears, true},
    {"reader", Account::Fleet, kReaderSays, kOwnInbox},
});

constexpr auto kExports = std::to_array<ExportRow>({
    {"rec.*"},
    {"hb.*"},
    {"join"},
    {"renew.*"},
    {"job.*.*"},
    {"ask.*"},
    {"$JS.API.DIRECT.GET.DONE_1.done.*.*"},
    {"$JS.API.DIRECT.GET.KV_mark.$KV.mark.*"},
    {"$JS.API.DIRECT.GET.KV_policy.$KV.policy.*"},
    {"$JS.API.DIRECT.GET.BLOBS_1.blob.*.*"},
    {"policy.now.*", false},
    {"approver.now", false},
});

Json texts(std::span<const Subjects> subjects) {
  std::vector<Json> out;
  for (const std::string_view subject : subjects) out.push_back(Json::string(subject));
  return Json::array(out);
}

Json unlimited() {
  const Json any = Json::number(int64_t{-1});
  return Json::object({{"subs", any},
                       {"data", any},
                       {"payload", any},
                       {"imports", any},
                       {"exports", any},
                       {"wildcards", Json::boolean(true)},
                       {"conn", any},
                       {"leaf", any}});
}

/// What a user of the role may do. A list that is empty would allow everything, so it denies everything instead.
Json permissions(const RoleRow& role) {
  const auto allowed = [](std::span<const Subjects> subjects) {
    if (subjects.empty()) return Json::object({{"deny", Json::array({Json::string(">")})}});
    return Json::object({{"allow", texts(subjects)}});
  };
  const Json one_answer = Json::object({{"max", Json::number(int64_t{1})}, {"ttl", Json::number(int64_t{0})}});
  const Json any = Json::number(int64_t{-1});
  return Json::object({{"pub", allowed(role.may_publish)},
                       {"sub", allowed(role.may_subscribe)},
                       {"resp", role.may_answer ? one_answer : Json()},
                       {"subs", any},
                       {"data", any},
                       {"payload", any}});
}

Json role_scopes(const AccountKeys& keys, Account account) {
  std::vector<Json> out;
  for (const RoleRow& role : kRoles) {
    const auto key = keys.role_keys.find(role.name);
    if (role.account != account || key == keys.role_keys.end()) continue;
    out.push_back(Json::object({{"kind", Json::string("user_scope")},
                                {"key", Json::string(key->second)},
                                {"role", Json::string(role.name)},
                                {"template", permissions(role)}}));
  }
  return Json::array(out);
}

Json export_json(const ExportRow& row) {
  return Json::object({{"name", Json::string(row.subject)},
                       {"subject", Json::string(row.subject)},
                       {"type", Json::string(row.is_service ? "service" : "stream")},
                       {"response_type", row.is_service ? Json::string("Singleton") : Json()}});
}

Json import_json(const ExportRow& row, const std::string& from) {
  return Json::object({{"name", Json::string(row.subject)},
                       {"subject", Json::string(row.subject)},
                       {"account", Json::string(from)},
                       {"local_subject", Json::string(row.subject)},
                       {"type", Json::string(row.is_service ? "service" : "stream")}});
}

Json revocations(const AccountKeys& keys) {
  Json out;
  for (const auto& [user, until] : keys.revoked) out = out.with(user, Json::number(until));
  return out;
}

Json typed(Json nats, std::string_view type) {
  return nats.with("type", Json::string(type)).with("version", Json::number(int64_t{2}));
}

}  // namespace

std::span<const RoleRow> all_roles() {
  return kRoles;
}

std::span<const ExportRow> all_exports() {
  return kExports;
}

const RoleRow* find_role(std::string_view name) {
  const auto* const found = std::ranges::find(kRoles, name, &RoleRow::name);
  return found == kRoles.end() ? nullptr : found;
}

std::string account_jwt(const KeyPair& op, const AccountKeys& keys, Account account, Time now) {
  const bool is_fleet = account == Account::Fleet;
  std::vector<Json> exports, imports;
  for (const ExportRow& row : kExports) {
    exports.push_back(export_json(row));
    imports.push_back(import_json(row, keys.fleet));
  }
  const Json any = Json::number(int64_t{-1});
  Json limits = unlimited();
  // Only FLEET stores anything.
  if (is_fleet) {
    limits = limits.with("disk_storage", any).with("mem_storage", any).with("streams", any).with("consumer", any);
  }
  const Json nats = Json::object({{"exports", is_fleet ? Json::array(exports) : Json()},
                                  {"imports", is_fleet ? Json() : Json::array(imports)},
                                  {"limits", limits},
                                  {"signing_keys", role_scopes(keys, account)},
                                  {"revocations", revocations(keys)},
                                  {"default_permissions", Json::object()}});
  return write_jwt(op, is_fleet ? keys.fleet : keys.agents, is_fleet ? "FLEET" : "AGENTS", typed(nats, "account"), now);
}

std::string system_account_jwt(const KeyPair& op, const AccountKeys& keys, Time now) {
  return write_jwt(op, keys.system, "SYS", typed(Json::object({{"limits", unlimited()}}), "account"), now);
}

std::string operator_jwt(const KeyPair& op, const AccountKeys& keys, Time now) {
  const Json nats = Json::object({{"system_account", Json::string(keys.system)}});
  return write_jwt(op, op.public_key(), "grapnel fleet", typed(nats, "operator"), now);
}

// The permissions come from the key with which it is signed, so the statement itself has none.
std::string user_jwt(const KeyPair& role_key, const std::string& account, const std::string& user,
                     const std::string& name, Time now, Time expires) {
  const Json nats = Json::object({{"issuer_account", Json::string(account)}});
  return write_jwt(role_key, user, name, typed(nats, "user"), now, expires);
}

std::string full_user_jwt(const KeyPair& account_key, const std::string& user, const std::string& name, Time now,
                          Time expires) {
  const Json any = Json::number(int64_t{-1});
  const Json nats =
      Json::object({{"pub", Json::object()}, {"sub", Json::object()}, {"subs", any}, {"data", any}, {"payload", any}});
  return write_jwt(account_key, user, name, typed(nats, "user"), now, expires);
}

}  // namespace grapnel::fleet
