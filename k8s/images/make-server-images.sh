#!/bin/sh
# Makes replacements of the PostgreSQL and Redis images from Debian's packages, for rehearsals on machines without an image
# registry. They accept the settings that docker-compose.yml passes to the real images.
# Usage: make-server-images.sh <base image of make-base-image.sh>; then POSTGRES_IMAGE=switchyard-postgres:stand-in
# REDIS_IMAGE=switchyard-redis:stand-in. CONTAINER_ENGINE and BUILD_ARGUMENTS as in build-images.sh.
set -eu
base=${1:?usage: make-server-images.sh <base image>}
engine=${CONTAINER_ENGINE:-docker}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/postgres.sh" <<'SCRIPT'
#!/bin/bash
set -eu
data=/var/lib/postgresql/data
as_postgres() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
if [ ! -s "$data/PG_VERSION" ]; then
  mkdir -p "$data"
  chown postgres:postgres /var/lib/postgresql "$data"
  as_postgres initdb -D "$data" -U "$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" -A scram-sha-256 >/dev/null
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  as_postgres pg_ctl -D "$data" -o "-c listen_addresses='' -k /tmp" -w start
  PGPASSWORD=$(cat "$POSTGRES_PASSWORD_FILE") createdb -h /tmp -U "$POSTGRES_USER" "$POSTGRES_DB"
  as_postgres pg_ctl -D "$data" -m fast -w stop
fi
exec setpriv --reuid postgres --regid postgres --clear-groups postgres -D "$data" -c listen_addresses='*' -k /tmp
SCRIPT
cat >"$scratch/redis.sh" <<'SCRIPT'
#!/bin/bash
set -eu
chown redis:redis /data
cd /data
exec setpriv --reuid redis --regid redis --clear-groups "$@"
SCRIPT
for server in postgres redis; do
  package=$server-server
  [ "$server" = redis ] || package=postgresql
  cat >"$scratch/Dockerfile" <<DOCKERFILE
FROM $base
RUN apt-get update && apt-get install -y --no-install-recommends $package && rm -rf /var/lib/apt/lists/* \
 && { [ $server = redis ] || ln -s /usr/lib/postgresql/*/bin/* /usr/local/bin/; }
COPY $server.sh /usr/local/bin/start.sh
STOPSIGNAL $([ "$server" = redis ] && echo SIGTERM || echo SIGINT)
ENTRYPOINT ["bash", "/usr/local/bin/start.sh"]
DOCKERFILE
  # shellcheck disable=SC2086
  "$engine" build ${BUILD_ARGUMENTS:-} --tag "switchyard-$server:stand-in" "$scratch"
done
