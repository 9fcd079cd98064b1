package dev.agentmemory.cli.recall;

import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.ChannelChange;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.cli.recall.reply.ChannelsReply;
import dev.agentmemory.cli.recall.reply.MemoryForms;
import dev.agentmemory.cli.terminal.Reply;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Lists, creates and changes channels.
@Command(
    name = "channels",
    description = "Lists, creates and changes channels, which group conversations by topic.",
    mixinStandardHelpOptions = true)
final class ChannelsCommand implements Callable<Integer> {

  private final RecallContext memory;

  ChannelsCommand(RecallContext memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    return list();
  }

  @Command(name = "list", description = "Lists the channels.", mixinStandardHelpOptions = true)
  int list() {
    return memory.ask(
        daemon -> new ChannelsReply(daemon.recall().channels().list(), daemon.times()));
  }

  @Command(name = "create", description = "Creates a channel.", mixinStandardHelpOptions = true)
  int create(
      @Parameters(paramLabel = "NAME", description = "Name of the channel.") String text,
      @Option(
              names = "--description",
              paramLabel = "TEXT",
              defaultValue = "",
              description = "What the channel is about; at most 1000 characters.")
          String description) {
    ChannelName name = name("NAME", text);
    return changed(" is created", daemon -> daemon.recall().channels().create(name, description));
  }

  @Command(
      name = "rename",
      description = {"Renames a channel.", "Its conversations and memories stay in it."},
      mixinStandardHelpOptions = true)
  int rename(
      @Parameters(index = "0", paramLabel = "NAME", description = "Name of the channel.")
          String text,
      @Parameters(index = "1", paramLabel = "NEW", description = "New name of the channel.")
          String newText) {
    ChannelName name = name("NAME", text);
    ChannelName newName = name("NEW", newText);
    return changed(
        " is the new name of " + name,
        daemon -> daemon.recall().channels().change(name, ChannelChange.rename(newName)));
  }

  @Command(
      name = "describe",
      description = "Changes the description of a channel.",
      mixinStandardHelpOptions = true)
  int describe(
      @Parameters(index = "0", paramLabel = "NAME", description = "Name of the channel.")
          String text,
      @Parameters(
              index = "1",
              paramLabel = "TEXT",
              description = "What the channel is about; at most 1000 characters.")
          String description) {
    ChannelName name = name("NAME", text);
    return changed(
        " is described",
        daemon -> daemon.recall().channels().change(name, ChannelChange.describe(description)));
  }

  @Command(
      name = "default",
      description = "Makes a channel the default for sessions that name none.",
      mixinStandardHelpOptions = true)
  int makeDefault(
      @Parameters(paramLabel = "NAME", description = "Name of the channel.") String text) {
    ChannelName name = name("NAME", text);
    return changed(
        " is the default channel", daemon -> daemon.recall().channels().makeDefault(name));
  }

  private int changed(String what, Function<RecallContext.Connection, Channel> change) {
    return memory.ask(daemon -> {
      Channel channel = change.apply(daemon);
      return Reply.line(
          "channel " + channel.name() + what, json -> MemoryForms.channel(json, channel));
    });
  }

  private static ChannelName name(String argument, String text) {
    return ChannelName.parse(argument, text);
  }
}
