package dev.agentmemory.text.injected;

import java.util.regex.Pattern;

/// Blocks that the program of an agent puts into the text of a person, an assistant or a tool:
/// `<system-reminder>...</system-reminder>`. A block whose end is missing was cut off with the
/// text.
public final class ReminderBlocks {

  /// Names of the tags of long blocks, whose end can be missing.
  private static final String LONG = "system-reminder|system_reminder|hook_context";

  private static final String SHORT = "current_datetime|local-command-caveat";

  private static final String NAME_END = "(?![\\w-])";

  private static final Pattern CLOSED =
      Pattern.compile("(?s)<(" + LONG + "|" + SHORT + ")" + NAME_END + ".*?</\\1>");

  private static final Pattern CLOSED_WITH_SPACE = Pattern.compile(CLOSED.pattern() + "\\s*");

  private static final Pattern CUT = Pattern.compile("(?s)<(?:" + LONG + ")" + NAME_END + ".*");

  private static final Pattern CUT_FROM_THE_START = Pattern.compile("\\A\\s*" + CUT.pattern());

  private ReminderBlocks() {}

  /// A text without its blocks and the white space behind each. Empty for one that begins with a
  /// block whose end is missing. Elsewhere in the text the name of a tag may be what someone wrote,
  /// so it stays.
  public static String strip(String text) {
    if (text.indexOf('<') < 0) {
      return text;
    }
    String closed = CLOSED_WITH_SPACE.matcher(text).replaceAll("");
    return CUT_FROM_THE_START.matcher(closed).matches() ? "" : closed;
  }

  /// A text without its blocks. One whose end is missing goes on to the end of the text, wherever
  /// it begins.
  public static String stripAnywhere(String text) {
    return CUT.matcher(CLOSED.matcher(text).replaceAll("")).replaceFirst("");
  }

  /// Whether a block goes on to the end of its text when its end is missing.
  ///
  /// @param from where its tag begins
  public static boolean isCut(CharSequence text, int from) {
    return CUT.matcher(text).region(from, text.length()).lookingAt();
  }
}
