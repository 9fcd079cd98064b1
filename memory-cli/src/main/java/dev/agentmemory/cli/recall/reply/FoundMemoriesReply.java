package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.recall.MemoryAnswer;
import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.cli.terminal.Columns;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.types.MemoryId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The results of a search for memories, and why each of them stands where it does.
///
/// @param full whether whole memories are printed
public record FoundMemoriesReply(
    MemorySearch search, MemoryAnswer answer, Times times, boolean full) implements Reply {

  private static final String INDENT = "    ";
  private static final int MOST_LINES = 6;

  @Override
  public void print(Terminal screen) {
    screen.wrapped("", "", summary(), Style.KEY);
    int number = 0;
    for (MemoryHit hit : answer.hits()) {
      number++;
      screen.line();
      print(screen, number, hit);
    }
    if (answer.omitted() > 0) {
      screen.error(
          Format.count(answer.omitted(), "more memory", "more memories")
              + " left out because the answer would be too large; narrow the filters");
    }
    MemoriesReply.warn(screen, answer.skipped());
  }

  private String summary() {
    if (answer.hits().isEmpty()) {
      return "no memories: nothing matches";
    }
    String how =
        search.query().isBlank() ? "" : answer.textOnly() ? " by words" : " by words and meaning";
    return Format.count(answer.hits().size(), "memory", "memories") + how;
  }

  private void print(Terminal screen, int number, MemoryHit hit) {
    MemoryRecord memory = hit.memory();
    String place = "%-3d ".formatted(number);
    String head =
        times.second(memory.validity().created())
            + "  "
            + MemoryForms.spoken(memory.kind())
            + ", "
            + MemoryForms.spoken(memory.place().scope());
    String relevance = "relevance " + MemoryForms.two(hit.relevance());
    int room = Math.max(20, screen.width() - place.length() - relevance.length() - 2);
    screen.line(
        screen.styled(Style.DIM, place)
            + screen.styled(Style.TITLE, Columns.cut(head, room))
            + "  "
            + screen.styled(Style.DIM, relevance));
    text(screen, memory.content().text());
    screen.wrapped(INDENT, INDENT, origin(memory), Style.DIM);
    screen.wrapped(INDENT, INDENT, why(hit.why()), Style.DIM);
    note(screen, "replaces ", hit.replaced());
    note(screen, "the same: ", hit.duplicates());
    // Not broken into lines, so that it can be copied.
    screen.line(INDENT + screen.styled(Style.DIM, "memory memories get " + memory.id()));
  }

  private void text(Terminal screen, String text) {
    List<String> lines =
        Columns.wrap(text, screen.width() - INDENT.length()).stream()
            .filter(line -> !line.isEmpty())
            .toList();
    boolean whole = full || lines.size() <= MOST_LINES;
    (whole ? lines : lines.subList(0, MOST_LINES)).forEach(line -> screen.line(INDENT + line));
    if (!whole) {
      String more = "… " + Format.count(lines.size() - MOST_LINES, "more line") + ", see --full";
      screen.line(INDENT + screen.styled(Style.DIM, more));
    }
  }

  private String origin(MemoryRecord memory) {
    List<String> parts = new ArrayList<>();
    parts.add("from " + memory.source());
    memory.place().session().ifPresent(session -> parts.add("session " + session));
    memory.place().channel().ifPresent(channel -> parts.add("channel " + channel));
    if (!memory.tags().isEmpty()) {
      parts.add(
          "tags "
              + new TreeSet<>(memory.tags())
                  .stream().map(Object::toString).collect(Collectors.joining(" ")));
    }
    if (memory.pinned()) {
      parts.add("pinned");
    }
    memory.validity().supersededAt().ifPresent(at -> parts.add("replaced " + times.second(at)));
    return String.join(", ", parts);
  }

  private static String why(MemoryHit.Why why) {
    return "match %s, importance %s, decay %s, frequency %s, recency %s"
        .formatted(
            MemoryForms.two(why.match()),
            MemoryForms.two(why.importance()),
            MemoryForms.two(why.decay()),
            MemoryForms.two(why.frequency()),
            MemoryForms.two(why.recency()));
  }

  private static void note(Terminal screen, String what, List<MemoryId> ids) {
    if (!ids.isEmpty()) {
      String all = ids.stream().map(MemoryId::value).collect(Collectors.joining(" "));
      screen.wrapped(INDENT, INDENT, what + all, Style.DIM);
    }
  }

  @Override
  public void write(JsonWriter json) {
    json.text("query", search.query())
        .flag("text_only", answer.textOnly())
        .list("memories", answer.hits(), hit -> MemoryForms.hit(json, hit))
        .number("skipped", answer.skipped())
        .number("omitted", answer.omitted());
  }
}
