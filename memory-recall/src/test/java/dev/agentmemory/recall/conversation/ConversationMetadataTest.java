package dev.agentmemory.recall.conversation;

import static dev.agentmemory.recall.conversation.ConversationWorld.channel;
import static dev.agentmemory.recall.conversation.ConversationWorld.ref;
import static dev.agentmemory.recall.conversation.ConversationWorld.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.ConversationStart;
import dev.agentmemory.api.conversation.ConversationStats;
import dev.agentmemory.api.conversation.ConversationStatus;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.conversation.SessionPreferences;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.recall.SessionUsage;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What is set of a conversation, and what is counted.
class ConversationMetadataTest {

  private static final SessionId S = new SessionId("s");

  private static final SessionOverrides OVERRIDES =
      new SessionOverrides(
          Optional.of(true),
          Optional.of(Duration.ofDays(14)),
          Optional.of(0.2),
          Optional.of(false),
          Optional.of(0.95));

  private final ConversationWorld world = new ConversationWorld();
  private final ConversationWorld.Caller caller = world.caller();
  private final DerivedConversations conversations = caller.conversations();

  private ConversationView change(
      Optional<String> user,
      Optional<SessionPreferences> preferences,
      Optional<SessionOverrides> overrides) {
    return conversations.change(
        ref("s"), new ConversationChange(Optional.empty(), user, preferences, overrides));
  }

  @Test
  void change_parts_replacesThoseAndKeepsTheOthers() {
    world.say("s", "hello");
    var preferences =
        new SessionPreferences(Optional.of("en"), Optional.of("medium"), Map.of("tone", "dry"));
    change(Optional.of("ann"), Optional.of(preferences), Optional.empty());
    ConversationView view = change(Optional.empty(), Optional.empty(), Optional.of(OVERRIDES));
    assertThat(view.user()).contains("ann");
    assertThat(view.preferences()).isEqualTo(preferences);
    assertThat(view.overrides()).isEqualTo(OVERRIDES);
    assertThat(caller.view("s")).isEqualTo(view);

    ConversationView without =
        change(Optional.of(""), Optional.of(SessionPreferences.NONE), Optional.empty());
    assertThat(without.user()).isEmpty();
    assertThat(without.preferences()).isEqualTo(SessionPreferences.NONE);
    assertThat(without.overrides()).isEqualTo(OVERRIDES);
    assertThat(without.refCode()).isEqualTo(view.refCode());
  }

  @Test
  void change_secrets_areMaskedWhereverTheyAre() {
    world.say("s", "hello");
    ConversationView view =
        change(
            Optional.of("ann secret-1"),
            Optional.of(
                new SessionPreferences(
                    Optional.of("secret-2"),
                    Optional.of("secret-3"),
                    Map.of("password", "hunter2", "secret-4", "note secret-5"))),
            Optional.empty());
    assertThat(view.user()).contains("ann [masked:token]");
    assertThat(view.preferences())
        .isEqualTo(
            new SessionPreferences(
                Optional.of("[masked:token]"),
                Optional.of("[masked:token]"),
                Map.of("password", "[masked:password]", "[masked:token]", "note [masked:token]")));
    assertThat(world.store.records().record("conversation:s").orElseThrow())
        .doesNotContain("secret-", "hunter2");
  }

  @Test
  void change_maskLongerThanTheLimit_isCut() {
    world.say("s", "hello");
    String user = "x".repeat(248) + "secret-1";
    assertThat(change(Optional.of(user), Optional.empty(), Optional.empty()).user().orElseThrow())
        .hasSize(ConversationChange.MAX_USER);
  }

  @Test
  void change_channelThatDoesNotExist_isRefused() {
    world.say("s", "hello");
    var toOps =
        new ConversationChange(
            Optional.of(channel("ops")), Optional.empty(), Optional.empty(), Optional.empty());
    refused(ErrorCode.NOT_FOUND, () -> conversations.change(ref("s"), toOps), "no channel ops");
    caller.channels().create(channel("ops"), "");
    assertThat(conversations.change(ref("s"), toOps).channel()).isEqualTo(channel("ops"));
  }

