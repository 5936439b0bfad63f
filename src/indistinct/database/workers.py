"""Threads for questions, which nobody has to wait for.

A question that does not come to an end keeps its thread, and nothing else: who asked is told that
it took too long, others have threads of their own, and the program can stop, because the threads
end with it.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar, final

Result = TypeVar("Result")


@final
class Workers:
    """At most so many threads, started when they are needed and used again and again.

    Parameters
    ----------
    most : threads in all
    share : threads that one person can hold
    """

    def __init__(self, most: int, share: int) -> None:
        self._slots = asyncio.Semaphore(most)
        self._share = share
        self._own: dict[str, asyncio.Semaphore] = {}
        self._idle: list[SimpleQueue[Callable[[], None]]] = []

    async def run(self, name: str, work: Callable[[], Result]) -> Result:
        """Wait for work on a thread; who stops waiting leaves the thread to its work.

        The person's slot and the thread's are free again when the work ends, not when the waiting
        does.
        """
        loop = asyncio.get_running_loop()
        own = self._own.setdefault(name, asyncio.Semaphore(self._share))
        await own.acquire()
        try:
            await self._slots.acquire()
        except BaseException:
            own.release()
            raise
        done: asyncio.Future[Result] = loop.create_future()
        thread = self._idle.pop() if self._idle else _started()

        def finish(put: Callable[[Any], None], value: object) -> None:
            self._idle.append(thread)
            self._slots.release()
            own.release()
            if not done.done():
                put(value)

        def job() -> None:
            try:
                found = work()
            except BaseException as error:  # noqa: BLE001 - handed to who waits, whatever it is
                _tell(loop, finish, done.set_exception, error)
            else:
                _tell(loop, finish, done.set_result, found)

        thread.put(job)
        return await done


def _tell(loop: asyncio.AbstractEventLoop, told: Callable[..., None], *words: object) -> None:
    """Hand a result to the loop, unless it has ended meanwhile."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(told, *words)


def _started() -> SimpleQueue[Callable[[], None]]:
    """Start a thread that ends with the program; give the queue of its work."""
    jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()

    def work() -> None:
        while True:
            jobs.get()()

    threading.Thread(target=work, daemon=True, name="question").start()
    return jobs
