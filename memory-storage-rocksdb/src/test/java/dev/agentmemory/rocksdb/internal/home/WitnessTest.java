package dev.agentmemory.rocksdb.internal.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the witness of a store says, whichever part of its file was lost.
class WitnessTest {

  private static final Witness.Mark FIRST = mark(1, 800, 1034);
  private static final Witness.Mark SECOND = mark(1, 801, 1034);
  private static final Witness.Mark THIRD = mark(1, 802, 1034);

  @TempDir private Path folder;
  private Path file = Path.of("");

  @BeforeEach
  void name() {
    file = folder.resolve("witness").resolve("default");
  }

  private static Witness.Mark mark(long generation, long sequence, long bytes) {
    return mark(generation, sequence, 12, bytes);
  }

  private static Witness.Mark mark(String numbers) {
    List<Long> each = Stream.of(numbers.split(" ", -1)).map(Long::parseLong).toList();
    return mark(each.get(0), each.get(1), each.get(2), each.get(3));
  }

  private static Witness.Mark mark(long generation, long sequence, long recordChanges, long bytes) {
    return new Witness.Mark(
        "0123456789abcdef", generation, sequence, recordChanges, "MANIFEST-000005", bytes);
  }

  private Optional<Witness.Mark> seen() throws IOException {
    return Witness.look(file).believed();
  }

  @Test
  void look_noFile_isAbsent() throws IOException {
    assertThat(Witness.look(file)).isInstanceOf(Witness.Look.Absent.class);
    assertThat(seen()).isEmpty();
  }

  @Test
  void start_newFile_isForTheOwnerOnlyAndHoldsTheMarkTwice() throws IOException {
    Witness.start(file, FIRST).close();
    byte[] bytes = Files.readAllBytes(file);
    assertThat(bytes).hasSize(2 * Witness.SLOT);
    assertThat(Arrays.copyOf(bytes, Witness.SLOT))
        .isEqualTo(Arrays.copyOfRange(bytes, Witness.SLOT, bytes.length))
        .endsWith(' ', '\n')
        .startsWith("agent-memory witness store=".getBytes(StandardCharsets.US_ASCII));
    assertThat(seen()).contains(FIRST);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
        .isEqualTo("rwx------");
  }

  /// What a former witness said, of another store or of a later time, is over.
  @Test
  void start_overAFormerFile_leavesNothingOfIt() throws IOException {
    Witness.start(file, mark(9, 9000, 99)).close();
    Files.write(file, new byte[3 * Witness.SLOT]);
    Witness.start(file, FIRST).close();
    assertThat(Files.size(file)).isEqualTo(2 * Witness.SLOT);
    assertThat(seen()).contains(FIRST);
  }

  @Test
  void start_overALink_isRefusedAndItsTargetKept() throws IOException {
    Path target = Files.writeString(folder.resolve("precious.txt"), "precious");
    Files.createDirectory(file.getParent());
    Files.createSymbolicLink(file, target);
    assertThatThrownBy(() -> Witness.start(file, FIRST)).isInstanceOf(IOException.class);
    assertThat(target).hasContent("precious");
  }

  /// A power failure in the middle of a write tears one slot: the one before is in the other.
  @Test
  void write_changesOneSlot_andTheOtherOneNextTime() throws IOException {
    try (Witness witness = Witness.start(file, FIRST)) {
      byte[] before = Files.readAllBytes(file);
      assertThat(witness.write(SECOND)).isTrue();
      byte[] second = Files.readAllBytes(file);
      assertThat(seen()).contains(SECOND);
      assertThat(witness.write(THIRD)).isTrue();
      byte[] third = Files.readAllBytes(file);
      assertThat(seen()).contains(THIRD);
      for (int slot = 0; slot < 2; slot++) {
        assertThat(Arrays.equals(slot(before, slot), slot(second, slot)))
            .isNotEqualTo(Arrays.equals(slot(second, slot), slot(third, slot)));
      }
      Witness.Mark fourth = mark(1, 803, 1034);
      witness.write(fourth);
      assertThat(seen()).contains(fourth);
      for (byte[] bytes : new byte[][] {before, second, third, Files.readAllBytes(file)}) {
        assertThat(bytes).hasSize(2 * Witness.SLOT);
      }
    }
  }

  private static byte[] slot(byte[] bytes, int slot) {
    return Arrays.copyOfRange(bytes, slot * Witness.SLOT, (slot + 1) * Witness.SLOT);
  }

