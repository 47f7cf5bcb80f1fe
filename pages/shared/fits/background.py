"""Fits on request: in the background, with progress and a button to cancel."""

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event

import streamlit as st

from pages.shared import words
from pages.shared.fits import cost, live
from pages.shared.state.choices import Choices
from pages.shared.ui.markdown import plain
from vstg.notation import rough_duration
from vstg.problem import Problem
from vstg.solvers.result import Progress, VSTGResult

POLL_SECONDS = 0.5
HEIGHT = 530  # of what stands in place of the picture, about as high
WORKERS = 2


@dataclass
class Job:
    """A running fit and the last that was heard of it. Knows nothing of Streamlit."""

    choices: Choices
    expected_iterations: int
    cancelled: Event = field(default_factory=Event)
    progress: Progress | None = None
    future: Future[VSTGResult] | None = None

    def run(self, problem: Problem, memory: live.Memory) -> VSTGResult:
        """Fit and remember; a cancelled fit is not remembered."""
        result = live.solve(
            problem, self.choices.settings, self.choices.effort, self.report
        )
        if not self.cancelled.is_set():
            memory.put(self.choices.fit_key, result)
        return result

    def report(self, progress: Progress) -> bool:
        """Callback of the solver: true stops it."""
        self.progress = progress
        return self.cancelled.is_set()

    @property
    def running(self) -> bool:
        """Whether there is something to wait for."""
        return self.future is not None and not self.future.done()

    def cancel(self) -> None:
        """Ask the solver to stop at its next look."""
        self.cancelled.set()
        if self.future is not None:
            self.future.cancel()

    @property
    def share(self) -> float:
        """A guess at how much is done, between 0 and 0.99."""
        if self.progress is None:
            return 0.0
        within = min(self.progress.iteration / self.expected_iterations, 1.0)
        return min((self.progress.restart + within) / self.choices.effort.n_init, 0.99)


class Slot:
    """The one job that a visitor may have."""

    def __init__(self) -> None:
        self.job: Job | None = None

    def clear(self) -> None:
        """Cancel what runs."""
        if self.job is not None:
            self.job.cancel()
        self.job = None


@st.cache_resource(show_spinner=False)
def pool() -> ThreadPoolExecutor:
    """The threads of the whole server."""
    return ThreadPoolExecutor(WORKERS, thread_name_prefix="fit")


@st.cache_resource(scope="session", on_release=Slot.clear, show_spinner=False)
def slot() -> Slot:
    """This visitor's job; cancelled when the visitor leaves."""
    return Slot()


def start(choices: Choices) -> None:
    """Begin to fit these settings."""
    mine = slot()
    mine.clear()
    expected = 400 if choices.effort.solver == "admm" else 200
    job = Job(choices, expected)
    problem = live.problem(choices.data)
    memory = live.memory_of(choices.data)
    job.future = pool().submit(job.run, problem, memory)
    mine.job = job


def current(choices: Choices) -> Job | None:
    """The job for these settings; one for other settings is cancelled."""
    mine = slot()
    if mine.job is not None and mine.job.choices.fit_key != choices.fit_key:
        mine.clear()
    return mine.job


def reasons(choices: Choices) -> list[str]:
    """Why these settings take long."""
    n_variables, n_tasks = choices.data.shape
    why = []
    if choices.effort.solver == "admm":
        why.append(words.COST_WHY["admm"])
    if choices.effort.n_init > 1:
        why.append(words.COST_WHY["starts"].format(count=choices.effort.n_init))
    if n_variables * n_tasks > 1000:
        why.append(words.COST_WHY["size"].format(variables=n_variables, tasks=n_tasks))
    return why


def offer(choices: Choices, *, above_picture: bool = False) -> None:
    """The cost and a button, or the progress of the fit.

    It takes the place of the picture, or stands above the last one.
    """
    with st.container(
        border=True, height="content" if above_picture else HEIGHT, key="on_request",
        horizontal_alignment="center", vertical_alignment="center",
    ):  # fmt: skip
        job = current(choices)
        if job is not None and job.running:
            watch()
            return
        if live.remembered(choices) is not None:
            st.rerun()  # it ended while this page was made
        seconds = cost.estimate_seconds(choices)
        text = words.COST.format(seconds=rough_duration(seconds))
        if cost.is_live(choices):
            text = words.COST_AFTER_ALL
        st.subheader(text, width="content", anchor=False)
        for reason in reasons(choices):
            st.markdown(reason, width="content")
        st.button(
            words.FIT_NOW, key="run", type="primary", on_click=start, args=(choices,)
        )
        if job is not None:
            say_end(job)


def say_end(job: Job) -> None:
    """Say why a job ended without a result."""
    assert job.future is not None
    if job.cancelled.is_set():
        st.info(words.FIT_CANCELLED)
    elif (error := job.future.exception()) is not None:
        st.error(words.FIT_FAILED.format(error=plain(error)))


@st.fragment(run_every=POLL_SECONDS)
def watch() -> None:
    """Show the progress of the job; run the page again when it has ended."""
    job = slot().job
    if job is None or not job.running:
        st.rerun()
    assert job is not None
    started = job.future is not None and job.future.running()
    text = words.FIT_STARTING if started else words.FIT_WAITING
    if job.progress is not None:
        text = words.FIT_RUNNING.format(
            restart=job.progress.restart + 1,
            starts=job.choices.effort.n_init,
            iteration=job.progress.iteration,
            objective=f"{job.progress.objective:.5g}",
        )
    st.progress(job.share, text)
    st.button(words.CANCEL_FIT, key="cancel", on_click=job.cancel)
