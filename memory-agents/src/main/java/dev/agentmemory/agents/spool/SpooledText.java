package dev.agentmemory.agents.spool;

import dev.agentmemory.agents.Agent;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a file of the spool says, however it was cut off, of whatever length, of an agent that need
/// not be known. It is no JSON, or need not be, so it is looked at as text. Escapes of JSON count
/// as what they stand for.
///
/// @param agent that the header names, if it is known
/// @param variables of the header
/// @param directory that the payload names first
/// @param sessions those of the ids sought that it gives as the id of a session
/// @param words those of the ids sought that occur in it
/// @param namesSession whether it gives the id of any session
public record SpooledText(
    Optional<Agent> agent,
    Map<String, String> variables,
    Optional<String> directory,
    Set<String> sessions,
    Set<String> words,
    boolean namesSession) {

  /// Characters that are looked at together, and how many of them once more with the next ones.
  private static final int PART = 1 << 20;

  private static final int OVERLAP = 1 << 10;

  private static final Pattern SESSION =
      Pattern.compile(
          "\"\\w{0,64}(?:session|conversation|thread)(?:_?id)?\"\\s{0,8}:\\s{0,8}"
              + "\"([^\"\\n]{1,256})\"",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern DIRECTORY =
      Pattern.compile("\"(?:cwd|directory)\"\\s{0,8}:\\s{0,8}\"([^\"\\n]{1,4096})\"");

  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_-]++");
  private static final int LONGEST_WORD = 256;

  /// A word that has so many characters and digits is no word of a language.
  private static final int UNIQUE = 20;

  private static final int DIGITS = 4;

  /// Of an escape by number.
  private static final int UNIT_DIGITS = 4;

  public SpooledText {
    variables = Map.copyOf(variables);
    sessions = Set.copyOf(sessions);
    words = Set.copyOf(words);
  }

  /// Looks through a file.
  ///
  /// @param sought whether a text is one of the ids that are looked for
  public static SpooledText of(Path file, Predicate<String> sought) throws IOException {
    var found = new TextScan(sought);
    parts(file, found::look);
    return new SpooledText(
        Agent.of(found.header.getOrDefault("agent", "")),
        found.variables,
        Optional.ofNullable(found.directory),
        found.sessions,
        found.words,
        found.namesSession);
  }

  /// Passes on what a file says, in parts that overlap.
  public static void parts(Path file, Consumer<String> parts) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("it is no regular file");
    }
    try (Reader in =
        new InputStreamReader(
            Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS), StandardCharsets.UTF_8)) {
      var buffer = new char[PART];
      int kept = 0;
      while (true) {
        int read = in.read(buffer, kept, buffer.length - kept);
        int length = kept + Math.max(0, read);
        if (read < 0 || length == buffer.length) {
          parts.accept(unescaped(new String(buffer, 0, length)));
          if (read < 0) {
            return;
          }
          kept = OVERLAP;
          System.arraycopy(buffer, length - kept, buffer, 0, kept);
        } else {
          kept = length;
        }
      }
    }
  }

  private static String unescaped(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    var out = new StringBuilder(text.length());
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      at++;
      if (c != '\\' || at == text.length()) {
        out.append(c);
        continue;
      }
      char kind = text.charAt(at);
      at++;
      int unit = kind == 'u' ? unit(text, at) : -1;
      if (unit >= 0) {
        out.append((char) unit);
        at += UNIT_DIGITS;
      } else {
        out.append(
            switch (kind) {
              case 'n' -> '\n';
              case 'r', 't', 'b', 'f' -> ' ';
              default -> kind;
            });
      }
    }
    return out.toString();
  }

  /// @return -1 for what is no hexadecimal number of four digits
  private static int unit(String text, int from) {
    int unit = 0;
    for (int i = from; i < from + UNIT_DIGITS; i++) {
      int digit = i < text.length() ? Character.digit(text.charAt(i), 16) : -1;
      if (digit < 0) {
        return -1;
      }
      unit = unit << 4 | digit;
    }
    return unit;
  }

  private static final class TextScan {

    private final Predicate<String> sought;
    private final Map<String, String> header = new HashMap<>();
    private final Map<String, String> variables = new HashMap<>();
    private final Set<String> sessions = new HashSet<>();
    private final Set<String> words = new HashSet<>();
    private @Nullable String directory;
    private boolean namesSession;
    private boolean begun;

    private TextScan(Predicate<String> sought) {
      this.sought = sought;
    }

    void look(String part) {
      if (!begun) {
        begun = true;
        SpoolEntry.header(part, header, variables);
      }
      if (directory == null) {
        Matcher named = DIRECTORY.matcher(part);
        directory = named.find() ? named.group(1) : null;
      }
      Matcher session = SESSION.matcher(part);
      while (session.find()) {
        namesSession = true;
        if (sought.test(session.group(1))) {
          sessions.add(session.group(1));
        }
      }
      Matcher word = WORD.matcher(part);
      while (word.find()) {
        int length = word.end() - word.start();
        if (length <= LONGEST_WORD && sought.test(word.group())) {
          words.add(word.group());
          if (length >= UNIQUE
              && word.group().chars().filter(Character::isDigit).count() >= DIGITS) {
            sessions.add(word.group());
          }
        }
      }
    }
  }
}
