package dev.agentmemory.bench.console.flow;

import dev.agentmemory.bench.console.page.ConsoleCalls;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Commands;
import dev.agentmemory.bench.data.EventFiles;
import dev.agentmemory.bench.run.Site;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// A packaged daemon with the shared transcripts in it, imported as a user imports them, and with
/// sessions and memories of which the words are known.
public final class SampleStore implements AutoCloseable {

  /// The workspace that has [SampleSessions#ELSEWHERE].
  public static final String OTHER_WORKSPACE = "other";

  /// What memory told [SampleSessions#OPEN], of which an answer has the words.
  public static final String TOLD =
      "Retry four times with full jitter, as it was decided for the payments client.";

  public static final String TOLD_UNUSED = "The importer reads one line after the other.";

  /// A working note of [SampleSessions#FALCON].
  public static final String NOTE = "plan <b>1</b>";

  private static final String COMPRESSED = ".gz";

  private final Site site;
  private final String data;
  private final BenchDaemon daemon;
  private final Instant now;
  private final AtomicInteger ids = new AtomicInteger();

  private SampleStore(Site site, String data, BenchDaemon daemon, Instant now) {
    this.site = site;
    this.data = data;
    this.daemon = daemon;
    this.now = now;
  }

  /// Starts a daemon and fills it.
  ///
  /// @param data name of its data directory
  public static SampleStore start(Site site, String data, String... settings)
      throws IOException, InterruptedException {
    BenchDaemon daemon = site.daemon(data, settings);
    try {
      var store = new SampleStore(site, data, daemon, Instant.now());
      store.fill();
      return store;
    } catch (IOException | InterruptedException | RuntimeException e) {
      daemon.closeOrKill();
      throw e;
    }
  }

  public BenchDaemon daemon() {
    return daemon;
  }

  /// An id for an event that has not been used.
  public String nextId() {
    return "01KES0P0X1000000000%07d".formatted(ids.incrementAndGet());
  }

  /// When it was filled.
  public Instant now() {
    return now;
  }

  /// Runs a command of the user on its data directory.
  ///
  /// @throws IllegalStateException when it fails
  public String run(String... command) throws IOException, InterruptedException {
    List<String> args = new ArrayList<>(List.of(command));
    args.addAll(List.of("--data", site.path(data).toString()));
    Commands.Ran ran = site.command(args.toArray(String[]::new));
    if (ran.status() != 0) {
      throw new IllegalStateException(String.join(" ", command) + ": " + ran);
    }
    return ran.printed();
  }

  /// The secret of its data directory.
  public String token() throws IOException {
    return Files.readString(site.path(data).resolve("token")).strip();
  }

  public ConsoleCalls calls() throws IOException {
    return ConsoleCalls.of(site.path(data));
  }

  /// Stores events.
  ///
  /// @param lines as `memory ingest` takes them
  public void ingest(List<String> lines, String... options)
      throws IOException, InterruptedException {
    Path file = Files.createTempFile(site.path("."), "events-", ".jsonl");
    Files.write(file, lines);
    List<String> command = new ArrayList<>(List.of("ingest", file.toString()));
    command.addAll(List.of(options));
    var _ = run(command.toArray(String[]::new));
  }

  private void fill() throws IOException, InterruptedException {
    var _ =
        run("import", "claude-code", transcripts().toString(), "--workspace", "default", "--json");
    ingest(SampleSessions.first(now));
    ingest(SampleSessions.elsewhere(now), "--workspace", OTHER_WORKSPACE);
    daemon.awaitToc();
    ingest(SampleSessions.late(now));
    Path memories = site.path(data + "-memories.jsonl");
    Files.write(memories, SampleMemories.lines(now));
    var _ = run("memories", "import", memories.toString());
    var _ = run("scratchpad", "write", SampleSessions.FALCON, NOTE, "{\"step\": 2}");
    tell();
    daemon.awaitToc();
    daemon.awaitIndexed();
  }

  /// The transcripts as the agent keeps them.
  private Path transcripts() throws IOException {
    Path folder = Files.createDirectories(site.path(data + "-transcripts").resolve("shared"));
    try (Stream<Path> files = Files.list(site.transcripts())) {
      for (Path file : files.filter(each -> each.toString().endsWith(COMPRESSED)).toList()) {
        String name = String.valueOf(file.getFileName());
        Path written = folder.resolve(name.substring(0, name.length() - COMPRESSED.length()));
        try (BufferedReader lines = EventFiles.lines(file)) {
          Files.write(written, lines.lines().toList());
        }
      }
    }
    return folder;
  }

  /// Two things that memory told a session; the first one is used.
  private void tell() throws IOException, InterruptedException {
    try (ConsoleCalls calls = calls()) {
      var _ = calls.call("memory.RecallService/RecordInjection", told(TOLD, "ORIENTATION"));
      var _ =
          calls.call(
              "memory.MemoryService/IngestEvent",
              Map.of(
                  "event",
                  Map.of(
                      "eventId",
                      "01KES0P0X00000000000000009",
                      "sessionId",
                      SampleSessions.OPEN,
                      "timestampMs",
                      Long.toString(Instant.now().plusSeconds(60).toEpochMilli()),
                      "eventType",
                      "EVENT_TYPE_ASSISTANT_MESSAGE",
                      "role",
                      "EVENT_ROLE_ASSISTANT",
                      "agent",
                      "claude-code",
                      "text",
                      "I remember: retry four times with full jitter, as it was decided for the"
                          + " payments client.")));
      var _ = calls.call("memory.RecallService/RecordInjection", told(TOLD_UNUSED, "EVIDENCE"));
    }
  }

  private static Map<String, String> told(String text, String source) {
    return Map.of(
        "sessionId",
        SampleSessions.OPEN,
        "moment",
        "INJECTION_MOMENT_PROMPT",
        "source",
        "INJECTION_SOURCE_" + source,
        "text",
        text);
  }

  @Override
  public void close() {
    daemon.close();
  }
}
