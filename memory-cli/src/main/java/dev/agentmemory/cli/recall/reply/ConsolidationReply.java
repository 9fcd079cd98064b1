package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.upkeep.ConsolidationCounts;
import dev.agentmemory.api.upkeep.ConsolidationPreview;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;

/// What a consolidation would do.
public record ConsolidationReply(ConsolidationPreview preview) implements Reply {

  @Override
  public void print(Terminal screen) {
    ConsolidationCounts counts = preview.counts();
    screen.row("would examine", "%,d".formatted(counts.scored()));
    screen.row("make long-term", "%,d".formatted(counts.promoted()));
    screen.row("delete", "%,d as irrelevant".formatted(counts.pruned()));
    screen.row("", "%,d over the cap of their scope".formatted(counts.capped()));
    screen.row("", "%,d of conversations that are over".formatted(counts.expired()));
    screen.row("merge", "%,d duplicates".formatted(counts.merged()));
    screen.row("replace", "%,d by later ones".formatted(counts.superseded()));
    screen.row("share", "%,d preferences with all workspaces".formatted(preview.shared()));
    preview.first().forEach(one -> screen.line(one.id() + "  " + one.change()));
    long more = counts.changes() - preview.first().size();
    if (more > 0) {
      screen.line("and " + Format.count(more, "more memory", "more memories"));
    }
  }

  @Override
  public void write(JsonWriter json) {
    MemoryForms.counts(json, preview.counts());
    json.number("shared", preview.shared());
    json.list(
        "first",
        preview.first(),
        one -> json.text("memory_id", one.id().value()).text("change", one.change()));
  }
}
