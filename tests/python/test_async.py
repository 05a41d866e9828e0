"""The engine for asyncio."""

import asyncio
import unittest

from grapnel import AsyncEngine, GrapnelError

PUSH = {"event": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push --force"}}


class AsyncEngines(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.engine = AsyncEngine(use_hook_files=False)

    async def asyncTearDown(self):
        await self.engine.close()

    async def test_coroutines_run_in_the_loop(self):
        loops = []

        @self.engine.on("PreToolUse")
        async def guard(event):
            loops.append(asyncio.get_running_loop())
            await asyncio.sleep(0)
            return {"verdict": "deny", "reason": event["tool_input"]["command"]}

        self.assertEqual((await self.engine.fire(PUSH)).reason, "git push --force")
        self.assertEqual(loops, [asyncio.get_running_loop()])

    async def test_plain_functions_are_hooks_too(self):
        self.engine.on("PreToolUse", name="it")(lambda event: {"verdict": "ask"})
        self.assertEqual((await self.engine.fire(PUSH)).verdict, "ask")

    async def test_many_at_once(self):
        @self.engine.on("PreToolUse")
        async def guard(event):
            return {"verdict": "deny"}

        decisions = await asyncio.gather(*(self.engine.fire(PUSH) for _ in range(200)))
        self.assertTrue(all(decision.denied for decision in decisions))

    async def test_a_coroutine_that_raises(self):
        @self.engine.on("PreToolUse", on_failure="closed")
        async def guard(event):
            raise ValueError("broken")

        self.assertIn("broken", (await self.engine.fire(PUSH)).reason)

    async def test_a_coroutine_that_is_late_is_cancelled(self):
        cancelled = asyncio.Event()

        @self.engine.on("PreToolUse", timeout=0.05, on_failure="closed")
        async def guard(event):
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                cancelled.set()
                raise

        self.assertEqual((await self.engine.fire(PUSH)).origin, "fail-closed")
        await asyncio.wait_for(cancelled.wait(), 60)

    async def test_giving_up(self):
        begun = asyncio.Event()

        @self.engine.on("PreToolUse", timeout=0)
        async def guard(event):
            begun.set()
            await asyncio.sleep(3600)

        task = asyncio.create_task(self.engine.fire(PUSH))
        await begun.wait()
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task

    async def test_closed_while_an_event_waits(self):
        begun = asyncio.Event()

        @self.engine.on("PreToolUse")
        async def guard(event):
            begun.set()
            await asyncio.sleep(3600)

        task = asyncio.create_task(self.engine.fire(PUSH))
        await begun.wait()
        await self.engine.close()
        self.assertEqual((await task).origin, "engine")
        with self.assertRaises(GrapnelError):
            await self.engine.fire(PUSH)


if __name__ == "__main__":
    unittest.main()
