package dev.agentmemory.cli.recall;

import dev.agentmemory.cli.time.Times;
import dev.agentmemory.cli.time.When;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/// The options `--after`, `--before` and `--last`.
final class MemoryTimeOptions {

  private static final String AFTER = "--after";
  private static final String BEFORE = "--before";
  private static final String LAST = "--last";

  @Option(
      names = AFTER,
      paramLabel = "TIME",
      description =
          "Only memories made at or after the start of TIME, such as 2026-01-30, 2026-01,"
              + " yesterday or 7d (ago).")
  private Optional<String> after = Optional.empty();

  @Option(
      names = BEFORE,
      paramLabel = "TIME",
      description = "Only memories made before the start of TIME.")
  private Optional<String> before = Optional.empty();

  @Option(
      names = LAST,
      paramLabel = "PERIOD",
      description = "Only memories made in the last PERIOD, such as 1h, 1d or 1w.")
  private Optional<String> last = Optional.empty();

  /// @param before not included
  record Bounds(Optional<Instant> after, Optional<Instant> before) {}

  boolean isGiven() {
    return after.isPresent() || before.isPresent() || last.isPresent();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the option
  void check() {
    after.ifPresent(text -> When.parse(AFTER, text));
    before.ifPresent(text -> When.parse(BEFORE, text));
    last.ifPresent(text -> Period.parse(LAST, text));
  }

  /// @throws MemoryException `INVALID_FIELD` naming the option
  Bounds in(Times times, Instant now) {
    Optional<Instant> from =
        Stream.concat(
                after.map(text -> start(AFTER, text, times, now)).stream(),
                last.map(text -> now.minus(Period.parse(LAST, text))).stream())
            .max(Comparator.naturalOrder());
    Optional<Instant> to = before.map(text -> start(BEFORE, text, times, now));
    if (from.isPresent() && to.isPresent() && !from.get().isBefore(to.get())) {
      throw MemoryException.invalid(
          BEFORE,
          "leaves an empty time range: it ends at " + to.get() + ", and begins at " + from.get());
    }
    return new Bounds(from, to);
  }

  private static Instant start(String option, String text, Times times, Instant now) {
    return When.parse(option, text).in(times.zone(), now).start();
  }
}
