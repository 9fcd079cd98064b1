package dev.agentmemory.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Output of commands: plain in a pipe, coloured and as wide as the window on a terminal.
public final class Terminal {

  private static final int PLAIN_WIDTH = 100;
  private static final int LEAST_WIDTH = 20;
  private static final int UNKNOWN_WIDTH = 80;
  private static final int NAME_COLUMNS = 19;

  /// With fewer columns a name and its description are printed one below the other.
  private static final int SIDE_BY_SIDE = 48;

  private static final int MOST_WIDTH = 120;
  private static final String ESCAPE = "\u001b[";

  private final PrintStream out;
  private final PrintStream err;
  private final Optional<Integer> columns;
  private final boolean watched;
  private final boolean colours;

  public Terminal(PrintStream out, PrintStream err, Optional<Integer> columns, boolean colours) {
    this(out, err, columns, columns.isPresent(), colours);
  }

  /// @param columns width of the terminal of `out`, 0 when unknown; empty when `out` is not a
  ///   terminal
  /// @param watched whether `err` is a terminal, where a message may be overwritten
  public Terminal(
      PrintStream out,
      PrintStream err,
      Optional<Integer> columns,
      boolean watched,
      boolean colours) {
    this.out = out;
    this.err = err;
    this.columns = columns.map(width -> width > 0 ? width : UNKNOWN_WIDTH);
    this.watched = watched;
    this.colours = colours;
  }

  /// The terminal of this process. The launcher passes whether there is one and its width, because
  /// Java only reports on input and output together.
  public static Terminal ofProcess(Map<String, String> environment) {
    // Always UTF-8: with an empty locale, Java would write every emoji as a question mark.
    var out =
        new PrintStream(
            new FileOutputStream(FileDescriptor.out),
            /* autoFlush= */ false,
            StandardCharsets.UTF_8);
    var err =
        new PrintStream(
            new FileOutputStream(FileDescriptor.err),
            /* autoFlush= */ true,
            StandardCharsets.UTF_8);
    Optional<Integer> columns = Optional.ofNullable(Integer.getInteger("agentmemory.columns"));
    return new Terminal(
        out,
        err,
        columns,
        Boolean.getBoolean("agentmemory.watched"),
        Colours.AUTO.wanted(columns.isPresent(), environment));
  }

  public Terminal withColours(boolean wanted) {
    return wanted == colours ? this : new Terminal(out, err, columns, watched, wanted);
  }

  public boolean terminal() {
    return columns.isPresent();
  }

  public boolean colours() {
    return colours;
  }

  /// Columns to fill, 20 to 120, so that lines stay readable. A narrower terminal breaks lines
  /// itself.
  public int width() {
    int wanted = columns.orElse(PLAIN_WIDTH);
    return Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, wanted));
  }

  public void line(String text) {
    out.println(text);
  }

  public void line() {
    out.println();
  }

  /// Text for output. For a terminal, control characters are replaced by spaces; a pipe gets it
  /// unchanged.
  public String shown(String text) {
    return terminal() ? Columns.clean(text) : text;
  }

  /// Prints text broken into lines.
  ///
  /// @param first prefix of the first line
  /// @param next prefix of the other lines
  public void wrapped(String first, String next, String text) {
    wrapped(first, next, text, Style.PLAIN);
  }

  public void wrapped(String first, String next, String text, Style style) {
    List<String> lines = Columns.wrap(text, width() - Columns.width(first));
    String lead = first;
    for (String part : lines) {
      out.println(lead + styled(style, part));
      lead = next;
    }
  }

  /// Prints a name and its description.
  public void row(String name, String text) {
    row(name, text, Style.PLAIN);
  }

  public void row(String name, String text, Style style) {
    if (width() < SIDE_BY_SIDE) {
      line(name);
      wrapped("  ", "  ", text, style);
      return;
    }
    wrapped("%-18s ".formatted(name), " ".repeat(NAME_COLUMNS), text, style);
  }

  /// Prints a JSON object.
  ///
  /// @param indented whether it takes many lines, for people, or one
  public void json(boolean indented, Consumer<JsonWriter> fields) {
    JsonWriter.object(out, indented, fields);
  }

  /// A temporary message, shown on a terminal only and overwritten by the next one.
  public void progress(String text) {
    if (watched) {
      err.print("\r" + ESCAPE + "K" + text);
      err.flush();
    }
  }

  public void error(String text) {
    // Keeps the order when both streams go to the same place.
    out.flush();
    if (watched) {
      err.print("\r" + ESCAPE + "K");
    }
    String lead = "memory: ";
    for (String line : text.lines().toList()) {
      // A pipe gets the line unbroken, so that a program can search it.
      List<String> parts = watched ? Columns.wrap(line, width() - lead.length()) : List.of(line);
      parts.forEach(part -> err.println(lead + part));
    }
    err.flush();
  }

  public String styled(Style style, String text) {
    return colours && !style.code.isEmpty() && !text.isEmpty()
        ? ESCAPE + style.code + "m" + text + ESCAPE + "0m"
        : text;
  }

  /// For the output of picocli itself, such as help.
  public PrintWriter writer() {
    return new PrintWriter(out, /* autoFlush= */ true, StandardCharsets.UTF_8);
  }

  public PrintWriter errorWriter() {
    return new PrintWriter(err, /* autoFlush= */ true, StandardCharsets.UTF_8);
  }

  public void flush() {
    out.flush();
  }

  /// Whether something could not be written to the output.
  public boolean hasFailed() {
    return out.checkError();
  }

  /// Styles of text.
  public enum Style {
    PLAIN(""),
    BOLD("1"),
    DIM("2"),
    TITLE("1;36"),
    KEY("33"),
    GOOD("32"),
    BAD("31"),
    MARK("1;32");

    private final String code;

    Style(String code) {
      this.code = code;
    }
  }
}