  @Test
  void change_unknownConversation_isNotFound() {
    refused(
        ErrorCode.NOT_FOUND,
        () -> conversations.change(ref("s"), ConversationChange.ofUser("ann")),
        "no conversation s");
    assertThat(world.store.records().record("conversation:s")).isEmpty();
  }

  @Test
  void overrides_changed_areReadAtOnce() {
    world.say("s", "hello");
    assertThat(caller.index().overrides(S)).isEmpty();
    change(Optional.empty(), Optional.empty(), Optional.of(OVERRIDES));
    assertThat(caller.index().overrides(S)).contains(OVERRIDES);
    // Another view of the same store has them, too.
    assertThat(world.caller().index().overrides(S)).contains(OVERRIDES);
    change(Optional.empty(), Optional.empty(), Optional.of(SessionOverrides.NONE));
    assertThat(caller.index().overrides(S)).isEmpty();
  }

  @Test
  void overrides_readAgain_areNotReadFromTheStore() {
    world.say("s", "hello");
    change(Optional.empty(), Optional.empty(), Optional.of(OVERRIDES));
    assertThat(caller.index().overrides(S)).contains(OVERRIDES);
    world.store.close();
    assertThat(caller.index().overrides(S)).contains(OVERRIDES);
  }

  @Test
  void stats_ofAConversation_addMemoriesAndScratchpad() {
    world.say("s", "hello");
    world.counts =
        new SessionUsage(
            Map.of(MemoryKind.DECISION, 2L, MemoryKind.FINDING, 1L),
            300,
            Optional.of(world.now),
            Optional.of(world.now),
            Optional.of(world.now));
    caller.scratchpads().write(S, "key", "12345");
    conversations.compact(ref("s"));
    ConversationStats stats = conversations.stats(ref("s"));
    assertThat(stats.conversation()).isEqualTo(caller.view("s"));
    assertThat(stats.totalMemories()).isEqualTo(3);
    assertThat(stats.scratchpadEntries()).isEqualTo(1);
    assertThat(stats.bytes()).isEqualTo(300 + "key".length() + "12345".length());
    assertThat(stats.quotaBytes()).isEqualTo(world.quota);
    assertThat(stats.lastAccess()).contains(world.now);
    assertThat(stats.lastCompaction()).contains(world.now);
  }

  @Test
  void compactAndStats_ofASessionWithMemoriesOnly_work() {
    Instant first = world.now;
    world.counts =
        new SessionUsage(
            Map.of(MemoryKind.FINDING, 1L),
            300,
            Optional.of(first),
            Optional.of(first),
            Optional.empty());
    world.pass(Duration.ofHours(1));
    assertThat(conversations.compact(ref("only")).entriesAfter()).isEqualTo(1);
    ConversationStats stats = conversations.stats(ref("only"));
    assertThat(stats.totalMemories()).isEqualTo(1);
    assertThat(stats.bytes()).isEqualTo(300);
    assertThat(stats.lastCompaction()).contains(world.now);
    assertThat(stats.conversation().status()).isEqualTo(ConversationStatus.ACTIVE);
    assertThat(stats.conversation().startedAt()).isEqualTo(first);
    assertThat(conversations.stats(ConversationRef.of(stats.conversation().refCode())))
        .isEqualTo(stats);

    world.pass(Duration.ofHours(24));
    ConversationView silent = conversations.stats(ref("only")).conversation();
    assertThat(silent.status()).isEqualTo(ConversationStatus.IDLE);
    assertThat(silent.endedAt()).contains(first.plus(Duration.ofHours(24)));
  }

