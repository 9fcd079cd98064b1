package dev.agentmemory.bench.damage;

import dev.agentmemory.bench.result.Report;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Counts the results of damages by kind of file.
final class DamageTally {

  private static final String LINE = "%-14s %5s %8s %8s %8s %12s %10s %8s %8s %10s %10s %6s";

  private final Map<StoredFile.Kind, DamageCount> counts = new EnumMap<>(StoredFile.Kind.class);

  /// Results of the damages of one kind, or of all.
  ///
  /// @param cases number of damages
  /// @param refusedDaemon cases in which a daemon did not start
  /// @param refusedStore cases in which a running daemon refused a store
  /// @param reported cases in which events were missing and that was reported
  /// @param silentCases cases in which events were missing and that was not reported
  /// @param silentEvents number of acknowledged events that were missing then
  /// @param changedCases cases in which a refusal changed a file
  /// @param logCases those of them in which only the engine's own `LOG` was changed
  /// @param otherCases cases in which another workspace was not served completely
  /// @param recoveries cases in which a recovery was needed
  /// @param recoverable number of events outside damaged blocks in these
  /// @param owed those of them that were not recovered
  /// @param unnamed events that were not recovered and whose session was not listed
  record DamageCount(
      int cases,
      int refusedDaemon,
      int refusedStore,
      int reported,
      int silentCases,
      int silentEvents,
      int changedCases,
      int logCases,
      int otherCases,
      int recoveries,
      int recoverable,
      int owed,
      int unnamed) {

    static final DamageCount NONE = new DamageCount(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    static DamageCount of(DamageOutcome outcome) {
      return new DamageCount(
          1,
          one(outcome.refusedDaemon()),
          one(outcome.refusedStore()),
          one(outcome.report().isPresent()),
          one(outcome.silent() > 0),
          outcome.silent(),
          one(!outcome.changed().isEmpty()),
          one(outcome.onlyEngineLog()),
          one(outcome.otherNotServed()),
          one(outcome.recovery().isPresent()),
          outcome.recovery().map(one -> one.acknowledged() - one.hit()).orElse(0),
          outcome.recovery().map(Recovery::owed).orElse(0),
          outcome.recovery().map(Recovery::unnamed).orElse(0));
    }

    private static int one(boolean is) {
      return is ? 1 : 0;
    }

    DamageCount plus(DamageCount other) {
      return new DamageCount(
          cases + other.cases,
          refusedDaemon + other.refusedDaemon,
          refusedStore + other.refusedStore,
          reported + other.reported,
          silentCases + other.silentCases,
          silentEvents + other.silentEvents,
          changedCases + other.changedCases,
          logCases + other.logCases,
          otherCases + other.otherCases,
          recoveries + other.recoveries,
          recoverable + other.recoverable,
          owed + other.owed,
          unnamed + other.unnamed);
    }

    /// The share of the events outside damaged blocks that was recovered, in percent.
    double recoveredPercent() {
      return recoverable == 0 ? 100 : 100.0 * (recoverable - owed) / recoverable;
    }
  }

  void add(DamageOutcome outcome) {
    counts.merge(outcome.damaged().file().kind(), DamageCount.of(outcome), DamageCount::plus);
  }

  DamageCount all() {
    return counts.values().stream().reduce(DamageCount.NONE, DamageCount::plus);
  }

  /// One line for each kind.
  List<String> table() {
    var lines = new ArrayList<String>();
    lines.add(
        LINE.formatted(
            "file",
            "cases",
            "daemon",
            "store",
            "reported",
            "silent cases",
            "and events",
            "changed",
            "only LOG",
            "other not",
            "recovered",
            "owed"));
    lines.add(
        LINE.formatted("", "", "refused", "refused", "", "", "", "files", "", "served", "%", ""));
    counts.forEach((kind, count) -> lines.add(line(kind.label(), count)));
    lines.add(line("all", all()));
    return lines;
  }

  private static String line(String label, DamageCount count) {
    return String.format(
        Locale.ROOT,
        LINE,
        label,
        count.cases(),
        count.refusedDaemon(),
        count.refusedStore(),
        count.reported(),
        count.silentCases(),
        count.silentEvents(),
        count.changedCases(),
        count.logCases(),
        count.otherCases(),
        count.recoveries() == 0 ? "-" : Report.number(count.recoveredPercent()),
        count.owed());
  }
}
