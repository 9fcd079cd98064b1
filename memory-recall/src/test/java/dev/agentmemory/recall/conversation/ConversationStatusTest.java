package dev.agentmemory.recall.conversation;

import static dev.agentmemory.recall.conversation.ConversationWorld.channel;
import static dev.agentmemory.recall.conversation.ConversationWorld.ref;
import static dev.agentmemory.recall.conversation.ConversationWorld.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.Ingest;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.ConversationStart;
import dev.agentmemory.api.conversation.ConversationStatus;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.RefCode;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The life of a conversation.
class ConversationStatusTest {

  private static final SessionId S = new SessionId("s");

  private final ConversationWorld world = new ConversationWorld();
  private final ConversationWorld.Caller caller = world.caller();
  private final DerivedConversations conversations = caller.conversations();

  @AfterEach
  void store_hasNothingWrong() {
    world.verify();
  }

  private ConversationView start() {
    return conversations.start(ConversationStart.of(S));
  }

  private ConversationStatus status() {
    return caller.view("s").status();
  }

  @Test
  void start_newSession_isOneEventAndActive() {
    ConversationView view =
        conversations.start(ConversationStart.of(S).withChannel(channel("ops")).withUser("ann"));
    assertThat(view.status()).isEqualTo(ConversationStatus.ACTIVE);
    assertThat(view.startedAt()).isEqualTo(world.now);
    assertThat(view.endedAt()).isEmpty();
    assertThat(view.channel()).isEqualTo(channel("ops"));
    assertThat(view.user()).contains("ann");
    assertThat(world.types("s")).containsExactly(EventType.SESSION_START);
    assertThat(caller.view("s")).isEqualTo(view);
  }

  @Test
  void start_activeOne_changesNothing() {
    ConversationView first = start();
    world.pass(Duration.ofMinutes(1));
    assertThat(start()).isEqualTo(first);
    assertThat(world.types("s")).hasSize(1);
  }

  @Test
  void start_activeOneOfAnAgent_keepsItsChannelAndGetsTheUser() {
    world.say("s", "hello");
    ConversationView view =
        conversations.start(ConversationStart.of(S).withChannel(channel("ops")).withUser("ann"));
    assertThat(view.channel()).isEqualTo(channel("general"));
    assertThat(view.user()).contains("ann");
    assertThat(world.types("s")).containsExactly(EventType.USER_MESSAGE);
  }

  @Test
  void start_idleOneWithAChannel_staysInItsChannel() {
    world.say("s", "hello");
    conversations.idle(ref("s"));
    assertThat(conversations.start(ConversationStart.of(S).withChannel(channel("ops"))).channel())
        .isEqualTo(channel("general"));
  }

  @Test
  void start_idleOne_isActiveAgain() {
    start();
    conversations.idle(ref("s"));
    assertThat(start().status()).isEqualTo(ConversationStatus.ACTIVE);
    assertThat(world.types("s"))
        .containsExactly(EventType.SESSION_START, EventType.SESSION_END, EventType.SESSION_START);
  }

  @Test
  void start_silentOne_isActiveAgain() {
    start();
    world.pass(Duration.ofDays(2));
    assertThat(start().status()).isEqualTo(ConversationStatus.ACTIVE);
    assertThat(world.types("s")).hasSize(2);
  }

  @Test
  void start_archivedOne_isActiveAgain() {
    start();
    conversations.archive(ref("s"), /* force= */ true);
    assertThat(start().status()).isEqualTo(ConversationStatus.ACTIVE);
  }

  @Test
  void idle_agentsClockIsAhead_endIsStillTheLatestEvent() {
    world.append(TestEvents.message("s", world.now.plusSeconds(60), "from the future"));
    ConversationView view = conversations.idle(ref("s"));
    assertThat(view.status()).isEqualTo(ConversationStatus.IDLE);
    assertThat(view.endedAt()).contains(world.now.plusSeconds(60));
    assertThat(world.types("s")).endsWith(EventType.SESSION_END);
  }

  @Test
  void idle_activeOne_isAnEventWithTheEnd() {
    start();
    world.pass(Duration.ofMinutes(5));
    ConversationView view = conversations.idle(ref("s"));
    assertThat(view.status()).isEqualTo(ConversationStatus.IDLE);
    assertThat(view.endedAt()).contains(world.now);
    assertThat(world.types("s")).containsExactly(EventType.SESSION_START, EventType.SESSION_END);
  }

  @Test
  void idle_idleOne_changesNothing() {
    start();
    ConversationView idle = conversations.idle(ref("s"));
    world.pass(Duration.ofMinutes(5));
    assertThat(conversations.idle(ref("s"))).isEqualTo(idle);
    assertThat(world.types("s")).hasSize(2);
  }