  @Test
  void change_ofASessionWithoutEvents_isKeptWhenItStarts() {
    caller.scratchpads().write(S, "key", "12345");
    ConversationView view = change(Optional.of("ann"), Optional.empty(), Optional.of(OVERRIDES));
    assertThat(view.user()).contains("ann");
    assertThat(view).isEqualTo(caller.view("s"));
    assertThat(view).isEqualTo(conversations.stats(ref("s")).conversation());
    assertThat(caller.index().overrides(S)).contains(OVERRIDES);

    ConversationView started = conversations.start(ConversationStart.of(S));
    assertThat(started.user()).contains("ann");
    assertThat(started.overrides()).isEqualTo(OVERRIDES);
    assertThat(started.refCode()).isEqualTo(view.refCode());
  }

  @Test
  void idle_ofASessionWithoutEvents_tellsToStartIt() {
    caller.scratchpads().write(S, "key", "12345");
    String told = "no event of conversation s is stored; start it first";
    refused(ErrorCode.NOT_FOUND, () -> conversations.idle(ref("s")), told);
    refused(ErrorCode.NOT_FOUND, () -> conversations.archive(ref("s"), /* force= */ true), told);
  }

  @Test
  void compactAndStats_ofASessionWithAScratchpadOnly_work() {
    caller.scratchpads().write(S, "key", "12345");
    conversations.compact(ref("s"));
    assertThat(conversations.stats(ref("s")).scratchpadEntries()).isEqualTo(1);
  }

  @Test
  void compactAndStats_ofASessionOfWhichNothingIsStored_areNotFound() {
    refused(ErrorCode.NOT_FOUND, () -> conversations.stats(ref("none")), "conversation none");
    refused(ErrorCode.NOT_FOUND, () -> conversations.compact(ref("none")), "conversation none");
  }

  @Test
  void restore_exportedConversation_isCompleteAndTwiceIsOnce() {
    world.say("s", "hello");
    caller.channels().create(channel("ops"), "");
    conversations.change(
        ref("s"),
        new ConversationChange(
            Optional.of(channel("ops")),
            Optional.of("ann"),
            Optional.of(
                new SessionPreferences(Optional.of("en"), Optional.empty(), Map.of("a", "b"))),
            Optional.of(OVERRIDES)));
    ConversationView exported = caller.view("s");

    var other = new ConversationWorld();
    ConversationWorld.Caller importing = other.caller();
    assertThat(importing.conversations().restore(exported)).isTrue();
    assertThat(importing.conversations().restore(exported)).isFalse();
    assertThat(importing.view("s").user()).contains("ann");
    other.say("s", "hello");
    assertThat(importing.view("s")).isEqualTo(exported);
    assertThat(importing.conversations().restore(exported)).isFalse();
    assertThat(
            importing.conversations().conversation(ConversationRef.of(exported.refCode())).user())
        .contains("ann");
  }

  @Test
  void restore_refCodeOfAnotherSession_isNotGivenTwice() {
    world.say("s", "hello");
    ConversationView exported = caller.view("s");
    var other = new ConversationWorld();
    ConversationWorld.Caller importing =
        other.caller(
            RecordOwner.only(),
            other.store,
            other.ingest(),
            (id, number) -> RefCodes.derived(id.equals("t") ? "s" : id, number));
    other.say("t", "hello");
    assertThat(importing.view("t").refCode()).isEqualTo(exported.refCode());
    importing.conversations().restore(exported);
    other.say("s", "hello");
    assertThat(importing.view("s").refCode()).isNotEqualTo(exported.refCode());
    assertThat(
            importing
                .conversations()
                .conversation(ConversationRef.of(exported.refCode()))
                .session())
        .isEqualTo(new SessionId("t"));
  }

  @Test
  void restore_archivedConversation_staysArchivedUntilALaterEvent() {
    world.say("s", "hello");
    conversations.archive(ref("s"), /* force= */ true);
    ConversationView exported = caller.view("s");

    var other = new ConversationWorld();
    ConversationWorld.Caller importing = other.caller();
    assertThat(importing.conversations().restore(exported)).isTrue();
    other.say("s", "hello");
    other.pass(Duration.ofDays(1));
    assertThat(importing.view("s").status()).isEqualTo(ConversationStatus.ARCHIVED);
    other.say("s", "again");
    assertThat(importing.view("s").status()).isEqualTo(ConversationStatus.ACTIVE);
  }

