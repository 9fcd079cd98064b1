package dev.agentmemory.bench.damage;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Result of a damage.
///
/// @param recovery empty when nothing had to be recovered, or there is no such command
record DamageOutcome(
    DamageCase damaged, List<DamageTrial.Start> starts, Optional<Recovery> recovery) {

  DamageOutcome {
    starts = List.copyOf(starts);
    Objects.requireNonNull(recovery, "recovery");
  }

  /// The result before a recovery.
  DamageOutcome(DamageCase damaged, List<DamageTrial.Start> starts) {
    this(damaged, starts, Optional.empty());
  }

  /// Whether data was missing or refused, so that a recovery is needed.
  boolean needsRecovery() {
    return missing() > 0 || refusedDaemon() || refusedStore();
  }

  boolean refusedDaemon() {
    return starts.stream().anyMatch(start -> start.refused().isPresent());
  }

  boolean refusedStore() {
    return starts.stream()
        .filter(start -> start.refused().isEmpty())
        .flatMap(start -> start.served().values().stream())
        .anyMatch(DamageTrial.Served::refused);
  }

  /// Acknowledged events that were missing without a report, at the start with the most of them.
  int silent() {
    return starts.stream()
        .mapToInt(start ->
            start.served().values().stream()
                .filter(served -> served.told().isEmpty())
                .mapToInt(DamageTrial.Served::missing)
                .sum())
        .max()
        .orElse(0);
  }

  /// The first report of missing data.
  Optional<String> report() {
    return starts.stream()
        .flatMap(start -> start.served().values().stream())
        .flatMap(served -> served.told().stream())
        .findFirst();
  }

  /// Acknowledged events that were missing, reported or not, at the start with the most of them.
  int missing() {
    return starts.stream()
        .mapToInt(
            start -> start.served().values().stream().mapToInt(DamageTrial.Served::missing).sum())
        .max()
        .orElse(0);
  }

  List<Path> changed() {
    return starts.stream().flatMap(start -> start.changed().stream()).distinct().toList();
  }

  /// Whether a refusal has changed only the engine's own `LOG`.
  boolean onlyEngineLog() {
    return !changed().isEmpty()
        && changed().stream().allMatch(path -> path.getFileName().toString().startsWith("LOG"));
  }

  /// Whether a workspace with intact files lacked events. Files of the whole directory belong to
  /// all workspaces.
  boolean otherNotServed() {
    return damaged.file().workspace().isPresent()
        && starts.stream()
            .flatMap(start -> start.served().entrySet().stream())
            .anyMatch(served ->
                !served.getKey().equals(damaged.file().workspace().get())
                    && served.getValue().missing() > 0);
  }

  /// Whether all thresholds are met.
  boolean isGood() {
    return silent() == 0
        && changed().isEmpty()
        && !otherNotServed()
        && recovery.stream().allMatch(Recovery::isGood);
  }

  /// As text: the case, and the events of each start.
  String story() {
    var lines = new ArrayList<String>();
    lines.add(damaged.toString());
    for (DamageTrial.Start start : starts) {
      lines.add("      " + line(start));
    }
    recovery.ifPresent(one -> lines.add("      " + one.story()));
    recovery
        .filter(one -> !one.isGood())
        .ifPresent(one -> lines.add("      output: " + head(one.said())));
    return String.join(System.lineSeparator(), lines);
  }

  private static String line(DamageTrial.Start start) {
    var parts = new ArrayList<String>();
    start
        .refused()
        .ifPresent(said ->
            parts.add(
                "not started"
                    + (isNamed(start) ? ": " : " (FILE NOT NAMED): ")
                    + head(lastLine(said))));
    if (start.refused().isEmpty()) {
      start.served().forEach((workspace, served) -> parts.add(workspace + " " + line(served)));
    }
    if (!start.changed().isEmpty()) {
      parts.add("changed " + start.changed());
    }
    return String.join("; ", parts);
  }

  private static boolean isNamed(DamageTrial.Start start) {
    return start.served().values().stream().allMatch(served -> served.told().isPresent());
  }

  private static String line(DamageTrial.Served served) {
    if (served.missing() == 0) {
      return "complete";
    }
    return (served.refused() ? "refused, " : "")
        + served.missing()
        + " missing, "
        + served.told().map(text -> "reported: " + head(text)).orElse("NOT REPORTED");
  }

  private static String lastLine(String text) {
    return text.strip().lines().reduce("", (_, last) -> last);
  }

  private static String head(String text) {
    String line = text.replace('\n', ' ');
    return line.substring(0, Math.min(line.length(), 300));
  }

  /// As JSON.
  Map<String, Object> row() {
    var row = new LinkedHashMap<String, Object>();
    row.put("case", damaged.number());
    row.put("kind", damaged.file().kind().label());
    row.put("file", damaged.file().path().toString());
    row.put("damage", damaged.damage().toString());
    row.put("refused_daemon", refusedDaemon());
    row.put("refused_store", refusedStore());
    row.put("missing", missing());
    row.put("silent", silent());
    row.put("report", report().orElse(""));
    row.put("changed", changed().stream().map(Path::toString).toList());
    row.put("other_not_served", otherNotServed());
    recovery.ifPresent(one -> {
      row.put("recover_status", one.status());
      row.put("recover_missing", one.missing());
      row.put("recover_owed", one.owed());
      row.put("recover_unnamed", one.unnamed());
    });
    row.put("story", story());
    return row;
  }
}
