package dev.agentmemory.bench.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.bench.data.DataSet.LabelledQuestion.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataSetTest {

  private static final String EVENTS =
      """
      {"conversation":"c1","event_key":"c1/1:1","session_id":"c1/1","timestamp_ms":1000,"role":"user","speaker":"Ana","text":"Hi"}
      {"conversation":"c2","event_key":"c2/1:1","session_id":"c2/1","timestamp_ms":2000,"role":"assistant","speaker":"Bo","text":"Yes"}
      {"conversation":"c1","event_key":"c1/1:2","session_id":"c1/1","timestamp_ms":3000,"role":"assistant","speaker":"Bo","text":"Ho"}
      """;
  private static final String QUESTIONS =
      """
      {"id":"q1","conversation":"c1","question":"Who?","category":4,"evidence":["c1/1:1"]}
      {"id":"q2","conversation":"c1","question":"What?","category":5,"evidence":["c1/1:2"]}
      {"id":"q3","conversation":"c2","question":"When?","category":"temporal_abs","evidence":[],"timestamp_ms":5000}
      """;

  @TempDir Path folder;

  @Test
  void read_packedEvents_areGroupedByConversation() throws IOException {
    DataSet set = DataSet.read(set("packed", true));

    assertThat(set.name()).isEqualTo("packed");
    assertThat(set.conversations()).containsOnlyKeys("c1", "c2");
    assertThat(set.conversations().get("c1"))
        .extracting(event -> event.metadata().get("event_key"))
        .containsExactly("c1/1:1", "c1/1:2");
  }

  @Test
  void read_messagesWithoutText_areLeftOutAndCounted() throws IOException {
    Path set = set("blank", false);
    Files.writeString(
        set.resolve("events.jsonl"),
        EVENTS + EVENTS.lines().findFirst().orElseThrow().replace("\"Hi\"", "\" \\n\"") + "\n");

    DataSet read = DataSet.read(set);

    assertThat(read.blank()).isEqualTo(1);
    assertThat(read.conversations().get("c1")).hasSize(2);
    assertThat(DataSet.read(set("full", false)).blank()).isZero();
  }

  @Test
  void read_questions_areToldApartByCategory() throws IOException {
    DataSet set = DataSet.read(set("plain", false));

    assertThat(set.questions())
        .extracting(DataSet.LabelledQuestion::kind)
        .containsExactly(Kind.ANSWERED, Kind.ADVERSARIAL, Kind.UNANSWERABLE);
    assertThat(set.questions().getLast().asked()).contains(Instant.ofEpochMilli(5000));
    assertThat(set.questions().getFirst().asked()).isEmpty();
  }

  @Test
  void folders_aSetOrAFolderOfSets_findsThem() throws IOException {
    Path one = set("one", false);
    Path two = set("two", true);
    Files.createDirectory(folder.resolve("other"));

    assertThat(DataSet.folders(one)).containsExactly(one);
    assertThat(DataSet.folders(folder)).containsExactly(one, two);
  }

  @Test
  void folders_noSet_saysWhatIsMissing() {
    assertThatThrownBy(() -> DataSet.folders(folder.resolve("nowhere")))
        .hasMessageContaining("questions.jsonl")
        .hasMessageContaining("--data DIR");
  }

  private Path set(String name, boolean packed) throws IOException {
    Path set = Files.createDirectory(folder.resolve(name));
    Files.writeString(set.resolve("questions.jsonl"), QUESTIONS);
    if (packed) {
      try (var out = new GZIPOutputStream(Files.newOutputStream(set.resolve("events.jsonl.gz")))) {
        out.write(EVENTS.getBytes(StandardCharsets.UTF_8));
      }
    } else {
      Files.writeString(set.resolve("events.jsonl"), EVENTS);
    }
    return set;
  }
}