  @Test
  void restore_whatIsSetHere_stays() {
    world.say("s", "hello");
    change(Optional.of("ann"), Optional.empty(), Optional.of(OVERRIDES));
    ConversationView view = caller.view("s");
    var exported =
        new ConversationView(
            S,
            RefCodes.derived("other", 0),
            view.channel(),
            view.status(),
            view.startedAt(),
            view.endedAt(),
            view.agent(),
            Optional.of("bob"),
            SessionPreferences.NONE,
            SessionOverrides.NONE);
    assertThat(conversations.restore(exported)).isFalse();
    assertThat(caller.view("s")).isEqualTo(view);
  }

  @Test
  void memories_ofAConversation_endADayAfterItBecameIdle() {
    ConversationIndex index = caller.index();
    world.say("silent", "hello");
    Instant said = world.now;
    world.say("ended", "hello");
    world.end("ended");
    assertThat(index.memoriesEnd(new SessionId("silent"), world.now)).isEmpty();
    assertThat(index.memoriesEnd(new SessionId("ended"), world.now))
        .contains(world.now.plus(Duration.ofHours(24)));
    world.pass(Duration.ofHours(24).minusMillis(1));
    assertThat(index.due(Optional.empty(), 10)).isEmpty();
    world.pass(Duration.ofMillis(1));
    assertThat(index.due(Optional.empty(), 10)).containsExactly(new SessionId("ended"));
    assertThat(index.memoriesEnd(new SessionId("silent"), world.now))
        .contains(said.plus(Duration.ofDays(2)));
    world.pass(Duration.ofHours(24));
    assertThat(index.due(Optional.empty(), 10))
        .containsExactly(new SessionId("ended"), new SessionId("silent"));
    assertThat(index.due(Optional.of(new SessionId("ended")), 10))
        .containsExactly(new SessionId("silent"));
    assertThat(index.due(Optional.empty(), 1)).hasSize(1);

    conversations.start(ConversationStart.of(new SessionId("ended")));
    assertThat(index.due(Optional.empty(), 10)).containsExactly(new SessionId("silent"));
    assertThat(index.memoriesEnd(new SessionId("ended"), world.now)).isEmpty();
  }

  @Test
  void memories_ofASessionWithoutEvents_endByTheirUse() {
    Instant used = world.now;
    world.pass(Duration.ofHours(23));
    assertThat(caller.index().memoriesEnd(S, used)).isEmpty();
    world.pass(Duration.ofHours(1));
    assertThat(caller.index().memoriesEnd(S, used)).contains(used.plus(Duration.ofDays(2)));
  }

  @Test
  void redaction_ofExports_leavesNothingThatWasWritten() {
    world.say("s", "hello");
    change(
        Optional.of("ann"),
        Optional.of(
            new SessionPreferences(Optional.of("en"), Optional.empty(), Map.of("tone", "dry"))),
        Optional.of(OVERRIDES));
    var redaction = new Redaction(text -> Integer.toHexString(text.hashCode()));
    ConversationView view = redaction.conversation(caller.view("s"));
    assertThat(view.user()).contains("[redacted:user:3:%x]".formatted("ann".hashCode()));
    assertThat(view.preferences().custom())
        .containsEntry("tone", "[redacted:preference:3:%x]".formatted("dry".hashCode()));
    assertThat(view.overrides()).isEqualTo(OVERRIDES);
    var entry = redaction.entry(caller.scratchpads().write(S, "key", "{\"a\":1}"));
    assertThat(entry.value())
        .isEqualTo("\"[redacted:scratchpad:7:%x]\"".formatted("{\"a\":1}".hashCode()));
    var ops = caller.channels().create(channel("ops"), "what is on fire");
    assertThat(redaction.channel(ops).description()).startsWith("[redacted:description:15:");
  }
}
