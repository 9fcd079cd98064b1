package dev.agentmemory.bench.console.flow;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.List;
import java.util.Locale;

/// Ids of the nodes of the table of contents above the segments of a day.
public record DayNodes(LocalDate date) {

  public String day() {
    return "toc:day:" + date;
  }

  /// From the year down to the week. A week belongs to the month and year of its Thursday.
  public List<String> above() {
    LocalDate thursday = date.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)).plusDays(3);
    return List.of(
        "toc:year:" + thursday.getYear(),
        String.format(
            Locale.ROOT, "toc:month:%d:%02d", thursday.getYear(), thursday.getMonthValue()),
        String.format(
            Locale.ROOT,
            "toc:week:%d:W%02d",
            thursday.get(IsoFields.WEEK_BASED_YEAR),
            thursday.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR)));
  }

  /// Matches the item of a node.
  public static String item(String node) {
    return "[data-node=\"" + node + "\"][aria-expanded]";
  }

  /// Matches the item of a node that is open.
  public static String open(String node) {
    return "[data-node=\"" + node + "\"][aria-expanded=true]";
  }
}
