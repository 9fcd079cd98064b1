package dev.agentmemory.toc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.store.StoreReader;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.toc.segment.BpeTokens;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.toc.summary.extractive.ExtractiveSummarizer;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The tables of contents of sessions in the shape of real ones, kept as files: a change of what
/// summaries say shows in the review of these files. How a session is written: [SessionFile]; how a
/// table is written: [TableText].
class GoldenTablesTest {

  private static final Path FOLDER = Path.of("src/test/resources/dev/agentmemory/toc");
  private static final Path SESSIONS = FOLDER.resolve("sessions");
  private static final Path HISTORIES = FOLDER.resolve("histories");
  private static final Path TABLES = FOLDER.resolve("tables");

  /// When all periods of the sessions are over.
  private static final Instant NOW = Instant.parse("2027-02-01T00:00:00Z");

  private static final LocalDate DAY_OF_MANY = LocalDate.of(2026, 3, 11);

  /// Property that makes the test write the tables.
  private static final String WRITE = "golden.write";

  private static final String HOW_TO_WRITE =
      "the kept table; written by mvn -B -q -pl memory-toc -am test -Dtest=GoldenTablesTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -D"
          + WRITE
          + "=true, to be read before it is committed";

  static List<String> sessions() throws IOException {
    return files(SESSIONS);
  }

  static List<String> histories() throws IOException {
    return files(HISTORIES);
  }

  private static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("sessions")
  void table_ofASession_isTheKeptOne(String file) throws IOException {
    assertKept(file, TableText.of(filled(SessionFile.read(SESSIONS.resolve(file)))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("histories")
  void periods_ofAHistory_areTheKeptOnes(String file) throws IOException {
    assertKept(file, TableText.ofPeriods(filled(SessionFile.read(HISTORIES.resolve(file)))));
  }

  @Test
  void periods_ofAllSessions_areTheKeptOnes() throws IOException {
    assertKept("all-sessions.txt", TableText.ofPeriods(filled(allSessions())));
  }

  @Test
  void table_ofADayOfManySessions_isTheKeptOne() throws IOException {
    var events = new ArrayList<Event>();
    for (String file : sessions()) {
      List<Event> session = SessionFile.read(SESSIONS.resolve(file));
      Instant start = session.getFirst().timestamp();
      if (LocalDate.ofInstant(start, ZoneOffset.UTC).equals(DAY_OF_MANY)) {
        events.addAll(session);
      }
    }
    assertKept("day-of-many-sessions.txt", TableText.of(filled(events)));
  }

  private static List<Event> allSessions() throws IOException {
    var events = new ArrayList<Event>();
    for (String file : sessions()) {
      events.addAll(SessionFile.read(SESSIONS.resolve(file)));
    }
    return events;
  }

  private static void assertKept(String name, String table) throws IOException {
    Path kept = TABLES.resolve(name);
    if (Boolean.getBoolean(WRITE)) {
      Files.createDirectories(TABLES);
      Files.writeString(kept, table);
    }
    assertThat(kept).as(HOW_TO_WRITE).exists();
    assertThat(table).as(HOW_TO_WRITE).isEqualTo(Files.readString(kept));
  }

  private static StoreReader filled(List<Event> events) {
    var world =
        new TocWorld(
            new HeapStore(ZoneOffset.UTC),
            NOW,
            SegmentationConfig.DEFAULT,
            new ExtractiveSummarizer(),
            new BpeTokens());
    world.ingest(events);
    world.settle();
    return world.store;
  }
}
