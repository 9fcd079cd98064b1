package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.api.SearchReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Search on the packaged daemon, as a person and an agent use it.
class SearchIT {

  private static final Path SAMPLE = Path.of("../memory-cli/src/main/resources/demo/events.jsonl");
  private static final String QUESTION = "which retry policy did we decide on: full jitter?";

  @TempDir private static Path data;

  private static Optional<PackagedDaemon> daemon = Optional.empty();

  /// A daemon that has all of the sample in its index. The tests only read, or make anew what is
  /// there; the one that does damage comes with a daemon of its own.
  @BeforeAll
  static void feed() throws IOException, InterruptedException {
    PackagedDaemon started = fed(data);
    daemon = Optional.of(started);
    var _ = started.client.jobs().run("embedding_backfill");
    assertThat(started.client.search().status().toEmbed()).isZero();
  }

  @AfterAll
  static void stop() {
    daemon.ifPresent(PackagedDaemon::close);
  }

  private static PackagedDaemon fed(Path data) throws IOException, InterruptedException {
    PackagedDaemon started = PackagedDaemon.start(data);
    assertThat(PackagedDaemon.run(data, "ingest", SAMPLE.toString()).exit()).isZero();
    started.awaitComplete();
    awaitIndex(started);
    return started;
  }

  private static void awaitIndex(PackagedDaemon daemon) throws IOException, InterruptedException {
    long events = daemon.client.admin().status().store().events();
    daemon.await(
        "a complete index",
        () -> {
          SearchReport report = daemon.client.search().status();
          return report.complete()
              && report.rebuilt().isEmpty()
              && report.behind() == 0
              && report.events() == events
              && report.summaries() > 0;
        });
  }

