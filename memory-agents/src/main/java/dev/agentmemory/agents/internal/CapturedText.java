package dev.agentmemory.agents.internal;

import dev.agentmemory.text.RecalledText;
import dev.agentmemory.text.injected.ReminderBlocks;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// Texts of agents without what was put into them: our own envelope, contexts of hooks, reminders
/// of the agent program.
public final class CapturedText {

  /// In place of an image.
  public static final String IMAGE = "[image]";

  /// What Gemini puts around the results of tools.
  private static final Pattern UNTRUSTED = Pattern.compile("\\s*</?untrusted_context>\\s*");

  private static final Pattern PROGRAM =
      Pattern.compile(
          "\\A\\s*(<task-notification>|<teammate-message|<session_context>|<environment_context>"
              + "|<user_instructions>|<user_action>|<turn_aborted>|<subagent_notification>"
              + "|<permissions instructions>|# AGENTS\\.md instructions"
              + "|\\[Request interrupted by user)");

  private static final Pattern COMMAND =
      Pattern.compile(
          "\\A\\s*<(command-name|command-message|local-command-stdout|local-command-stderr"
              + "|bash-input|bash-stdout|bash-stderr)>");

  private CapturedText() {}

  /// What a person or an assistant said. Agents hand such a text over from its beginning.
  public static String said(String text) {
    return valid(RecalledText.stripUncut(ReminderBlocks.strip(text))).strip();
  }

  /// What a tool returned; line breaks at its end do not count.
  public static String returned(String text) {
    String bare =
        text.contains("untrusted_context>") ? UNTRUSTED.matcher(text).replaceAll("") : text;
    return valid(RecalledText.strip(bare)).stripTrailing();
  }

  /// Whether a prompt is text of the agent program, by its form. For payloads that do not say it.
  public static boolean isOfProgram(String text) {
    return PROGRAM.matcher(text).lookingAt();
  }

  /// Whether a prompt is a command of the agent's interface or its output.
  public static boolean isOfCommand(String text) {
    return COMMAND.matcher(text).lookingAt();
  }

  /// A text that can be stored: half surrogate pairs are replaced.
  public static String valid(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
      }
    }
    return text;
  }

  /// The beginning of a text, at most so many bytes of UTF-8, cut between characters.
  public static String cut(String text, int bytes) {
    if (text.length() * 3L <= bytes) {
      return text;
    }
    byte[] all = text.getBytes(StandardCharsets.UTF_8);
    return all.length <= bytes ? text : decoded(all, 0, bytes);
  }

  /// The end of a text, at most so many bytes of UTF-8.
  static String tail(byte[] all, int bytes) {
    int from = Math.max(0, all.length - bytes);
    while (from < all.length && (all[from] & 0xC0) == 0x80) {
      from++;
    }
    return decoded(all, from, all.length - from);
  }

  static String decoded(byte[] all, int from, int length) {
    int end = from + length;
    while (end > from && end < all.length && (all[end] & 0xC0) == 0x80) {
      end--;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE)
          .decode(ByteBuffer.wrap(all, from, end - from))
          .toString();
    } catch (CharacterCodingException e) {
      throw new AssertionError("malformed input is replaced", e);
    }
  }
}
