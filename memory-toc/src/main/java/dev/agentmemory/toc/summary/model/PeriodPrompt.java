package dev.agentmemory.toc.summary.model;

import dev.agentmemory.model.Prompt;
import dev.agentmemory.model.Window;
import dev.agentmemory.text.TextResource;
import dev.agentmemory.toc.internal.check.Lines;
import dev.agentmemory.toc.internal.check.SourceParts;
import dev.agentmemory.toc.summary.Digest;
import dev.agentmemory.types.TocLevel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// Asks for the summary of a period from those of its parts. Their bullets are numbered through,
/// the first is number one. What does not fit the model's window is left out, the least salient
/// bullets first.
final class PeriodPrompt {

  static final String SYSTEM = TextResource.beside(PeriodPrompt.class, "period.prompt");

  private final Window window;
  private final SourceParts parts;
  private final String system;

  PeriodPrompt(Window window, TocLevel level, SourceParts parts) {
    this.window = window;
    this.parts = parts;
    this.system =
        SYSTEM
            .replace("LEVEL", level.name().toLowerCase(Locale.ROOT))
            .replace("MOST", Integer.toString(Digest.mostBullets(level)));
  }

  Prompt prompt(String title) {
    List<SourceParts.Stated> stated = parts.stated();
    String content = content(stated);
    int room = window.room(system);
    if (window.count(content) > room) {
      content = content(fitting(stated, room));
    }
    String heading = Lines.flat(title);
    String mark = Lines.mark(List.of(content, heading));
    return new Prompt(system, heading + "\n" + Lines.section("parts", mark, content));
  }

  private List<SourceParts.Stated> fitting(List<SourceParts.Stated> stated, int room) {
    var byWeight = new ArrayList<>(stated);
    byWeight.sort(
        Comparator.comparingDouble((SourceParts.Stated one) -> one.bullet().salience()).reversed());
    var kept = new ArrayList<SourceParts.Stated>();
    var opened = new ArrayList<Integer>();
    int left = room;
    for (SourceParts.Stated one : byWeight) {
      boolean opens = !opened.contains(one.part());
      int cost = window.count(line(one) + "\n" + (opens ? heading(one.part()) : ""));
      if (cost <= left) {
        left -= cost;
        kept.add(one);
        opened.add(one.part());
      }
    }
    kept.sort(Comparator.comparingInt(one -> one.source().number()));
    return kept;
  }

  private String content(List<SourceParts.Stated> stated) {
    var lines = new ArrayList<String>();
    int part = -1;
    for (SourceParts.Stated one : stated) {
      if (one.part() != part) {
        part = one.part();
        lines.add(heading(part));
      }
      lines.add(line(one));
    }
    return String.join("\n", lines);
  }

  /// No line of it can pass for a statement or for another title.
  private String heading(int part) {
    String prose = Lines.flat(parts.prose(part));
    return "## " + Lines.flat(parts.title(part)) + (prose.isEmpty() ? "" : "\nabout: " + prose);
  }

  private static String line(SourceParts.Stated stated) {
    return "[" + stated.source().number() + "] " + Lines.flat(stated.source().text());
  }
}
