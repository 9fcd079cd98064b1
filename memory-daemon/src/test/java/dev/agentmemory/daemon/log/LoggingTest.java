package dev.agentmemory.daemon.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.daemon.config.LogConfig;
import dev.agentmemory.daemon.config.LogLevel;
import dev.agentmemory.engine.WorkspaceScope;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A real logback context, written to a real file and read back.
class LoggingTest {

  private static final long SMALL = 64 << 10;

  @TempDir private Path folder;

  private final LoggerContext context = new LoggerContext();
  private final LogbackMDCAdapter mdc = new LogbackMDCAdapter();

  @BeforeEach
  void giveContext() {
    context.setMDCAdapter(mdc);
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  @Test
  void line_allThatIsKnown_isReadBack() throws IOException {
    start(LogLevel.INFO);
    mdc.put("workspace", "alpha");
    mdc.put("session_id", "of the thread");
    mdc.put("job", "compaction");

    context
        .getLogger("dev.agentmemory.toc.summary.extractive.Scoring")
        .atWarn()
        .addKeyValue("session_id", "s \"1\"")
        .addKeyValue("events", 3)
        .log("said {}\nand 🌍", "this");

    JsonNode line = lines(log()).getFirst();
    assertThat(Instant.parse(line.path("timestamp").asText())).isBefore(Instant.now());
    assertThat(line.path("timestamp").asText()).hasSize("2026-01-30T14:30:00.000Z".length());
    assertThat(line.path("level").asText()).isEqualTo("warn");
    assertThat(line.path("component").asText()).isEqualTo("toc");
    assertThat(line.path("session_id").asText()).isEqualTo("s \"1\"");
    assertThat(line.path("workspace").asText()).isEqualTo("alpha");
    assertThat(line.path("message").asText()).isEqualTo("said this\nand 🌍");
    assertThat(line.path("metadata"))
        .isEqualTo(
            new JsonMapper()
                .createObjectNode()
                .put("thread", Thread.currentThread().getName())
                .put("logger", "dev.agentmemory.toc.summary.extractive.Scoring")
                .put("events", "3")
                .put("job", "compaction"));
    assertThat(line.has("exception")).isFalse();
  }

  @Test
  void line_nothingKnown_hasTheSameFields() throws IOException {
    start(LogLevel.INFO);

    context.getLogger("io.grpc.Server").error("gone", new IllegalStateException("why"));

    JsonNode line = lines(log()).getFirst();
    assertThat(line.propertyStream().map(entry -> entry.getKey()))
        .containsExactly(
            "timestamp",
            "level",
            "component",
            "session_id",
            "workspace",
            "message",
            "metadata",
            "exception");
    assertThat(line.path("component").asText()).isEqualTo("io.grpc.Server");
    assertThat(line.path("session_id").isNull()).isTrue();
    assertThat(line.path("workspace").isNull()).isTrue();
    assertThat(line.path("exception").asText())
        .startsWith("java.lang.IllegalStateException: why")
        .contains("\tat " + LoggingTest.class.getName());
  }

  @ParameterizedTest
  @CsvSource({
    "ERROR, error",
    "WARN, 'error,warn'",
    "INFO, 'error,warn,info'",
    "DEBUG, 'error,warn,info,debug'",
    "TRACE, 'error,warn,info,debug,trace'"
  })
  void level_isWhatIsWritten_andLibrariesAreQuieter(LogLevel level, String written)
      throws IOException {
    start(level);

    for (String name : List.of("dev.agentmemory.daemon.X", "io.grpc.X")) {
      var logger = context.getLogger(name);
      logger.error("{}", 1);
      logger.warn("{}", 1);
      logger.info("{}", 1);
      logger.debug("{}", 1);
      logger.trace("{}", 1);
    }

    assertThat(levels("daemon")).containsExactly(written.split(",", -1));
    assertThat(levels("io.grpc.X"))
        .containsExactly(
            switch (level) {
              case ERROR -> new String[] {"error"};
              case WARN, INFO, DEBUG -> new String[] {"error", "warn"};
              case TRACE -> new String[] {"error", "warn", "info"};
            });
  }

  @Test
  void line_threadStartedForAWorkspace_namesIt() throws IOException, InterruptedException {
    start(LogLevel.INFO);
    var logger = context.getLogger("dev.agentmemory.pipeline.X");
    Thread worker;
    try (WorkspaceScope beta = WorkspaceScope.of("beta")) {
      logger.info("opening {}", beta);
      worker = Thread.ofPlatform().start(() -> logger.info("working"));
    }
    worker.join();
    logger.info("done");

    assertThat(lines(log()).stream().map(line -> line.path("workspace").asText("none")))
        .containsExactly("beta", "beta", "none");
  }

  @Test
  void file_grownOften_isPutAsideAndTheOldestGoes() throws IOException {
    Path odd = Files.createDirectory(folder.resolve("100% odd (%d) folder"));
    var config = new LogConfig(LogLevel.INFO, true, SMALL, 3);
    Logging.start(context, odd, config, /* terminal= */ false, ZoneOffset.UTC);
    var logger = context.getLogger("dev.agentmemory.daemon.X");
    int count = 2000;
    for (int number = 1; number <= count; number++) {
      logger.info("line {} {}", number, "x".repeat(200));
    }

    List<String> names;
    try (Stream<Path> files = Files.list(odd.resolve("logs"))) {
      names = files.map(file -> file.getFileName().toString()).sorted().toList();
    }
    assertThat(names).containsExactly("daemon.1.log", "daemon.2.log", "daemon.log");
    List<Integer> numbers =
        Stream.of("daemon.2.log", "daemon.1.log", "daemon.log")
            .flatMap(name -> messages(odd.resolve("logs").resolve(name)))
            .map(message -> Integer.valueOf(message.replaceAll("^line (\\d+) .*", "$1")))
            .toList();
    assertThat(numbers)
        .isEqualTo(IntStream.rangeClosed(numbers.getFirst(), count).boxed().toList());
    assertThat(Files.size(odd.resolve("logs/daemon.1.log"))).isBetween(SMALL, SMALL + 1000);
  }

  @Test
  void file_thatIsThere_isContinued() throws IOException {
    Files.createDirectories(log().getParent());
    Files.writeString(log(), "{\"message\":\"before\"}\n");
    start(LogLevel.INFO);

    context.getLogger("dev.agentmemory.daemon.X").info("after");

    assertThat(messages(log())).containsExactly("before", "after");
  }

  @Test
  void file_thatCannotBe_isOneClearSentence() throws IOException {
    Files.writeString(folder.resolve("logs"), "in the way");

    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> start(LogLevel.INFO))
        .withMessageStartingWith("cannot write the log " + log());
  }

  private void start(LogLevel level) {
    Logging.start(
        context,
        folder,
        new LogConfig(level, true, SMALL, 2),
        /* terminal= */ false,
        ZoneOffset.UTC);
  }

  private Path log() {
    return folder.resolve("logs/daemon.log");
  }

  private List<String> levels(String component) throws IOException {
    return lines(log()).stream()
        .filter(line -> line.path("component").asText().equals(component))
        .map(line -> line.path("level").asText())
        .toList();
  }

  private static Stream<String> messages(Path file) {
    try {
      return lines(file).stream().map(line -> line.path("message").asText());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<JsonNode> lines(Path file) throws IOException {
    var mapper = new JsonMapper();
    try (var values = mapper.readerFor(JsonNode.class).<JsonNode>readValues(file.toFile())) {
      return values.readAll();
    }
  }
}
