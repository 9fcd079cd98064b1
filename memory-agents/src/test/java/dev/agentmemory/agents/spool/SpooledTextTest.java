package dev.agentmemory.agents.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.agents.Agent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpooledTextTest {

  private static final String ID = "0b6f3e0a-1c2d-4e5f-8a9b-0c1d2e3f4a5b";

  @TempDir private Path folder;

  private SpooledText of(String content, String... sought) throws IOException {
    Path file = Files.writeString(folder.resolve("1-a.hook"), content);
    return SpooledText.of(file, Set.of(sought)::contains);
  }

  @Test
  void incompleteEntry_saysItsHeader_directory_andSession() throws IOException {
    SpooledText text =
        of(
            "memory-hook 1\nagent=codex\nvariable.MEMORY_WORKSPACE=shop\n\n"
                + "{\"session_id\" : \"s1\",\"cwd\":\"\\/home\\/dev\",\"prompt\":\"half",
            "s1",
            "s2");

    assertThat(text.agent()).contains(Agent.CODEX);
    assertThat(text.variables()).containsEntry("MEMORY_WORKSPACE", "shop");
    assertThat(text.directory()).contains("/home/dev");
    assertThat(text.sessions()).containsExactly("s1");
    assertThat(text.namesSession()).isTrue();
  }

  @Test
  void shortId_outsideASessionField_isNoSession() throws IOException {
    SpooledText text = of("{\"prompt\":\"s1\",\"id\":\"s1\",\"session_title\":\"s1\"}", "s1");

    assertThat(text.sessions()).isEmpty();
    assertThat(text.words()).containsExactly("s1");
    assertThat(text.namesSession()).isFalse();
  }

  @Test
  void longIdWithDigits_isASession_whereverItStands() throws IOException {
    assertThat(of("{\"transcript\":\"/home/x/" + ID + ".jsonl", ID).sessions()).containsExactly(ID);
    assertThat(of("{\"transcript\":\"/home/x/y" + ID + ".jsonl", ID).sessions()).isEmpty();
    String word = "UserPromptSubmitOfTheSession";
    assertThat(of("{\"hook_event_name\":\"" + word + "\"}", word).sessions()).isEmpty();
  }

  @Test
  void idWithEscapes_isFound() throws IOException {
    assertThat(of("{\"sessionId\":\"caf\\u00e9\\/1\"}", "café/1").sessions())
        .containsExactly("café/1");
  }

  @Test
  void id_acrossTwoParts_isFound() throws IOException {
    String before = "{\"text\":\"" + "x ".repeat((1 << 19) - 20);
    for (int shift = 0; shift < 64; shift++) {
      assertThat(of(before + " ".repeat(shift) + "\",\"session_id\":\"s1\"}", "s1").sessions())
          .containsExactly("s1");
    }
  }

  @Test
  void parts_haveEverythingBetweenThem() throws IOException {
    var content = new StringBuilder();
    for (int i = 0; content.length() < 3 << 20; i++) {
      content.append("word").append(i).append(' ');
    }
    Path file = Files.writeString(folder.resolve("large.hook"), content);
    List<String> parts = new ArrayList<>();
    SpooledText.parts(file, parts::add);

    assertThat(parts).hasSizeGreaterThan(2);
    for (int i = 0; i < 300_000; i += 97) {
      String pair = "word" + i + " word" + (i + 1) + " ";
      assertThat(content.indexOf(pair) < 0 || parts.stream().anyMatch(part -> part.contains(pair)))
          .isTrue();
    }
  }

  @Test
  void whatIsNoFile_isRefused() throws IOException {
    Path linked =
        Files.createSymbolicLink(folder.resolve("link"), Files.createFile(folder.resolve("f")));

    assertThatThrownBy(() -> SpooledText.of(linked, _ -> true)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> SpooledText.of(folder, _ -> true)).isInstanceOf(IOException.class);
  }
}
