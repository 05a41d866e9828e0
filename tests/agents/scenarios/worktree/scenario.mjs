// The rules are in the repository; git does not track the gate, so the worktree has no copy of it.
import { denies, gates, script } from "../../guarded.mjs";

export const title = "started in a worktree; trusted in the main one";

export async function play(stage) {
  await stage.open(["tree"]);
  const you = ["-c", "user.name=You", "-c", "user.email=you@example.com"];
  const git = (...args) => stage.call("git.txt", "git", [...you, ...args]);
  git("add", ".agents/grapnel.yaml");
  git("commit", "--quiet", "--message", "rules");
  git("worktree", "add", "--quiet", "../tree");
  stage.grapnel(["trust", "--yes"]);
  stage.install();
  await stage.watched(script("../tree", ""), { directory: "tree" });
}

export const checks = [
  ["deny", "a rule of the repository denies there", (stage) => denies(stage, "../tree")],
  ["gate", "a gate that git does not track holds there", gates],
];
