package dev.agentmemory.cli.agent;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.Function;

/// The commands of this package.
public final class AgentCommands {

  private AgentCommands() {}

  /// What creates them, by name, in the order of the help text.
  public static SequencedMap<String, Function<AgentContext, Object>> all() {
    var commands = new LinkedHashMap<String, Function<AgentContext, Object>>();
    commands.put("install", InstallCommand::new);
    commands.put("uninstall", UninstallCommand::new);
    commands.put("import", ImportCommand::new);
    commands.put("capture", CaptureCommand::new);
    commands.put("today", memory -> new DayCommand(memory, "today"));
    commands.put("yesterday", memory -> new DayCommand(memory, "yesterday"));
    commands.put("tail", TailCommand::new);
    commands.put("why", WhyCommand::new);
    commands.put("hook", memory -> new HookCommand(memory, memory.input()));
    return commands;
  }
}
