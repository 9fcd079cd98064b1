package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.pipeline.ingest.IngestLimits;
import dev.agentmemory.pipeline.ingest.Ingestor;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What is let into a store that workspaces share, and in which order it is looked at.
class SharedIngestTest {

  private static final WorkspaceName ALPHA = new WorkspaceName("alpha");
  private static final Event EVENT = TestEvents.message("s", TestEvents.START, "hello");

  private final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private final Ingestor ingestor =
      new Ingestor(() -> TestEvents.START, store, IngestLimits.DEFAULT);
  private final SharedIngest ingest =
      new SharedIngest(
          ingestor,
          event ->
              event.agent().map(agent -> WorkspaceName.parse("event.agent", agent)).orElse(ALPHA));

  @AfterEach
  void close() {
    store.close();
  }

  private Receipt append(Event event) {
    return ingest.append(List.of(event)).join().getFirst();
  }

  private void refused(String field, Event event) {
    assertThat(append(event))
        .isInstanceOfSatisfying(
            Receipt.Refused.class,
            refusal -> {
              assertThat(refusal.event()).isEqualTo(event.id());
              assertThat(refusal.why().field()).hasValue(field);
            });
    assertThat(store.stats().events()).isZero();
    assertThat(ingestor.refusals().byReason()).containsExactly(Map.entry(field, 1L));
  }

  @Test
  void event_getsItsWorkspace_andItsReceiptLosesIt() {
    assertThat(append(EVENT)).isEqualTo(new Receipt.Created(EVENT.id()));
    assertThat(store.event(EVENT.id().in(ALPHA))).contains(EVENT.in(ALPHA));
    assertThat(append(EVENT)).isEqualTo(new Receipt.AlreadyKnown(EVENT.id()));
  }

  @Test
  void conflict_isToldWithoutTheWorkspace() {
    append(EVENT);
    assertThat(append(TestEvents.withText(EVENT, "other words")))
        .isEqualTo(new Receipt.Conflict(EVENT.id()));
    assertThat(ingestor.refusals().last())
        .hasValue("event " + EVENT.id() + " is already stored with different content");
  }

  @Test
  void limits_areCheckedBeforeTheWorkspace() {
    Event empty = TestEvents.withText(EVENT, "");
    refused("event.text", TestEvents.from(empty, "No Name", Map.of()));
  }

  @Test
  void agentThatNamesNoWorkspace_isRefused() {
    refused("event.agent", TestEvents.from(EVENT, "No Name", Map.of()));
  }

  @Test
  void eventId_thatNamesAWorkspace_isRefused() {
    refused("event.event_id", TestEvents.withId(EVENT, new EventId(EVENT.id() + "@beta")));
  }

  @Test
  void sessionId_thatIsTooLongWithAWorkspace_isRefused() {
    String session = "s".repeat(SessionId.MAX_BYTES);
    append(TestEvents.message(session, TestEvents.START.plusSeconds(1), "it fits"));
    assertThat(store.sessions(java.util.Optional.empty(), 2)).hasSize(1);
    Event longer = TestEvents.message("@beta/" + session, TestEvents.START, "it does not");
    assertThat(append(longer))
        .isInstanceOfSatisfying(
            Receipt.Refused.class,
            refusal -> assertThat(refusal.why().field()).hasValue("event.session_id"));
  }
}
