package dev.agentmemory.rocksdb.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineLibraryTest {

  @TempDir Path folder;
  private Path copy;
  private byte[] library;

  @BeforeEach
  void unpackOnce() throws IOException {
    copy = EngineLibrary.unpack(folder);
    library = Files.readAllBytes(copy);
  }

  @Test
  void unpack_intactCopy_isKept() throws IOException {
    Object before = identity();

    assertThat(EngineLibrary.unpack(folder)).isEqualTo(copy);

    assertThat(identity()).isEqualTo(before);
    assertThat(folder).isDirectoryContaining(copy::equals);
    assertThat(library).hasSizeGreaterThan(1_000_000);
  }

  @Test
  void unpack_copyWithAChangedByte_isReplaced() throws IOException {
    byte[] damaged = library.clone();
    damaged[damaged.length / 2] ^= 1;
    Files.write(copy, damaged);

    EngineLibrary.unpack(folder);

    assertThat(copy).hasBinaryContent(library);
  }

  @Test
  void unpack_copyThatEndsEarlyBesideADraft_isReplaced() throws IOException {
    Files.write(copy, new byte[] {1});
    Files.write(folder.resolve(copy.getFileName() + ".new"), new byte[] {2});

    EngineLibrary.unpack(folder);

    assertThat(copy).hasBinaryContent(library);
    assertThat(folder).isDirectoryNotContaining(file -> !file.equals(copy));
  }

  @Test
  void unpack_copiesOfOtherVersionsAndDrafts_areRemoved_andOtherLibrariesKept() throws IOException {
    Path model = Files.createFile(folder.resolve("libonnxruntime.so"));
    Files.createFile(folder.resolve("librocksdbjni-other64.so"));
    Files.createFile(folder.resolve(copy.getFileName() + ".new"));

    EngineLibrary.unpack(folder);

    assertThat(copy).hasBinaryContent(library);
    assertThat(model).exists();
    assertThat(folder).isDirectoryNotContaining(file -> !file.equals(copy) && !file.equals(model));
  }

  /// In whatever order the folder lists them.
  @Test
  void unpack_someCannotBeRemoved_removesTheOthers() throws IOException {
    for (int i = 0; i < 16; i++) {
      Files.createFile(Files.createDirectory(folder.resolve("librocksdb-kept" + i)).resolve("x"));
      Files.createFile(folder.resolve("librocksdb-old" + i));
    }

    EngineLibrary.unpack(folder);

    assertThat(copy).hasBinaryContent(library);
    assertThat(folder)
        .isDirectoryContaining(file -> file.endsWith("librocksdb-kept0"))
        .isDirectoryNotContaining(file -> !file.equals(copy) && Files.isRegularFile(file));
  }

  @Test
  void unpack_thatFails_leavesNoDraft() throws IOException {
    Files.delete(copy);
    Files.createDirectory(copy);

    assertThatIOException().isThrownBy(() -> EngineLibrary.unpack(folder));

    assertThat(folder).isDirectoryNotContaining(file -> !file.equals(copy));
  }

  private Object identity() throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(copy, BasicFileAttributes.class);
    return attributes.fileKey() + " " + attributes.lastModifiedTime();
  }
}
