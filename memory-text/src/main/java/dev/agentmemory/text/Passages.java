package dev.agentmemory.text;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Tells what the sentences of transcripts are.
public final class Passages {

  private static final Lexicon WORDS = Lexicon.beside(Passages.class, "passages.txt");
  private static final Set<String> INTERJECTIONS = WORDS.words("interjection");
  private static final List<String> ANNOUNCEMENTS = WORDS.phrases("announcement");
  private static final Set<String> OPEN_ENDS = WORDS.words("open end");
  private static final Set<String> OPEN_STARTS = WORDS.words("open start");
  private static final Set<String> COMMANDS = WORDS.words("command");
  private static final Lexicon PROGRAM_TEXTS = Lexicon.beside(Passages.class, "program-texts.txt");
  private static final List<String> BOILERPLATE = PROGRAM_TEXTS.phrases("boilerplate");
  private static final List<String> REPORTS = PROGRAM_TEXTS.phrases("report");

  private static final int LEAST_WORDS = 4;
  private static final int HEAD = 64;
  private static final int MARKS = 4;
  private static final double DENSITY = 0.09;
  private static final String CODE_MARKS = "{}()[];=<>|&$\\\"│├└─";

  private static final Pattern QUOTED = Pattern.compile("`[^`]*`");
  private static final Pattern SPACES = Pattern.compile("\\s+");
  private static final Pattern CODE_START =
      Pattern.compile(
          "\\d+[→:|]|@@ |[-+]{3} [ab/]|//|/\\*|#!"
              + "|func[ (]\\w?.*[({]|type \\w+ (?:struct|interface)|return [\\w.]+[(,]"
              + "|(?:if|for|while) .*\\{$|else if |def \\w+\\(|class \\w+[:({]"
              + "|(?:var|const|let) \\w+ ?[:=]|\\w+(?:, \\w+)* := ",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern CODE_INSIDE =
      Pattern.compile(
          "\\s//\\s|\\s:=\\s|\\s(?:==|!=|&&|\\|\\|)\\s.*[({]|=>\\s*\\{|(?:[;{}]|\\)\\s*\\{)$");
  private static final Pattern JSON =
      Pattern.compile("[\"']\\w[\\w.-]*[\"']\\s*:\\s*[\"'{\\[\\dtfn]");
  private static final Pattern SHELL = Pattern.compile("\\s--?[a-zA-Z]|&&|\\s\\||\\s2?>|\\$\\(");
  private static final Pattern GREPPED = Pattern.compile("\\S+\\.\\w{1,5}:\\d+[:-]");

  /// How programs report, by name or with their progress: `sshd[812]: …`, `make: *** [all] Error
  /// 2`, `[ 41%] Building …`.
  private static final Pattern REPORTED =
      Pattern.compile(
          "[\\w./-]+(?:\\[\\d+\\]: |: (?:\\*{3} )?\\[[^\\]]*\\] Error \\d)|\\[ *\\d+%\\] ");

  private static final Pattern NAMED =
      Pattern.compile(
          "[~.]?/?(?:[\\w.@-]+/)+[\\w.*@-]*|[\\w-]+\\.\\w{1,5}|[\\w.]+\\(\\)|--?[\\w-]+"
              + "|\\w+[_.][\\w.]+|#?\\d+(?:[-:,]\\d+)*|L\\d+|lines?",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern EDGES =
      Pattern.compile("^[`'\"(\\[]+|(?:[`'\"\\]:,;.]|(?<!\\()\\))+$");
  private static final Pattern LETTERS = Pattern.compile("[\\p{L}\\p{N}_]");

  private Passages() {}

  /// The kind of a sentence or line, whose white space and list marker are left out.
  public static PassageKind kind(String sentence) {
    String text = sentence.strip();
    if (text.isEmpty()) {
      return PassageKind.FRAGMENT;
    }
    String lower = Terms.fold(text);
    if (BOILERPLATE.stream().anyMatch(lower::contains)) {
      return PassageKind.PROGRAM;
    }
    if (REPORTS.stream().anyMatch(lower::startsWith)
        || GREPPED.matcher(text).lookingAt()
        || REPORTED.matcher(text).lookingAt()) {
      return PassageKind.LOG;
    }
    String bare = QUOTED.matcher(text).replaceAll("x");
    if (isCommand(lower)) {
      return PassageKind.COMMAND;
    }
    if (isCode(text, bare)) {
      return PassageKind.CODE;
    }
    return kindOfWords(text, lower);
  }

  private static PassageKind kindOfWords(String text, String lower) {
    List<String> words = SPACES.splitAsStream(text).filter(Passages::isWord).toList();
    if (arePaths(words)) {
      return PassageKind.PATHS;
    }
    if (isAnnouncement(lower)) {
      return PassageKind.ANNOUNCEMENT;
    }
    return switch (text.charAt(text.length() - 1)) {
      case '?', '？' -> PassageKind.QUESTION;
      case ':', '：' -> PassageKind.LABEL;
      default ->
          isCjk(text) || (words.size() >= LEAST_WORDS && isWhole(text, lower))
              ? PassageKind.PROSE
              : PassageKind.FRAGMENT;
    };
  }

  /// Whether an agent says what it does next, as in `Good. Now let me run the tests`.
  ///
  /// @param lower in lower case
  private static boolean isAnnouncement(String lower) {
    int at = 0;
    for (int round = 0; round < 4; round++) {
      String rest = lower.substring(at, Math.min(lower.length(), at + HEAD)).replace('’', '\'');
      if (ANNOUNCEMENTS.stream().anyMatch(phrase -> beginsWith(rest, phrase))) {
        return true;
      }
      int end = wordEnd(lower, at);
      if (!INTERJECTIONS.contains(lower.substring(at, end))) {
        return false;
      }
      at = end;
      while (at < lower.length() && " ,.!:;—–-…".indexOf(lower.charAt(at)) >= 0) {
        at++;
      }
    }
    return false;
  }

  private static boolean beginsWith(String text, String phrase) {
    return text.startsWith(phrase)
        && (text.length() == phrase.length()
            || !Character.isLetterOrDigit(text.charAt(phrase.length())));
  }

  private static int wordEnd(String text, int from) {
    int end = from;
    while (end < text.length() && Character.isLetter(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isCommand(String lower) {
    int start = lower.startsWith("$ ") ? 2 : 0;
    int end = lower.indexOf(' ', start);
    return end > 0 && COMMANDS.contains(lower.substring(start, end)) && SHELL.matcher(lower).find();
  }

  private static boolean isCode(String text, String bare) {
    if (CODE_START.matcher(text).lookingAt() || CODE_INSIDE.matcher(bare).find()) {
      return true;
    }
    if (JSON.matcher(bare).results().limit(2).count() == 2) {
      return true;
    }
    long marks = bare.chars().filter(c -> CODE_MARKS.indexOf(c) >= 0).count();
    return marks > Math.max(MARKS, DENSITY * bare.length());
  }

  private static boolean arePaths(List<String> words) {
    long named =
        words.stream()
            .filter(word -> NAMED.matcher(EDGES.matcher(word).replaceAll("")).matches())
            .count();
    return named > 0 && named >= words.size() - (words.size() > 2 ? 1 : 0);
  }

  /// Whether it neither begins nor ends within a sentence.
  private static boolean isWhole(String text, String lower) {
    int last = lower.length();
    while (last > 0 && Character.isLetter(lower.charAt(last - 1))) {
      last--;
    }
    boolean open =
        ":,;([{=".indexOf(text.charAt(text.length() - 1)) >= 0
            || text.endsWith("...")
            || (last > 0
                && lower.charAt(last - 1) == ' '
                && OPEN_ENDS.contains(lower.substring(last)));
    boolean begun =
        OPEN_STARTS.contains(lower.substring(0, wordEnd(lower, 0)))
            || ",;:)]}".indexOf(text.charAt(0)) >= 0;
    return !open && !begun && text.chars().filter(c -> c == '`').count() % 2 == 0;
  }

  private static boolean isWord(String word) {
    return LETTERS.matcher(word).find();
  }

  private static boolean isCjk(String text) {
    return text.chars().anyMatch(c -> Terms.isCjk((char) c));
  }
}
