"""Celery: queues, limits and schedule in one place. Tasks carry ids only; they may run twice, late or never."""

import logging.config
import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, setup_logging, task_prerun, worker_init, worker_shutting_down
from kombu import Exchange, Queue

from config.current import ENV
from config.logs import logging_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")

QUEUES = ("bots", "clock", "default")
TASK_SECONDS = 30
SWEEP_SECONDS = 0.5
TOURNAMENT_SWEEP_SECONDS = 2.0
MAIL_SWEEP_SECONDS = 10.0
AUDIT_SWEEP_SECONDS = 60.0
FIGURES_SWEEP_SECONDS = 120.0
NOTICE_SWEEP_SECONDS = 60.0
# A task that takes longer is told to stop, and after the second number killed with its process; the sweep finds
# what it left undone.
LIMITS = {"games.tasks.bot_move": (10, 15), "games.tasks.clock_sweep": (20, TASK_SECONDS)}

app = Celery("taki")
app.conf.update(
    broker_url=ENV.broker_url or "redis://127.0.0.1:9/0",  # unset only for tools that never publish
    # A broker that hangs holds up whoever publishes for about this long; one that is down, not at all.
    broker_transport_options={
        "socket_timeout": 1,
        "socket_connect_timeout": 1,
        # A message that nobody acknowledged is given to another worker after this; longer than any task.
        "visibility_timeout": 4 * TASK_SECONDS,
    },
    broker_connection_timeout=2,
    broker_connection_max_retries=None,
    broker_connection_retry_on_startup=True,
    # One more attempt at once, for a connection that the broker's restart has cut.
    task_publish_retry_policy={"max_retries": 1, "interval_start": 0, "interval_step": 0, "interval_max": 0},
    task_serializer="json",
    accept_content=["json"],
    result_backend=None,
    task_ignore_result=True,
    task_queues=[Queue(name, Exchange(name), routing_key=name) for name in QUEUES],
    task_default_queue="default",
    task_default_exchange="default",
    task_default_routing_key="default",
    task_create_missing_queues=False,
    task_routes={
        "games.tasks.bot_*": {"queue": "bots"},
        "games.tasks.clock_*": {"queue": "clock"},
        "tournaments.tasks.tournament_sweep": {"queue": "clock"},
    },
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_soft_time_limit=TASK_SECONDS - 10,
    task_time_limit=TASK_SECONDS,
    task_annotations={name: {"soft_time_limit": soft, "time_limit": hard} for name, (soft, hard) in LIMITS.items()},
    # With late acknowledgement: a process holds the one task that it works on, so that none waits behind a slow bot.
    worker_prefetch_multiplier=1,
    worker_cancel_long_running_tasks_on_connection_loss=True,
    worker_consumer="config.worker:SteadyConsumer",
    worker_concurrency=ENV.worker_processes,
    worker_hijack_root_logger=False,
    worker_redirect_stdouts=False,
    # The Django fixup closes connections after that many tasks; each is tried before use instead (below).
    CELERY_DB_REUSE_MAX=1_000_000 if ENV.database_connections == 1 else None,
    beat_scheduler="config.worker:SteadyScheduler",
    beat_schedule_filename=str(ENV.data_dir / "beat-schedule"),
    beat_max_loop_interval=1,
    # A sweep that waited longer than the next one is of no use.
    beat_schedule={
        "clock_sweep": {"task": "games.tasks.clock_sweep", "schedule": SWEEP_SECONDS, "options": {"expires": 5}},
        "tournament_sweep": {
            "task": "tournaments.tasks.tournament_sweep",
            "schedule": TOURNAMENT_SWEEP_SECONDS,
            "options": {"expires": 5},
        },
        "mail_sweep": {"task": "players.tasks.mail_sweep", "schedule": MAIL_SWEEP_SECONDS, "options": {"expires": 5}},
        "notice_sweep": {
            "task": "games.notices.tasks.notice_sweep",
            "schedule": NOTICE_SWEEP_SECONDS,
            "options": {"expires": NOTICE_SWEEP_SECONDS},
        },
        "leftovers_sweep": {"task": "players.tasks.leftovers_sweep", "schedule": 3600.0, "options": {"expires": 60}},
        # Begins the night's audit, and takes it up again if a worker died over it.
        "audit_sweep": {
            "task": "games.tasks.audit_sweep",
            "schedule": AUDIT_SWEEP_SECONDS,
            "options": {"expires": AUDIT_SWEEP_SECONDS},
        },
        "figures_sweep": {
            "task": "games.tasks.figures_sweep",
            "schedule": FIGURES_SWEEP_SECONDS,
            "options": {"expires": FIGURES_SWEEP_SECONDS},
        },
    },
    timezone="UTC",
)
app.autodiscover_tasks()


@setup_logging.connect
def _log_as_json(**_: Any) -> None:
    logging.config.dictConfig(logging_settings(ENV.log_level))


@worker_init.connect
def _show_that_it_consumes(**_: Any) -> None:
    from config.worker import WORKER, Heartbeat  # noqa: PLC0415  (needed by workers alone)

    app.steps["consumer"].add(Heartbeat)
    WORKER.end_when_silent()


@worker_shutting_down.connect
def _finishes_its_work(**_: Any) -> None:
    from config.worker import WORKER  # noqa: PLC0415  (needed by workers alone)

    WORKER.end()


@beat_init.connect
def _show_that_it_schedules(**_: Any) -> None:
    from config.worker import SCHEDULER  # noqa: PLC0415  (needed by beat alone)

    SCHEDULER.end_when_silent()


@task_prerun.connect
def _try_connections_before_use(**_: Any) -> None:
    from django.db import close_old_connections  # noqa: PLC0415  (after Django's set-up)

    close_old_connections()
