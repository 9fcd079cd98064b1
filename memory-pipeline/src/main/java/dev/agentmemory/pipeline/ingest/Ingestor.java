package dev.agentmemory.pipeline.ingest;

import dev.agentmemory.api.Ingest;
import dev.agentmemory.api.RefusalReport;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.UnicodeText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/// Accepts events: it refuses events beyond the limits, masks secrets, and passes the rest to the
/// store, which decides which of them are new. It never blocks.
public final class Ingestor implements Ingest {

  private final InstantSource clock;
  private final MemoryStore store;
  private final IngestLimits limits;
  private final ImportDeferral deferral;
  private final EventMasking masking;
  private final RefusalCounts refusals = new RefusalCounts();
  private final IngestFigures figures;
  private final ActiveSessions active;

  /// For a store without background work that could wait for imports.
  public Ingestor(InstantSource clock, MemoryStore store, IngestLimits limits) {
    this(
        clock,
        store,
        limits,
        new ImportDeferral(new ImportDeferral.Activity(() -> 0)),
        new IngestFigures(() -> 0));
  }

  /// @param deferral is told of each batch of an import
  /// @param figures is told of each call
  public Ingestor(
      InstantSource clock,
      MemoryStore store,
      IngestLimits limits,
      ImportDeferral deferral,
      IngestFigures figures) {
    this.clock = clock;
    this.store = store;
    this.limits = limits;
    this.masking = new EventMasking(limits);
    this.deferral = deferral;
    this.figures = figures;
    this.active = new ActiveSessions(clock);
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field as `event.<name>`
  private Event checked(Event event) {
    // Ids that contain a workspace are returned to callers but not accepted from them.
    var _ = EventId.parse("event.event_id", event.id().value());
    var _ = SessionId.parse("event.session_id", event.session().value());
    checkTimestamp(event.timestamp());
    checkText("event.text", event.text(), limits.maxTextBytes());
    if (event.type().needsText() && event.text().isEmpty()) {
      throw MemoryException.invalid(
          "event.text", "is empty; a user or assistant message needs text");
    }
    event.agent().ifPresent(agent -> checkText("event.agent", agent, limits.maxMetadataKeyBytes()));
    Map<String, String> metadata = event.metadata();
    if (metadata.size() > limits.maxMetadataEntries()) {
      throw MemoryException.invalid(
          "event.metadata",
          "has " + metadata.size() + " entries; at most " + limits.maxMetadataEntries());
    }
    metadata.forEach((key, value) -> {
      checkText("event.metadata", key, limits.maxMetadataKeyBytes());
      checkText("event.metadata[" + key + "]", value, limits.maxMetadataValueBytes());
    });
    return event;
  }

  @Override
  public void refused(MemoryException why) {
    refusals.add(why.field().orElse(why.code().name()), String.valueOf(why.getMessage()));
  }

  @Override
  public void importing() {
    deferral.batch();
  }

  /// The refusals since the start.
  public RefusalReport refusals() {
    return refusals.report();
  }

  /// How many sessions stored an event within 30 minutes, and since this object was made. Those
  /// that have ended do not count.
  public long activeSessions() {
    return active.count();
  }

  /// Passes the events within the limits to the store, as one commit.
  @Override
  public CompletableFuture<List<Receipt>> append(List<Event> events) {
    return append(events, UnaryOperator.identity());
  }

  /// Like [#append(List)], for a store with another form of events.
  ///
  /// @param stored the stored form of an event within the limits; may refuse it with
  ///   `INVALID_FIELD`
  public CompletableFuture<List<Receipt>> append(List<Event> events, UnaryOperator<Event> stored) {
    long begun = figures.nanos();
    var checked = CheckedEvents.of(events, event -> stored.apply(checked(event)));
    return submit(checked, begun);
  }

  private CompletableFuture<List<Receipt>> submit(CheckedEvents checked, long begun) {
    CompletableFuture<List<Receipt>> stored =
        checked.passed().isEmpty()
            ? CompletableFuture.completedFuture(List.of())
            : store.submit(commit(checked.passed()));
    return stored.thenApply(receipts -> {
      List<Receipt> all = checked.receipts(receipts);
      // Counted only now: after a full queue the caller sends the same events again.
      count(all, checked.passed());
      figures.answered(begun, all);
      return all;
    });
  }

  private Commit commit(List<Event> events) {
    return limits.maskSecrets()
        ? Commit.of(events.stream().map(masking::append).toList())
        : Commit.append(events);
  }

  /// @param passed the events of the receipts that are no refusals, in order
  private void count(List<Receipt> receipts, List<Event> passed) {
    Iterator<Event> sent = passed.iterator();
    for (Receipt receipt : receipts) {
      switch (receipt) {
        case Receipt.Created _ -> active.add(sent.next());
        case Receipt.AlreadyKnown _ -> {
          var _ = sent.next();
        }
        case Receipt.Conflict conflict -> {
          if (!repeats(sent.next())) {
            refusals.add(
                "conflict",
                "event " + conflict.event().plain() + " is already stored with different content");
          }
        }
        case Receipt.Erased erased -> {
          var _ = sent.next();
          refusals.add(
              "erased",
              "event " + erased.event().plain() + " was not stored, because it was erased");
        }
        case Receipt.Refused refusal -> refused(refusal.why());
      }
    }
  }

  /// Whether an event says what the stored one of its id says, perhaps at another time: an agent's
  /// hook and its transcript tell one turn twice. Nothing is lost then.
  private boolean repeats(Event sent) {
    try {
      Event masked = limits.maskSecrets() ? masking.masked(sent) : sent;
      return store
          .events()
          .event(sent.id())
          .filter(there ->
              there.session().equals(masked.session())
                  && there.type() == sent.type()
                  && there.role() == sent.role()
                  && there.text().equals(masked.text()))
          .isPresent();
    } catch (MemoryException e) {
      // What cannot be read cannot be compared.
      return false;
    }
  }

  private void checkTimestamp(Instant timestamp) {
    long millis = timestamp.toEpochMilli();
    if (millis < 0) {
      throw MemoryException.invalid(
          "event.timestamp_ms", "is before 1970; send milliseconds since the epoch");
    }
    if (millis > clock.millis() + limits.maxClockSkew().toMillis()
        || millis > EventKey.LAST_MILLIS) {
      throw MemoryException.invalid(
          "event.timestamp_ms",
          "is more than "
              + limits.maxClockSkew().toSeconds()
              + " s (ingest.max_clock_skew) ahead of the daemon's clock; send milliseconds since"
              + " the epoch, and check the clocks");
    }
  }

  private static void checkText(String field, String text, int maxBytes) {
    if (UnicodeText.hasLoneSurrogate(text)) {
      throw MemoryException.invalid(field, "holds half a surrogate pair; send valid Unicode");
    }
    if (text.length() * 3L <= maxBytes) {
      return;
    }
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > maxBytes) {
      throw MemoryException.invalid(
          field, "has " + bytes + " bytes of UTF-8; at most " + maxBytes + " are allowed");
    }
  }
}
