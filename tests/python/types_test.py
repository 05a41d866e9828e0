"""What a type checker must accept. It is never run."""

from typing import Any, Optional

from grapnel import AsyncEngine, Decision, Engine, Event


def blocking() -> Optional[str]:
    with Engine(work_dir=".", limits={"max_output": 1}) as engine:

        @engine.on("PreToolUse", tools="Bash", on_failure="closed")
        def hook(event: Event) -> Optional[dict[str, str]]:
            return {"verdict": "deny"} if event["tool_name"] == "Bash" else None

        assert hook({}) is None
        decision: Decision = engine.fire({"event": "Stop"})
        names: list[str] = [fate.name for fate in decision.hooks]
        return decision.reason or decision.context_text or names[0]


async def awaited(engine: AsyncEngine) -> bool:
    async def hook(event: dict[str, Any]) -> None:
        return None

    engine.on("Stop")(hook)
    return (await engine.fire({"event": "Stop"})).denied
