// Which lanes there are: one for each session, and below it those of its subagents.
/** Subagents with the depth at which they stand: a subagent of a subagent stands below it. */
const nested = (subs, parent, depth) =>
  subs
    .filter((sub) => (subs.some(({ id }) => id === sub.parent && id !== sub.id) ? sub.parent === parent : parent === null))
    .flatMap((sub) => [{ ...sub, depth }, ...nested(subs, sub.id, depth + 1)]);

/** Lanes of subagents stand below the one that they belong to; folded, their marks are part of it. */
export const rowsOf = (lanes, folded = false) =>
  lanes.flatMap((lane) => {
    const subs = (lane.subagents ?? []).filter(({ marks }) => marks);
    if (!subs.length) return [lane];
    if (folded) return [{ ...lane, isFolded: true, marks: [...lane.marks, ...subs.flatMap(({ marks }) => marks)].sort((a, b) => a.t - b.t) }];
    const tree = nested(subs, null, 0);
    // Records that name each other as parents are nobody's child.
    const all = tree.length === subs.length ? tree : subs.map((sub) => ({ ...sub, depth: 0 }));
    return [lane, ...all.map((sub) => ({ ...sub, session: lane.session, agent: lane.agent, owner: lane }))];
  });

export const hasSubagents = (lanes) => lanes.some(({ subagents = [] }) => subagents.some(({ marks }) => marks));
