#!/usr/bin/env bash
# Run by the packaging of memory-daemon: rehearse.sh DIST EVENTS SKIP. Lets a daemon and a command line run once
# and keeps what the JVM learns of it: which classes are needed, loaded and linked (JEP 483, 514,
# 515). Without these files everything works, only slower; so a rehearsal that fails fails nothing. The
# JVM believes them without looking at the jars: those of a former build would run its classes, so they
# go even when there is nothing to take their place (SKIP is true).
set -uo pipefail

dist=$1
events=$2
rm -f "$dist"/lib/*.aot
[ "$3" != true ] || exit 0

memory=$dist/bin/memory
work=$(mktemp -d)
daemon=
end() {
  [ -z "$daemon" ] || { kill "$daemon" && wait "$daemon"; } 2>/dev/null
  rm -rf "$work"
}
trap end EXIT
give_up() {
  rm -f "$dist"/lib/*.aot
  echo "agent-memory is packaged without its start-up caches: $1" >&2
  tail -n 5 "$work/log" >&2
  exit 0
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
# A first daemon makes a store, so that the recorded one opens an existing store, as nearly all starts do, and
# creates one for another workspace.
"$memory" start --timeout 120 --data "$work/data" --port 0 >>"$work/log" 2>&1 || give_up "the daemon did not start"
{
  "$memory" ingest --data "$work/data" "$events" && "$memory" stop --data "$work/data"
} >>"$work/log" 2>&1 || give_up "a command failed"
MEMORY_JAVA_OPTS="-XX:AOTCacheOutput=$work/daemon.aot -Xlog:disable" \
  "$memory" start --foreground --data "$work/data" --port 0 >>"$work/log" 2>&1 &
daemon=$!
for _ in {1..1200}; do
  [ ! -e "$work/data/daemon.json" ] || break
  kill -0 "$daemon" 2>/dev/null || break
  sleep 0.1
done
[ -e "$work/data/daemon.json" ] || give_up "the daemon did not start again"
head -n 2 "$events" >"$work/few.jsonl"
{
  "$memory" workspaces create other --data "$work/data" \
    && "$memory" ingest --data "$work/data" --workspace other "$events" \
    && MEMORY_JAVA_OPTS="-XX:AOTCacheOutput=$work/cli.aot -Xlog:disable" \
      "$memory" rehearse --data "$work/data" "$work/few.jsonl" \
    && "$memory" stop --data "$work/data"
} >>"$work/log" 2>&1 || give_up "a command failed"
# Ended by a signal, it says so.
wait "$daemon"
daemon=
[ -s "$work/daemon.aot" ] && [ -s "$work/cli.aot" ] || give_up "the JVM has written none"
chmod 644 "$work/daemon.aot" "$work/cli.aot"
mv "$work/daemon.aot" "$work/cli.aot" "$dist/lib/"
