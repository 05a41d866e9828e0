// What new events change in the reply that is shown, until the next reply comes.
const kOf = { deny: "deny", ask: "ask" };

const markOf = (row, time) => ({ t: time, n: 1, strictest: 1, v: row.verdict ?? "pass", row: 2, kind: "verdict", id: row.id, label: row.subject });

const laneOf = (row, time) => ({
  session: row.session,
  agent: row.agent,
  project: row.project,
  events: 0,
  deny: 0,
  ask: 0,
  failed: 0,
  first: time,
  last: time,
  marks: [],
});

const millis = (time) => (typeof time === "number" ? time : Date.parse(time));

const marksOf = (row, time) => {
  const marks = [markOf(row, time)];
  if (row.rewritten) marks.push({ ...markOf(row, time), row: 1, kind: "rewrite" });
  if (row.failed) marks.push({ ...markOf(row, time), row: 3, kind: "failed" });
  return marks;
};

/** The subagents of a lane with new marks for one of them. */
const withSubagent = (subagents, row, fresh) => {
  const known = subagents.find(({ id }) => id === row.subagent) ?? { id: row.subagent, type: row.subagent_type ?? "", events: 0 };
  const next = { ...known, events: known.events + 1, shown: (known.shown ?? 0) + 1, marks: [...(known.marks ?? []), ...fresh] };
  return subagents.includes(known) ? subagents.map((sub) => (sub === known ? next : sub)) : [...subagents, next];
};

/** @returns the reply with the rows in it; lanes that get one come first, as the server orders them. */
export const withRows = (reply, rows) => {
  const lanes = [...reply.lanes];
  for (const row of rows) {
    const time = millis(row.time);
    const at = lanes.findIndex(({ session }) => session === row.session);
    const lane = at < 0 ? laneOf(row, time) : lanes[at];
    if ([lane, ...(lane.subagents ?? [])].some(({ marks = [] }) => marks.some(({ id }) => id === row.id))) continue;
    const fresh = marksOf(row, time);
    const told = kOf[row.verdict];
    const next = {
      ...lane,
      ...(row.subagent ? { subagents: withSubagent(lane.subagents ?? [], row, fresh) } : { marks: [...lane.marks, ...fresh] }),
      events: lane.events + 1,
      last: time,
      failed: lane.failed + (row.failed ? 1 : 0),
      ...(told ? { [told]: lane[told] + 1 } : {}),
    };
    if (at >= 0) lanes[at] = next;
    else lanes.unshift(next);
  }
  return { ...reply, lanes, last: Math.max(reply.last ?? 0, ...rows.map(({ time }) => millis(time))), total: (reply.total ?? 0) + rows.length };
};

/** Only rows that the filter surely lets through may be shown at once; the server decides about the others. */
export const surelyShown = (q) => !q.trim();
