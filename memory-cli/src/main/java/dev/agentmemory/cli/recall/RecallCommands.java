package dev.agentmemory.cli.recall;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.Function;

/// The commands of this package.
public final class RecallCommands {

  private RecallCommands() {}

  /// What creates them, by name, in the order of the help text.
  public static SequencedMap<String, Function<RecallContext, Object>> all() {
    var commands = new LinkedHashMap<String, Function<RecallContext, Object>>();
    commands.put("remember", RememberCommand::new);
    commands.put("recall", RecallCommand::new);
    commands.put("memories", MemoriesCommand::new);
    commands.put("orient", OrientCommand::new);
    commands.put("conversations", ConversationsCommand::new);
    commands.put("channels", ChannelsCommand::new);
    commands.put("scratchpad", ScratchpadCommand::new);
    commands.put("consolidation", ConsolidationCommand::new);
    return commands;
  }
}
