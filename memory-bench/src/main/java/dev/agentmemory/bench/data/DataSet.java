package dev.agentmemory.bench.data;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.types.Event;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// Conversations, and questions with the messages that answer them, as annotated by people.
///
/// @param folder contains `events.jsonl` or `events.jsonl.gz`, and `questions.jsonl`
/// @param conversations messages by conversation, both in the order of the file
/// @param blank number of messages that were skipped because they have no text
public record DataSet(
    Path folder,
    Map<String, List<Event>> conversations,
    int blank,
    List<LabelledQuestion> questions) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String QUESTIONS = "questions.jsonl";

  /// @param category kind of question, as the data set names it
  /// @param numbered whether the data set numbers its categories, as LoCoMo does
  /// @param evidence keys of the messages with the answer; empty when there is none
  /// @param asked time of the question; empty for the end of the conversation
  public record LabelledQuestion(
      String id,
      String conversation,
      String text,
      String category,
      boolean numbered,
      List<String> evidence,
      Optional<Instant> asked) {

    /// Kinds of questions in the scores, as in the data sets' own scorer.
    public enum Kind {
      /// It has an answer.
      ANSWERED,
      /// It names the wrong speaker: LoCoMo's category 5.
      ADVERSARIAL,
      /// The conversation does not contain the answer: the category ends with `_abs`.
      UNANSWERABLE
    }

    public LabelledQuestion {
      evidence = List.copyOf(evidence);
    }

    public Kind kind() {
      if (numbered && category.equals("5")) {
        return Kind.ADVERSARIAL;
      }
      return category.endsWith("_abs") ? Kind.UNANSWERABLE : Kind.ANSWERED;
    }
  }

  /// The data set in this folder, or those in the folders below it, by name; empty when there is
  /// none.
  public static List<Path> in(Path data) throws IOException {
    if (isOne(data)) {
      return List.of(data);
    }
    if (!Files.isDirectory(data)) {
      return List.of();
    }
    try (Stream<Path> below = Files.list(data)) {
      return below.filter(DataSet::isOne).sorted().toList();
    }
  }

  /// Like the method above, but at least one is required.
  ///
  /// @throws IllegalStateException with the expected files, when there is none
  public static List<Path> folders(Path data) throws IOException {
    List<Path> found = in(data);
    if (found.isEmpty()) {
      throw new IllegalStateException(
          "this benchmark needs a folder with events.jsonl (or .gz) and questions.jsonl and found"
              + " none in or below "
              + data
              + "; name it with --data DIR or in BENCH_DATA");
    }
    return found;
  }

  private static boolean isOne(Path folder) {
    return Files.isReadable(folder.resolve(QUESTIONS)) && Files.isReadable(events(folder));
  }

  private static Path events(Path folder) {
    Path plain = folder.resolve("events.jsonl");
    return Files.exists(plain) ? plain : folder.resolve("events.jsonl.gz");
  }

  public static DataSet read(Path folder) throws IOException {
    var questions = new ArrayList<LabelledQuestion>();
    try (BufferedReader lines = EventFiles.lines(folder.resolve(QUESTIONS))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank()) {
          questions.add(question(JSON.readTree(line)));
        }
      }
    }
    EventFiles.ReadConversations read = EventFiles.conversations(events(folder));
    return new DataSet(folder, read.events(), read.blank(), questions);
  }

  private static LabelledQuestion question(JsonNode row) {
    return new LabelledQuestion(
        row.path("id").asText(),
        row.path("conversation").asText(),
        row.path("question").asText(),
        row.path("category").asText(),
        row.path("category").isNumber(),
        StreamSupport.stream(row.path("evidence").spliterator(), false)
            .map(JsonNode::asText)
            .toList(),
        row.has("timestamp_ms")
            ? Optional.of(Instant.ofEpochMilli(row.path("timestamp_ms").asLong()))
            : Optional.empty());
  }

  public String name() {
    return folder.getFileName().toString();
  }

  /// The file of the questions, for other scorers.
  public Path questionsFile() {
    return folder.resolve(QUESTIONS);
  }
}
