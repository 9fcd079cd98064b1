package dev.agentmemory.bench.torture;

/// The kinds of steps of a schedule.
enum FaultKind {
  LOAD("events without a fault"),
  KILL("kill -9"),
  SUSPEND("SIGSTOP"),
  RESTART("restart"),
  FULL_DISK("full disk"),
  FAILED_WRITE("failing write"),
  FAILED_SYNC("failing fsync"),
  CLOCK_JUMP("clock jump of a day"),
  TORN_LOG("torn tail of the log"),
  CUT_LOG("log cut in what was acknowledged"),
  FLIPPED_TABLE("flipped bit in a table"),
  FLIPPED_INDEX("flipped bit in the index"),
  FLIPPED_BACKUP("flipped bit in a backup"),
  UNREAD_CALLS("client that never reads");

  private final String label;

  FaultKind(String label) {
    this.label = label;
  }

  /// Its name in tables.
  String label() {
    return label;
  }
}
