package dev.agentmemory.bench.fuzz;

import dev.agentmemory.bench.daemon.Commands;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.testkit.fuzz.Changed;
import dev.agentmemory.testkit.fuzz.FuzzAttempt;
import dev.agentmemory.testkit.fuzz.FuzzAttempt.Outcome;
import dev.agentmemory.testkit.fuzz.FuzzTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/// Files that commands read, each changed and given to the command: the configuration, the tokens,
/// the marker of a data directory.
final class FileFuzz implements FuzzTarget {

  /// Good ends, a wrong input, a conflict and a failure that is told.
  private static final Set<Integer> GOOD_ENDS = Set.of(0, 1, 2, 3, 4);

  /// A file of a data directory, and the command that reads it.
  private record Kind(String file, List<String> command, String content) {}

  private static final List<Kind> KINDS =
      List.of(
          new Kind(
              "config.toml",
              List.of("config", "check", "--no-user-config", "--config", "FILE"),
              """
              multi_agent_mode = "separate"
              grpc_port = 7070
              auth.loopback = "token"

              [search]
              embeddings = "none"

              [toc]
              rollup_debounce = "10s"
              """),
          new Kind(
              "tokens.json",
              List.of("token", "list"),
              """
              {"schema_version":1,"tokens":[{"name":"ci","role":"reader","workspaces":["shop"],\
              "created_ms":1769783400000,"sha256":"%s"}]}
              """
                  .formatted("9f".repeat(32))),
          new Kind(
              "agent-memory.json",
              List.of("doctor"),
              "{\"magic\":\"agent-memory data directory\",\"format\":1,"
                  + "\"created\":\"2026-01-01T00:00:00Z\",\"check\":\"00000000\"}\n"));

  private final Site site;
  private final AtomicInteger directories = new AtomicInteger();

  FileFuzz(Site site) {
    this.site = site;
  }

  @Override
  public String name() {
    return "files of commands";
  }

  @Override
  public FuzzAttempt attempt(RandomGenerator random) throws IOException, InterruptedException {
    Kind kind = KINDS.get(random.nextInt(KINDS.size()));
    byte[] content = Changed.bytesOf(kind.content, random);
    Path data = Files.createDirectories(site.path("files-" + directories.getAndIncrement()));
    Path file = Files.write(data.resolve(kind.file), content);
    List<String> command = new ArrayList<>(kind.command);
    command.replaceAll(word -> word.equals("FILE") ? file.toString() : word);
    command.addAll(List.of("--data", data.toString()));
    Commands.Ran ran = site.command(command.toArray(String[]::new));
    Outcome outcome =
        !GOOD_ENDS.contains(ran.status())
            ? Outcome.DEFECT
            : ran.status() == 0 ? Outcome.VALID : Outcome.REFUSED;
    return new FuzzAttempt(
        outcome,
        kind.file + " " + new String(content, StandardCharsets.UTF_8),
        ran.status() + " " + ran.printed() + ran.errors());
  }
}
