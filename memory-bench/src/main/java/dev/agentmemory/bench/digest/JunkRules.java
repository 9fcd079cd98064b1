package dev.agentmemory.bench.digest;

import dev.agentmemory.text.Lexicon;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Rules that call a title or bullet of a coding session worthless to a reader: source code, output
/// of tools, text of the agent program, requests, announcements and fragments.
final class JunkRules {

  /// Where a line stands in the table of contents.
  enum Place {
    TITLE,
    BULLET
  }

  private static final Lexicon WORDS = Lexicon.beside(JunkRules.class, "junk.txt");
  private static final String TOOLS =
      "Bash|BashOutput|Read|Edit|MultiEdit|Write|Grep|Glob|LS|LSP|Task|TaskCreate|TaskUpdate|TaskList"
          + "|TaskGet|TaskOutput|TodoWrite|WebFetch|WebSearch|Skill|NotebookEdit|ToolSearch"
          + "|AskUserQuestion|ExitPlanMode|EnterPlanMode|KillShell|KillBash|mcp__\\w+";
  private static final String PROGRAMS = words("program");
  private static final String LEAD = "(?:" + words("lead") + "\\b[\\s,.!:;-]*)*";

  private static final Pattern SPEAKER =
      anyCase("^(?:User|Assistant|Tool|System|Agent|claude(?:-code)?)\\s?: ");
  private static final Pattern QUOTED = Pattern.compile("`[^`]*`");
  private static final Pattern SPACES = Pattern.compile("\\s+");
  private static final Pattern WORDY = pattern("\\w");
  private static final Pattern ELLIPSIS = Pattern.compile("[….]+$");
  private static final Pattern CUT = Pattern.compile("…+$");
  private static final Pattern NO_LETTERS = Pattern.compile("[^a-z0-9]+");

  private static final List<Pattern> PROGRAM_TEXT =
      List.of(
          pattern(
              "</?(?:system-reminder|command-\\w+|local-command-\\w+|bash-\\w+|task-notification|task-id"
                  + "|user-prompt-submit-hook|ide_\\w+|parameter|invoke|function_calls|tool_use_error"
                  + "|persisted-output)\\b"),
          pattern("Caveat: The messages below|\\[Request interrupted|Operation stopped by hook"),
          pattern("This session is being continued from|read the full transcript at"),
          pattern("If you need specific details from before|Full transcript available at"),
          pattern("^(?:User: )?(?:Base directory for this skill|Read the output file to retrieve)"),
          pattern("^(?:User: )?Implement the following plan:?$"),
          pattern("Co-Authored-By:|Generated with \\[?Claude"),
          pattern("You MUST refuse to improve|CAN and SHOULD provide analysis of malware"),
          pattern(
              "considered malware|You can still analyze existing c|tool hasn.t been used recently"),
          pattern("toolu_\\w{6,}|\"?(?:parentUuid|isSidechain|tool_use_id|userType)\"?"));

  private static final Pattern JSON_FIELD =
      pattern("\\\\?[\"']\\w[\\w.-]*\\\\?[\"']\\s*:\\s*[\\\\\"'{\\[\\dtfn]");
  private static final Pattern JSON_START = pattern("^\\d*:?\\s*[\\[{]\\s*[\"'{\\[]");
  private static final Pattern JSON_INSIDE = pattern("[\"}\\]],\\s*[\"{]\\w+\\\\?\":");

  private static final Pattern TOOL_CALL = pattern("^(?:User: )?(?:" + TOOLS + ")(?:: |\\(|$)");
  private static final Pattern TOOL_SAYS =
      anyCase(
          "^(?:The file \\S+ has been (?:updated|created)|File (?:created|written) |Todos have been"
              + "|Task #?\\d+ (?:created|updated)|Updated task #?\\d+|Found \\d+ files?$|No files found"
              + "|No matches found|Exit code \\d+|\\(Bash completed|Launching skill"
              + "|Command running in background|String to replace not found|Initialized empty Git"
              + "|On branch \\S+ Your branch|File has (?:not )?been)");
  private static final Pattern SHELL = pattern("^[$❯>]?\\s*" + PROGRAMS + "\\s+\\S");
  private static final Pattern SHELL_SIGN =
      pattern("\\s--?[a-zA-Z]|&&|\\s\\||\\s2?>|\\$\\(|^\\S+\\s+[./~]\\S*$");

