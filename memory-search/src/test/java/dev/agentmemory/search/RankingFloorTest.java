package dev.agentmemory.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Questions about the sample of the demo, asked by words only, find their answers at least as well
/// as when the floors were set.
class RankingFloorTest {

  private static final double RECALL_AT_10 = 0.69;
  private static final double MRR = 0.52;

  private static final int HITS = 10;

  private static final Path SAMPLE = Path.of("../memory-cli/src/main/resources/demo/events.jsonl");

  private static final String QUESTIONS = "ranking-questions.jsonl";

  /// When a question is asked that does not say when: the morning after the sample ends.
  private static final Instant PRESENT = Instant.parse("2026-02-02T09:00:00Z");

  private static final JsonMapper JSON = new JsonMapper();

  @TempDir Path folder;

  @Test
  void questionsAboutTheSample_findTheirAnswers() throws IOException {
    List<Outcome> outcomes = outcomes();
    assertThat(outcomes).hasSizeGreaterThanOrEqualTo(40);
    double recall = mean(outcomes, Outcome::recall);
    double reciprocal = mean(outcomes, Outcome::reciprocal);
    String report = report(recall, reciprocal, outcomes);
    assertThat(recall).as(() -> report).isGreaterThanOrEqualTo(RECALL_AT_10);
    assertThat(reciprocal).as(() -> report).isGreaterThanOrEqualTo(MRR);
  }

  /// Names an event of the sample: no two of a session have the same time.
  private record Place(String session, Instant time) {}

  private record Question(String text, Instant askedAt, List<Place> answers) {}

  /// @param ranks of the question's answers among the hits, from 1; 0 for those not found
  private record Outcome(Question question, List<Integer> ranks) {

    double recall() {
      return (double) ranks.stream().filter(rank -> rank > 0).count() / ranks.size();
    }

    double reciprocal() {
      return ranks.stream()
          .filter(rank -> rank > 0)
          .mapToDouble(rank -> 1.0 / rank)
          .max()
          .orElse(0);
    }
  }

  private List<Outcome> outcomes() throws IOException {
    List<Event> events = events();
    Map<Place, EventKey> keys = new HashMap<>();
    for (Event event : events) {
      keys.put(new Place(event.session().value(), event.timestamp()), event.key());
    }
    assertThat(keys).hasSameSizeAs(events);
    try (Bench bench = new Bench(folder.resolve("search"))) {
      bench.say(events.toArray(Event[]::new)).follow();
      Searcher searcher = bench.searcher();
      return questions().stream().map(question -> outcome(searcher, question, keys)).toList();
    }
  }

  private static Outcome outcome(Searcher searcher, Question question, Map<Place, EventKey> keys) {
    SearchRequest request = SearchRequest.of(question.text(), HITS, question.askedAt());
    List<Hit> hits = searcher.search(request).hits();
    List<EventKey> found = hits.stream().flatMap(hit -> hit.event().stream()).toList();
    List<Integer> ranks = new ArrayList<>();
    for (Place answer : question.answers()) {
      EventKey key = Objects.requireNonNull(keys.get(answer), "not in the sample: " + answer);
      ranks.add(found.indexOf(key) + 1);
    }
    return new Outcome(question, ranks);
  }

  private static double mean(List<Outcome> outcomes, ToDoubleFunction<Outcome> measure) {
    return outcomes.stream().mapToDouble(measure).average().orElse(0);
  }

  /// Both numbers, and the questions that have not found all of their answers.
  private static String report(double recall, double reciprocal, List<Outcome> outcomes) {
    String missed =
        outcomes.stream()
            .filter(outcome -> outcome.recall() < 1)
            .map(outcome -> "  " + outcome.question().text() + " " + outcome.ranks())
            .collect(Collectors.joining("\n"));
    return String.format(
        Locale.ROOT,
        "recall@%d %.4f, MRR %.4f; missed, with the ranks of the answers:\n%s\n",
        HITS,
        recall,
        reciprocal,
        missed);
  }

  private static List<Event> events() throws IOException {
    try (InputStream in = Files.newInputStream(SAMPLE)) {
      return rows(in).stream().map(RankingFloorTest::event).toList();
    }
  }

  private static Event event(JsonNode row) {
    Event plain =
        TestEvents.event(
            row.path("session_id").asText(),
            Instant.parse(row.path("timestamp").asText()),
            EventType.valueOf(upper(row.path("event_type"))),
            EventRole.valueOf(upper(row.path("role"))),
            row.path("text").asText());
    Map<String, String> metadata = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : row.path("metadata").properties()) {
      metadata.put(entry.getKey(), entry.getValue().asText());
    }
    return TestEvents.from(plain, row.path("agent").asText(), metadata);
  }

  private static String upper(JsonNode name) {
    return name.asText().toUpperCase(Locale.ROOT);
  }

  private static List<Question> questions() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(RankingFloorTest.class.getResourceAsStream(QUESTIONS))) {
      return rows(in).stream().map(RankingFloorTest::question).toList();
    }
  }

  private static Question question(JsonNode row) {
    List<Place> answers = new ArrayList<>();
    for (JsonNode answer : row.path("answers")) {
      answers.add(
          new Place(
              answer.path("session").asText(), Instant.parse(answer.path("timestamp").asText())));
    }
    Instant askedAt = row.has("asked_at") ? Instant.parse(row.path("asked_at").asText()) : PRESENT;
    return new Question(row.path("question").asText(), askedAt, answers);
  }

  private static List<JsonNode> rows(InputStream in) throws IOException {
    try (MappingIterator<JsonNode> rows = JSON.readerFor(JsonNode.class).readValues(in)) {
      return rows.readAll();
    }
  }
}
