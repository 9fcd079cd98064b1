package dev.agentmemory.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketPathTest {

  @TempDir private Path folder;
  private Path longData;
  private Path runtime;
  private Path temporary;

  @BeforeEach
  void folders() throws IOException {
    longData = folder.resolve("x".repeat(120));
    runtime = Files.createDirectory(folder.resolve("run"));
    temporary = Files.createDirectory(folder.resolve("tmp"));
  }

  private Path path(Path data) {
    return SocketPath.of(data, Optional.of(runtime.toString()), temporary);
  }

  @Test
  void shortPath_isInTheDataDirectory() {
    assertThat(path(folder)).isEqualTo(folder.resolve("http.sock"));
    assertThat(runtime).isEmptyDirectory();
  }

  @Test
  void longPath_isInADirectoryOfItsOwnThatOnlyTheUserCanOpen() throws IOException {
    Path socket = path(longData);

    assertThat(Objects.requireNonNull(socket.getParent()).getParent()).isEqualTo(runtime);
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(Objects.requireNonNull(socket.getParent()))))
        .isEqualTo("rwx------");
    assertThat(path(longData)).isEqualTo(socket);
    assertThat(path(folder.resolve("y".repeat(120)))).isNotEqualTo(socket);
  }

  @Test
  void longPath_withoutRuntimeDirectory_isInTheTemporaryOne() {
    for (String none : new String[] {"", folder.resolve("none").toString(), "relative"}) {
      assertThat(SocketPath.of(longData, Optional.of(none), temporary)).startsWithRaw(temporary);
    }
    assertThat(SocketPath.of(longData, Optional.empty(), temporary)).startsWithRaw(temporary);
  }

  @Test
  void directory_thatOthersCanOpen_isRefused() throws IOException {
    Path directory = path(longData).getParent();
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));

    assertThatThrownBy(() -> path(longData)).isInstanceOf(MemoryException.class);
  }

  @Test
  void directory_ofAnotherUser_isRefused() throws IOException {
    assumeThat(System.getProperty("user.name")).isEqualTo("root");
    Path directory = Objects.requireNonNull(path(longData).getParent());
    Files.setOwner(
        directory,
        directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));

    assertThatThrownBy(() -> path(longData)).isInstanceOf(MemoryException.class);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void link_inPlaceOfTheDirectory_isRefused() throws IOException {
    Path directory = path(longData).getParent();
    Files.delete(directory);
    Path other =
        Files.createDirectory(
            folder.resolve("other"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.createSymbolicLink(directory, other);

    assertThatThrownBy(() -> path(longData)).isInstanceOf(MemoryException.class);
  }

  @Test
  void noPlace_isToldWithARemedy() {
    assertThatThrownBy(() -> SocketPath.of(longData, Optional.empty(), longData))
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining("XDG_RUNTIME_DIR");
  }
}
