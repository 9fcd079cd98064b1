package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.cli.terminal.Columns;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.cli.time.Times;
import java.util.List;

/// Conversations, one per line.
///
/// @param more whether there are more than these
public record ConversationsReply(List<ConversationView> conversations, boolean more, Times times)
    implements Reply {

  private static final String ROW = "%-11s  %-8s  %-19s  %-12s  ";

  public ConversationsReply {
    conversations = List.copyOf(conversations);
  }

  @Override
  public void print(Terminal screen) {
    if (conversations.isEmpty()) {
      screen.line("no conversations");
      return;
    }
    screen.line(
        screen.styled(
            Style.KEY, ROW.formatted("ref code", "status", "started", "channel") + "session"));
    for (ConversationView one : conversations) {
      String head =
          ROW.formatted(
              one.refCode(),
              MemoryForms.word(one.status()),
              times.second(one.startedAt()),
              Columns.cut(one.channel().value(), 12));
      int room = Math.max(20, screen.width() - Columns.width(head));
      screen.line(screen.styled(Style.DIM, head) + Columns.cut(one.session().value(), room));
    }
    if (more) {
      screen.error("there are more; see --limit and --channel");
    }
  }

  @Override
  public void write(JsonWriter json) {
    json.list("conversations", conversations, one -> MemoryForms.conversation(json, one))
        .flag("more", more);
  }
}