  private static JsonNode json(Path data, String... command)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(command));
    all.add("--json");
    PackagedDaemon.Run run = PackagedDaemon.run(data, all.toArray(String[]::new));
    assertThat(run.exit()).as(run.output()).isZero();
    return new JsonMapper().readTree(run.output());
  }

  private static Stream<JsonNode> each(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false);
  }

  @Test
  void sample_isFoundByWordsAndShowsWhereItStands() throws IOException, InterruptedException {
    JsonNode found = json(data, "search", QUESTION, "--limit", "5", "--explain");
    assertThat(found.get("nothing_because").isNull()).isTrue();
    assertThat(found.get("hits")).hasSize(5);
    JsonNode best = found.get("hits").get(0);
    assertThat(found.get("hits").findValuesAsText("snippet"))
        .anySatisfy(snippet -> assertThat(snippet).containsIgnoringCase("jitter"));
    assertThat(best.get("highlights")).isNotEmpty();
    assertThat(best.get("parts").get("features")).isNotEmpty();
    assertThat(best.get("path").get(0).asText()).isEqualTo("toc:year:2026");
    assertThat(each(best.get("path")).toList().getLast().asText()).startsWith("toc:segment:");
    String segment = each(best.get("path")).toList().getLast().asText();
    assertThat(PackagedDaemon.run(data, "toc", segment).exit()).isZero();

    JsonNode next = json(data, "search", QUESTION, "--limit", "5", "--offset", "5");
    assertThat(next.get("hits").findValuesAsText("event_id"))
        .isNotEmpty()
        .doesNotContainAnyElementsOf(found.get("hits").findValuesAsText("event_id"));
    JsonNode days = json(data, "search", "jitter", "--level", "day");
    assertThat(days.get("hits").findValuesAsText("kind")).isNotEmpty().containsOnly("rollup");

    PackagedDaemon.Run nothing = PackagedDaemon.run(data, "search", "xylophone");
    assertThat(nothing.exit()).isZero();
    assertThat(nothing.output()).startsWith("no hits: ");
    assertThat(PackagedDaemon.run(data, "search", "TypeError: x (").exit()).isZero();
    assertThat(PackagedDaemon.run(data, "doctor").output())
        .containsPattern("ok +search +424 events")
        .doesNotContain("BAD");
  }

  @Test
  void context_staysInsideItsBudget_andItsCitationsExpand()
      throws IOException, InterruptedException {
    JsonNode context = json(data, "ask-context", QUESTION, "--budget", "400");
    String markdown = context.get("markdown").asText();
    assertThat(context.get("tokens").asInt()).isBetween(1, 400);
    assertThat(markdown).containsIgnoringCase("jitter");
    assertThat(context.get("event_ids")).isNotEmpty();
    each(context.get("event_ids"))
        .forEach(id -> assertThat(markdown).contains("[evt:" + id.asText() + "]"));
    for (JsonNode grip : context.get("grip_ids")) {
      assertThat(markdown).contains("[" + grip.asText() + "]");
      assertThat(PackagedDaemon.run(data, "grip", grip.asText()).exit()).isZero();
    }
    String printed = PackagedDaemon.run(data, "ask-context", QUESTION, "--budget", "400").output();
    assertThat(printed)
        .startsWith("recalled|begin")
        .containsIgnoringCase("jitter")
        .containsPattern("\\[evt:[0-9A-Z]{26}]");
    assertThat(printed.lines().filter(line -> !line.startsWith("recalled|")))
        .as("what is not recalled says what was left out")
        .allMatch(line -> line.contains("left out because the token budget is used up"));
  }

  @Test
  void orientation_carriesTheMarkOnEachLine() throws IOException, InterruptedException {
    String printed = PackagedDaemon.run(data, "orient", "jitter", "--budget", "500").output();
    assertThat(printed).startsWith("recalled|begin").contains("recalled| # Orientation");
    assertThat(printed.lines()).allMatch(line -> line.startsWith("recalled|"));
    assertThat(json(data, "orient", "jitter").get("markdown").asText()).startsWith("# Orientation");
  }

  @Test
  void rebuiltIndex_findsTheSame() throws IOException, InterruptedException {
    List<String> before = byWords(data);
    assertThat(json(data, "rebuild", "index").get("events").asInt()).isEqualTo(424);
    awaitIndex(daemon.orElseThrow());
    demandAlike(byWords(data), before);
  }

  @Test
  void missingAndDamagedIndex_comeBackByThemselves(@TempDir Path own)
      throws IOException, InterruptedException {
    fed(own).close();
    List<Path> files = indexFiles(own);
    assertThat(files).isNotEmpty();
    for (Path file : files) {
      Files.write(file, "not an index".getBytes(StandardCharsets.UTF_8));
    }
    demandTheSame(own);
    for (Path file : indexFiles(own)) {
      Files.delete(file);
    }
    demandTheSame(own);
  }

  /// What was found by words: by meaning it depends on how much has been embedded by now.
  private static List<String> byWords(Path data) throws IOException, InterruptedException {
    return json(data, "search", QUESTION, "--mode", "lexical")
        .get("hits")
        .findValuesAsText("event_id");
  }

  /// How rare a word is counts documents, too, that were written anew and not merged away yet: hits
  /// that are nearly as good as each other may change places.
  private static void demandAlike(List<String> found, List<String> others) {
    assertThat(found).hasSameSizeAs(others).first().isEqualTo(others.getFirst());
    assertThat(found).containsAll(others.subList(0, others.size() / 2));
  }

  private static void demandTheSame(Path own) throws IOException, InterruptedException {
    try (PackagedDaemon again = PackagedDaemon.start(own)) {
      awaitIndex(again);
      demandAlike(byWords(own), byWords(data));
    }
  }

  /// Lucene's files, wherever the daemon keeps them.
  private static List<Path> indexFiles(Path data) throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> String.valueOf(file.getFileName()).matches("segments_\\w+|_\\w+\\.\\w+"))
          .toList();
    }
  }

  /// Among the system's temporary files they would pile up, one copy for every daemon that is
  /// killed.
  @Test
  @EnabledOnOs(OS.LINUX)
  void nativeLibraries_lieInTheDataDirectory() throws IOException {
    long pid = daemon.orElseThrow().pid();
    Set<String> loaded;
    try (Stream<String> maps = Files.lines(Path.of("/proc", Long.toString(pid), "maps"))) {
      loaded =
          maps.map(
                  line -> line.substring(line.indexOf('/') < 0 ? line.length() : line.indexOf('/')))
              .filter(file -> file.matches(".*(rocksdb|onnxruntime|tokenizers)[^/]*\\.so.*"))
              .collect(Collectors.toSet());
    }
    Path folder = data.resolve("native").toRealPath();
    assertThat(loaded)
        .hasSizeGreaterThanOrEqualTo(4)
        .allMatch(file -> file.startsWith(folder + "/"));
  }
}
