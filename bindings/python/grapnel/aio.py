"""The engine for asyncio."""

from __future__ import annotations

import asyncio
import concurrent.futures
import itertools
import json
from typing import Any, Callable, Optional, Union

from ._library import FIRED, LATER, LIBRARY, NOTIFY, GrapnelError, call, encode, take
from .decision import Decision
from .engine import BaseEngine, Event, name_of, payload_of, send_answer, send_failure

_numbers = itertools.count(1)
_fired: dict[int, tuple[asyncio.AbstractEventLoop, asyncio.Future[str]]] = {}
_asked: dict[int, _Asked] = {}


class _Asked:
    """A coroutine that answers for a hook."""

    def __init__(self) -> None:
        self.task: Optional[concurrent.futures.Future[Any]] = None
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True
        if self.task is not None:
            self.task.cancel()


def _done(user: int, decision: Optional[int], error: Optional[int]) -> None:
    failure = GrapnelError(take(error)) if error else None
    text = take(decision) if decision else ""
    loop, future = _fired.pop(user)

    def settle() -> None:
        if future.done():
            return
        if failure is not None:
            future.set_exception(failure)
        else:
            future.set_result(text)

    try:
        loop.call_soon_threadsafe(settle)
    except RuntimeError:  # the loop is closed, and nobody waits
        pass


def _cancelled(user: int) -> None:
    asked = _asked.get(user)
    if asked is not None:
        asked.cancel()


_DONE = FIRED(_done)
_CANCELLED = NOTIFY(_cancelled)


class AsyncEngine(BaseEngine):
    """The hook engine for asyncio. Coroutine functions that are hooks run in the loop that awaits `fire`."""

    _loop: Optional[asyncio.AbstractEventLoop] = None

    async def fire(self, event: Union[Event, str], *, name: Optional[str] = None, dialect: Optional[str] = None) -> Decision:
        """Runs the hooks of an event. If the task is cancelled, the event is given up, and its processes are killed."""
        self._loop = asyncio.get_running_loop()
        future: asyncio.Future[str] = self._loop.create_future()
        number = next(_numbers)
        _fired[number] = (self._loop, future)
        payload = payload_of(event)
        try:
            firing = call(
                "fire_async", self._handle, encode(dialect), name_of(event, name), payload, len(payload), _DONE, number
            )
        except GrapnelError:
            del _fired[number]
            raise
        try:
            return Decision.from_json(json.loads(await future))
        except asyncio.CancelledError:
            LIBRARY.grapnel_cancel(firing)
            raise
        finally:
            LIBRARY.grapnel_release(firing)

    async def close(self) -> None:
        """Ends the engine. Events that are being decided are cancelled."""
        await asyncio.get_running_loop().run_in_executor(None, self._close)

    async def __aenter__(self) -> AsyncEngine:
        self._loop = asyncio.get_running_loop()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _ask_later(self, function: Callable[..., Any], event: Event, handle: int) -> int:
        if self._loop is None or self._loop.is_closed():
            raise RuntimeError("there is no running loop for this coroutine")
        number = next(_numbers)
        asked = _asked[number] = _Asked()

        async def answer() -> None:
            try:
                result = await function(event)
            except BaseException as error:
                _asked.pop(number, None)
                send_failure(handle, error)
                if not isinstance(error, Exception):
                    raise
            else:
                _asked.pop(number, None)
                send_answer(handle, result)

        # First the notification, then the coroutine: once that has answered, the handle is gone.
        LIBRARY.grapnel_on_cancel(handle, _CANCELLED, number)
        asked.task = asyncio.run_coroutine_threadsafe(answer(), self._loop)
        if asked.is_cancelled:
            asked.task.cancel()
        return LATER
