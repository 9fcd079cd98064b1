#!/usr/bin/env bash
# Training run of the packaging of memory-daemon: train.sh DIST EVENTS SKIP. Runs a daemon, a command line and a bridge once
# and stores in AOT caches which classes the JVM loaded and linked (JEP 483, 514). Without the
# caches everything works, only slower. A failed training run fails the packaging, because a slower
# package would not be noticed otherwise. The JVM does not compare a cache with the jars: a cache of an
# earlier build would run the classes of that build. So old caches are removed also when no new ones are
# made (SKIP is true).
set -uo pipefail

dist=$1
events=$2
rm -f "$dist"/lib/*.aot
[ "$3" != true ] || exit 0

memory=$dist/bin/memory
start_timeout=180
work=$(mktemp -d)
daemon=
end() {
  [ -z "$daemon" ] || { kill "$daemon" && wait "$daemon"; } 2>/dev/null
  rm -rf "$work"
}
trap end EXIT
give_up() {
  rm -f "$dist"/lib/*.aot
  echo "the AOT caches of agent-memory could not be created: $1; -Dtraining.skip packages without them" >&2
  tail -n 5 "$work/log" >&2
  exit 1
}

# Settings of the user who builds must not get into the caches.
while IFS='=' read -r name _; do
  case $name in
    MEMORY_* | JAVA_TOOL_OPTIONS | JDK_JAVA_OPTIONS | _JAVA_OPTIONS) unset "$name" ;;
  esac
done < <(env)
export HOME=$work XDG_CONFIG_HOME=$work

# Records a cache without the profiles of the methods that ran, which the launcher does not use
# (AOTReplayTraining). They would take 4 MiB of a daemon's memory.
recording() {
  echo "-XX:AOTCacheOutput=$work/$1 -XX:+UnlockDiagnosticVMOptions -XX:-AOTRecordTraining -Xlog:disable"
}

# Starts a daemon with options for its JVM and waits until it runs or has ended. On a busy machine a start takes long.
start() {
  local end=$((SECONDS + start_timeout))
  MEMORY_JAVA_OPTS=$1 "$memory" start --foreground --data "$work/data" --port 0 >>"$work/log" 2>&1 &
  daemon=$!
  until [ -e "$work/data/daemon.json" ]; do
    kill -0 "$daemon" 2>/dev/null || give_up "the daemon did not start"
    [ "$SECONDS" -lt "$end" ] || give_up "the daemon did not start within $start_timeout seconds"
    sleep 0.1
  done
}
# Waits for the daemon to end. Its process id is kept until then, so that `end` can stop it.
ended() {
  wait "$daemon"
  daemon=
}
# A first daemon creates a store, so that the recorded one opens an existing store, as nearly all starts do, and
# creates one for another workspace.
start ""
{
  "$memory" ingest --data "$work/data" "$events" && "$memory" stop --data "$work/data"
} >>"$work/log" 2>&1 || give_up "a command failed"
ended
start "$(recording daemon.aot)"
head -n 2 "$events" >"$work/few.jsonl"
# What agents of 2025 and of 2026 say to a bridge.
cat >"$work/messages.jsonl" <<'MESSAGES'
{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"a","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":3,"method":"tools/list"}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"memory_status","arguments":{}}}
MESSAGES
{
  "$memory" workspaces create other --data "$work/data" \
    && "$memory" ingest --data "$work/data" --workspace other "$events" \
    && MEMORY_JAVA_OPTS=$(recording cli.aot) \
      "$memory" train --data "$work/data" "$work/few.jsonl" \
    && MEMORY_JAVA_OPTS=$(recording bridge.aot) \
      "$memory" mcp --data "$work/data" <"$work/messages.jsonl" \
    && "$memory" stop --data "$work/data"
} >>"$work/log" 2>&1 || give_up "a command failed"
ended
for cache in daemon.aot cli.aot bridge.aot; do
  [ -s "$work/$cache" ] || give_up "the JVM wrote no $cache"
  chmod 644 "$work/$cache"
done
mv "$work/daemon.aot" "$work/cli.aot" "$work/bridge.aot" "$dist/lib/"
