package dev.agentmemory.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.daemon.cli.Screen.Ink;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HighlightTest {

  private final PrintStream nowhere = new PrintStream(new ByteArrayOutputStream());
  private final Screen screen = new Screen(nowhere, nowhere, Optional.of(80), true);

  @Test
  void paint_excerptOverTwoLines_isMarkedInBoth() {
    var highlight = new Highlight("We decided: four tries at most. Done.", "four tries at most");

    assertThat(highlight.paint(screen, "We decided: four", Ink.BAD))
        .isEqualTo("We decided: \u001b[31mfour\u001b[0m");
    assertThat(highlight.paint(screen, "tries at most. Done.", Ink.BAD))
        .isEqualTo("\u001b[31mtries at most\u001b[0m. Done.");
  }

  @Test
  void paint_excerptElsewhere_marksNothing() {
    assertThat(new Highlight("abc", "xyz").paint(screen, "abc", Ink.BAD)).isEqualTo("abc");
    assertThat(new Highlight("abc", "").paint(screen, "abc", Ink.BAD)).isEqualTo("abc");
  }
}
