package dev.agentmemory.testkit.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the scanner finds in files that are not of a store.
class NeedleFormsTest {

  private static final String NEEDLE = "zorvenquil";
  private static final String QUOTED = "it said \"grünblau\" twice";

  @TempDir private Path folder;

  @Test
  void text_inUtf8AndUtf16_isFoundInAnyCase() throws IOException {
    write("a", ("before " + NEEDLE + " after").getBytes(StandardCharsets.UTF_8));
    write("b", "Before ZORVENquil".getBytes(StandardCharsets.UTF_16LE));
    write("c", NEEDLE.getBytes(StandardCharsets.UTF_16BE));
    assertThat(scan(NEEDLE).places(NEEDLE))
        .extracting(place -> place.file().getFileName() + " " + place.form() + " " + place.place())
        .containsExactlyInAnyOrder("a utf-8 offset 7", "b utf-16 offset 14", "c utf-16 offset 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "xy", "xyz"})
  void text_inBase64_isFoundWhateverPrecedesIt(String before) throws IOException {
    byte[] plain = (before + NEEDLE + " and more").getBytes(StandardCharsets.UTF_8);
    write("a", Base64.getEncoder().encode(plain));
    assertThat(scan(NEEDLE).places(NEEDLE)).extracting(FoundText::form).containsExactly("base64");
  }

  @Test
  void text_inBase64_dependsOnTheCaseOfItsCharacters() throws IOException {
    byte[] encoded = Base64.getEncoder().encode(NEEDLE.getBytes(StandardCharsets.UTF_8));
    write(
        "a",
        new String(encoded, StandardCharsets.US_ASCII)
            .toLowerCase(Locale.ROOT)
            .getBytes(StandardCharsets.US_ASCII));
    assertThat(scan(NEEDLE).count(NEEDLE)).isZero();
  }

  @Test
  void textOfOtherCharacters_inUtf16_isFound() throws IOException {
    write("a", QUOTED.getBytes(StandardCharsets.UTF_16LE));
    write("b", QUOTED.getBytes(StandardCharsets.UTF_16BE));
    assertThat(scan(QUOTED).count(QUOTED)).isEqualTo(2);
  }

  @Test
  void text_escapedAsInJson_isFound() throws IOException {
    write("a", "{\"t\":\"it said \\\"grünblau\\\" twice\"}".getBytes(StandardCharsets.UTF_8));
    write("b", "{\"t\":\"it said \\\"gr\\u00fcnblau\\\" twice\"}".getBytes(StandardCharsets.UTF_8));
    write(
        "c",
        "{\"t\":\"{\\\"t\\\":\\\"it said \\\\\\\"grünblau\\\\\\\" twice\\\"}\"}"
            .getBytes(StandardCharsets.UTF_8));
    assertThat(scan(QUOTED).places(QUOTED))
        .extracting(place -> place.file().getFileName() + " " + place.form())
        .containsExactlyInAnyOrder("a json", "b json", "c json in json");
  }

  @Test
  void compressedFiles_areUnpacked() throws IOException {
    byte[] plain = (NEEDLE + " ").repeat(3).getBytes(StandardCharsets.UTF_8);
    var gzip = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(gzip)) {
      out.write(plain);
    }
    write("a", gzip.toByteArray());
    write("b", Zstd.compress(plain));
    assertThat(scan(NEEDLE).places(NEEDLE))
        .filteredOn(place -> place.kind().equals("unpacked bytes"))
        .extracting(place -> place.file().getFileName() + " " + place.place())
        .contains("a offset 0", "a offset 22", "b offset 0", "b offset 22");
  }

  @Test
  void largeFile_isSearchedWhole_andNothingIsFoundTwice() throws IOException {
    byte[] large = new byte[(9 << 20) + 5];
    byte[] needle = NEEDLE.getBytes(StandardCharsets.UTF_8);
    int slice = 4 << 20;
    int[] places = {0, slice - 5, slice + 60, 2 * slice - 3, 2 * slice + 60, large.length - 10};
    for (int at : places) {
      System.arraycopy(needle, 0, large, at, needle.length);
    }
    write("a", large);
    ScanResult result = scan(NEEDLE);
    assertThat(result.count(NEEDLE)).isEqualTo(places.length);
    assertThat(result.bytes()).isEqualTo(large.length);
    assertThat(result.bytesFound()).isEqualTo((long) places.length * needle.length);
  }

  @Test
  void namesOfFilesAndFolders_areSearched() throws IOException {
    Files.createDirectories(folder.resolve("session-" + NEEDLE));
    write("session-" + NEEDLE + "/x-" + NEEDLE, new byte[0]);
    assertThat(scan(NEEDLE).places(NEEDLE))
        .extracting(FoundText::kind)
        .containsExactly("name", "name");
  }

  @Test
  void otherTexts_areNotFound() throws IOException {
    write("a", "zorvenqui zorvenquol orvenquil zorven quil".getBytes(StandardCharsets.UTF_8));
    ScanResult result = scan(NEEDLE);
    assertThat(result.found()).isEmpty();
    assertThat(result.count(NEEDLE)).isZero();
    assertThat(result.files()).isEqualTo(1);
  }

  @Test
  void damagedFile_isReported() throws IOException {
    write("a", new byte[] {0x1F, (byte) 0x8B, 0x08, 0, 1, 2, 3});
    assertThat(scan(NEEDLE).unread()).singleElement().asString().contains("a: ");
  }

  @Test
  void shortText_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scan("shorter"))
        .withMessage("needles: 'shorter' is too short; a text needs 8 bytes");
  }

  private ScanResult scan(String needle) throws IOException {
    return ByteScanner.scan(List.of(needle), folder);
  }

  private void write(String name, byte[] content) throws IOException {
    Files.write(folder.resolve(name), content);
  }
}
