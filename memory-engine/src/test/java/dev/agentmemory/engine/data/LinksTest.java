package dev.agentmemory.engine.data;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinksTest {

  private static final int ROUNDS = 20;
  private static final int FILES = 100;

  @TempDir private Path folder;

  /// Another `memory start` removes its files from `logs` at the same time.
  @Test
  void fileThatIsRemovedWhileItsFolderIsListed_isNoLink() {
    var other =
        CompletableFuture.runAsync(() -> {
          for (int i = 0; i < ROUNDS; i++) {
            writeAndRemove();
          }
        });
    while (!other.isDone()) {
      Links.refuseWithin(folder);
    }
    other.join();
  }

  @Test
  void link_inAFolder_isRefusedByName() throws IOException {
    Path target = Files.createFile(folder.resolve("target"));
    Path within = Files.createDirectory(folder.resolve("within"));
    Path link = Files.createSymbolicLink(within.resolve("link"), target);

    assertThatThrownBy(() -> Links.refuseWithin(within))
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining(link + " is a symbolic link to " + target);
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
