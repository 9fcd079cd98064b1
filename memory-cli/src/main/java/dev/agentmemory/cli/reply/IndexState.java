package dev.agentmemory.cli.reply;

import dev.agentmemory.api.SearchReport;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// State of the search index, as a sentence and as JSON.
public record IndexState(SearchReport report) {

  public String sentence() {
    List<String> parts = new ArrayList<>();
    if (report.bytes() > 0) {
      parts.add(Format.count(report.events(), "event"));
      parts.add(summaries());
      report.model().ifPresent(model -> parts.add(embedded(model)));
      parts.add(Format.bytes(report.bytes()));
    } else {
      // A workspace in a shared store does not get the sums of all workspaces.
      parts.add(report.complete() ? "in the index of the shared store" : "no index");
      report.model().ifPresent(model -> parts.add("embedded with " + model));
    }
    return String.join(", ", parts) + pending();
  }

  private String summaries() {
    return String.format(
        Locale.ROOT,
        "%,d %s",
        report.summaries(),
        report.summaries() == 1 ? "summary" : "summaries");
  }

  private String embedded(String model) {
    String left =
        report.toEmbed() == 0 ? "" : String.format(Locale.ROOT, ", %,d left", report.toEmbed());
    return String.format(Locale.ROOT, "%,d embedded with %s", report.vectors(), model) + left;
  }

  private String pending() {
    var text = new StringBuilder();
    if (report.behind() > 0) {
      text.append("; ").append(Format.count(report.behind(), "change")).append(" behind");
    }
    if (report.rebuilt().isPresent()) {
      text.append("; rebuilding, ")
          .append(Math.round(report.rebuilt().get() * 100))
          .append(" % done");
    } else if (!report.complete()) {
      text.append("; incomplete, a rebuild is pending");
    }
    return text.toString();
  }

  public void write(JsonWriter json) {
    json.number("events", report.events())
        .number("summaries", report.summaries())
        .number("embedded", report.vectors())
        .number("to_embed", report.toEmbed())
        .text("model", report.model())
        .number("disk_bytes", report.bytes())
        .number("behind", report.behind())
        .fraction("rebuilt", report.rebuilt())
        .flag("complete", report.complete())
        .text("waits_for", report.waitsFor());
  }
}
