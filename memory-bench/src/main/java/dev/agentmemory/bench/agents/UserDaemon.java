package dev.agentmemory.bench.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.bench.agents.program.AgentRun;
import dev.agentmemory.bench.daemon.Children;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// The memory of a user, with whatever daemon serves it: one that was started here, or one that a
/// hook has started.
final class UserDaemon implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant END = Instant.ofEpochMilli(1L << 48);

  private final Path launcher;
  private final Path home;
  private final Path data;

  UserDaemon(Path launcher, Path home, Path data) {
    this.launcher = launcher;
    this.home = home;
    this.data = data;
  }

  Path data() {
    return data;
  }

  /// Runs a command of the packaged program.
  ///
  /// @throws IllegalStateException with its output when it fails
  String command(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(launcher.toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("--data", data.toString()));
    Path out = Files.createTempFile(home, "command", ".txt");
    var builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
    String path = builder.environment().getOrDefault("PATH", "/usr/bin:/bin");
    builder.environment().clear();
    builder.environment().putAll(AgentRun.variables(home));
    builder.environment().put("PATH", path);
    Process process = Children.start(builder);
    boolean ended = process.waitFor(2, TimeUnit.MINUTES);
    String text = Files.readString(out);
    Files.delete(out);
    if (!ended || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IllegalStateException(String.join(" ", arguments) + " failed: " + text);
    }
    return text;
  }

  void start() throws IOException, InterruptedException {
    if (handle().isEmpty()) {
      var _ = command("start");
    }
  }

  void stop() throws IOException, InterruptedException {
    if (handle().isPresent()) {
      var _ = command("stop");
    }
  }

  /// Kills it without a chance to write anything.
  void kill() {
    handle()
        .ifPresent(daemon -> {
          daemon.destroyForcibly();
          daemon.onExit().join();
        });
  }

  private Optional<ProcessHandle> handle() {
    Path file = data.resolve("daemon.json");
    try {
      if (!Files.exists(file)) {
        return Optional.empty();
      }
      JsonNode daemon = JSON.readTree(Files.readString(file));
      return ProcessHandle.of(daemon.path("pid").asLong(-1)).filter(ProcessHandle::isAlive);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /// All events of all workspaces; empty when no daemon serves.
  List<Event> events() {
    List<Event> all = new ArrayList<>();
    try {
      Endpoint endpoint = Endpoint.find(data);
      List<WorkspaceReport> workspaces;
      try (MemoryClient client = MemoryClient.connect(endpoint)) {
        workspaces = Page.stream(PageRequest.of(100), client.workspaces()::list).toList();
      }
      for (WorkspaceReport workspace : workspaces) {
        var name = Optional.of(new WorkspaceName(workspace.name().value()));
        try (MemoryClient client = MemoryClient.connect(endpoint.withWorkspace(name))) {
          Page.stream(
                  PageRequest.of(500), page -> client.events().between(Instant.EPOCH, END, page))
              .forEach(all::add);
        }
      }
    } catch (MemoryException e) {
      return List.of();
    }
    return all;
  }

  @Override
  public void close() {
    handle()
        .ifPresent(daemon -> {
          daemon.destroy();
          try {
            daemon.onExit().get(1, TimeUnit.MINUTES);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (java.util.concurrent.ExecutionException
              | java.util.concurrent.TimeoutException e) {
            daemon.destroyForcibly();
          }
        });
  }
}
