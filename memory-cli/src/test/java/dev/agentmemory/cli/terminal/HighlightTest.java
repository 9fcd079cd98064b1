package dev.agentmemory.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.search.Snippet;
import dev.agentmemory.cli.terminal.Screen.Ink;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HighlightTest {

  private final PrintStream nowhere = new PrintStream(new ByteArrayOutputStream());
  private final Screen screen = new Screen(nowhere, nowhere, Optional.of(80), true);

  @Test
  void paint_excerptOverTwoLines_isMarkedInBoth() {
    var highlight = Highlight.of("We decided: four tries at most. Done.", "four tries at most");

    assertThat(highlight.paint(screen, "We decided: four", Ink.BAD))
        .isEqualTo("We decided: \u001b[31mfour\u001b[0m");
    assertThat(highlight.paint(screen, "tries at most. Done.", Ink.BAD))
        .isEqualTo("\u001b[31mtries at most\u001b[0m. Done.");
  }

  @Test
  void paint_matchesOfASnippet_areMarkedEach() {
    var snippet =
        new Snippet(
            "full jitter,\nor jitter",
            List.of(
                new Snippet.Highlight(0, 4),
                new Snippet.Highlight(5, 11),
                new Snippet.Highlight(16, 22)));
    var highlight = Highlight.of(snippet);

    assertThat(highlight.paint(screen, "full jitter, or", Ink.BAD))
        .isEqualTo("\u001b[31mfull\u001b[0m \u001b[31mjitter\u001b[0m, or");
    assertThat(highlight.paint(screen, "jitter", Ink.BAD)).isEqualTo("\u001b[31mjitter\u001b[0m");
  }

  @Test
  void paint_excerptElsewhere_marksNothing() {
    assertThat(Highlight.of("abc", "xyz").paint(screen, "abc", Ink.BAD)).isEqualTo("abc");
    assertThat(Highlight.of("abc", "").paint(screen, "abc", Ink.BAD)).isEqualTo("abc");
  }
}
