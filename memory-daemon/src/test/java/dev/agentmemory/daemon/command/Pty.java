package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// A terminal of its own for a command, made by `script` of util-linux.
final class Pty {

  private static final int MOST_SECONDS = 300;

  private Pty() {}

  /// How a command ended there.
  ///
  /// @param shown all that the terminal got, also what was typed
  record Said(int code, String shown) {}

  /// Runs lines of a shell script on a terminal. Skips the test where there is no such program.
  ///
  /// @param columns of the terminal; 0 is one that does not tell
  /// @param typed what is typed on it; at its end, the input ends
  static Said run(Path folder, int columns, String typed, String script)
      throws IOException, InterruptedException {
    assumeTrue(isThere(), "needs `script` of util-linux to make a terminal");
    Path file = Files.createTempFile(folder, "script", ".sh");
    Files.writeString(file, "stty cols " + columns + " rows 24\n" + script);
    Path shown = Files.createTempFile(folder, "shown", ".txt");
    Process process =
        new ProcessBuilder("script", "-qec", "sh " + file, "/dev/null")
            .redirectErrorStream(true)
            .redirectOutput(shown.toFile())
            .start();
    process.getOutputStream().write(typed.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    boolean ended = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly();
    }
    String text = Files.readString(shown).replace("\r\n", "\n");
    assertThat(ended).as(text).isTrue();
    return new Said(process.exitValue(), text);
  }

  private static boolean isThere() throws InterruptedException {
    try {
      Process process = new ProcessBuilder("script", "--version").redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 && said.contains("util-linux");
    } catch (IOException e) {
      return false;
    }
  }
}
