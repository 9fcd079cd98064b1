package dev.agentmemory.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that commands write.
class OutputFileTest {

  @TempDir private Path folder;

  private static int write(Path file, boolean replace, String... lines) {
    return OutputFile.write(
        file,
        replace,
        out -> {
          Stream.of(lines).forEach(out);
          return lines.length;
        });
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Test
  void write_newFile_isOfItsOwnerAlone() throws IOException {
    Path file = folder.resolve("out");
    assertThat(write(file, /* replace= */ false, "ä", "b")).isEqualTo(2);

    assertThat(Files.readString(file)).isEqualTo("ä\nb\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void write_fileThatExists_isRefusedBeforeAnythingIsWritten_orReplaced() throws IOException {
    Path file = Files.writeString(folder.resolve("out"), "old");
    MemoryException refused =
        catchThrowableOfType(
            MemoryException.class,
            () ->
                OutputFile.write(
                    file,
                    /* replace= */ false,
                    _ -> {
                      throw new AssertionError("nothing is to be written");
                    }));

    assertThat(refused.code()).isEqualTo(ErrorCode.CONFLICT);
    assertThat(refused).hasMessageContaining("--force");
    assertThat(Files.readString(file)).isEqualTo("old");
    write(file, /* replace= */ true, "new");
    assertThat(Files.readString(file)).isEqualTo("new\n");
    assertThat(files()).containsExactly(file);
  }

  @Test
  void write_fileThatAppearsMeanwhile_isKept() throws IOException {
    Path file = folder.resolve("out");
    MemoryException refused =
        catchThrowableOfType(
            MemoryException.class,
            () ->
                OutputFile.write(
                    file,
                    /* replace= */ false,
                    _ -> {
                      try {
                        return Files.writeString(file, "of another");
                      } catch (IOException e) {
                        throw new AssertionError(e);
                      }
                    }));

    assertThat(refused.code()).isEqualTo(ErrorCode.CONFLICT);
    assertThat(Files.readString(file)).isEqualTo("of another");
    assertThat(files()).containsExactly(file);
  }

  @Test
  void write_thatFails_leavesNothing() throws IOException {
    MemoryException failure =
        catchThrowableOfType(
            MemoryException.class,
            () ->
                OutputFile.write(
                    folder.resolve("out"),
                    /* replace= */ false,
                    out -> {
                      out.accept("half");
                      throw new MemoryException(ErrorCode.UNREACHABLE, "the daemon has gone");
                    }));

    assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
    assertThat(files()).isEmpty();
  }

  @Test
  void write_folderThatIsNotThere_isToldByName() {
    MemoryException failure =
        catchThrowableOfType(
            MemoryException.class,
            () -> write(folder.resolve("none/out"), /* replace= */ false, "a"));

    assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(failure).hasMessageContaining("none; create it first");
  }
}
