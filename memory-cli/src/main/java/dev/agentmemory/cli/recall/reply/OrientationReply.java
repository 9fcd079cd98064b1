package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.upkeep.OrientationDocument;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;

/// What an agent has to know when it begins. Only the Markdown goes to standard output.
public record OrientationReply(OrientationDocument document) implements Reply {

  @Override
  public void print(Terminal screen) {
    if (!document.markdown().isEmpty()) {
      screen.line(screen.shown(document.markdown().stripTrailing()));
    }
    MemoriesReply.warn(screen, document.skipped());
  }

  @Override
  public void write(JsonWriter json) {
    json.text("markdown", document.markdown())
        .number("tokens", document.tokens())
        .texts("citations", document.citations())
        .flag("refined", document.refined())
        .number("skipped", document.skipped());
  }
}
