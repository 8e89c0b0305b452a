import django.contrib.postgres.fields
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models

import games.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Game",
            fields=[
                (
                    "id",
                    models.UUIDField(default=games.models.new_id, editable=False, primary_key=True, serialize=False),
                ),
                ("name", models.CharField(blank=True, max_length=60)),
                (
                    "visibility",
                    models.CharField(
                        choices=[("public", "public"), ("private", "private")], default="public", max_length=8
                    ),
                ),
                ("invite_code", models.CharField(blank=True, max_length=16)),
                ("house_rules", models.JSONField(default=dict)),
                ("seats", models.PositiveSmallIntegerField(default=4)),
                ("turn_seconds", models.PositiveIntegerField(default=60, null=True)),
                ("bank_seconds", models.PositiveIntegerField(default=0)),
                ("increment_seconds", models.PositiveIntegerField(default=0)),
                ("reaction_seconds", models.PositiveIntegerField(default=8)),
                ("game_minutes", models.PositiveIntegerField(null=True)),
                (
                    "first_player",
                    models.CharField(
                        choices=[("youngest", "youngest"), ("random", "random"), ("host", "host")],
                        default="youngest",
                        max_length=8,
                    ),
                ),
                ("commitment", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("host_seat", models.PositiveSmallIntegerField(null=True)),
                ("seats_free", models.PositiveSmallIntegerField(default=0)),
                ("lobby_revision", models.PositiveIntegerField(default=0)),
                ("seating_revision", models.PositiveIntegerField(default=0)),
                ("abort_reason", models.CharField(blank=True, max_length=200)),
                ("bot_sent_at", models.DateTimeField(null=True)),
                (
                    "phase",
                    models.CharField(
                        choices=[
                            ("lobby", "lobby"),
                            ("playing", "playing"),
                            ("finished", "finished"),
                            ("aborted", "aborted"),
                        ],
                        default="lobby",
                        max_length=8,
                    ),
                ),
                ("version", models.PositiveIntegerField(default=0)),
                ("head_hash", models.BinaryField(max_length=32)),
                ("first_seat", models.PositiveSmallIntegerField(null=True)),
                ("turn", models.PositiveSmallIntegerField(null=True)),
                ("direction", models.SmallIntegerField(null=True)),
                (
                    "cards",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.PositiveSmallIntegerField(), default=list, size=None
                    ),
                ),
                (
                    "stages",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.PositiveSmallIntegerField(), default=list, size=None
                    ),
                ),
                (
                    "left",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.PositiveSmallIntegerField(), default=list, size=None
                    ),
                ),
                ("deadline", models.DateTimeField(null=True)),
                ("stop_at", models.DateTimeField(null=True)),
                ("bot_due_at", models.DateTimeField(null=True)),
                ("winner", models.PositiveSmallIntegerField(null=True)),
                ("ranking", models.JSONField(null=True)),
                ("started_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="GameEvent",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game_id", "version", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="games.game",
                    ),
                ),
                ("version", models.PositiveIntegerField()),
                ("type", models.CharField(max_length=40)),
                ("schema", models.PositiveSmallIntegerField()),
                ("data", models.JSONField()),
                ("command_id", models.UUIDField()),
                ("ordinal", models.PositiveSmallIntegerField()),
                ("digest", models.BinaryField(max_length=32, null=True)),
                ("actor", models.CharField(max_length=20)),
                ("recorded_at", models.DateTimeField()),
                ("hash", models.BinaryField(max_length=32)),
            ],
            options={
                "ordering": ["game_id", "version"],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game_id", "seat", "from_version", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seating",
                        to="games.game",
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("from_version", models.PositiveIntegerField(default=0)),
                ("until_version", models.PositiveIntegerField(null=True)),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="seats",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("bot", models.CharField(blank=True, max_length=20)),
                ("entropy", models.BinaryField(default=bytes, max_length=64)),
                ("auto_accept", models.BooleanField(default=False)),
            ],
            options={
                "ordering": ["game_id", "seat", "from_version"],
            },
        ),
        migrations.CreateModel(
            name="GameSecret",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("server_seed", models.BinaryField(max_length=32)),
            ],
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(fields=["phase", "-id"], name="game_by_phase"),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(condition=models.Q(("phase", "playing")), fields=["id"], name="game_playing"),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(condition=models.Q(("seats__range", (2, 10))), name="game_seats"),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(("seats_free__lte", models.F("seats"))), name="game_seats_free"
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("invite_code", ""), ("visibility", "public")),
                    models.Q(("visibility", "private"), models.Q(("invite_code", ""), _negated=True)),
                    _connector="OR",
                ),
                name="game_invite_code",
            ),
        ),
        migrations.AddConstraint(
            model_name="gameevent",
            constraint=models.UniqueConstraint(fields=("game", "command_id", "ordinal"), name="event_once_a_command"),
        ),
        migrations.AddConstraint(
            model_name="gameevent",
            constraint=models.CheckConstraint(condition=models.Q(("version__gte", 1)), name="event_version"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="gameevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="374bb053bde49d3c1571f19577189c97ff458b8c",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_a4783",
                    table="games_gameevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(
                condition=models.Q(("until_version__isnull", True)), fields=("game", "seat"), name="seat_one_at_a_time"
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(
                condition=models.Q(("until_version__isnull", True)), fields=("game", "player"), name="seat_one_a_player"
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(("player__isnull", True), ("bot", ""), _connector="OR"), name="seat_player_or_bot"
            ),
        ),
        # Room in each page for the next version of a row, so that a move rewrites no index (HOT).
        migrations.RunSQL("ALTER TABLE games_game SET (fillfactor = 70)", migrations.RunSQL.noop),
    ]
