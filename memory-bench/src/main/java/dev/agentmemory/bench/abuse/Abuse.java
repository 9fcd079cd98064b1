package dev.agentmemory.bench.abuse;

/// What the attacker does.
enum Abuse {
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
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
  }
}