  @Test
  void write_sameMarkAgain_writesNothing() throws IOException {
    try (Witness witness = Witness.start(file, FIRST)) {
      assertThat(witness.write(FIRST)).isFalse();
      Files.write(file, new byte[2 * Witness.SLOT]);
      assertThat(witness.write(FIRST)).isFalse();
      assertThat(Files.readAllBytes(file)).containsOnly(0);
      assertThat(witness.write(SECOND)).isTrue();
      assertThat(witness.write(SECOND)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void look_oneSlotDamaged_believesTheOther(int damaged) throws IOException {
    try (Witness witness = Witness.start(file, FIRST)) {
      witness.write(SECOND);
    }
    byte[] bytes = Files.readAllBytes(file);
    Optional<Witness.Mark> other = alone(bytes, 1 - damaged);
    bytes[damaged * Witness.SLOT + 40] ^= 1;
    Files.write(file, bytes);
    assertThat(seen()).isPresent().isEqualTo(other);
  }

  /// What one slot says by itself.
  private Optional<Witness.Mark> alone(byte[] bytes, int slot) throws IOException {
    Path copy = folder.resolve("slot " + slot);
    Files.write(copy, slot(bytes, slot));
    return Witness.look(copy).believed();
  }

  @Test
  void look_fileCutOffInItsSecondSlot_believesTheFirst() throws IOException {
    Witness.start(file, FIRST).close();
    byte[] bytes = Files.readAllBytes(file);
    for (int length : new int[] {Witness.SLOT, Witness.SLOT + 1, 2 * Witness.SLOT - 1}) {
      Files.write(file, Arrays.copyOf(bytes, length));
      assertThat(seen()).contains(FIRST);
    }
  }

  @Test
  void look_bytesBehindItsSlots_areNoMark() throws IOException {
    Witness.start(file, THIRD).close();
    byte[] further = Files.readAllBytes(file);
    Witness.start(file, FIRST).close();
    byte[] bytes = Arrays.copyOf(Files.readAllBytes(file), 3 * Witness.SLOT);
    System.arraycopy(further, 0, bytes, 2 * Witness.SLOT, Witness.SLOT);
    Files.write(file, bytes);
    assertThat(seen()).contains(FIRST);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "agent-memory witness crc=00000000",
        "something else store=a generation=1 sequence=5 manifest=M:1 crc=",
        "agent-memory witness store=a generation=1 sequence=5",
        "agent-memory witness store=a generation=x sequence=5 manifest=M:1 crc=",
        "agent-memory witness store=a generation=1 sequence=5 manifest=M crc=",
        "agent-memory witness store=a generation=1 sequence=5 records=9 crc=",
        "agent-memory witness store=a generation=1 sequence=5 records=x manifest=M:1 crc=",
        "agent-memory witness store=a crc=",
      })
  void look_textThatIsNoMark_isDamaged(String text) throws IOException {
    Files.createDirectory(file.getParent());
    Files.writeString(file, text.endsWith("crc=") ? text + sum(text) : text);
    assertThat(Witness.look(file)).isInstanceOf(Witness.Look.Damaged.class);
    assertThat(seen()).isEmpty();
  }

  @Test
  void look_textWithItsSum_isBelieved() throws IOException {
    Files.createDirectory(file.getParent());
    String text = "agent-memory witness store=a generation=1 sequence=5 manifest=M:7 crc=";
    Files.writeString(file, text + sum(text));
    assertThat(seen()).contains(new Witness.Mark("a", 1, 5, 0, "M", 7));
    String counted = text.replace("sequence=5", "sequence=5 records=9");
    Files.writeString(file, counted + sum(counted));
    assertThat(seen()).contains(new Witness.Mark("a", 1, 5, 9, "M", 7));
  }

  private static String sum(String text) {
    var sum = new CRC32C();
    sum.update(
        text.substring(0, text.length() - " crc=".length()).getBytes(StandardCharsets.UTF_8));
    return "%08x".formatted(sum.getValue());
  }

  /// The generation counts first, then the sequence, then the changes of records, then the length
  /// of the manifest.
  @ParameterizedTest
  @CsvSource({
    "2 1 1 1, 1 9 9 9",
    "1 9 1 1, 1 8 9 9",
    "1 8 7 1, 1 8 6 9",
    "1 8 7 9, 1 8 7 8",
  })
  void look_twoSlots_believesTheOneThatIsFurther(String one, String other) throws IOException {
    Witness.Mark further = mark(one);
    Witness.Mark behind = mark(other);
    try (Witness witness = Witness.start(file, behind)) {
      witness.write(further);
      assertThat(seen()).contains(further);
    }
    try (Witness witness = Witness.start(file, further)) {
      witness.write(behind);
      assertThat(seen()).contains(further);
    }
  }

  @Test
  void write_markThatFillsItsSlot_isRead_andALongerOneIsRefused() throws IOException {
    Witness.start(file, FIRST).close();
    int text = new String(Files.readAllBytes(file), StandardCharsets.US_ASCII).indexOf("  ");
    int room = Witness.SLOT - 1 - text;
    String name = "MANIFEST-000005" + "5".repeat(room);
    var longest = new Witness.Mark(FIRST.storeId(), 1, 800, 12, name, 1034);
    Witness.start(file, longest).close();
    assertThat(seen()).contains(longest);
    var longer = new Witness.Mark(FIRST.storeId(), 1, 800, 12, name + "5", 1034);
    assertThatThrownBy(() -> Witness.start(file, longer)).hasMessageContaining("does not fit");
    assertThat(seen()).contains(longest);
  }
}
