package dev.agentmemory.toc.summary.model;

import dev.agentmemory.model.Prompt;
import dev.agentmemory.model.Window;
import dev.agentmemory.text.Graphemes;
import dev.agentmemory.text.Slice;
import dev.agentmemory.text.SpeakerKind;
import dev.agentmemory.text.TextResource;
import dev.agentmemory.text.ToolResults;
import dev.agentmemory.toc.internal.check.Lines;
import dev.agentmemory.toc.internal.check.Transcript;
import dev.agentmemory.toc.summary.SegmentText;
import dev.agentmemory.toc.summary.extractive.Highlight;
import dev.agentmemory.types.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/// Asks for the summary of a segment. Its events are numbered from 1. A segment that does not fit
/// the model's window is cut by importance: the statements that the extractive summariser values
/// most stay, in their order, and `[…]` stands where something is left out.
final class SegmentPrompt {

  static final String SYSTEM = TextResource.beside(SegmentPrompt.class, "segment.prompt");

  private static final int TOOL_HEAD = 120;
  private static final int FAILED_TAIL = 160;
  private static final int MESSAGE = 600;
  private static final int BEFORE = 600;
  private static final int UNSPOKEN = 120;
  private static final int NAME = 40;
  private static final String GAP = "[…]";

  private final Window window;
  private final Transcript transcript;
  private final SegmentText passage;

  SegmentPrompt(Window window, Transcript transcript) {
    this.window = window;
    this.transcript = transcript;
    this.passage = transcript.masked();
  }

  Prompt prompt() {
    String before = before();
    int room = window.room(SYSTEM) - window.count(before);
    String events = whole();
    if (window.count(events) > room) {
      events = cut(room);
    }
    String mark = Lines.mark(List.of(events, before));
    String section = Lines.section("transcript", mark, events);
    return new Prompt(
        SYSTEM,
        before.isEmpty() ? section : Lines.section("before", mark, before) + "\n" + section);
  }

  private String before() {
    var lines = new ArrayList<String>();
    for (Event event : passage.overlap()) {
      String text = Lines.indented(Graphemes.shorten(event.text(), BEFORE));
      if (!text.isEmpty()) {
        lines.add(who(event) + ": " + text);
      }
    }
    return String.join("\n", lines);
  }

  private String whole() {
    var lines = new ArrayList<String>();
    for (int i = 0; i < passage.events().size(); i++) {
      String text = Lines.indented(shown(passage.events().get(i)));
      if (!text.isEmpty()) {
        lines.add(head(i) + text);
      }
    }
    return String.join("\n", lines);
  }

  /// What an event shows when there is room for all. Tools write most of a session and say little
  /// of it, so of a result stays the first line, the message of a commit, and the end of what
  /// failed, where the error stands. Text of the program that runs an agent is left out.
  private static String shown(Event event) {
    return switch (SpeakerKind.of(event)) {
      case PERSON, ASSISTANT, COMPACTION -> event.text();
      case TOOL -> result(event);
      case PROGRAM, NONE -> "";
    };
  }

  private static String result(Event event) {
    String text = event.text().strip();
    boolean failed = ToolResults.isFailed(event);
    Optional<Slice> message = failed ? Optional.empty() : ToolResults.commitMessage(text);
    if (message.isPresent()) {
      return Graphemes.head(message.get().of(text), MESSAGE);
    }
    int line = text.indexOf('\n');
    String head = Graphemes.head(line < 0 ? text : text.substring(0, line), TOOL_HEAD);
    int tail = Math.max(head.length(), text.length() - FAILED_TAIL);
    if (head.length() == text.length()) {
      return head;
    }
    return failed ? head + " " + GAP + " " + text.substring(tail) : head + " " + GAP;
  }

  private String head(int index) {
    return "[" + (index + 1) + " " + who(passage.events().get(index)) + "] ";
  }

  private static String who(Event event) {
    String speaker = Lines.flat(Highlight.speaker(event)).replaceAll("[\\[\\]<>:]", "");
    return speaker.isBlank()
        ? event.role().name().toLowerCase(Locale.ROOT)
        : Graphemes.head(speaker, NAME);
  }

  /// The most important statements that fit, then the beginnings of what states nothing.
  private String cut(int room) {
    var kept = new TreeMap<Integer, TreeMap<Integer, String>>();
    int left = room;
    for (Highlight piece : byImportance()) {
      String text =
          Lines.indented(
              passage.events().get(piece.event()).text().substring(piece.start(), piece.end()));
      boolean opens = !kept.containsKey(piece.event());
      int cost = window.count((opens ? head(piece.event()) : "") + text + "\n" + GAP);
      if (cost <= left && !text.isEmpty()) {
        left -= cost;
        kept.computeIfAbsent(piece.event(), _ -> new TreeMap<>()).put(piece.start(), text);
      }
    }
    var lines = new ArrayList<String>();
    int next = 0;
    for (var entry : kept.entrySet()) {
      if (entry.getKey() > next) {
        lines.add(GAP);
      }
      lines.add(head(entry.getKey()) + String.join(" " + GAP + " ", entry.getValue().values()));
      next = entry.getKey() + 1;
    }
    return String.join("\n", lines);
  }

  private List<Highlight> byImportance() {
    var pieces = new ArrayList<>(transcript.highlights());
    pieces.sort(Comparator.comparingDouble(Highlight::salience).reversed());
    var stated = new ArrayList<Boolean>();
    passage.events().forEach(_ -> stated.add(false));
    pieces.forEach(piece -> stated.set(piece.event(), true));
    for (int i = 0; i < stated.size(); i++) {
      Event event = passage.events().get(i);
      if (!stated.get(i) && !shown(event).isEmpty()) {
        String text = event.text();
        int end =
            text.length() <= UNSPOKEN ? text.length() : Graphemes.wordBorder(text, 0, UNSPOKEN);
        pieces.add(new Highlight(i, 0, end, 0));
      }
    }
    return pieces;
  }
}
