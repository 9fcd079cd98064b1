package dev.agentmemory.agents.transcript;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FoundTranscriptsTest {

  @TempDir private Path folder;

  @Test
  void folderThatCannotBeListed_isNamed_andTheOthersAreSearched() throws IOException {
    Path closed = Files.createDirectory(folder.resolve("a"));
    Path found = Files.createFile(Files.createDirectory(folder.resolve("b")).resolve("s.jsonl"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    try {
      assumeThat(Files.isReadable(closed)).as("root reads everything").isFalse();

      assertThat(FoundTranscripts.of(folder))
          .isEqualTo(new FoundTranscripts(List.of(found), List.of(closed)));
    } finally {
      Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void folderThatIsGone_isNamed_andTheOthersAreSearched() throws IOException {
    Path gone = folder.resolve("a");
    Path found = Files.createFile(Files.createDirectory(folder.resolve("b")).resolve("s.jsonl"));

    assertThat(FoundTranscripts.below(List.of(gone, folder), 9, _ -> true))
        .isEqualTo(new FoundTranscripts(List.of(found), List.of(gone)));
  }

  @Test
  void folderWhoseListingBreaksOff_isNamed() {
    var search = new FoundTranscripts.TranscriptSearch(_ -> true);
    assertThat(search.postVisitDirectory(folder, new IOException("broken")))
        .isEqualTo(FileVisitResult.CONTINUE);
    assertThat(search.unreadable).containsExactly(folder);
  }

  @Test
  void otherFilesAndLinks_areNoTranscripts_butAFileIsTakenWhateverItsName() throws IOException {
    Path other = Files.createFile(folder.resolve("notes.txt"));
    Files.createFile(folder.resolve("agent.meta.json"));
    Path found = Files.createFile(folder.resolve("s.json"));
    Files.createSymbolicLink(folder.resolve("link.jsonl"), found);

    assertThat(FoundTranscripts.of(folder).files()).containsExactly(found);
    assertThat(FoundTranscripts.of(other).files()).containsExactly(other);
  }
}
