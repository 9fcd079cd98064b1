package dev.agentmemory.cli.console;

import dev.agentmemory.cli.agent.AgentContext;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Opens the web console in a browser. The daemon writes a file that only this user can read; its
/// page posts a code to the daemon, which is good once and for half a minute.
@Command(
    name = "console",
    description = {
      "Opens the web console in a browser.",
      "It does so through a file in the data directory that is good once, for 30 seconds."
    },
    mixinStandardHelpOptions = true)
public final class ConsoleCommand implements Callable<Integer> {

  private final AgentContext memory;

  @Option(names = "--no-browser", description = "Print the path of the file and do not open it.")
  private boolean noBrowser;

  public ConsoleCommand(AgentContext memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() throws IOException {
    Path data = memory.data();
    // Nothing is sent unless a daemon holds the lock of the directory and answers.
    try (MemoryClient daemon = memory.connect()) {
      daemon.ping();
      EntryAnswer entry = EntryAnswer.ask(Endpoint.find(data).withWorkspace(memory.workspace()));
      Path file = data.resolve(entry.file());
      boolean opened = !noBrowser && BrowserOpener.open(file, memory.environment());
      memory.say(
          Reply.line(
              sentence(file, opened, entry.seconds()),
              json ->
                  json.text("file", file.toString())
                      .number("seconds", entry.seconds())
                      .flag("opened", opened)));
    }
    return ExitCodes.OK;
  }

  private String sentence(Path file, boolean opened, long seconds) {
    if (opened) {
      return "opened the console in the browser";
    }
    return noBrowser
        ? file.toString()
        : "found no browser; open this file within " + seconds + " seconds: " + file;
  }
}
