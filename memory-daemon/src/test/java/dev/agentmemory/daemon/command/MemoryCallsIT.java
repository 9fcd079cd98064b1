package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.Recall;
import dev.agentmemory.api.conversation.ConversationStart;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.upkeep.ConsolidationEntry;
import dev.agentmemory.daemon.PackagedDaemon;
import dev.agentmemory.daemon.command.MemoriesPageTest.Row;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Each row of the table of calls in docs/memories.md against one packaged daemon: first its RPC
/// through the client, on a session of its own, and then its command line, each in the state that
/// the rows above have left.
class MemoryCallsIT {

  private static final SessionId SESSION = new SessionId("s1");
  private static final String START = "memory start --data DIR";

  /// Text that a command has to print, by the beginning of its line; `!` is in front of text that
  /// it must not print.
  private static final Map<String, List<String>> PRINTED =
      Map.ofEntries(
          Map.entry("memory conversations start s1", List.of("s1", "is active")),
          Map.entry("memory conversations show s1", List.of("user123")),
          Map.entry("memory conversations idle s1", List.of("is idle")),
          Map.entry("memory conversations set s1", List.of("en", "0.2")),
          Map.entry("memory remember", List.of(" stored: ")),
          Map.entry("memory memories get", List.of("Use Authorization Code flow for web apps")),
          Map.entry("memory memories update", List.of("0.9")),
          Map.entry("memory memories list", List.of("The library caches tokens", "!January")),
          Map.entry("memory memories pin", List.of("is pinned")),
          Map.entry("memory memories unpin", List.of("is not pinned")),
          Map.entry(
              "memory recall --session s1 --kind decision,finding",
              List.of("January", "!Authorization Code")),
          Map.entry(
              "memory recall --session s1 --references",
              List.of("How do I implement OAuth2?", "!January")),
          Map.entry("memory memories related", List.of("How do I implement OAuth2?", "!January")),
          Map.entry("memory recall --session s1 --tag oauth2", List.of("OAuth2?", "!January")),
          Map.entry(
              "memory recall --session s1 --kind decision`", List.of("Authorization", "!OAuth2?")),
          Map.entry(
              "memory recall --session s1 --after", List.of("January", "!Authorization Code")),
          Map.entry("memory recall --last 1w", List.of("Authorization Code", "!January")),
          Map.entry("memory recall 'oauth* flow'", List.of("Authorization Code flow")),
          Map.entry("memory recall oauth2 --scope", List.of("How do I implement OAuth2?")),
          Map.entry("memory memories delete --topic oauth2 --preview", List.of("OAuth2?")),
          Map.entry(
              "memory memories export --session s1 --format json",
              List.of("\"entries\"", "How do I implement OAuth2?", "!January")),
          Map.entry("memory conversations compact s1", List.of(" left, ")),
          Map.entry("memory memories rebuild-index", List.of("indexed")),
          Map.entry("memory conversations stats s1", List.of("s1")),
          Map.entry("memory conversations list --channel", List.of("s2", "!s1")),
          Map.entry("memory conversations list --archived", List.of("s1", "s2")),
          Map.entry("memory conversations show s2", List.of("backend")),
          Map.entry("memory scratchpad read", List.of("{\"step\": 2}")),
          Map.entry("memory scratchpad list", List.of("progress")),
          Map.entry("memory scratchpad clear", List.of("1 value deleted")),
          Map.entry("memory conversations archive", List.of("is archived")),
          Map.entry("memory channels list", List.of("general", "backend")),
          Map.entry("memory orient", List.of("OAuth2")),
          Map.entry("memory consolidation run --dry-run", List.of("would examine")),
          Map.entry("memory consolidation log", List.of("compaction")),
          Map.entry("memory consolidation undo", List.of("is undone")));

  @TempDir private static Path folder;

  private static Cli cli = new Cli(Path.of("."));
  private static Optional<PackagedDaemon> started = Optional.empty();

  /// What `ID` and `OTHER` stand for.
  private static final List<MemoryId> REMEMBERED = new ArrayList<>();

  private static MemoryId other = MemoryId.of("01KG7Z5P0X0000000000000001");

