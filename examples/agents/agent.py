"""An agent of sixty lines with hooks. agent.ts and agent.cc beside it are the same. The model speaks OpenAI's chat format:

    python3 agent.py http://127.0.0.1:8080/v1 "Clean up the build directory"
"""

import json
import os
import re
import subprocess
import sys
import urllib.request
from typing import Any, Optional

from grapnel import Engine

url, prompt = sys.argv[1:]
session = {"session_id": str(os.getpid()), "cwd": os.getcwd()}
parameters = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}
tools = [{"type": "function", "function": {"name": "Bash", "description": "Runs a shell command.", "parameters": parameters}}]

# Hooks of files apply from here on, those of the project once they are trusted. A function is a hook, too.
engine = Engine(work_dir=os.getcwd())
for problem in engine.problems():
    print(f"{problem['at']['file']}: {problem['message']}", file=sys.stderr)


@engine.on("PreToolUse", name="no-force-push", tools="Bash", on_failure="closed")
def no_force_push(event: dict[str, Any]) -> Optional[dict[str, str]]:
    if re.search(r"push .*--force", event["tool_input"]["command"]):
        return {"verdict": "deny", "reason": "Force pushes need a human."}
    return None


def ask(messages: list[dict[str, Any]]) -> dict[str, Any]:
    body = json.dumps({"model": "any", "messages": messages, "tools": tools}).encode()
    request = urllib.request.Request(f"{url}/chat/completions", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        message: dict[str, Any] = json.load(reply)["choices"][0]["message"]
        return message


def run_tool(call: dict[str, Any]) -> str:
    facts = {**session, "tool_name": call["function"]["name"], "tool_use_id": call["id"]}
    asked = json.loads(call["function"]["arguments"])
    before = engine.fire({"event": "PreToolUse", **facts, "tool_input": asked})
    if before.denied:
        return f"Refused: {before.reason}"
    if before.verdict == "ask":
        return f"Refused: a person would have to decide: {before.reason}"
    tool_input = before.input_for(asked)
    ran = subprocess.run(["sh", "-c", tool_input["command"]], capture_output=True, text=True)
    if ran.returncode != 0:
        engine.fire({"event": "PostToolUseFailure", **facts, "tool_input": tool_input, "error": ran.stderr})
        return f"exit {ran.returncode}: {ran.stderr}"
    after = engine.fire({"event": "PostToolUse", **facts, "tool_input": tool_input, "tool_output": ran.stdout})
    return "\n".join(filter(None, [str(after.rewrite.get("output", ran.stdout)), before.context_text, after.context_text]))


submitted = engine.fire({"event": "UserPromptSubmit", **session, "prompt": prompt})
messages: list[dict[str, Any]] = [{"role": "user", "content": submitted.rewrite.get("prompt", prompt)}]
for _ in range(0 if submitted.denied else 20):
    reply = ask(messages)
    messages.append(reply)
    for call in reply.get("tool_calls") or []:
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": run_tool(call)})
    if reply.get("tool_calls"):
        continue
    stop = engine.fire({"event": "Stop", **session, "final_response": reply["content"]})
    if not stop.denied:
        break
    messages.append({"role": "user", "content": stop.reason})  # a hook wants the agent to go on
print(submitted.reason if submitted.denied else messages[-1]["content"])
engine.close()
