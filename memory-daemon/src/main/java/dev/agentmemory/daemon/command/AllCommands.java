package dev.agentmemory.daemon.command;

import dev.agentmemory.cli.MemoryCommand;
import dev.agentmemory.cli.OnlineCommands;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// Every command of the program.
public final class AllCommands {

  private AllCommands() {}

  /// By name, in the order of the help text.
  ///
  /// @param foreground runs the daemon of `start --foreground`
  public static SequencedMap<String, MemoryCommand.Factory> with(Foreground foreground) {
    SequencedMap<String, MemoryCommand.Factory> commands =
        new LinkedHashMap<>(OnlineCommands.all());
    commands.putFirst("start", memory -> new StartCommand(memory, foreground));
    commands.put("migrate", MigrateCommand::new);
    commands.put("recover", RecoverCommand::new);
    commands.put("backup", BackupCommand::new);
    commands.put("restore", RestoreCommand::new);
    commands.put("scrub", ScrubCommand::new);
    commands.put("forget", ForgetCommand::new);
    commands.put("config", ConfigCommand::new);
    commands.put("token", TokenCommand::new);
    commands.put("audit", AuditCommand::new);
    commands.put("doctor", DoctorCommand::new);
    return commands;
  }
}