  /// The first row of the table starts the daemon.
  @BeforeAll
  static void start() throws Exception {
    cli = new Cli(folder);
    String row =
        MemoriesPageTest.rows().stream()
            .map(Row::cli)
            .filter(line -> line.startsWith(START))
            .findFirst()
            .orElseThrow();
    String setting = row.substring(row.indexOf("--set ") + "--set ".length());
    started = Optional.of(PackagedDaemon.start(cli.data(), setting));
    Files.writeString(
        folder.resolve("content.json"), "{\"rationale\":\"PKCE\",\"alternatives\":[\"implicit\"]}");
    other = remember(MemoryDraft.builder(MemoryContent.of("Nobody needs this note.")));
    remember(
        MemoryDraft.builder(MemoryContent.of("The phone number hangs on the wall."))
            .place(MemoryPlace.WORKSPACE.from(SESSION))
            .tags(Set.of(new Tag("personal_info.phone"))));
    remember(
        MemoryDraft.builder(MemoryContent.of("January: the key leaked through the log."))
            .place(MemoryPlace.WORKSPACE.from(SESSION))
            .kind(MemoryKind.FINDING)
            .importance(0.8)
            .tags(Set.of(new Tag("security.keys")))
            .created(Instant.parse("2026-01-03T12:00:00Z")));
    remember(
        MemoryDraft.builder(MemoryContent.of("The library caches tokens for an hour."))
            .source("researcher"));
    remember(
        MemoryDraft.builder(MemoryContent.of("An old aside about the weather."))
            .place(MemoryPlace.WORKSPACE.from(SESSION))
            .importance(0.01)
            .created(Instant.now().minus(Duration.ofDays(60))));
  }

  @AfterAll
  static void stop() {
    started.ifPresent(PackagedDaemon::close);
  }

  private static Recall recall() {
    return started.orElseThrow().client().recall();
  }

  private static MemoryId remember(MemoryDraft.Builder draft) {
    return recall().memories().remember(draft.build()).id();
  }

  @TestFactory
  Stream<DynamicTest> rows() throws IOException {
    var calls = new MemoryRpcs(started.orElseThrow().client());
    return MemoriesPageTest.rows().stream()
        .map(row ->
            DynamicTest.dynamicTest(
                row.call() + ": " + row.cli(),
                () -> {
                  calls.call(row.rpc());
                  if (!row.cli().startsWith(START)) {
                    runs(row);
                  }
                }));
  }

  private static void runs(Row row) {
    if (row.cli().endsWith("archive s1 --force")) {
      var _ = recall().conversations().start(ConversationStart.of(SESSION));
    }
    Row meant = new Row(row.call(), row.rpc(), substituted(row.cli()));
    Cli.Said said = cli.run(meant.words().toArray(String[]::new));
    assertThat(said.code()).as(said.err() + said.out()).isZero();
    printed(row.cli())
        .forEach(text -> {
          if (text.startsWith("!")) {
            assertThat(said.out()).doesNotContain(text.substring(1));
          } else {
            assertThat(said.out()).contains(text);
          }
        });
    if (row.cli().startsWith("memory remember")) {
      REMEMBERED.add(MemoryId.of(said.out().substring(0, said.out().indexOf(' '))));
    }
    if (row.cli().contains("memories delete")) {
      boolean preview = row.cli().contains("--preview");
      assertThat(texts("OAuth2?")).as("what is only looked at stays").isEqualTo(1);
      assertThat(preview || deleted(row.cli())).isTrue();
    }
  }

  /// Whether what a row deletes is gone.
  private static boolean deleted(String cli) {
    String text =
        cli.contains("OTHER") ? "Nobody needs" : cli.contains("--topic") ? "phone" : "January";
    return texts(text) == 0;
  }

  private static long texts(String part) {
    return recall().memories().list(MemoryFilter.NONE, PageRequest.of(1000)).page().items().stream()
        .map(MemoryRecord::content)
        .filter(content -> content.text().contains(part))
        .count();
  }

  /// What the line with the longest matching beginning prints.
  private static List<String> printed(String cli) {
    String line = cli + "`";
    return PRINTED.keySet().stream()
        .filter(line::startsWith)
        .max((one, two) -> Integer.compare(one.length(), two.length()))
        .map(PRINTED::get)
        .orElse(List.of());
  }

  private static String substituted(String cli) {
    String line = replaced(cli, "ID", _ -> REMEMBERED.getLast().value());
    line = replaced(line, "OTHER", _ -> other.value());
    line = replaced(line, "RUN", _ -> run());
    line = replaced(line, "FILE", _ -> folder.resolve("content.json").toString());
    return replaced(line, "OUT", _ -> folder.resolve("export.jsonl").toString());
  }

  private static String replaced(String line, String word, Function<String, String> value) {
    String regex = "\\b" + word + "\\b";
    return line.matches(".*" + regex + ".*") ? line.replaceAll(regex, value.apply(word)) : line;
  }

  /// A run that nobody has undone yet.
  private static String run() {
    return recall().consolidations().log(PageRequest.first()).items().stream()
        .filter(run -> run.undone().isEmpty())
        .map(ConsolidationEntry::id)
        .findFirst()
        .orElseThrow();
  }
}
