package dev.agentmemory.api;

import dev.agentmemory.store.UsageReader;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.ModelCall;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Calls of models and their tokens: the ledger, summed by day and model.
///
/// @param days of how many days, today included
/// @param rows the newest day first, then by model; a day without calls has none
public record ModelUsage(int days, List<Row> rows, Sums total) {

  /// Maximum number of days: ten years.
  public static final int MOST_DAYS = 3660;

  private static final int DEFAULT_DAYS = 30;

  /// Maximum number of rows, which fit into one response; further models are summed in [#OTHERS].
  static final int MOST_ROWS = 20_000;

  /// Stands for all models beyond the limit of rows.
  static final String OTHERS = "others";

  private static final Comparator<Row> NEWEST_FIRST =
      Comparator.comparing(Row::day).reversed().thenComparing(Row::model);

  public ModelUsage {
    if (days < 1 || days > MOST_DAYS) {
      throw new IllegalArgumentException("days outside 1.." + MOST_DAYS + ": " + days);
    }
    rows = List.copyOf(rows);
  }

  /// The calls of a day to a model.
  ///
  /// @param day in the store's zone
  /// @param model such as `openai/gpt-4o-mini`
  public record Row(LocalDate day, String model, Sums sums) {}

  /// Totals of several calls.
  ///
  /// @param failedCalls those without a usable response
  public record Sums(long calls, long failedCalls, long inputTokens, long outputTokens) {

    public static final Sums NONE = new Sums(0, 0, 0, 0);

    private Sums and(Sums other) {
      return new Sums(
          calls + other.calls,
          failedCalls + other.failedCalls,
          inputTokens + other.inputTokens,
          outputTokens + other.outputTokens);
    }

    /// The same with one more call.
    public Sums plus(ModelCall call) {
      return and(of(call));
    }

    private static Sums of(ModelCall call) {
      boolean failed = call.outcome() != ModelCall.Outcome.SUCCESS;
      return new Sums(1, failed ? 1 : 0, call.inputTokens(), call.outputTokens());
    }
  }

  /// Sums up the last days of a ledger, reading each call once and keeping none.
  ///
  /// @param zone in which days begin
  /// @param asked today included, 1 to [#MOST_DAYS]; 0 is 30
  /// @throws MemoryException `INVALID_FIELD` when it is out of range
  public static ModelUsage of(UsageReader ledger, ZoneId zone, Instant now, int asked) {
    if (asked < 0 || asked > MOST_DAYS) {
      throw MemoryException.invalid(
          "days", "is " + asked + "; expected 1 to " + MOST_DAYS + ", or 0 for " + DEFAULT_DAYS);
    }
    int days = asked == 0 ? DEFAULT_DAYS : asked;
    LocalDate today = LocalDate.ofInstant(now, zone);
    Map<Cell, Sums> cells = new HashMap<>();
    ledger.modelCalls(
        today.minusDays(days - 1L).atStartOfDay(zone).toInstant(),
        today.plusDays(1).atStartOfDay(zone).toInstant(),
        call -> {
          var cell = new Cell(LocalDate.ofInstant(call.time(), zone), call.model());
          boolean room = cells.containsKey(cell) || cells.size() < MOST_ROWS;
          cells.merge(room ? cell : new Cell(cell.day(), OTHERS), Sums.of(call), Sums::and);
        });
    List<Row> rows =
        cells.entrySet().stream()
            .map(entry -> new Row(entry.getKey().day(), entry.getKey().model(), entry.getValue()))
            .sorted(NEWEST_FIRST)
            .toList();
    return new ModelUsage(days, rows, rows.stream().map(Row::sums).reduce(Sums.NONE, Sums::and));
  }

  private record Cell(LocalDate day, String model) {}
}
