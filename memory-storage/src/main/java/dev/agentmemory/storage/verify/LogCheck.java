package dev.agentmemory.storage.verify;

import dev.agentmemory.storage.codec.CheckpointCodec;
import dev.agentmemory.storage.codec.ContentDigest;
import dev.agentmemory.storage.codec.Conversation;
import dev.agentmemory.storage.codec.Counters;
import dev.agentmemory.storage.codec.EventCodec;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.OutboxCodec;
import dev.agentmemory.storage.codec.SessionCodec;
import dev.agentmemory.storage.read.EventRows;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.Cursor;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.erased.ErasedContent;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Checks `events`, `sessions`, `event_ids`, `conversations`, `outbox`, `dead_letters` and
/// `checkpoints` against each other.
final class LogCheck {

  private final View view;
  private final ContentDigest digest;
  private final Findings findings;
  private final EventRows events;
  private long count;
  private long elsewhere;

  LogCheck(View view, ContentDigest digest, Findings findings) {
    this.view = view;
    this.digest = digest;
    this.findings = findings;
    this.events = new EventRows(view);
  }

  void run(Counters counters) {
    view.scanAll(Table.EVENTS, this::checkEvent);
    long given = counters.events();
    findings.demand(
        count == given, Table.EVENTS, "all", count + " rows, but " + given + " were counted");
    checkIds();
    checkSessions();
    checkOutbox(counters);
    checkParked(counters);
  }

  private boolean checkEvent(Cursor row) {
    count++;
    byte[] key = row.key();
    byte[] value = row.value();
    findings
        .readable(Table.EVENTS, key, () -> EventCodec.decode(value))
        .ifPresent(event -> checkEvent(key, event));
    return findings.more();
  }

  private void checkEvent(byte[] key, Event event) {
    String name = Keys.text(key);
    boolean inPlace = Arrays.equals(key, Keys.event(event.key()));
    findings.demand(inPlace, Table.EVENTS, name, "is stored under the key of another event");
    boolean listed = view.has(Table.SESSIONS, Keys.sessionEvent(event));
    findings.demand(listed, Table.SESSIONS, name, "is not listed in its session");
    if (!Keys.isNatural(event.key())) {
      elsewhere++;
      boolean found = view.has(Table.EVENT_IDS, Keys.eventId(event.id()));
      findings.demand(found, Table.EVENT_IDS, name, "cannot be found by its id");
    }
  }

  private void checkIds() {
    long[] rows = new long[1];
    view.scanAll(
        Table.EVENT_IDS,
        row -> {
          rows[0]++;
          boolean leads = view.has(Table.EVENTS, row.value());
          findings.demand(leads, Table.EVENT_IDS, Keys.text(row.key()), "leads to no event");
          return findings.more();
        });
    String problem = rows[0] + " rows for " + elsewhere + " events";
    findings.demand(rows[0] == elsewhere, Table.EVENT_IDS, "all", problem);
  }

  private void checkSessions() {
    var tally = new Tally();
    view.scanAll(
        Table.SESSIONS,
        row -> {
          tally.add(row.key());
          return findings.more();
        });
    tally.finish();
    String listed = tally.all + " rows for " + count + " events";
    findings.demand(tally.all == count, Table.SESSIONS, "all", listed);
    long[] rows = new long[1];
    view.scanAll(
        Table.CONVERSATIONS,
        row -> {
          rows[0]++;
          return findings.more();
        });
    String known = rows[0] + " rows for " + tally.sessions + " sessions";
    findings.demand(rows[0] == tally.sessions, Table.CONVERSATIONS, "all", known);
  }

  /// The events of the session that is being scanned.
  private final class Tally {

    private @Nullable SessionId session;
    private @Nullable EventKey first;
    private @Nullable EventKey last;
    private long events;
    private long highest;
    private long sessions;
    private long all;

    void add(byte[] key) {
      SessionId next = Keys.toSession(key);
      if (!next.equals(session)) {
        finish();
        session = next;
        first = Keys.toPlaceAtEnd(key);
        events = 0;
        highest = 0;
        sessions++;
      }
      last = Keys.toPlaceAtEnd(key);
      highest = Math.max(highest, last.position());
      events++;
      all++;
    }

    void finish() {
      if (session != null && first != null && last != null) {
        check(session, first, last, events, highest);
      }
    }
  }

  private void check(SessionId id, EventKey first, EventKey last, long size, long highest) {
    byte[] key = Keys.conversation(id);
    byte[] row = view.get(Table.CONVERSATIONS, key);
    findings.demand(row != null, Table.CONVERSATIONS, id, "is missing");
    if (row == null) {
      return;
    }
    Optional<Conversation> found =
        findings.readable(Table.CONVERSATIONS, key, () -> SessionCodec.decode(row));
    if (found.isEmpty()) {
      return;
    }
    boolean counted = found.get().highest() >= highest;
    findings.demand(counted, Table.CONVERSATIONS, id, "counts positions below those of its events");
    Session s = found.get().session();
    boolean same = s.first().equals(first) && s.last().equals(last) && s.events() == size;
    findings.demand(same, Table.CONVERSATIONS, id, "does not match its events");
    boolean ends =
        events.events(List.of(last)).stream()
            .allMatch(event -> (event.type() == EventType.SESSION_END) == s.ended());
    findings.demand(ends, Table.CONVERSATIONS, id, "has a wrong end state");
  }

  private void checkOutbox(Counters counters) {
    long[] expected = {counters.outboxTail()};
    view.scanAll(
        Table.OUTBOX,
        row -> {
          byte[] key = row.key();
          long sequence = Keys.toSequence(key);
          String problem = "expected sequence " + expected[0];
          findings.demand(sequence == expected[0], Table.OUTBOX, sequence, problem);
          expected[0] = sequence + 1;
          findings
              .readable(Table.OUTBOX, key, () -> OutboxCodec.decode(sequence, row.value()))
              .ifPresent(this::checkEntry);
          return findings.more();
        });
    boolean complete = !findings.more() || expected[0] == counters.outboxHead() + 1;
    findings.demand(complete, Table.OUTBOX, expected[0], "is missing");
  }

  private void checkEntry(OutboxEntry entry) {
    boolean leads =
        view.has(Table.EVENTS, Keys.event(entry.event())) || wasErased(entry.event().id());
    findings.demand(leads, Table.OUTBOX, entry.sequence(), "names an event that does not exist");
  }

  private boolean wasErased(EventId id) {
    return view.has(Table.RECORDS, Keys.erased(digest.of(ErasedContent.id(id))));
  }

  private void checkParked(Counters counters) {
    long[] rows = new long[1];
    view.scanAll(
        Table.DEAD_LETTERS,
        row -> {
          rows[0]++;
          findings.readable(
              Table.DEAD_LETTERS, row.key(), () -> OutboxCodec.decodeLetter(row.value()));
          return findings.more();
        });
    String problem = rows[0] + " rows, but " + counters.deadLetters() + " were counted";
    findings.demand(rows[0] == counters.deadLetters(), Table.DEAD_LETTERS, "all", problem);
    view.scanAll(
        Table.CHECKPOINTS,
        row -> {
          findings.readable(
              Table.CHECKPOINTS, row.key(), () -> CheckpointCodec.decode(row.value()));
          return findings.more();
        });
  }
}
