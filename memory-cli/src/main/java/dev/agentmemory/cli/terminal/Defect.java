package dev.agentmemory.cli.terminal;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/// Reports an unexpected error: a sentence for the user, the stack trace in a file.
final class Defect {

  private Defect() {}

  /// Writes the stack trace into a new file that only its owner can read, and returns a sentence
  /// with its path.
  ///
  /// @param daemonLog the daemon's log file; mentioned when it exists
  static String report(Throwable error, Supplier<Path> daemonLog) {
    String message = error.getMessage();
    String what = error.getClass().getSimpleName() + (message == null ? "" : " (" + message + ")");
    return "this command failed with an internal error, "
        + what.replace('\n', ' ')
        + "; please report it"
        + trace(error).map(file -> " with the file " + file).orElse("")
        + existing(daemonLog).map(log -> "; the daemon's log is " + log).orElse("");
  }

  private static Optional<Path> trace(Throwable error) {
    try {
      var text = new StringWriter();
      error.printStackTrace(new PrintWriter(text, /* autoFlush= */ true));
      Path file = Files.createTempFile("agent-memory-error-", ".log");
      return Optional.of(Files.writeString(file, text.toString()));
    } catch (IOException e) {
      // If the file cannot be written, only the sentence is printed.
      return Optional.empty();
    }
  }

  private static Optional<Path> existing(Supplier<Path> daemonLog) {
    try {
      return Optional.of(daemonLog.get()).filter(Files::isRegularFile);
    } catch (RuntimeException e) {
      // The data directory is not valid, which may be the error itself.
      return Optional.empty();
    }
  }
}
