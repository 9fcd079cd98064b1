package dev.agentmemory.cli;

import dev.agentmemory.cli.agent.AgentCommands;
import dev.agentmemory.cli.console.ConsoleCommand;
import dev.agentmemory.cli.export.ExportCommand;
import dev.agentmemory.cli.recall.RecallCommands;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// The commands that call a running daemon, and those that need neither a daemon nor a store.
public final class OnlineCommands {

  private OnlineCommands() {}

  /// By name, in the order of the help text.
  public static SequencedMap<String, MemoryCommand.Factory> all() {
    var commands = new LinkedHashMap<String, MemoryCommand.Factory>();
    commands.put("demo", DemoCommand::new);
    commands.put("stop", StopCommand::new);
    commands.put("status", StatusCommand::new);
    commands.put("console", ConsoleCommand::new);
    commands.put("ingest", IngestCommand::new);
    commands.put("toc", TocCommand::new);
    commands.put("grip", GripCommand::new);
    commands.put("search", SearchCommand::new);
    commands.put("ask-context", AskContextCommand::new);
    commands.put("events", EventsCommand::new);
    commands.put("sessions", SessionsCommand::new);
    commands.put("segments", SegmentsCommand::new);
    RecallCommands.all().forEach((name, creation) -> commands.put(name, creation::apply));
    commands.put("export", ExportCommand::new);
    AgentCommands.all().forEach((name, creation) -> commands.put(name, creation::apply));
    commands.put("mcp", McpCommand::new);
    commands.put("workspaces", WorkspacesCommand::new);
    commands.put("jobs", JobsCommand::new);
    commands.put("rebuild", RebuildCommand::new);
    commands.put("usage", UsageCommand::new);
    commands.put(CompletionCommand.NAME, CompletionCommand::new);
    return commands;
  }
}
