import django.contrib.postgres.fields
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models

import tournaments.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("games", "0002_clocks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Tournament",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tournaments.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                (
                    "visibility",
                    models.CharField(
                        choices=[("public", "public"), ("private", "private")], default="public", max_length=8
                    ),
                ),
                ("invite_code", models.CharField(blank=True, max_length=16)),
                ("tables", models.JSONField(default=dict)),
                ("bot_level", models.CharField(default="greedy", max_length=20)),
                ("commitment", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("revision", models.PositiveIntegerField(default=0)),
                (
                    "phase",
                    models.CharField(
                        choices=[
                            ("draft", "draft"),
                            ("registration", "registration"),
                            ("check_in", "check-in"),
                            ("running", "running"),
                            ("paused", "paused"),
                            ("finished", "finished"),
                            ("cancelled", "cancelled"),
                        ],
                        default="draft",
                        max_length=12,
                    ),
                ),
                ("version", models.PositiveIntegerField(default=0)),
                ("terms", models.JSONField(default=dict)),
                ("format", models.CharField(choices=[("ladder", "ladder"), ("knockout", "knockout")], max_length=8)),
                ("capacity", models.PositiveIntegerField()),
                ("taken", models.PositiveIntegerField(default=0)),
                ("waiting", models.PositiveIntegerField(default=0)),
                ("rounds", models.PositiveIntegerField(default=0)),
                ("champion", models.PositiveIntegerField(null=True)),
                ("opens_at", models.DateTimeField(null=True)),
                ("closes_at", models.DateTimeField(null=True)),
                ("starts_at", models.DateTimeField(null=True)),
                ("started_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("wakes_at", models.DateTimeField(null=True)),
                ("advanced_to", models.PositiveIntegerField(default=0)),
                ("last_command", models.UUIDField(null=True)),
                ("last_ordinal", models.PositiveIntegerField(default=0)),
                (
                    "owner",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "permissions": (("run_tournament", "Can run any tournament as its organiser"),),
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tournaments.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("registered_at", models.DateTimeField(auto_now_add=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "on the waiting list"),
                            ("entered", "entered"),
                            ("playing", "playing"),
                            ("absent", "did not come"),
                            ("withdrawn", "withdrawn"),
                            ("disqualified", "disqualified"),
                        ],
                        max_length=12,
                    ),
                ),
                ("checked_in", models.BooleanField(default=False)),
                ("bot", models.BooleanField(default=False)),
                ("holder", models.PositiveIntegerField(default=1)),
                ("counts", models.BooleanField(default=True)),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="tournament_entries",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "entries",
                "ordering": ["tournament_id", "number"],
            },
        ),
        migrations.CreateModel(
            name="TournamentSecret",
            fields=[
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="tournaments.tournament",
                    ),
                ),
                ("seed", models.BinaryField(max_length=32)),
            ],
        ),
        migrations.CreateModel(
            name="TournamentEvent",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "tournament_id", "version", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("version", models.PositiveIntegerField()),
                ("type", models.CharField(max_length=40)),
                ("schema", models.PositiveSmallIntegerField()),
                ("data", models.JSONField()),
                ("command_id", models.UUIDField()),
                ("ordinal", models.PositiveIntegerField()),
                ("digest", models.BinaryField(max_length=32, null=True)),
                ("actor", models.CharField(max_length=40)),
                ("reason_id", models.UUIDField(null=True)),
                ("recorded_at", models.DateTimeField()),
                (
                    "tournament",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament_id", "version"],
            },
        ),
        migrations.CreateModel(
            name="TournamentReason",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tournaments.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("text", models.CharField(blank=True, max_length=500)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="reasons", to="tournaments.tournament"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="TournamentTable",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tournaments.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("attempt", models.PositiveIntegerField()),
                (
                    "lineup",
                    django.contrib.postgres.fields.ArrayField(base_field=models.PositiveIntegerField(), size=None),
                ),
                ("settled", models.BooleanField(default=False)),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="games.game"
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="games",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["tournament_id", "number", "attempt"],
            },
        ),
        migrations.CreateModel(
            name="EntryHolder",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("holder", models.PositiveIntegerField()),
                ("from_version", models.PositiveIntegerField()),
                ("until_version", models.PositiveIntegerField(null=True)),
                (
                    "entry",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="holders",
                        to="tournaments.entry",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["entry_id", "holder"],
                "constraints": [models.UniqueConstraint(fields=("entry", "holder"), name="entry_holder_once")],
            },
        ),
        migrations.AddIndex(
            model_name="tournament",
            index=models.Index(fields=["phase", "-id"], name="tournament_by_phase"),
        ),
        migrations.AddIndex(
            model_name="tournament",
            index=models.Index(
                condition=models.Q(("wakes_at__isnull", False)), fields=["wakes_at"], name="tournament_wakes"
            ),
        ),
        migrations.AddIndex(
            model_name="tournament",
            index=models.Index(
                condition=models.Q(("version__gt", models.F("advanced_to"))), fields=["id"], name="tournament_undone"
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("invite_code", ""), ("visibility", "public")),
                    models.Q(("visibility", "private"), models.Q(("invite_code", ""), _negated=True)),
                    _connector="OR",
                ),
                name="tournament_invite_code",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("advanced_to__lte", models.F("version"))), name="tournament_advanced_to"
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(fields=("tournament", "number"), name="entry_number"),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("counts", True)), fields=("tournament", "player"), name="entry_one_a_player"
            ),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="entry_from_1"),
        ),
        migrations.AddConstraint(
            model_name="tournamentevent",
            constraint=models.UniqueConstraint(
                fields=("tournament", "command_id", "ordinal"), name="tournament_event_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="tournamentevent",
            constraint=models.CheckConstraint(condition=models.Q(("version__gte", 1)), name="tournament_event_version"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="tournamentevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="9ee78146424c5f831789a65c0498df6b52c27bfd",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_9726f",
                    table="tournaments_tournamentevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="tournamenttable",
            index=models.Index(condition=models.Q(("settled", False)), fields=["tournament"], name="table_unsettled"),
        ),
        migrations.AddConstraint(
            model_name="tournamenttable",
            constraint=models.UniqueConstraint(
                fields=("tournament", "number", "attempt"), name="table_once_an_attempt"
            ),
        ),
    ]
