package dev.agentmemory.text;

import dev.agentmemory.text.injected.ReminderBlocks;
import java.util.ArrayList;
import java.util.List;

/// Finds what someone said in the text of an event: leaves out code blocks, tables, output, blocks
/// in angle brackets that a harness injected, and everything else that is no prose.
public final class Prose {

  /// Further text of one event is not read: a text that long is pasted, not written.
  public static final int MAX_CHARS = 32_768;

  private static final int WRAPPED = 60;

  private final String text;
  private final int end;
  private final List<Paragraph> paragraphs = new ArrayList<>();
  private int openStart = -1;
  private int openEnd;
  private boolean openItem;

  private Prose(String text) {
    this.text = text;
    this.end = text.length();
  }

  public static List<Paragraph> of(String text) {
    var prose = new Prose(text.length() > MAX_CHARS ? Graphemes.head(text, MAX_CHARS) : text);
    prose.read();
    return prose.paragraphs;
  }

  private void read() {
    int at = 0;
    while (at < end) {
      int block = blockEnd(at);
      if (block > at) {
        flush();
        at = block;
        continue;
      }
      int lineEnd = lineEnd(at);
      line(at, lineEnd);
      at = lineEnd + 1;
    }
    flush();
  }

  private int lineEnd(int from) {
    int feed = text.indexOf('\n', from);
    return feed < 0 || feed > end ? end : feed;
  }

  /// Behind the fenced or tagged block that starts on this line; `at` when there is none.
  private int blockEnd(int at) {
    int start = skipSpace(at, end);
    if (start >= end) {
      return at;
    }
    char c = text.charAt(start);
    if (c == '<') {
      return tagEnd(at, start);
    }
    boolean fence = text.startsWith("```", start) || text.startsWith("~~~", start);
    if (!fence) {
      return at;
    }
    int close = text.indexOf("\n", start);
    while (close >= 0 && close < end) {
      int next = skipSpace(close + 1, end);
      if (text.startsWith(text.substring(start, start + 3), next)) {
        return Math.min(end, lineEnd(next) + 1);
      }
      close = text.indexOf('\n', close + 1);
    }
    return end;
  }

  /// `<name …>` up to `</name>`, or just the line when it is never closed. A reminder of an agent's
  /// program goes on to the end then: see [ReminderBlocks].
  private int tagEnd(int at, int start) {
    int name = start + 1;
    while (name < end && isNamePart(text.charAt(name))) {
      name++;
    }
    if (name == start + 1) {
      return start + 1 < end && "/!?".indexOf(text.charAt(start + 1)) >= 0
          ? lineEnd(start) + 1
          : at;
    }
    String closing = "</" + text.substring(start + 1, name) + ">";
    int close = text.indexOf(closing, name);
    if (close < 0 && ReminderBlocks.isCut(text, start)) {
      return end;
    }
    return close < 0 ? Math.min(end, lineEnd(start) + 1) : Math.min(end, close + closing.length());
  }

  private static boolean isNamePart(char c) {
    return Character.isLetterOrDigit(c) || c == '-' || c == '_' || c == ':';
  }

  private void line(int from, int to) {
    int tag = text.indexOf('<', from);
    int start = skipSpace(from, to);
    int stop = to;
    // A block may also open behind some words of its line.
    if (tag > start && tag < to && tagEnd(tag, tag) > to + 1) {
      stop = tag;
    }
    while (stop > start && Character.isWhitespace(text.charAt(stop - 1))) {
      stop--;
    }
    if (start >= stop) {
      flush();
      return;
    }
    int content = ListMarker.skip(text, start, stop);
    if (content >= stop || Noise.isNoise(text, content, stop)) {
      flush();
      return;
    }
    boolean item = content > start;
    if (item || openStart < 0 || !isWrapped(text.charAt(content))) {
      flush();
      openStart = content;
      openItem = item;
    }
    openEnd = stop;
  }

  /// Whether the open paragraph's last line was broken by its width rather than by its writer.
  private boolean isWrapped(char next) {
    int lineStart = Math.max(openStart, text.lastIndexOf('\n', openEnd - 1) + 1);
    return openEnd - lineStart >= WRAPPED
        && !Character.isUpperCase(next)
        && ".!?:;。！？…".indexOf(text.charAt(openEnd - 1)) < 0;
  }

  private void flush() {
    if (openStart >= 0) {
      paragraphs.add(new Paragraph(openStart, openEnd, openItem));
      openStart = -1;
    }
  }

  private int skipSpace(int from, int to) {
    int at = from;
    while (at < to && Character.isWhitespace(text.charAt(at)) && text.charAt(at) != '\n') {
      at++;
    }
    return at;
  }
}
