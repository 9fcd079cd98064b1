package dev.agentmemory.rocksdb.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is encrypted comes back as it was, or not at all.
final class EncryptedContentTest {

  private static final BackupKey KEY = BackupKey.draw();
  private static final String PLACE = "content\ndefault\n00";
  private static final int CHUNK = EncryptedContent.CHUNK;
  private static final int STORED = CHUNK + EncryptedContent.TAG;

  @TempDir private Path temp;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 40, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 17})
  void content_ofAnySize_comesBack(int bytes) throws Exception {
    byte[] content = content(bytes);
    Path plain = Files.write(temp.resolve("plain"), content);
    Path encrypted = temp.resolve("encrypted");
    Path again = temp.resolve("again");
    String sha256 = Hashing.of(content);

    assertThat(EncryptedContent.encrypt(plain, encrypted, KEY, PLACE, _ -> {})).isEqualTo(sha256);
    assertThat(EncryptedContent.decrypt(encrypted, again, KEY, PLACE, _ -> {})).isEqualTo(sha256);
    assertThat(EncryptedContent.hash(encrypted, KEY, PLACE, _ -> {})).isEqualTo(sha256);
    assertThat(again).hasBinaryContent(content);
    assertThat(encrypted).hasSize(EncryptedContent.size(bytes));
    assertThat(EncryptedContent.decrypt(Files.readAllBytes(encrypted), KEY, PLACE))
        .isEqualTo(content);
  }

  @Test
  void everyChangedByte_isRefused() {
    byte[] encrypted = EncryptedContent.encrypt(content(100), KEY, PLACE);
    for (int i = 0; i < encrypted.length; i++) {
      byte[] changed = encrypted.clone();
      changed[i] ^= 1;
      assertForged(changed);
    }
  }

  @Test
  void changedByte_inAnyPartOfALargeContent_isRefused() {
    byte[] encrypted = EncryptedContent.encrypt(content(2 * CHUNK + 100), KEY, PLACE);
    int first = EncryptedContent.HEADER;
    for (int chunk = 0; chunk < 3; chunk++) {
      int begin = first + chunk * STORED;
      int end = Math.min(begin + STORED, encrypted.length);
      for (int at : new int[] {begin, (begin + end) / 2, end - EncryptedContent.TAG, end - 1}) {
        byte[] changed = encrypted.clone();
        changed[at] ^= (byte) 0x80;
        assertForged(changed);
      }
    }
  }

  @Test
  void cutOffAnywhere_isRefused() {
    byte[] small = EncryptedContent.encrypt(content(100), KEY, PLACE);
    IntStream.range(0, small.length).forEach(length -> assertForged(Arrays.copyOf(small, length)));
    byte[] large = EncryptedContent.encrypt(content(3 * CHUNK), KEY, PLACE);
    for (int chunks = 0; chunks < 3; chunks++) {
      assertForged(Arrays.copyOf(large, EncryptedContent.HEADER + chunks * STORED));
    }
  }

  @Test
  void appendedBytes_areRefused() {
    byte[] encrypted = EncryptedContent.encrypt(content(CHUNK), KEY, PLACE);
    assertForged(Arrays.copyOf(encrypted, encrypted.length + 1));
    assertForged(Arrays.copyOf(encrypted, encrypted.length + EncryptedContent.TAG));
  }

  @Test
  void chunks_inAnotherOrder_repeatedOrLeftOut_areRefused() {
    byte[] encrypted = EncryptedContent.encrypt(content(4 * CHUNK), KEY, PLACE);
    assertThat(chunks(encrypted, 0, 1, 2, 3)).isEqualTo(encrypted);
    assertForged(chunks(encrypted, 1, 0, 2, 3));
    assertForged(chunks(encrypted, 0, 2, 1, 3));
    assertForged(chunks(encrypted, 0, 0, 1, 2, 3));
    assertForged(chunks(encrypted, 0, 1, 3));
    assertForged(chunks(encrypted, 3));
  }

  @Test
  void chunksOfAnotherFile_areRefused() {
    byte[] one = EncryptedContent.encrypt(content(2 * CHUNK), KEY, PLACE);
    byte[] other = EncryptedContent.encrypt(content(2 * CHUNK), KEY, PLACE);
    assertThat(one).isNotEqualTo(other);
    System.arraycopy(other, EncryptedContent.HEADER, one, EncryptedContent.HEADER, STORED);
    assertForged(one);
  }

  @Test
  void otherPlaceOrKey_isRefused() {
    byte[] encrypted = EncryptedContent.encrypt(content(100), KEY, PLACE);
    assertForged(encrypted, KEY, PLACE + "1");
    assertForged(encrypted, BackupKey.draw(), PLACE);
  }

  @Test
  void namesOfContents_areEqualForEqualOnesOfAWorkspace_andTellNothingWithoutTheKey() {
    String sha256 = Hashing.of(content(10));
    String name = KEY.contentName("default", sha256);

    assertThat(KEY.contentName("default", sha256)).isEqualTo(name).matches("[0-9a-f]{64}");
    assertThat(KEY.contentName("billing", sha256)).isNotEqualTo(name);
    assertThat(BackupKey.draw().contentName("default", sha256)).isNotEqualTo(name);
    assertThat(name).isNotEqualTo(sha256);
  }

  private static byte[] content(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return content;
  }

  private static byte[] chunks(byte[] encrypted, int... order) {
    ByteBuffer made = ByteBuffer.allocate(EncryptedContent.HEADER + order.length * STORED);
    made.put(encrypted, 0, EncryptedContent.HEADER);
    for (int chunk : order) {
      made.put(encrypted, EncryptedContent.HEADER + chunk * STORED, STORED);
    }
    return made.array();
  }

  private static void assertForged(byte[] encrypted) {
    assertForged(encrypted, KEY, PLACE);
  }

  private static void assertForged(byte[] encrypted, BackupKey key, String place) {
    assertThatExceptionOfType(AEADBadTagException.class)
        .isThrownBy(() -> EncryptedContent.decrypt(encrypted, key, place))
        .withMessageStartingWith("it ");
  }
}
