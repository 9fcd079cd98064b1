package dev.agentmemory.testkit.fuzz;

import java.util.regex.Pattern;

/// What became of one input.
///
/// @param input what was sent, for a reader
/// @param answer what was said of it
public record FuzzAttempt(Outcome outcome, String input, String answer) {

  /// Names of classes, lines of stack traces, and what a command says of an unexpected error. A
  /// text that was sent may come back in an answer, so no input has any of them.
  private static final Pattern PROGRAM =
      Pattern.compile(
          "\\bat [\\w.$]+\\([\\w.]+:\\d+\\)|\\b(java|io\\.grpc|dev\\.agentmemory)\\.\\w+\\.|failed with an internal error");

  private static final int MOST_SHOWN = 300;

  /// How an input was taken.
  public enum Outcome {
    /// Its values were good. It was done, or refused for another reason, such as an id that is not
    /// known.
    VALID,
    /// It was refused as wrong.
    REFUSED,
    /// The daemon failed, or showed something of the program.
    DEFECT,
    /// There was no answer in time.
    HANG
  }

  /// The same, as a defect if the answer shows something of the program.
  FuzzAttempt checked() {
    return outcome != Outcome.DEFECT && PROGRAM.matcher(answer).find()
        ? new FuzzAttempt(Outcome.DEFECT, input, answer)
        : this;
  }

  @Override
  public String toString() {
    return "%s: %s -> %s".formatted(outcome, shortened(input), shortened(answer));
  }

  private static String shortened(String text) {
    String line = text.replace("\n", "\\n");
    return line.length() <= MOST_SHOWN
        ? line
        : line.substring(0, MOST_SHOWN) + "... (" + line.length() + " characters)";
  }
}
