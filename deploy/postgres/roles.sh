#!/bin/sh
# Run once by the PostgreSQL image on an empty volume: the owner of the tables and the role that the processes
# use. `manage.py database_ready` grants the second what it needs, and never the change of an event.
set -eu

psql --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname "$POSTGRES_DB" --no-password <<'SQL'
\getenv owner_password OWNER_PASSWORD
\getenv application_password APPLICATION_PASSWORD
\getenv database POSTGRES_DB
BEGIN;
CREATE ROLE taki_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE taki_application LOGIN PASSWORD :'application_password';
ALTER DATABASE :"database" OWNER TO taki_owner;
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"database" TO taki_application;
COMMIT;
SQL
