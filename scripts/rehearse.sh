#!/usr/bin/env bash
# Run by the packaging of memory-daemon: rehearse.sh DIST EVENTS SKIP. Lets a daemon and a command line run once
# and keeps what the JVM learns of it: which classes are needed, loaded and linked (JEP 483, 514,
# 515). Without these files everything works, only slower. A rehearsal that fails makes the packaging
# fail: a slower package would be noticed by nobody. The JVM believes the files without looking at the
# jars: those of a former build would run its classes, so they are removed even when there is nothing
# to take their place (SKIP is true).
set -uo pipefail

dist=$1
events=$2
rm -f "$dist"/lib/*.aot
[ "$3" != true ] || exit 0

memory=$dist/bin/memory
patience=180
work=$(mktemp -d)
daemon=
end() {
  [ -z "$daemon" ] || { kill "$daemon" && wait "$daemon"; } 2>/dev/null
  rm -rf "$work"
}
trap end EXIT
give_up() {
  rm -f "$dist"/lib/*.aot
  echo "the start-up caches of agent-memory could not be made: $1; -Drehearsal.skip packages without them" >&2
  tail -n 5 "$work/log" >&2
  exit 1
}

# What is set for the daemon of whoever builds is not to be kept.
while IFS='=' read -r name _; do
  case $name in
    MEMORY_* | JAVA_TOOL_OPTIONS | JDK_JAVA_OPTIONS | _JAVA_OPTIONS) unset "$name" ;;
  esac
done < <(env)
export HOME=$work XDG_CONFIG_HOME=$work

"${JAVA_HOME:?}/bin/java" "${BASH_SOURCE[0]%/*}/Modernize.java" "$dist"/lib/picocli-*.jar \
  >>"$work/log" 2>&1 || give_up "picocli could not be brought up to date"
# Starts a daemon with options for its JVM. A busy machine takes long; a daemon that has ended is not waited for.
start() {
  local end=$((SECONDS + patience))
  MEMORY_JAVA_OPTS=$1 "$memory" start --foreground --data "$work/data" --port 0 >>"$work/log" 2>&1 &
  daemon=$!
  until [ -e "$work/data/daemon.json" ]; do
    kill -0 "$daemon" 2>/dev/null || give_up "the daemon did not start"
    [ "$SECONDS" -lt "$end" ] || give_up "the daemon did not start within $patience seconds"
    sleep 0.1
  done
}
# Ended by a signal, it says so.
ended() {
  wait "$daemon"
  daemon=
}
# A first daemon makes a store, so that the recorded one opens an existing store, as nearly all starts do, and
# creates one for another workspace.
start ""
{
  "$memory" ingest --data "$work/data" "$events" && "$memory" stop --data "$work/data"
} >>"$work/log" 2>&1 || give_up "a command failed"
ended
start "-XX:AOTCacheOutput=$work/daemon.aot -Xlog:disable"
head -n 2 "$events" >"$work/few.jsonl"
{
  "$memory" workspaces create other --data "$work/data" \
    && "$memory" ingest --data "$work/data" --workspace other "$events" \
    && MEMORY_JAVA_OPTS="-XX:AOTCacheOutput=$work/cli.aot -Xlog:disable" \
      "$memory" rehearse --data "$work/data" "$work/few.jsonl" \
    && "$memory" stop --data "$work/data"
} >>"$work/log" 2>&1 || give_up "a command failed"
ended
[ -s "$work/daemon.aot" ] && [ -s "$work/cli.aot" ] || give_up "the JVM has written none"
chmod 644 "$work/daemon.aot" "$work/cli.aot"
mv "$work/daemon.aot" "$work/cli.aot" "$dist/lib/"