  @Test
  void idle_silentOne_changesNothing() {
    world.say("s", "hello");
    world.pass(Duration.ofDays(2));
    assertThat(conversations.idle(ref("s")).status()).isEqualTo(ConversationStatus.IDLE);
    assertThat(world.types("s")).containsExactly(EventType.USER_MESSAGE);
  }

  @Test
  void idle_archivedOne_isRefusedByItsStates() {
    start();
    conversations.archive(ref("s"), /* force= */ true);
    refused(
        ErrorCode.ILLEGAL_TRANSITION,
        () -> conversations.idle(ref("s")),
        "conversation s",
        "from archived to idle");
    assertThat(status()).isEqualTo(ConversationStatus.ARCHIVED);
    assertThat(world.types("s")).hasSize(2);
  }

  @Test
  void archive_activeOne_needsForce() {
    start();
    refused(
        ErrorCode.ILLEGAL_TRANSITION,
        () -> conversations.archive(ref("s"), /* force= */ false),
        "from active to archived",
        "force");
    assertThat(status()).isEqualTo(ConversationStatus.ACTIVE);
    assertThat(world.types("s")).hasSize(1);

    ConversationView view = conversations.archive(ref("s"), /* force= */ true);
    assertThat(view.status()).isEqualTo(ConversationStatus.ARCHIVED);
    assertThat(view.endedAt()).contains(world.now);
    assertThat(world.types("s")).endsWith(EventType.SESSION_END);
  }

  @Test
  void archive_idleOne_isArchivedWithoutAnEvent() {
    start();
    conversations.idle(ref("s"));
    ConversationView view = conversations.archive(ref("s"), /* force= */ false);
    assertThat(view.status()).isEqualTo(ConversationStatus.ARCHIVED);
    assertThat(world.types("s")).hasSize(2);
  }

  @Test
  void archive_silentOne_staysArchived() {
    world.say("s", "hello");
    world.pass(Duration.ofHours(24));
    conversations.archive(ref("s"), /* force= */ false);
    world.pass(Duration.ofDays(100));
    assertThat(status()).isEqualTo(ConversationStatus.ARCHIVED);
    assertThat(caller.view("s").endedAt()).contains(TestEvents.START.plus(Duration.ofHours(24)));
    assertThat(world.types("s")).containsExactly(EventType.USER_MESSAGE);
  }

  @Test
  void archive_archivedOne_isRefusedWithForceToo() {
    start();
    conversations.archive(ref("s"), /* force= */ true);
    for (boolean force : List.of(true, false)) {
      refused(
          ErrorCode.ILLEGAL_TRANSITION,
          () -> conversations.archive(ref("s"), force),
          "from archived to archived");
    }
  }

  @Test
  void silence_ofADay_makesIdle() {
    world.say("s", "hello");
    world.pass(Duration.ofHours(24).minusMillis(1));
    assertThat(status()).isEqualTo(ConversationStatus.ACTIVE);
    world.pass(Duration.ofMillis(1));
    assertThat(status()).isEqualTo(ConversationStatus.IDLE);
    assertThat(caller.view("s").endedAt()).contains(world.now);
  }

  @Test
  void event_ofAnAgent_makesAnyOneActive() {
    world.say("s", "hello");
    world.end("s");
    assertThat(status()).isEqualTo(ConversationStatus.IDLE);
    world.pass(Duration.ofSeconds(1));
    world.say("s", "one more thing");
    assertThat(status()).isEqualTo(ConversationStatus.ACTIVE);
    assertThat(caller.view("s").endedAt()).isEmpty();

    conversations.archive(ref("s"), /* force= */ true);
    world.pass(Duration.ofSeconds(1));
    world.say("s", "and another one");
    assertThat(status()).isEqualTo(ConversationStatus.ACTIVE);
  }

  @Test
  void event_afterSilence_makesActive() {
    world.say("s", "hello");
    world.pass(Duration.ofDays(3));
    world.say("s", "back again");
    assertThat(status()).isEqualTo(ConversationStatus.ACTIVE);
  }

  @Test
  void event_lateOne_takesItsArchivedConversationOutOfTheArchive() {
    world.pass(Duration.ofMinutes(1));
    start();
    conversations.archive(ref("s"), /* force= */ true);
    world.append(TestEvents.message("s", TestEvents.START, "was on its way"));
    assertThat(status()).isEqualTo(ConversationStatus.IDLE);
  }

  @Test
  void event_sentAgain_leavesItsConversationArchived() {
    world.say("s", "hello");
    conversations.archive(ref("s"), /* force= */ true);
    world.append(TestEvents.message("s", TestEvents.START, "hello"));
    assertThat(status()).isEqualTo(ConversationStatus.ARCHIVED);
  }

