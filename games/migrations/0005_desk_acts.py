from django.db import migrations

# Django's log of the admin may be altered and goes with its author; this copy of it does not. Of what was changed it
# keeps the names of the fields, and never a text or a name: persons stand in the columns for persons alone.
TELL = """
CREATE FUNCTION games_desk_act() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    app text;
    kind text;
    fields jsonb;
BEGIN
    SELECT app_label, model INTO app, kind FROM django_content_type WHERE id = NEW.content_type_id;
    BEGIN
        fields := jsonb_path_query_array(NEW.change_message::jsonb, '$[*].changed.fields[*]');
    EXCEPTION WHEN invalid_text_representation THEN  -- a message of words
        fields := '[]';
    END;
    INSERT INTO games_auditentry (game_id, at, kind, code, player_id, subject_id, reason, data)
    VALUES (
        (SELECT id FROM games_game WHERE app = 'games' AND kind = 'game' AND id::text = NEW.object_id),
        NEW.action_time,
        'desk',
        CASE NEW.action_flag WHEN 1 THEN 'added' WHEN 2 THEN 'changed' ELSE 'deleted' END,
        NEW.user_id,
        (SELECT id FROM players_player WHERE app = 'players' AND kind = 'player' AND id::text = NEW.object_id),
        '',
        jsonb_build_object('model', app || '.' || kind, 'fields', fields)
            || CASE WHEN app = 'players' THEN '{}'::jsonb ELSE jsonb_build_object('object', NEW.object_id) END
    );
    RETURN NULL;
END $$;
CREATE TRIGGER games_desk_act AFTER INSERT ON django_admin_log FOR EACH ROW EXECUTE FUNCTION games_desk_act();
"""
FORGET = "DROP TRIGGER games_desk_act ON django_admin_log; DROP FUNCTION games_desk_act();"


class Migration(migrations.Migration):
    """Every act that Django's admin logs is told to the audit log as well, by the database itself."""

    dependencies = [
        ("games", "0004_figures"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunSQL(TELL, FORGET)]
