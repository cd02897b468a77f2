#!/bin/sh
# Run once by the database's container, when its folder is empty: the role that the application uses, which owns
# nothing and is subject to row-level security, and the extension that only a superuser may add.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$APP_PASSWORD" --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
CREATE EXTENSION IF NOT EXISTS vector;
CREATE ROLE plumbline_app LOGIN PASSWORD :'password' NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
-- Who sleeps within a transaction must not keep its locks. The application asks for it itself, but for a few statements
-- behind a pooler that lends connections by transaction.
ALTER ROLE plumbline_app SET idle_in_transaction_session_timeout = '30s';
SQL
