package dev.agentmemory.cli.agent;

import dev.agentmemory.agents.project.ProjectNames;
import dev.agentmemory.agents.recording.CaptureFile;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Switches the recording of agents' sessions.
@Command(
    name = "capture",
    description = {
      "Switches the recording of agents' sessions on or off, at once and until it is switched"
          + " again; without an argument it shows which it is.",
      "Agents can still search what was recorded."
    },
    mixinStandardHelpOptions = true)
final class CaptureCommand implements Callable<Integer> {

  private final AgentContext memory;

  @Parameters(arity = "0..1", paramLabel = "on|off", description = "What to switch it to.")
  private Optional<String> wanted = Optional.empty();

  @Option(
      names = "--project",
      paramLabel = "DIR",
      arity = "0..1",
      fallbackValue = ".",
      description = "Only for the project in DIR (default: this directory).")
  private Optional<Path> project = Optional.empty();

  CaptureCommand(AgentContext memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() throws IOException {
    boolean on = wanted.map(CaptureCommand::isOn).orElse(true);
    CaptureFile found = found(on);
    if (wanted.isPresent()) {
      Instant time = memory.system().now();
      found =
          project.isPresent()
              ? found.with(workspace(project.get()), on, time)
              : found.with(!on, time);
      if (!Files.isDirectory(memory.data())) {
        throw new MemoryException(
            ErrorCode.NOT_FOUND,
            "there is no data directory %s yet; start a daemon or install an agent first"
                .formatted(memory.data()));
      }
      found.write(memory.data());
    }
    CaptureFile now = found;
    memory.say(
        Reply.line(
            "capture is " + now.sentence(),
            json -> json.flag("off", now.off()).texts("projects", now.projects())));
    return ExitCodes.OK;
  }

  private String workspace(Path dir) {
    try {
      return ProjectNames.workspaces(memory.data()).of(dir.toRealPath()).value();
    } catch (IOException e) {
      throw new MemoryException(ErrorCode.NOT_FOUND, "there is no directory " + dir, e);
    }
  }

  /// A file that cannot be read does not prevent switching it on again.
  private CaptureFile found(boolean on) throws IOException {
    try {
      return CaptureFile.read(memory.data());
    } catch (MemoryException e) {
      if (wanted.isPresent() && on && project.isEmpty()) {
        return CaptureFile.ofUnreadable(memory.data());
      }
      throw e;
    }
  }

  private static boolean isOn(String text) {
    return switch (text) {
      case "on" -> true;
      case "off" -> false;
      default -> throw MemoryException.invalid("on|off", "is `" + text + "`; expected on or off");
    };
  }
}
