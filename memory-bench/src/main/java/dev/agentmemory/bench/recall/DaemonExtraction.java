package dev.agentmemory.bench.recall;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.PlainEvents;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.recall.extract.ExtractedStatement;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What a daemon extracts from turns. Each turn is a session of its own, which ends after it, so
/// that its segment is closed.
final class DaemonExtraction {

  private static final Instant BEGIN = Instant.parse("2026-01-05T09:00:00Z");
  private static final long SECONDS_APART = 3600;

  private final BenchDaemon daemon;
  private int sessions;

  DaemonExtraction(BenchDaemon daemon) {
    this.daemon = daemon;
  }

  /// Sends turns and waits until the daemon has extracted from them.
  ///
  /// @return what it has extracted from each, in their order
  List<List<ExtractedStatement>> extract(List<ExtractionItem> items) {
    var named = new ArrayList<SessionId>();
    var events = new ArrayList<Event>();
    for (ExtractionItem item : items) {
      var session = new SessionId("turn-%05d".formatted(sessions));
      Instant time = BEGIN.plusSeconds(sessions * SECONDS_APART);
      named.add(session);
      events.add(turn(session, time, item));
      events.add(event(session, time.plusSeconds(1), EventType.SESSION_END, EventRole.SYSTEM, ""));
      sessions++;
    }
    MemoryClient client = daemon.client();
    Sending.stream(client, events);
    daemon.awaitDrained();
    daemon.awaitExtracted();
    Map<String, List<ExtractedStatement>> found = found(client);
    return named.stream().map(session -> found.getOrDefault(session.value(), List.of())).toList();
  }

  private static Event turn(SessionId session, Instant time, ExtractionItem item) {
    return switch (item.speaker()) {
      case PERSON -> event(session, time, EventType.USER_MESSAGE, EventRole.USER, item.text());
      case ASSISTANT ->
          event(session, time, EventType.ASSISTANT_MESSAGE, EventRole.ASSISTANT, item.text());
      case TOOL -> event(session, time, EventType.TOOL_RESULT, EventRole.TOOL, item.text());
      case PROGRAM -> event(session, time, EventType.USER_MESSAGE, EventRole.SYSTEM, item.text());
    };
  }

  private static Event event(
      SessionId session, Instant time, EventType type, EventRole role, String text) {
    return PlainEvents.of(session, time, type, role, text);
  }

  /// The memories of each session; those that a later session has superseded count as well.
  private static Map<String, List<ExtractedStatement>> found(MemoryClient client) {
    MemoryFilter all = MemoryFilter.builder().superseded(true).build();
    Map<String, List<ExtractedStatement>> found = new HashMap<>();
    PageRequest request = PageRequest.of(MemorySearch.MAX_LIMIT);
    Page<MemoryRecord> page = client.recall().memories().list(all, request).page();
    add(found, page);
    while (page.hasNext()) {
      page = client.recall().memories().list(all, request.after(page)).page();
      add(found, page);
    }
    return found;
  }

  private static void add(Map<String, List<ExtractedStatement>> found, Page<MemoryRecord> page) {
    for (MemoryRecord memory : page.items()) {
      String session = memory.place().session().map(SessionId::value).orElse("");
      found
          .computeIfAbsent(session, _ -> new ArrayList<>())
          .add(
              new ExtractedStatement(
                  memory.kind(),
                  0,
                  memory.content().text(),
                  memory.importance(),
                  List.copyOf(memory.tags())));
    }
  }
}
