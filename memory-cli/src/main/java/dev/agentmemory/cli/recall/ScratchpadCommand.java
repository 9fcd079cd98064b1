package dev.agentmemory.cli.recall;

import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.conversation.Scratchpads;
import dev.agentmemory.cli.recall.reply.MemoryForms;
import dev.agentmemory.cli.recall.reply.ScratchpadReply;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Reads and writes the working values of a conversation.
@Command(
    name = "scratchpad",
    description = {
      "Reads and writes working values of a conversation: a JSON value for each key.",
      "They stay until they are cleared, and are not memories: no search finds them."
    },
    mixinStandardHelpOptions = true)
final class ScratchpadCommand implements Runnable {

  private final RecallContext memory;

  @Spec private CommandSpec spec = CommandSpec.create();

  ScratchpadCommand(RecallContext memory) {
    this.memory = memory;
  }

  @Override
  public void run() {
    throw new ParameterException(
        new CommandLine(spec), "missing subcommand: expected write, read, list or clear");
  }

  @Command(name = "write", description = "Writes a value.", mixinStandardHelpOptions = true)
  int write(
      @Parameters(index = "0", paramLabel = "SESSION", description = "Id of the conversation.")
          String text,
      @Parameters(
              index = "1",
              paramLabel = "KEY",
              description = "Key of the value, 1 to 128 characters.")
          String key,
      @Parameters(
              index = "2",
              paramLabel = "VALUE",
              description = "JSON, at most 64 KiB; - reads standard input.")
          String value,
      @Option(names = "--text", description = "VALUE is plain text, not JSON.") boolean plain) {
    SessionId session = session(text);
    String given = TextInput.of("VALUE", List.of(value), memory.input(), ScratchpadEntry.MAX_VALUE);
    String json = plain ? JsonWriter.quoted(given) : given;
    if (!JsonWriter.isJson(json)) {
      throw MemoryException.invalid("VALUE", "is not JSON; use --text for plain text");
    }
    return memory.ask(daemon -> {
      ScratchpadEntry entry = pads(daemon).write(session, key, json);
      return Reply.line("written: " + entry.key(), pen -> MemoryForms.entry(pen, entry));
    });
  }

  @Command(name = "read", description = "Prints a value as JSON.", mixinStandardHelpOptions = true)
  int read(
      @Parameters(index = "0", paramLabel = "SESSION", description = "Id of the conversation.")
          String text,
      @Parameters(index = "1", paramLabel = "KEY", description = "Key of the value.") String key) {
    SessionId session = session(text);
    return memory.ask(daemon ->
        new Value(
            pads(daemon)
                .read(session, key)
                .orElseThrow(() ->
                    new MemoryException(
                        ErrorCode.NOT_FOUND,
                        "the scratchpad of " + session + " has no key " + key))));
  }

  private record Value(ScratchpadEntry entry) implements Reply {

    @Override
    public void print(Terminal screen) {
      screen.line(screen.shown(entry.value()));
    }

    @Override
    public void write(JsonWriter json) {
      MemoryForms.entry(json, entry);
    }
  }

  @Command(name = "list", description = "Lists the values.", mixinStandardHelpOptions = true)
  int list(
      @Parameters(paramLabel = "SESSION", description = "Id of the conversation.") String text) {
    SessionId session = session(text);
    return memory.ask(daemon -> new ScratchpadReply(pads(daemon).list(session), daemon.times()));
  }

  @Command(
      name = "clear",
      description = "Deletes a value, or all values of a conversation.",
      mixinStandardHelpOptions = true)
  int clear(
      @Parameters(index = "0", paramLabel = "SESSION", description = "Id of the conversation.")
          String text,
      @Parameters(
              index = "1",
              arity = "0..1",
              paramLabel = "KEY",
              description = "Key of the value (default: all).")
          Optional<String> key) {
    SessionId session = session(text);
    return memory.ask(daemon -> {
      Scratchpads pads = pads(daemon);
      long deleted = key.map(one -> pads.clear(session, one)).orElseGet(() -> pads.clear(session));
      return Reply.line(
          Format.count(deleted, "value") + " deleted", json -> json.number("deleted", deleted));
    });
  }

  private static Scratchpads pads(RecallContext.Connection daemon) {
    return daemon.recall().conversations().scratchpads();
  }

  private static SessionId session(String text) {
    return SessionId.parseStored("SESSION", text);
  }
}
