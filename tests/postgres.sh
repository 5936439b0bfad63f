#!/bin/sh
# Start (or stop) a PostgreSQL server of this user's own for the tests that need one.
#
#   eval "$(sh tests/postgres.sh start)"    prints the address as INDISTINCT_POSTGRES=...
#   sh tests/postgres.sh stop
#
# Needs Debian's package postgresql, or any initdb and pg_ctl on the path. The server listens on a
# socket in its own folder only. As root it runs as the user postgres.
set -eu

DIR=${INDISTINCT_POSTGRES_DIR:-/tmp/indistinct-postgres-$(id -u)}
for folder in /usr/lib/postgresql/*/bin; do
  [ -d "$folder" ] && PATH="$PATH:$folder"
done
export PATH

as_owner() {
  if [ "$(id -u)" = 0 ]; then su postgres -s /bin/sh -c "$1"; else sh -c "$1"; fi
}

case "${1:-start}" in
start)
  if ! command -v initdb >/dev/null || ! command -v pg_ctl >/dev/null; then
    echo "PostgreSQL is not installed: apt-get install postgresql" >&2
    exit 1
  fi
  mkdir -p "$DIR"
  if [ "$(id -u)" = 0 ]; then chown postgres "$DIR"; fi
  chmod 755 "$DIR"
  INITDB=$(command -v initdb)
  PG_CTL=$(command -v pg_ctl)
  if [ ! -f "$DIR/data/PG_VERSION" ]; then
    as_owner "'$INITDB' -D '$DIR/data' -U postgres -A trust -E UTF8 >'$DIR/initdb.log' 2>&1"
  fi
  as_owner "'$PG_CTL' -D '$DIR/data' status >/dev/null 2>&1" ||
    as_owner "'$PG_CTL' -D '$DIR/data' -w -l '$DIR/log' -o \"-c listen_addresses= -c unix_socket_directories=$DIR -c max_connections=120\" start >/dev/null"
  echo "export INDISTINCT_POSTGRES='postgresql://postgres@localhost/postgres?host=$DIR'"
  ;;
stop)
  PG_CTL=$(command -v pg_ctl)
  as_owner "'$PG_CTL' -D '$DIR/data' -m fast stop >/dev/null"
  rm -rf "$DIR"
  ;;
*)
  echo "usage: sh tests/postgres.sh start|stop" >&2
  exit 2
  ;;
esac
