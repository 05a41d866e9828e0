// The journal that the tests look at, made by the real command: rules, then events of several agents, some of them hostile.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const rules = `version: 1
hooks:
  - name: no-force-push
    on: PreToolUse
    when: { tool: shell, command: git push, flag: [--force, -f] }
    deny: Force pushes need a human.
  - name: protect-secrets
    on: PreToolUse
    when: { tool: [read, write, edit, shell], path: '**/.env*' }
    deny: Secrets stay out of the conversation.
  - name: ask-before-publish
    on: PreToolUse
    when: { tool: shell, command: npm publish }
    ask: Publish this?
  - name: ask-before-crates
    on: PreToolUse
    when: { tool: shell, command: cargo publish }
    ask: Publish this crate?
  - name: allow-readonly
    on: PreToolUse
    when: { tool: shell, effect: readonly }
    allow: It only reads.
  - name: use-pnpm
    on: PreToolUse
    when: { tool: shell, command: npm install }
    rewrite: { command: pnpm add }
  - name: watch-deletions
    on: PreToolUse
    when: { tool: shell, command: rm }
    deny: Nothing is removed.
    mode: observe
  - name: audit
    on: [PreToolUse, PostToolUse]
    run: cat > /dev/null
  - name: broken-check
    on: PreToolUse
    when: { tool: [write, edit] }
    run: exit 3
  - name: curious
    on: UserPromptSubmit
    run: cat ~/diary.txt; true
    sandbox: guard
`;

const projectRules = `version: 1
hooks:
  - name: tests-green
    on: Stop
    run: .agents/test.sh
`;

/** Text that would do something if the page took it for anything else than text. */
export const hostile = {
  markup: `echo '<script>document.title="owned"</script><img src=x onerror=alert(1)><style>*{display:none}</style>'`,
  bidi: "git push origin \u202eniam\u202c \u2066x\u2069 \u200b\ufeff",
  ansi: "printf '\u001b[31mred\u001b[0m\u001b]0;title\u0007\u009b2J'",
  surrogate: "echo \ud800 \udc00 \u{e0041}\u{e0042}",
  template: "echo ${constructor.constructor('alert(1)')()} {{7*7}} javascript:alert(1)",
};

const pre = (session, cwd, command, extra = {}) => ({
  hook_event_name: "PreToolUse", session_id: session, cwd, permission_mode: "default", tool_name: "Bash", tool_input: { command }, ...extra,
});
const post = (event) => ({ ...event, hook_event_name: "PostToolUse", tool_response: { stdout: "done", stderr: "", interrupted: false } });

/** The events: [agent, payload]. */
export const events = (project) => {
  const list = [];
  const plain = ["ls -la", "git status", "cat src/main.cc", "make test", "npm test", "git diff --stat", "rg TODO"];
  const loud = ["git push --force origin main", "cat .env", "npm publish", "npm install left-pad", "rm -r build/old"];
  for (const [at, agent] of ["claude", "codex", "claude", "claude"].entries()) {
    const session = `${agent}-session-${at}f3a${at}`;
    if (agent === "claude") list.push([agent, { hook_event_name: "UserPromptSubmit", session_id: session, cwd: project, prompt: "Please make the tests pass" }]);
    for (let turn = 0; turn < 3; turn++) {
      const quiet = pre(session, project, plain[(at + turn) % plain.length], { tool_use_id: `toolu_${at}_${turn}` });
      list.push([agent, quiet], [agent, post(quiet)]);
      list.push([agent, pre(session, project, loud[(at * 2 + turn) % loud.length], { tool_use_id: `toolu_${at}_${turn}x` })]);
    }
    list.push([agent, { ...pre(session, project, ""), tool_name: "Write", tool_input: { file_path: `${project}/notes.txt`, content: "hello" } }]);
  }
  // Two subagents of the last session.
  const crew = { agent_id: "explore-7c21", agent_type: "Explore" };
  const deeper = { agent_id: "review-19ab", agent_type: "Review" };
  for (const [at, command] of ["rg parser src", "cat .env.local", "ls docs"].entries()) {
    list.push(["claude", pre("claude-session-3f3a3", project, command, { ...crew, tool_use_id: `toolu_sub_${at}` })]);
  }
  list.push(["claude", pre("claude-session-3f3a3", project, "git log -3", { ...deeper, tool_use_id: "toolu_sub_deep" })]);
  list.push(["gemini", { hook_event_name: "BeforeTool", session_id: "gemini-584a", cwd: project, tool_name: "run_shell_command", tool_input: { command: "git push -f" } }]);
  list.push(["gemini", { hook_event_name: "BeforeTool", session_id: "gemini-584a", cwd: project, tool_name: "read_file", tool_input: { file_path: ".env" } }]);
  const markup = "<img src=x onerror=alert(2)>\u202e";
  for (const command of Object.values(hostile)) list.push(["claude", pre(`${markup}hostile`, project, command)]);
  list.push(["claude", { ...pre("hostile-2", project, "true"), tool_name: `${markup}Tool`, tool_input: { command: "x".repeat(1 << 20) } }]);
  list.push(["claude", pre("hostile-2", project, `echo ${"y".repeat(1 << 20)}`)]);
  return list;
};

/** JSON.stringify leaves lone surrogates as escapes, as an agent would. */
export const fire = (grapnel, env, cwd, list) => {
  // A shell script and not this process fires: Grapnel notes who calls it as an agent, and an agent may not open a page
  // that can be unlocked.
  const script = [`cd '${cwd}'`];
  list.forEach(([agent, payload], at) => {
    const file = join(env.HOME, `event-${at}.json`);
    writeFileSync(file, JSON.stringify(payload));
    script.push(`'${grapnel}' fire --as ${agent} < '${file}' > /dev/null 2>&1 || true`);
  });
  const path = join(env.HOME, "fire.sh");
  writeFileSync(path, script.join("\n"));
  const done = spawnSync("bash", [path], { env, encoding: "utf8" });
  if (done.status !== 0) throw new Error(done.stderr);
};

/** Fires one event in the background, and promises what the agent hears. */
export const fireLater = (grapnel, env, cwd, agent, payload) => {
  const path = join(env.HOME, `later-${payload.session_id}.sh`);
  writeFileSync(path, `cd '${cwd}'\n'${grapnel}' fire --as ${agent} <<'END' 2>&1\n${JSON.stringify(payload)}\nEND\ntrue\n`);
  return new Promise((done, failed) => {
    const child = spawn("bash", [path], { env });
    let text = "";
    child.stdout.on("data", (chunk) => (text += chunk));
    child.on("error", failed);
    child.on("close", () => done(text));
  });
};

export const makeHome = (home, { project = join(home, "api"), withRules = true } = {}) => {
  mkdirSync(join(project, ".agents"), { recursive: true });
  mkdirSync(join(home, ".config/agents"), { recursive: true });
  mkdirSync(join(home, ".run"), { mode: 0o700, recursive: true });
  if (!withRules) return { project };
  writeFileSync(join(home, ".config/agents/grapnel.yaml"), rules);
  writeFileSync(join(home, "diary.txt"), "private\n");
  writeFileSync(join(project, ".env"), "KEY=1\n");
  writeFileSync(join(project, ".agents/grapnel.yaml"), projectRules);
  writeFileSync(join(project, ".agents/test.sh"), "#!/bin/sh\nexec true\n");
  chmodSync(join(project, ".agents/test.sh"), 0o755);
  return { project };
};
