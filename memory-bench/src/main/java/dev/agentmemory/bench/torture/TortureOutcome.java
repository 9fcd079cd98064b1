package dev.agentmemory.bench.torture;

import java.util.List;
import java.util.Set;

/// What came of a schedule.
///
/// @param notRun kinds of its steps that the machine does not allow
/// @param violations what else should not have happened
/// @param recoveries how often `memory recover` was needed
/// @param failures calls and streams that failed meanwhile, and were made again
/// @param injected what the library did
/// @param seconds how long it took
record TortureOutcome(
    FaultSchedule schedule,
    Set<FaultKind> notRun,
    EventAccount.Counts events,
    List<String> violations,
    int recoveries,
    int failures,
    Injected injected,
    double seconds) {

  TortureOutcome {
    notRun = Set.copyOf(notRun);
    violations = List.copyOf(violations);
  }

  /// Counts of the library that lets calls of the system fail.
  record Injected(long writes, long syncs, long clockReads) {

    static final Injected NONE = new Injected(0, 0, 0);

    static Injected of(FaultControl faults) {
      return new Injected(faults.failedWrites(), faults.failedSyncs(), faults.shiftedReads());
    }
  }

  boolean isGood() {
    return events.lost() == 0 && violations.isEmpty();
  }

  /// As text: the schedule and what was wrong.
  String story() {
    return "%s: %d of %d acknowledged events lost without a report; %d reported; %s"
        .formatted(schedule, events.lost(), events.acknowledged(), events.reported(), violations);
  }
}
