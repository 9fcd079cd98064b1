package dev.agentmemory.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.search.Snippet;
import dev.agentmemory.cli.terminal.Terminal.Style;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TermHighlightTest {

  private final PrintStream nowhere = new PrintStream(new ByteArrayOutputStream());
  private final Terminal screen = new Terminal(nowhere, nowhere, Optional.of(80), true);

  @Test
  void paint_excerptOverTwoLines_isMarkedInBoth() {
    var highlight = TermHighlight.of("We decided: four tries at most. Done.", "four tries at most");

    assertThat(highlight.paint(screen, "We decided: four", Style.BAD))
        .isEqualTo("We decided: \u001b[31mfour\u001b[0m");
    assertThat(highlight.paint(screen, "tries at most. Done.", Style.BAD))
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
    var highlight = TermHighlight.of(snippet);

    assertThat(highlight.paint(screen, "full jitter, or", Style.BAD))
        .isEqualTo("\u001b[31mfull\u001b[0m \u001b[31mjitter\u001b[0m, or");
    assertThat(highlight.paint(screen, "jitter", Style.BAD)).isEqualTo("\u001b[31mjitter\u001b[0m");
  }

  @Test
  void paint_excerptElsewhere_marksNothing() {
    assertThat(TermHighlight.of("abc", "xyz").paint(screen, "abc", Style.BAD)).isEqualTo("abc");
    assertThat(TermHighlight.of("abc", "").paint(screen, "abc", Style.BAD)).isEqualTo("abc");
  }
}
