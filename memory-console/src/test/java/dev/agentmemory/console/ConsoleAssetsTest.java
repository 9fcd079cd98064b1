package dev.agentmemory.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class ConsoleAssetsTest {

  private static final int MOST_BYTES = 60 << 10;

  /// Icon, styles and one script.
  private static final int FILES = 3;

  private final ConsoleAssets assets = ConsoleAssets.load();

  private String text(String name) {
    return new String(assets.content(name).orElseThrow(), StandardCharsets.UTF_8);
  }

  /// The page and what it loads.
  private List<String> startPage() {
    return Pattern.compile("/assets/([^\"]+)")
        .matcher(text("index.html"))
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  @Test
  void startPage_isSmall_inFewFiles() {
    int bytes =
        assets.compressed("index.html").orElseThrow().length
            + startPage().stream()
                .mapToInt(name -> assets.compressed(name).orElseThrow().length)
                .sum();

    assertThat(bytes).isLessThan(MOST_BYTES);
    assertThat(startPage()).hasSize(FILES);
  }

  @Test
  void compressedFiles_haveTheSameContent() throws IOException {
    for (String name : assets.names()) {
      byte[] compressed = assets.compressed(name).orElseThrow();
      try (var plain = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
        assertThat(plain.readAllBytes()).as(name).isEqualTo(assets.content(name).orElseThrow());
      }
    }
  }

  @Test
  void name_thatIsNotListed_isNotRead() {
    assertThat(assets.content("names.txt")).isEmpty();
    assertThat(assets.content("../ConsoleAssets.class")).isEmpty();
    assertThat(assets.compressed("x")).isEmpty();
  }

  @Test
  void licencesOfTheLibraries_areKept() {
    assertThat(text("licenses.txt"))
        .contains("== lit 3", "== lit-html 3", "== lit-element 4", "== @lit/reactive-element 2")
        .contains("Copyright (c) 2017 Google LLC")
        .contains("Redistributions in binary form must reproduce the above copyright");
  }

  /// A page may load nothing from elsewhere, so its files name no other place.
  @Test
  void files_nameNoOtherServer() {
    for (String name : assets.names()) {
      if (!name.equals("licenses.txt")) {
        assertThat(text(name).replace("http://www.w3.org/", ""))
            .as(name)
            .doesNotContain("https://", "http://", "sourceMappingURL");
      }
    }
  }
}
