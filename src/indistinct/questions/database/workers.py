"""Threads for questions, which nobody has to wait for, and the moments at which they have ended.

Work that says so ends at a multiple of its slot, whenever it has ended in truth: its result is told
then, and what waits for its place starts then. So neither a reply nor the one behind it tells how
long the work took, as long as that was less than the slot.

A question that does not come to an end keeps its thread, and nothing else: who asked is told that
it took too long, others have threads of their own, and the program can stop, because the threads
end with it.
"""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, TypeVar, final

Result = TypeVar("Result")


@final
@dataclass(slots=True)
class Slot:
    """The time that a piece of work takes for those who wait.

    Parameters
    ----------
    seconds : set by the work, once its question is read; 0 where its time tells nothing
    """

    seconds: float = 0.0


@final
class Workers:
    """At most so many threads, started when they are needed and used again and again.

    Parameters
    ----------
    most : threads in all
    share : threads that one person can hold; with 1, nobody measures how long their work takes
        by what waits behind it
    """

    def __init__(self, most: int, share: int) -> None:
        self._slots = asyncio.Semaphore(most)
        self._share = share
        self._own: dict[str, asyncio.Semaphore] = {}
        self._idle: list[SimpleQueue[Callable[[], None]]] = []

    async def run(self, name: str, work: Callable[[Slot], Result]) -> Result:
        """Wait for work on a thread; who stops waiting leaves the thread to its work.

        The person's place and the thread's are free again when the work's slot ends, not when the
        waiting does.
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
        began, slot = loop.time(), Slot()

        def finish(put: Callable[[Any], None], value: object) -> None:
            loop.call_later(rest(loop.time() - began, slot.seconds), end, put, value)

        def end(put: Callable[[Any], None], value: object) -> None:
            self._idle.append(thread)
            self._slots.release()
            own.release()
            if not done.done():
                put(value)

        def job() -> None:
            try:
                found = work(slot)
            except BaseException as error:  # noqa: BLE001 - handed to who waits, whatever it is
                _tell(loop, finish, done.set_exception, error)
            else:
                _tell(loop, finish, done.set_result, found)

        thread.put(job)
        return await done


def rest(elapsed: float, seconds: float) -> float:
    """Return the seconds until the next multiple of a time."""
    return math.ceil(max(elapsed, 1e-9) / seconds) * seconds - elapsed if seconds > 0 else 0.0


def _tell(loop: asyncio.AbstractEventLoop, receive: Callable[..., None], *words: object) -> None:
    """Set the loop's result, unless it has ended meanwhile."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(receive, *words)


def _started() -> SimpleQueue[Callable[[], None]]:
    """Start a thread that ends with the program; give the queue of its work."""
    jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()

    def work() -> None:
        while True:
            jobs.get()()

    threading.Thread(target=work, daemon=True, name="question").start()
    return jobs
