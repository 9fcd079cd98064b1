package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.cli.terminal.Columns;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.cli.time.Times;
import java.util.List;

/// The channels, one per line.
public record ChannelsReply(List<Channel> channels, Times times) implements Reply {

  private static final String ROW = "%-24s %-7s  %-19s  ";

  public ChannelsReply {
    channels = List.copyOf(channels);
  }

  @Override
  public void print(Terminal screen) {
    if (channels.isEmpty()) {
      screen.line("no channels");
      return;
    }
    screen.line(
        screen.styled(Style.KEY, ROW.formatted("channel", "default", "created") + "description"));
    for (Channel channel : channels) {
      String head =
          ROW.formatted(
              channel.name(), channel.isDefault() ? "yes" : "", times.second(channel.created()));
      int room = Math.max(20, screen.width() - Columns.width(head));
      screen.line((head + Columns.cut(channel.description(), room)).stripTrailing());
    }
  }

  @Override
  public void write(JsonWriter json) {
    json.list("channels", channels, channel -> MemoryForms.channel(json, channel));
  }
}