  private static final List<Pattern> CODE_START =
      List.of(
          pattern("^(?:\\d+[→:|]|@@ |diff --git|index [0-9a-f]{7}|[-+]{3} [ab/])"),
          pattern(
              "^[+-]\\s*(?:func|type|var|const|return|if|for|import|package|//|[\\w.]+\\(.*\\)"
                  + "|[\\w.]+ :?= |[{}])"),
          pattern("^(?://|/\\*|#!|package \\w+$|import [\"(]|from \\S+ import|\\} else)"),
          pattern(
              "^(?:[Ff]unc[ (]\\w?.*[({]|[Tt]ype \\w+ (?:struct|interface)|[Rr]eturn [\\w.]+[(,])"),
          pattern(
              "^(?:[Ii]f err\\b|(?:[Ii]f|[Ee]lif) .*; then\\b|[Ee]lif |if \\(?!?[\\w.]+\\)? \\{)"),
          pattern("^(?:for .*\\{$|defer \\w|case .*:$|def \\w+\\(|class \\w+[:({])"),
          pattern("^(?:(?:var|const|let) \\w+ ?[:=]|t\\.(?:Run|Fatal|Error|Log|Helper))"),
          pattern("^(?:\\w+(?:, \\w+)* := |[a-z]\\w* \\[\\][a-z]\\w*)"),
          pattern("^[A-Z]\\w+ +(?:\\[\\])?(?:string|int|bool|error|byte)\\b"));
  private static final List<Pattern> FOUND_LINE =
      List.of(
          pattern(
              "^(?:\\S*/)?[\\w.-]+\\.(?:go|md|sh|json|ya?ml|toml|ts|js|py|txt)"
                  + "(?::\\d+:|-\\d+-|:(?=[^\\s\\d])|-(?=//|\\s*func|\\s*type|\\s*[{}]))"),
          pattern("^\\S+/\\S+\\.\\w{1,5}:\\d+(?::\\d+|:?//)"));
  private static final Pattern LOG_LINE =
      pattern(
          "^(?:\\d{4}[-/]\\d\\d[-/]\\d\\d[T ]\\d\\d:\\d\\d|\\d\\d:\\d\\d:\\d\\d|=== RUN|--- (?:PASS|FAIL)"
              + "|ok\\s+\\S+\\s+[\\d.]+s|FAIL\\s|PASS\\b|\\[?(?:ERROR|WARN|INFO|DEBUG)\\]?[: ]"
              + "|\\[[\\w-]+:[\\w:-]+\\] |level=|panic:|goroutine \\d|[0-9a-f]{7,40} \\S)");
  private static final Pattern FIELD_TAG =
      pattern("`(?:json|yaml|mapstructure):\"|\\w\\(?\\)?,? // \\w");
  private static final Pattern CODE_END = pattern("(?:[;{}]|\\)\\s*\\{)$");
  private static final Pattern CODE_INSIDE =
      pattern("\\s:=\\s|\\s(?:==|!=|&&|\\|\\|)\\s.*[({]|=>\\s*\\{");
  private static final String CODE_MARKS = "{}()[];=<>|&$\\\"│├└─";
  private static final double MOST_CODE_MARKS = 0.09;
  private static final int FEW_CODE_MARKS = 4;

  private static final Pattern PATH =
      anyCase(
          "^[`'\"(\\[]*(?:[~.]?/?(?:[\\w.@-]+/)+[\\w.*@-]*|[\\w-]+\\.\\w{1,5}|[\\w.]+\\(\\)|--?[\\w-]+"
              + "|[\\w]+[_.][\\w.]+|\\d+(?:[-:,]\\d+)*|L\\d+|lines?)[`'\")\\]:,;]*$");

  private static final Pattern QUESTION = anyCase("^" + LEAD + words("asking") + "\\b.*\\?|\\?$");
  private static final Pattern REQUEST =
      anyCase(
          "^"
              + LEAD
              + "(?:(?:can|could|would|will) (?:you|we|i)|please"
              + "|(?:i|we)(?:'d| would)? (?:want|like|need)(?: you)?(?: to)?"
              + "|(?:i|we) (?:think )?(?:should|could)|you should|it should|let's|lets|/[\\w:-]+|"
              + words("verb")
              + ")\\b");
  private static final Pattern ANNOUNCEMENT =
      anyCase(
          "^"
              + LEAD
              + "(?:let me|let's|i'll|i will|i'm going to|i am going to|i need to|i should|i want to"
              + "|now i\\b|i can see|i see\\b"
              + "|i (?:now )?(?:have|understand)\\b.*\\b(?:picture|understanding|context|clear"
              + "|everything|information)"
              + "|looking at|checking|time to|here's (?:the|a|my)\\b.*:?$|perfect[.!]|excellent[.!]"
              + "|you're right|good question|great question|you're absolutely)");
  private static final Pattern OPEN_END =
      anyCase(
          "(?:[:,;(\\[{=]|\\b(?:and|or|but|the|a|an|of|to|for|with|from|that|which|because|if|when|is"
              + "|are|as|e\\.g\\.?|i\\.e\\.?))$");
  private static final Pattern OPEN_START =
      pattern(
          "^(?:and|or|but|which|that|because|so that|with|of|than|to be|as well|etc)\\b"
              + "|^[,;:)\\]}]");
  private static final Pattern DATE =
      pattern(
          "^(?:January|February|March|April|May|June|July|August|September|October|November|December)"
              + " \\d+, \\d{4}(?: at \\d+:\\d\\d)?$");

  private static final int FEWEST_WORDS = 4;
  private static final int FEWEST_WORDS_OF_TITLE = 2;
  private static final int FEWEST_WORDS_BEFORE_CUT = 7;
  private static final int FEWEST_WORDS_OF_CUT_TITLE = 3;

