package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.upkeep.ConsolidationCounts;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;

/// What a consolidation would do.
public record ConsolidationReply(ConsolidationCounts counts) implements Reply {

  @Override
  public void print(Terminal screen) {
    screen.row("would examine", "%,d".formatted(counts.scored()));
    screen.row("make long-term", "%,d".formatted(counts.promoted()));
    screen.row("delete", "%,d as irrelevant".formatted(counts.pruned()));
    screen.row("", "%,d over the cap of their scope".formatted(counts.capped()));
    screen.row("", "%,d of conversations that are over".formatted(counts.expired()));
    screen.row("merge", "%,d duplicates".formatted(counts.merged()));
    screen.row("replace", "%,d by later ones".formatted(counts.superseded()));
  }

  @Override
  public void write(JsonWriter json) {
    MemoryForms.counts(json, counts);
  }
}
