package dev.agentmemory.engine.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LinksTest {

  private static final int LISTINGS = 2_000;
  private static final int FILES = 100;

  @TempDir private Path folder;

  /// Another `memory start` removes its files from `logs` at the same time.
  @Test
  void fileThatIsRemovedWhileItsFolderIsListed_isNoLink() {
    var listed = new AtomicBoolean();
    var other =
        CompletableFuture.runAsync(() -> {
          while (!listed.get()) {
            writeAndRemove();
          }
        });
    try {
      assertThatCode(
              () -> {
                for (int i = 0; i < LISTINGS; i++) {
                  Links.refuseWithin(folder);
                }
              })
          .doesNotThrowAnyException();
    } finally {
      listed.set(true);
      other.join();
    }
  }

  @Test
  void link_inAFolder_isRefusedByName() throws IOException {
    Path target = Files.createFile(folder.resolve("target"));
    Path within = Files.createDirectory(folder.resolve("within"));
    Path link = Files.createSymbolicLink(within.resolve("link"), target);

    assertThatThrownBy(() -> Links.refuseWithin(within))
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining(link + " is a symbolic link to " + target);
    assertThat(target).exists();
  }

  private void writeAndRemove() {
    try {
      for (int i = 0; i < FILES; i++) {
        Files.createFile(folder.resolve("file" + i));
      }
      for (int i = 0; i < FILES; i++) {
        Files.delete(folder.resolve("file" + i));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
