package dev.agentmemory.rocksdb.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Key files of backups.
final class BackupKeyTest {

  @TempDir private Path temp;
  private Path file;

  @BeforeEach
  void place() {
    file = temp.resolve("backup.key");
  }

  @Test
  void key_isReadAsItWasWritten_andItsFileIsTheOwnersAlone() throws IOException {
    BackupKey key = BackupKey.draw();
    key.write(file);

    BackupKey read = BackupKey.read(file);
    assertThat(read.id()).isEqualTo(key.id()).matches("[0-9a-f]{16}");
    assertThat(read.contentName("a", "b")).isEqualTo(key.contentName("a", "b"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(BackupKey.draw().id()).isNotEqualTo(key.id());
  }

  @Test
  void fileThatExists_isNotChanged() throws IOException {
    BackupKey.draw().write(file);
    String before = Files.readString(file);

    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> BackupKey.draw().write(file))
        .withMessageContaining(file + " exists and was not changed");
    assertThat(file).hasContent(before);
  }

  @Test
  void folderThatIsMissing_isTold() {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> BackupKey.draw().write(temp.resolve("no/backup.key")))
        .withMessageContaining("cannot write the key file");
  }

  @Test
  void changedFile_isDamaged_andNoMessageShowsIt() throws IOException {
    BackupKey.draw().write(file);
    String text = Files.readString(file);
    char other = text.charAt(20) == '0' ? '1' : '0';
    Files.writeString(file, text.substring(0, 20) + other + text.substring(21));
    refused("checksum");
    Files.writeString(file, text.substring(0, 30));
    refused("is not a key file").withMessageNotContaining(text.substring(6, 30));
    Files.writeString(file, "");
    refused("is not a key file");
    Files.writeString(file, text.strip() + "\r\n");
    assertThat(BackupKey.read(file).toString()).doesNotContain(text.substring(6, 30));
  }

  @Test
  void fileThatOthersCanRead_isRefused() throws IOException {
    BackupKey.draw().write(file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    refused("chmod 600 " + file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
    assertThat(BackupKey.read(file).id()).hasSize(16);
  }

  @Test
  void missingFile_folderAndLink_areRefused() throws IOException {
    refused("does not exist").matches(e -> e.code() == ErrorCode.NOT_FOUND);
    Path real = temp.resolve("real.key");
    BackupKey.draw().write(real);
    Files.createSymbolicLink(file, real);
    refused("not a regular file");
    Files.delete(file);
    Files.createDirectory(file);
    refused("not a regular file");
  }

  private ThrowableAssertAlternative<MemoryException> refused(String why) {
    return assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> BackupKey.read(file))
        .withMessageContaining(file.toString())
        .withMessageContaining(why);
  }
}
