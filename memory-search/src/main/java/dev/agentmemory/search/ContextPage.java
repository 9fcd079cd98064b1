package dev.agentmemory.search;

import dev.agentmemory.search.internal.rank.Evidence;
import dev.agentmemory.search.internal.text.SafeMarkdown;
import dev.agentmemory.search.memory.FoundMemory;
import dev.agentmemory.store.SessionReader;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Evidence as Markdown, the oldest passage first:
///
/// ```
/// ## Friday, January 30, 2026, session 4f2a
///
/// user/Ann: We moved the database to Postgres. [evt:01KG7...] [grip:1769783400000:01KG7...]
///
/// assistant: Fine. [evt:01KG7...]
/// ```
///
/// What was said several times says so before what it cites: `(said 3 times since 2026-01-05)`.
///
/// Turns of a session that follow each other are one passage; where some are left out between two
/// passages of one heading, an ellipsis says so.
///
/// Memories stand above all passages, the best first:
///
/// ```
/// ## Memories
///
/// decision, 2026-01-30: We use Postgres. [mem:01KG7...]
/// ```
final class ContextPage {

  /// Stands above the memories.
  static final String MEMORIES = "## Memories";

  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("EEEE, MMMM d, uuuu", Locale.ENGLISH);

  /// A context this small names no sessions: their ids would take the room of what was said.
  private static final int SMALL = 200;

  private final SessionReader sessions;
  private final ZoneId zone;
  private final boolean small;

  ContextPage(Sources sources, int budget) {
    this.sessions = sources.sessions();
    this.zone = sources.zone();
    this.small = budget < SMALL;
  }

  /// @param events cited, in the order of the text
  /// @param grips cited, in the order of the text
  /// @param memories cited, in the order of the text
  record Text(String markdown, List<EventId> events, List<GripId> grips, List<MemoryId> memories) {

    static final Text NONE = new Text("", List.of(), List.of(), List.of());
  }

  /// A memory as it is shown.
  ///
  /// @param text as much of it as is shown
  record ShownMemory(FoundMemory found, String text) {}

  Text of(List<ShownMemory> memories, List<Evidence> chosen) {
    StringBuilder out = new StringBuilder();
    if (!memories.isEmpty()) {
      out.append(MEMORIES).append("\n\n");
    }
    memories.forEach(memory -> out.append(memory(memory)).append("\n\n"));
    List<EventId> events = new ArrayList<>();
    Set<GripId> grips = new HashSet<>();
    List<GripId> inOrder = new ArrayList<>();
    String heading = "";
    for (List<Evidence> passage : passages(chosen)) {
      String above = heading(passage.getFirst());
      out.append(above.equals(heading) ? "…\n\n" : above + "\n\n");
      heading = above;
      for (Evidence one : passage) {
        List<GripId> cited = one.grips().stream().filter(grips::add).toList();
        inOrder.addAll(cited);
        one.event().ifPresent(key -> events.add(key.id()));
        out.append(turn(one.with(one.text(), cited))).append("\n\n");
      }
    }
    List<MemoryId> cited = memories.stream().map(memory -> memory.found().id()).toList();
    return new Text(out.toString().stripTrailing(), events, inOrder, cited);
  }

  String heading(Evidence one) {
    String day = "## " + day(one).format(DAY);
    return small
        ? day
        : one.session()
            .map(session -> day + ", session " + SafeMarkdown.inline(session.value()))
            .orElse(day);
  }

  private LocalDate day(Evidence one) {
    return day(one.time());
  }

  private LocalDate day(Instant time) {
    return LocalDate.ofInstant(time, zone);
  }

  private LocalDate since(Evidence one) {
    return day(one.said().since());
  }

  String memory(ShownMemory memory) {
    String kind = MemoryHits.kind(memory.found()) + ", " + day(memory.found().time());
    return said(kind, memory.text()).append(memory.found().citation()).toString();
  }

  /// Text behind who said it, up to its citations.
  private static StringBuilder said(String speaker, String text) {
    String stripped = text.strip();
    StringBuilder out = new StringBuilder(SafeMarkdown.inline(speaker)).append(':');
    return SafeMarkdown.isOneLine(stripped)
        ? out.append(' ').append(SafeMarkdown.inline(stripped)).append(' ')
        : out.append('\n').append(SafeMarkdown.quoted(stripped)).append("\n\n");
  }

  String turn(Evidence one) {
    StringBuilder out = said(one.speaker(), one.text());
    List<String> cited = new ArrayList<>();
    if (one.said().times() > 1) {
      cited.add("(said " + one.said().times() + " times since " + since(one) + ')');
    }
    one.event().ifPresent(key -> cited.add("[evt:" + key.id().value() + ']'));
    one.grips().forEach(grip -> cited.add('[' + grip.value() + ']'));
    return out.append(String.join(" ", cited)).toString().stripTrailing();
  }

  private List<List<Evidence>> passages(List<Evidence> chosen) {
    List<List<Evidence>> passages = new ArrayList<>();
    Map<SessionId, List<Evidence>> bySession = new LinkedHashMap<>();
    for (Evidence one : chosen) {
      if (one.event().isPresent() && one.session().isPresent()) {
        bySession.computeIfAbsent(one.session().get(), absent -> new ArrayList<>()).add(one);
      } else {
        passages.add(List.of(one));
      }
    }
    bySession.forEach((session, turns) -> passages.addAll(runs(session, turns)));
    passages.sort(
        Comparator.comparing((List<Evidence> passage) -> passage.getFirst().time())
            .thenComparing(passage -> passage.getFirst().event().map(EventKey::position).orElse(0L))
            .thenComparing(
                passage -> passage.getFirst().event().map(key -> key.id().value()).orElse("")));
    return passages;
  }

  private List<List<Evidence>> runs(SessionId session, List<Evidence> turns) {
    turns.sort(Comparator.comparing(one -> one.event().orElseThrow()));
    List<List<Evidence>> runs = new ArrayList<>();
    for (Evidence turn : turns) {
      if (!runs.isEmpty() && follows(session, runs.getLast().getLast(), turn)) {
        runs.getLast().add(turn);
      } else {
        runs.add(new ArrayList<>(List.of(turn)));
      }
    }
    return runs;
  }

  private boolean follows(SessionId session, Evidence one, Evidence next) {
    Optional<EventKey> after = sessions.eventsAfter(session, one.event(), 1).stream().findFirst();
    return after.equals(next.event()) && day(one).equals(day(next));
  }
}
