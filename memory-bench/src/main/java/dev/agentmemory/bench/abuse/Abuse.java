package dev.agentmemory.bench.abuse;

import java.util.Locale;

/// What the attacker does.
enum Abuse {
  /// No abuse of the daemon, for comparison: what a busy machine alone does to the others.
  BUSY_MACHINE("two threads that compute, without a call"),
  UNREAD_ANSWERS("20 connections x 200 unread GetEvents"),
  IDLE_CONNECTIONS("1,100 idle connections without the token, of each port"),
  LONG_QUERIES("8 clients with queries of 8 MB and of 4,096 characters"),
  LARGE_EVENTS("streams and calls with events of 1 MiB"),
  HTTP_BODIES("slow heads and bodies, and unread posts of large bodies over HTTP"),
  COSTLY_CALLS("256 searches, contexts, exports and rebuilds at a time over one connection");

  final String what;

  Abuse(String what) {
    this.what = what;
  }

  /// As the table of figures names it.
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
