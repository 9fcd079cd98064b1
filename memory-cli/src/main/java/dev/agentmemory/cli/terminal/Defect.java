package dev.agentmemory.cli.terminal;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/// An error that nobody expected: one sentence for a person, the stack trace in a file.
final class Defect {

  private Defect() {}

  /// Writes the stack trace into a new file that only its owner can read, and says where it is.
  ///
  /// @param daemonLog the file that the daemon logs to; named when it exists
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
      // Where nothing can be written the sentence has to do.
      return Optional.empty();
    }
  }

  private static Optional<Path> existing(Supplier<Path> daemonLog) {
    try {
      return Optional.of(daemonLog.get()).filter(Files::isRegularFile);
    } catch (RuntimeException e) {
      // The arguments name no data directory; that may be what went wrong.
      return Optional.empty();
    }
  }
}
