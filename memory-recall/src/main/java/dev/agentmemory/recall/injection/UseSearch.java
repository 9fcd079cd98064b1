package dev.agentmemory.recall.injection;

import dev.agentmemory.api.injection.Injection;
import dev.agentmemory.api.injection.InjectionUse;
import dev.agentmemory.api.injection.InjectionUse.Sign;
import dev.agentmemory.api.injection.UsedInjection;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Looks for signs that a session has used what it was told, in its later events: answers that have
/// the id of a citation or a run of words, and calls of the tool that expands citations. All
/// injections of a page are looked for in one reading. For one search.
final class UseSearch {

  /// Metadata of an event by which adapters name a tool, and what it was called with.
  private static final String TOOL = "tool";

  private static final String TOOL_INPUT = "tool_input";

  /// How the name of the tool ends that expands citations; agents put the server's name before it.
  private static final String EXPANDS = "memory_expand";

  /// Most words of a sign that are told.
  private static final int MOST_CHARS = 200;

  private static final int STEP = 64;

  /// Most events that are read for a page.
  private static final int MOST_EVENTS = 20_000;

  /// Most that these may hold together, in UTF-16 units.
  private static final long MOST_READ = 32L << 20;

  private final StoreReader reader;
  private final List<Found> found;
  private final SharedRuns runs = new SharedRuns();

  /// @param injections of one session, in time order
  UseSearch(StoreReader reader, List<Injection> injections) {
    this.reader = reader;
    this.found = injections.stream().map(Found::new).toList();
    for (int i = 0; i < injections.size(); i++) {
      int number = i;
      injections.get(i).text().ifPresent(text -> runs.add(number, text));
    }
  }

  /// What was found of one.
  private static final class Found {

    private final Injection injection;
    private final List<InjectionUse> uses = new ArrayList<>();
    private long lookedAt;

    Found(Injection injection) {
      this.injection = injection;
    }

    boolean isBefore(Event event) {
      return !event.timestamp().isBefore(injection.time());
    }

    /// One sign of each kind is enough of an event.
    void add(Event event, Sign sign, String what) {
      boolean known =
          uses.stream().anyMatch(use -> use.event().equals(event.id()) && use.sign() == sign);
      if (!known && uses.size() < UsedInjection.MOST_USES) {
        String told = what.substring(0, Math.min(what.length(), MOST_CHARS));
        uses.add(new InjectionUse(event.id(), event.timestamp(), sign, told));
      }
    }
  }

  /// @return in the order of the injections
  List<UsedInjection> run(SessionId session) {
    if (found.isEmpty()) {
      return List.of();
    }
    boolean complete = read(session, found.getFirst().injection.time());
    return found.stream()
        .map(one -> new UsedInjection(one.injection, one.uses, one.lookedAt, complete))
        .toList();
  }

  /// @return whether all events from then on were read
  private boolean read(SessionId session, Instant from) {
    Optional<EventKey> place = Optional.of(first(from));
    long events = 0;
    long chars = 0;
    while (true) {
      List<EventKey> keys = reader.sessions().eventsAfter(session, place, STEP);
      for (Event event : reader.events().events(keys)) {
        chars += event.chars();
        look(event);
      }
      events += keys.size();
      if (keys.size() < STEP) {
        return true;
      }
      if (events >= MOST_EVENTS || chars >= MOST_READ) {
        return false;
      }
      place = Optional.of(keys.getLast());
    }
  }

  /// A place before all events of a time.
  private static EventKey first(Instant time) {
    return new EventKey(time, new EventId("0".repeat(EventId.LENGTH)));
  }

  private void look(Event event) {
    found.stream().filter(one -> one.isBefore(event)).forEach(one -> one.lookedAt++);
    if (event.type() == EventType.ASSISTANT_MESSAGE) {
      lookForIds(event, event.text(), Sign.CITATION);
      runs.find(
          event.text(),
          (number, words) -> {
            Found one = found.get(number);
            if (one.isBefore(event)) {
              one.add(event, Sign.WORDS, words);
            }
          });
    } else if (event.metadata().getOrDefault(TOOL, "").endsWith(EXPANDS)) {
      lookForIds(event, event.metadata().getOrDefault(TOOL_INPUT, ""), Sign.EXPANSION);
    }
  }

  private void lookForIds(Event event, String text, Sign sign) {
    if (text.isEmpty()) {
      return;
    }
    for (Found one : found) {
      if (one.isBefore(event)) {
        one.injection.citations().stream()
            .filter(citation -> text.contains(CitedIds.bare(citation)))
            .findFirst()
            .ifPresent(citation -> one.add(event, sign, citation));
      }
    }
  }
}
