"""A worker: a hook that stays running (docs/workers.md).

    from grapnel import worker

    @worker.serve
    def judge(event):
        if event.get("tool_name") == "Bash" and "push --force" in event["tool_input"]["command"]:
            return {"verdict": "deny", "reason": "Force pushes need a human."}

This module needs nothing but Python: it does not load the library.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
from typing import Any, Callable


def serve(judge: Callable[[dict[str, Any]], Any]) -> None:
    """Answers the events on standard input, one line each, until it is closed.

    `judge` gets each event and returns an answer, or None to let it pass. A coroutine function answers several at once.
    If it raises, the worker ends with the traceback, its hook has failed, and Grapnel starts it again.
    """
    if inspect.iscoroutinefunction(judge):
        asyncio.run(_serve_many(judge))
        return
    for line in sys.stdin:
        request = json.loads(line)
        _answer(request["id"], judge(request["event"]))


def _answer(number: str, answer: Any) -> None:
    print(json.dumps({**(answer or {}), "id": number}), flush=True)


async def _serve_many(judge: Callable[[dict[str, Any]], Any]) -> None:
    loop = asyncio.get_running_loop()

    async def one(request: dict[str, Any]) -> None:
        _answer(request["id"], await judge(request["event"]))

    tasks: set[asyncio.Task[None]] = set()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        for task in [task for task in tasks if task.done()]:
            tasks.remove(task)
            task.result()  # what it raised ends the worker
        tasks.add(asyncio.create_task(one(json.loads(line))))
    await asyncio.gather(*tasks)
