package dev.agentmemory.cli.reply;

import dev.agentmemory.api.ModelUsage;
import dev.agentmemory.api.ModelUsage.Sums;
import dev.agentmemory.cli.terminal.Columns;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;

/// The calls of models and their cost: a line for each day and model, and a total.
public record ModelUsageReply(ModelUsage usage) implements Reply {

  @Override
  public void print(Terminal screen) {
    if (usage.rows().isEmpty()) {
      screen.row("calls to models", "none in " + span());
      return;
    }
    int width =
        usage.rows().stream().mapToInt(row -> Columns.width(row.model())).max().orElseThrow();
    int model = Math.max(width, "model".length());
    screen.line(
        screen.styled(
            Style.BOLD,
            "%-10s  %s  %9s  %7s  %14s  %14s"
                .formatted(
                    "day", padded("model", model), "calls", "failed", "input tokens", "output")));
    for (ModelUsage.Row row : usage.rows()) {
      screen.line(
          row.day() + "  " + padded(Columns.cut(row.model(), model), model) + figures(row.sums()));
    }
    screen.line(
        "%-10s  %s%s".formatted("all", padded("in " + span(), model), figures(usage.total())));
  }

  private String span() {
    return usage.days() == 1 ? "this day" : usage.days() + " days";
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - Columns.width(text)));
  }

  private static String figures(Sums sums) {
    return "  %,9d  %,7d  %,14d  %,14d"
        .formatted(sums.calls(), sums.failedCalls(), sums.inputTokens(), sums.outputTokens());
  }

  @Override
  public void write(JsonWriter json) {
    json.list(
            "model_calls",
            usage.rows(),
            row -> {
              json.text("day", row.day().toString()).text("model", row.model());
              write(json, row.sums());
            })
        .object(
            "model_calls_total",
            () -> {
              json.number("days", usage.days());
              write(json, usage.total());
            });
  }

  private static void write(JsonWriter json, Sums sums) {
    json.number("calls", sums.calls())
        .number("failed_calls", sums.failedCalls())
        .number("input_tokens", sums.inputTokens())
        .number("output_tokens", sums.outputTokens());
  }
}