  private JunkRules() {}

  /// Why a line is worthless; empty when it is not.
  ///
  /// @param prompts what the person typed in the session, as [#plain] makes it
  static Optional<String> reason(Place place, String line, String prompts) {
    String text = SPEAKER.matcher(line.strip()).replaceFirst("").strip();
    String bare = QUOTED.matcher(text).replaceAll("x");
    List<String> words = SPACES.splitAsStream(text).filter(WORDY.asPredicate()).toList();
    if (PROGRAM_TEXT.stream().anyMatch(rule -> rule.matcher(text).find())) {
      return Optional.of("program");
    }
    if (isJson(text, bare)) {
      return Optional.of("json");
    }
    if (isTool(text)) {
      return Optional.of("tool");
    }
    if (isCode(text, bare)) {
      return Optional.of("code");
    }
    if (isPath(words)) {
      return Optional.of("path");
    }
    if (words.size() < (place == Place.BULLET ? FEWEST_WORDS : FEWEST_WORDS_OF_TITLE)) {
      return Optional.of("short");
    }
    if (ANNOUNCEMENT.matcher(text).find()) {
      return Optional.of("announcement");
    }
    if (place == Place.BULLET && isRequest(line, text, prompts)) {
      return Optional.of("request");
    }
    if (place == Place.TITLE && (DigestTerms.isThin(text) || DATE.matcher(text).find())) {
      return Optional.of("empty");
    }
    return isFragment(place, text, words.size()) ? Optional.of("fragment") : Optional.empty();
  }

  /// Lower case, with one space for everything that is no letter or digit.
  static String plain(String text) {
    return NO_LETTERS.matcher(text.toLowerCase(Locale.ROOT)).replaceAll(" ").strip();
  }

  /// A line without the name of who speaks.
  static String withoutSpeaker(String line) {
    return SPEAKER.matcher(line).replaceFirst("");
  }

  private static boolean isJson(String text, String bare) {
    return JSON_FIELD.matcher(bare).results().limit(2).count() == 2
        || JSON_START.matcher(text).find()
        || JSON_INSIDE.matcher(text).find();
  }

  private static boolean isTool(String text) {
    return TOOL_CALL.matcher(text).find()
        || TOOL_SAYS.matcher(text).find()
        || (SHELL.matcher(text).find() && SHELL_SIGN.matcher(text).find());
  }

  private static boolean isCode(String text, String bare) {
    boolean starts =
        Stream.of(CODE_START, FOUND_LINE)
            .flatMap(List::stream)
            .anyMatch(rule -> rule.matcher(text).find());
    long marks = bare.chars().filter(c -> CODE_MARKS.indexOf(c) >= 0).count();
    int length = bare.codePointCount(0, bare.length());
    return starts
        || LOG_LINE.matcher(text).find()
        || FIELD_TAG.matcher(text).find()
        || (CODE_END.matcher(bare).find() && !bare.endsWith("x}"))
        || CODE_INSIDE.matcher(bare).find()
        || marks > Math.max(FEW_CODE_MARKS, MOST_CODE_MARKS * length);
  }

  /// Whether all words are paths or names, or all but one of several.
  private static boolean isPath(List<String> words) {
    long paths = words.stream().filter(PATH.asPredicate()).count();
    return !words.isEmpty() && paths >= words.size() - (words.size() > 2 ? 1 : 0);
  }

  private static boolean isRequest(String line, String text, String prompts) {
    String said = plain(ELLIPSIS.matcher(text).replaceFirst(""));
    boolean byPerson = line.strip().startsWith("User:") || prompts.contains(said);
    return (byPerson && (QUESTION.matcher(text).find() || REQUEST.matcher(text).find()))
        || text.endsWith("?");
  }

  private static boolean isFragment(Place place, String text, int words) {
    boolean shortened = text.endsWith("…");
    boolean cut = shortened || text.endsWith("...");
    String tail = shortened ? CUT.matcher(text).replaceFirst("").stripTrailing() : text;
    long quotes = text.chars().filter(c -> c == '`').count();
    int fewest = place == Place.BULLET ? FEWEST_WORDS_BEFORE_CUT : FEWEST_WORDS_OF_CUT_TITLE;
    return (!cut && OPEN_END.matcher(tail).find())
        || OPEN_START.matcher(text).find()
        || (cut && words < fewest)
        || (!cut && quotes % 2 == 1);
  }

  private static Pattern pattern(String regex) {
    return Pattern.compile(regex, Pattern.UNICODE_CHARACTER_CLASS);
  }

  private static Pattern anyCase(String regex) {
    return Pattern.compile(
        regex, Pattern.UNICODE_CHARACTER_CLASS | Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
  }

  private static String words(String section) {
    return WORDS.words(section).stream()
        .map(Pattern::quote)
        .reduce((some, more) -> some + "|" + more)
        .map(all -> "(?:" + all + ")")
        .orElseThrow();
  }
}
