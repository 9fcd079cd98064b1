package dev.agentmemory.cli.time;

import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Option;

/// The options `--from` and `--to`.
public final class Range {

  /// After every event.
  private static final Instant END = Instant.ofEpochMilli(1L << 48);

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Start time, such as 2026-01-30, 2026-01, yesterday or 7d (ago).")
  private Optional<String> from = Optional.empty();

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description =
          "End time. A day, week, month or year is included as a whole; an instant is excluded.")
  private Optional<String> to = Optional.empty();

  /// A range with an exclusive end.
  public record Bounds(Instant from, Instant to) {

    /// All times.
    public static final Bounds ALL = new Bounds(Instant.EPOCH, END);

    /// The smallest range that has both.
    public Bounds with(Bounds other) {
      return new Bounds(
          from.isBefore(other.from) ? from : other.from, to.isAfter(other.to) ? to : other.to);
    }

    public boolean holds(Instant time) {
      return !time.isBefore(from) && time.isBefore(to);
    }

    /// Whether a range overlaps these bounds.
    ///
    /// @param last inclusive
    public boolean meets(Instant first, Instant last) {
      return !last.isBefore(from) && first.isBefore(to);
    }
  }

  /// Refuses values that are not times.
  ///
  /// @throws MemoryException `INVALID_FIELD` naming the option
  public void check() {
    from.ifPresent(text -> When.parse("--from", text));
    to.ifPresent(text -> When.parse("--to", text));
  }

  /// @throws MemoryException `INVALID_FIELD` naming the option
  public Bounds in(Times times, Instant now) {
    return bounds("--from", from, "--to", to, times, now);
  }

  /// The range that two options give.
  ///
  /// @param fromName of the option, for the error
  /// @param from empty: from the beginning
  /// @param toName of the option, for the error
  /// @param to empty: to the end
  /// @throws MemoryException `INVALID_FIELD` naming the option
  public static Bounds bounds(
      String fromName,
      Optional<String> from,
      String toName,
      Optional<String> to,
      Times times,
      Instant now) {
    Instant first =
        from.map(text -> When.parse(fromName, text).in(times.zone(), now).start())
            .orElse(Instant.EPOCH);
    Instant end = to.map(text -> When.parse(toName, text).in(times.zone(), now).end()).orElse(END);
    if (end.isBefore(first)) {
      throw MemoryException.invalid(toName, "is before " + fromName);
    }
    return new Bounds(first, end);
  }
}
