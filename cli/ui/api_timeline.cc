#include <algorithm>

#include "cli/ui/api.h"
#include "cli/ui/query.h"
#include "history/timeline.h"

namespace grapnel::cli {

namespace {

constexpr int64_t kUsualWidth = 1200;
constexpr int64_t kMostWidth = 10000;
constexpr int64_t kNearPixels = 6;  ///< marks that are nearer to each other become one

Json numbers(const std::vector<int64_t>& values) {
  std::vector<Json> out;
  for (const int64_t value : values) out.push_back(Json::number(value));
  return Json::array(out);
}

Json overview_json(const Overview& overview) {
  std::vector<std::pair<std::string, Json>> members = {{"from", Json::number(overview.from)},
                                                       {"step", Json::number(overview.step)}};
  for (size_t i = 0; i < kVerdicts; ++i) {
    members.emplace_back(to_string(static_cast<Verdict>(i)), numbers(overview.counts[i]));
  }
  return Json::object(members);
}

Json mark_json(const Mark& mark) {
  return Json::object({{"t", Json::number(mark.at)},
                       {"to", mark.to == 0 ? Json() : Json::number(mark.to)},
                       {"n", Json::number(mark.count)},
                       {"v", Json::string(to_string(mark.verdict))},
                       {"strictest", Json::number(mark.strictest)},
                       {"row", Json::number(int64_t{row_of(mark.kind)})},
                       {"kind", Json::string(to_string(mark.kind))},
                       {"id", Json::string(mark.id)},
                       {"label", mark.label.empty() ? Json() : Json::string(mark.label)}});
}

Json marks_json(const std::vector<Mark>& marks) {
  std::vector<Json> out;
  for (const Mark& mark : marks) out.push_back(mark_json(mark));
  return Json::array(out);
}

Json subagent_json(const SubagentSummary& subagent) {
  return Json::object({{"id", Json::string(subagent.id)},
                       {"type", Json::string(subagent.type)},
                       {"parent", subagent.parent.empty() ? Json() : Json::string(subagent.parent)},
                       {"events", Json::number(subagent.events)}});
}

Json lane_json(const Lane& lane) {
  const SessionSummary& session = lane.session;
  // First those with marks, in the order of their lanes.
  std::vector<Json> subagents;
  for (const SubagentLane& own : lane.subagents) {
    subagents.push_back(
        subagent_json(own.subagent).with("shown", Json::number(own.shown)).with("marks", marks_json(own.marks)));
  }
  for (const SubagentSummary& subagent : session.subagents) {
    const auto is_it = [&](const SubagentLane& own) { return own.subagent.id == subagent.id; };
    if (std::ranges::none_of(lane.subagents, is_it)) subagents.push_back(subagent_json(subagent));
  }
  return Json::object({{"session", Json::string(session.session)},
                       {"agent", Json::string(session.agent)},
                       {"project", Json::string(session.project)},
                       {"subagents", subagents.empty() ? Json() : Json::array(subagents)},
                       {"turns", Json::number(session.turns)},
                       {"events", Json::number(session.events)},
                       {"shown", Json::number(lane.shown)},
                       {"deny", Json::number(session.deny)},
                       {"ask", Json::number(session.ask)},
                       {"failed", Json::number(session.failed)},
                       {"first", Json::number(session.first)},
                       {"last", Json::number(session.last)},
                       {"marks", marks_json(lane.marks)}});
}

}  // namespace

Answer show_timeline(Ui& ui, const HttpRequest& request) {
  const auto query = query_of(request);
  if (!query) return std::unexpected(query.error());
  const int64_t width = std::clamp(number_in(request, "width").value_or(kUsualWidth), kNearPixels, kMostWidth);
  // How long everything is shows only in the journal.
  const TimelineRequest wish{.span = span_of(request), .query = *query, .steps = width / kNearPixels};
  const auto timeline = ui.journal.with([&](JournalReader& reader) { return read_timeline(reader, wish); });
  if (!timeline) return std::unexpected(timeline.error());
  std::vector<Json> lanes;
  for (const Lane& lane : timeline->lanes) lanes.push_back(lane_json(lane));
  return Json::object({{"from", Json::number(timeline->span.from)},
                       {"to", Json::number(timeline->span.to)},
                       {"first", Json::number(timeline->first)},
                       {"last", Json::number(timeline->last)},
                       {"total", Json::number(timeline->total)},
                       {"overview", overview_json(timeline->overview)},
                       {"lanes", Json::array(lanes)},
                       {"quiet_sessions", Json::number(timeline->quiet_sessions)},
                       {"truncated", Json::boolean(timeline->truncated)}});
}

}  // namespace grapnel::cli