  @Test
  void archive_eventComesMeanwhile_isActive() {
    start();
    Ingest withAnotherWriter =
        events -> {
          var receipts = world.store.submit(Commit.append(events));
          world.pass(Duration.ofMillis(1));
          world.say("s", "typed at the same moment");
          return receipts;
        };
    ConversationView view =
        world.caller(withAnotherWriter).conversations().archive(ref("s"), /* force= */ true);
    assertThat(view.status()).isEqualTo(ConversationStatus.ACTIVE);
    world.pass(Duration.ofDays(2));
    assertThat(status()).isEqualTo(ConversationStatus.IDLE);
  }

  @Test
  void archive_endIsRefusedByIngest_changesNothing() {
    start();
    Ingest refusing =
        events ->
            CompletableFuture.completedFuture(
                events.stream()
                    .<Receipt>map(event -> new Receipt.Refused(event.id(), clockProblem()))
                    .toList());
    refused(
        ErrorCode.INVALID_FIELD,
        () -> world.caller(refusing).conversations().archive(ref("s"), /* force= */ true),
        "event.timestamp_ms");
    assertThat(status()).isEqualTo(ConversationStatus.ACTIVE);
  }

  private static MemoryException clockProblem() {
    return MemoryException.invalid("event.timestamp_ms", "is ahead of the clock");
  }

  @Test
  void start_idIsTaken_isToldAndNotCountedAsStarted() {
    Ingest conflicting =
        events ->
            CompletableFuture.completedFuture(
                events.stream().map(Event::id).<Receipt>map(Receipt.Conflict::new).toList());
    refused(
        ErrorCode.EVENT_CONFLICT,
        () -> world.caller(conflicting).conversations().start(ConversationStart.of(S)),
        "already stored");
  }

  @Test
  void steps_storeCannotBeWritten_areRefusedAndChangeNothing() {
    world.say("s", "hello");
    world.refuseCommits();
    refused(ErrorCode.STORAGE_FAILED, () -> conversations.idle(ref("s")), "failed");
    refused(
        ErrorCode.STORAGE_FAILED,
        () -> conversations.start(ConversationStart.of(new SessionId("t"))),
        "failed");
    world.takeCommits();
    assertThat(status()).isEqualTo(ConversationStatus.ACTIVE);
    refused(ErrorCode.NOT_FOUND, () -> caller.view("t"), "no conversation t");
  }

  @Test
  void steps_unknownConversation_isNotFound() {
    var code = ConversationRef.of(new RefCode("00000000000"));
    for (ConversationRef unknown : List.of(ref("gone"), code)) {
      refused(ErrorCode.NOT_FOUND, () -> conversations.conversation(unknown), "no conversation");
      refused(ErrorCode.NOT_FOUND, () -> conversations.idle(unknown), "no conversation");
      refused(ErrorCode.NOT_FOUND, () -> conversations.archive(unknown, true), "no conversation");
      refused(ErrorCode.NOT_FOUND, () -> conversations.stats(unknown), "no conversation");
      refused(ErrorCode.NOT_FOUND, () -> conversations.compact(unknown), "no conversation");
    }
    assertThat(world.types("gone")).isEmpty();
  }

  @Test
  void start_sessionIdLikeAPath_isAnIdAndNothingElse() {
    for (String id : List.of("../../etc/passwd", "a/b", "C:\\x", "..", "it's \"quoted\" %00 😀")) {
      var session = new SessionId(id);
      conversations.start(ConversationStart.of(session).withUser("ann"));
      assertThat(caller.view(id).session()).isEqualTo(session);
      assertThat(caller.view(id).user()).contains("ann");
    }
  }

  @Test
  void start_sessionIdTooLong_isRefused() {
    String longest = "é".repeat(SessionId.MAX_BYTES / 2);
    conversations.start(ConversationStart.of(new SessionId(longest)));
    // In a shared store this is an id of 256 bytes with its workspace; a client must not send it.
    var tooLong = new SessionId("@alpha/" + longest);
    refused(
        ErrorCode.INVALID_FIELD,
        () -> conversations.start(ConversationStart.of(tooLong)),
        "session_id",
        "256 bytes");
    refused(
        ErrorCode.INVALID_FIELD,
        () -> caller.scratchpads().write(tooLong, "key", "1"),
        "session_id");
    refused(ErrorCode.INVALID_FIELD, () -> SessionId.parse("session_id", "a\tb"), "control");
  }

  @Test
  void start_userTooLongOrNotPrintable_isRefusedBeforeAnythingIsStored() {
    for (String user : List.of("u".repeat(257), "a\nb")) {
      refused(
          ErrorCode.INVALID_FIELD,
          () -> conversations.start(ConversationStart.of(S).withUser(user)),
          "user");
    }
    assertThat(world.types("s")).isEmpty();
  }
}
