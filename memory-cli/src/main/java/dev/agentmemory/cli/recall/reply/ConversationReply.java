package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Times;
import java.util.TreeMap;

/// One conversation with its preferences and settings.
public record ConversationReply(ConversationView conversation, Times times) implements Reply {

  @Override
  public void print(Terminal screen) {
    print(screen, conversation, times);
  }

  static void print(Terminal screen, ConversationView conversation, Times times) {
    screen.row("session", conversation.session().value());
    screen.row("ref code", conversation.refCode().value());
    screen.row("status", MemoryForms.word(conversation.status()));
    screen.row("channel", conversation.channel().value());
    screen.row("started", times.second(conversation.startedAt()));
    conversation.endedAt().ifPresent(at -> screen.row("ended", times.second(at)));
    conversation.agent().ifPresent(agent -> screen.row("agent", agent));
    conversation.user().ifPresent(user -> screen.row("user", user));
    conversation.preferences().language().ifPresent(value -> screen.row("language", value));
    conversation.preferences().verbosity().ifPresent(value -> screen.row("verbosity", value));
    new TreeMap<>(conversation.preferences().custom())
        .forEach((key, value) -> screen.row("preference", key + ": " + value));
    overrides(screen, conversation.overrides());
  }

  private static void overrides(Terminal screen, SessionOverrides overrides) {
    overrides.decay().ifPresent(on -> screen.row("decay", on ? "on" : "off"));
    overrides.halfLife().ifPresent(time -> screen.row("half-life", Format.time(time)));
    overrides.floor().ifPresent(value -> screen.row("floor", MemoryForms.two(value)));
    overrides.autoCompact().ifPresent(on -> screen.row("auto-compact", on ? "on" : "off"));
    overrides.compactAt().ifPresent(value -> screen.row("compact-at", MemoryForms.two(value)));
  }

  @Override
  public void write(JsonWriter json) {
    MemoryForms.conversation(json, conversation);
  }
}
