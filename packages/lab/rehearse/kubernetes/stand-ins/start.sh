set -eu
if [ "$1" != postgres ]; then exec "$@"; fi
shift
bin=$(echo /usr/lib/postgresql/*/bin)
PGDATA=/var/lib/postgresql/18/docker
export PGDATA
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  printf %s "$POSTGRES_PASSWORD" >/tmp/password
  "$bin/initdb" --username "$POSTGRES_USER" --pwfile /tmp/password --auth-host scram-sha-256
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  "$bin/pg_ctl" --wait --options "-c listen_addresses='' -c unix_socket_directories=/var/run/postgresql" start
  createdb --host /var/run/postgresql --username "$POSTGRES_USER" "$POSTGRES_DB"
  "$bin/pg_ctl" --wait stop
fi
exec "$bin/postgres" -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql "$@"
