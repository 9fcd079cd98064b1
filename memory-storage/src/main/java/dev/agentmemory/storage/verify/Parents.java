package dev.agentmemory.storage.verify;

import dev.agentmemory.types.NodeId;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.Optional;

/// Determines the parent of a node from its id alone. So the check that every node has exactly one
/// parent needs no memory of nodes. A week belongs to the month of its Thursday.
final class Parents {

  private Parents() {}

  static Optional<NodeId> of(NodeId id) {
    Optional<NodeId> parent = ofPlain(id.plain());
    return id.workspace().map(name -> parent.map(plain -> plain.in(name))).orElse(parent);
  }

  private static Optional<NodeId> ofPlain(NodeId id) {
    String period = id.value().substring(id.value().indexOf(':', 4) + 1);
    return switch (id.level()) {
      case YEAR -> Optional.empty();
      case MONTH -> Optional.of(NodeId.year(Integer.parseInt(period.substring(0, 4))));
      case WEEK -> Optional.of(NodeId.month(YearMonth.from(thursday(period))));
      case DAY -> Optional.of(week(LocalDate.parse(period)));
      case SEGMENT -> Optional.of(NodeId.day(LocalDate.parse(period.substring(0, 10))));
    };
  }

  private static NodeId week(LocalDate day) {
    return NodeId.week(
        day.get(IsoFields.WEEK_BASED_YEAR), day.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
  }

  /// @param week as in `2026:W05`
  private static LocalDate thursday(String week) {
    // January 4 is always in week 1.
    return LocalDate.of(Integer.parseInt(week.substring(0, 4)), 1, 4)
        .plusWeeks(Integer.parseInt(week.substring(6)) - 1L)
        .with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY))
        .plusDays(3);
  }
}
