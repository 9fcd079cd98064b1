package dev.agentmemory.bench;

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

/// Conversations, and questions of which people have said where the answers stand.
///
/// @param folder where it lies: `events.jsonl` or `events.jsonl.gz`, and `questions.jsonl`
/// @param conversations messages by conversation, both in the order of the file
/// @param blank messages that were left out because they have no text
record DataSet(
    Path folder, Map<String, List<Event>> conversations, int blank, List<Question> questions) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String QUESTIONS = "questions.jsonl";

  /// @param category a kind of question, as the data set calls it
  /// @param numbered whether the data set numbers its categories, as LoCoMo does
  /// @param evidence keys of the messages that hold the answer; empty when none does
  /// @param asked when it is asked; empty: when the conversation is over
  record Question(
      String id,
      String conversation,
      String text,
      String category,
      boolean numbered,
      List<String> evidence,
      Optional<Instant> asked) {

    /// How questions are told apart when they are scored, as the data sets' own scorer does.
    enum Kind {
      /// Has an answer.
      ANSWERED,
      /// Names the wrong speaker: LoCoMo's category 5.
      ADVERSARIAL,
      /// Cannot be answered from the conversation: the category ends with `_abs`.
      UNANSWERABLE
    }

    Question {
      evidence = List.copyOf(evidence);
    }

    Kind kind() {
      if (numbered && category.equals("5")) {
        return Kind.ADVERSARIAL;
      }
      return category.endsWith("_abs") ? Kind.UNANSWERABLE : Kind.ANSWERED;
    }
  }

  /// The data set in this folder, or those in the folders below it, by name; none where none is.
  static List<Path> in(Path data) throws IOException {
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

  /// The same where there has to be one.
  ///
  /// @throws IllegalStateException saying what was looked for, when there is none
  static List<Path> folders(Path data) throws IOException {
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

  static DataSet read(Path folder) throws IOException {
    var questions = new ArrayList<Question>();
    try (BufferedReader lines = EventFiles.lines(folder.resolve(QUESTIONS))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank()) {
          questions.add(question(JSON.readTree(line)));
        }
      }
    }
    EventFiles.Conversations read = EventFiles.conversations(events(folder));
    return new DataSet(folder, read.events(), read.blank(), questions);
  }

  private static Question question(JsonNode row) {
    return new Question(
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

  String name() {
    return folder.getFileName().toString();
  }

  /// Where the questions stand, for other scorers.
  Path questionsFile() {
    return folder.resolve(QUESTIONS);
  }
}
