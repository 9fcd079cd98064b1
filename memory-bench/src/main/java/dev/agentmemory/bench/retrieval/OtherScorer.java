package dev.agentmemory.bench.retrieval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.bench.daemon.Children;
import dev.agentmemory.bench.data.DataSet;
import dev.agentmemory.bench.data.DataSet.LabelledQuestion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A second scorer that comes with the data: `tools/score_retrieval.py` beside the folder of the
/// data sets. Two independent programs are unlikely to have the same error.
///
/// @param script a Python program; `QUESTIONS RESULTS --json` makes it print its figures
/// @param questions of the data set
record OtherScorer(Path script, Path questions) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<LabelledQuestion.Kind, String> GROUPS =
      Map.of(LabelledQuestion.Kind.ANSWERED, "ALL", LabelledQuestion.Kind.ADVERSARIAL, "CAT5");

  /// Empty when there is none, or no Python.
  static Optional<OtherScorer> beside(DataSet set) {
    Path script = set.folder().resolve("../../tools/score_retrieval.py").normalize();
    return Files.isReadable(script) && hasPython()
        ? Optional.of(new OtherScorer(script, set.questionsFile()))
        : Optional.empty();
  }

  private static boolean hasPython() {
    try {
      return run(List.of("python3", "--version")).isPresent();
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  /// The greatest difference of any common figure; NaN when there is none.
  ///
  /// @param means by kind of question
  /// @param results the search results, in the form that the script reads
  /// @throws IllegalStateException when the script fails
  double difference(Map<LabelledQuestion.Kind, RetrievalScore> means, Path results) {
    String printed =
        run(List.of(
                "python3", script.toString(), questions.toString(), results.toString(), "--json"))
            .orElseThrow(() -> new IllegalStateException(script + " failed on " + results));
    double greatest = Double.NaN;
    for (var kind : means.entrySet()) {
      JsonNode theirs = read(printed).path(GROUPS.getOrDefault(kind.getKey(), ""));
      for (var ours : kind.getValue().figures().entrySet()) {
        if (theirs.has(ours.getKey())) {
          double apart = Math.abs(theirs.path(ours.getKey()).asDouble() - ours.getValue());
          greatest = Double.isNaN(greatest) ? apart : Math.max(greatest, apart);
        }
      }
    }
    return greatest;
  }

  private static JsonNode read(String json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The output of a command; empty when it fails.
  private static Optional<String> run(List<String> command) {
    try {
      Process process =
          Children.start(
              new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD));
      String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? Optional.of(printed) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + command + " ran", e);
    }
  }
}
