package dev.agentmemory.engine.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexEpochsTest {

  private static final String NAME = "team";

  @TempDir private Path indexes;

  private Path index() throws IOException {
    Path index = Files.createDirectories(indexes.resolve(NAME));
    Files.writeString(index.resolve("segments_1"), "what was forgotten");
    return index;
  }

  @Test
  void index_ofTheEpochBefore_isKept() throws IOException {
    var epochs = new IndexEpochs(indexes);
    epochs.begin(NAME, 7);
    Path index = index();
    epochs.begin(NAME, 8);
    epochs.begin(NAME, 9);
    assertThat(index.resolve("segments_1")).exists();
  }

  @Test
  void index_thatAnotherDaemonHasMissed_isDeleted() throws IOException {
    var epochs = new IndexEpochs(indexes);
    epochs.begin(NAME, 7);
    Path index = index();
    epochs.begin(NAME, 9);
    assertThat(index).doesNotExist();
  }

  @Test
  void index_ofAnUnknownEpoch_isDeleted() throws IOException {
    Path index = index();
    new IndexEpochs(indexes).begin(NAME, 1);
    assertThat(index).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "7 8"})
  void damagedFile_isTakenForNone(String content) throws IOException {
    var epochs = new IndexEpochs(indexes);
    epochs.begin(NAME, 7);
    Files.writeString(indexes.resolve("@epochs").resolve(NAME), content);
    Path index = index();
    epochs.begin(NAME, 8);
    assertThat(index).doesNotExist();
    epochs.begin(NAME, 9);
    assertThat(Files.readString(indexes.resolve("@epochs").resolve(NAME))).isEqualTo("9\n");
  }
}
