package dev.agentmemory.cli.console;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Opens a file with the browser of the user.
final class BrowserOpener {

  /// Of Linux, and of macOS.
  private static final List<String> PROGRAMS = List.of("xdg-open", "open");

  /// Within which a program that finds no browser has ended.
  private static final long SETTLE_MILLIS = 1500;

  private BrowserOpener() {}

  /// @return false when there is no program for it, or it fails
  static boolean open(Path file, Map<String, String> environment) {
    Optional<Path> program = program(environment);
    if (program.isEmpty()) {
      return false;
    }
    try {
      Process process =
          new ProcessBuilder(program.get().toString(), file.toUri().toString())
              .redirectInput(Redirect.PIPE)
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start();
      // Some of them go on as the browser.
      return !process.waitFor(SETTLE_MILLIS, TimeUnit.MILLISECONDS) || process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static Optional<Path> program(Map<String, String> environment) {
    // On Linux `open` is another program in old systems, so the other one comes first.
    return Stream.of(environment.getOrDefault("PATH", "").split(":", -1))
        .filter(folder -> !folder.isEmpty())
        .flatMap(folder -> PROGRAMS.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .min((one, other) -> Integer.compare(rank(one), rank(other)));
  }

  private static int rank(Path program) {
    return PROGRAMS.indexOf(String.valueOf(program.getFileName()));
  }
}
