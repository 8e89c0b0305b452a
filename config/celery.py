"""Celery: queues, limits and schedule in one place. Tasks carry ids only, and may run twice, late or never."""

import os

from celery import Celery
from kombu import Exchange, Queue

from config.env import ENV

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")

app = Celery("taki")
app.conf.update(
    broker_url=ENV.broker_url or "redis://127.0.0.1:9/0",  # unset only for tools that never publish
    task_serializer="json",
    accept_content=["json"],
    result_backend=None,
    task_ignore_result=True,
    task_store_errors_even_if_ignored=False,
    task_queues=[Queue(name, Exchange(name), routing_key=name) for name in ("bots", "clock", "default")],
    task_default_queue="default",
    task_default_exchange="default",
    task_default_routing_key="default",
    task_create_missing_queues=False,
    task_routes={
        "games.tasks.bot_*": {"queue": "bots"},
        "games.tasks.clock_*": {"queue": "clock"},
    },
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_soft_time_limit=20,
    task_time_limit=30,
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    worker_send_task_events=False,
    beat_schedule={},
    beat_max_loop_interval=1,
    timezone="UTC",
)
app.autodiscover_tasks()
