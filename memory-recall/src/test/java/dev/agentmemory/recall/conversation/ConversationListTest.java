package dev.agentmemory.recall.conversation;

import static dev.agentmemory.recall.conversation.ConversationWorld.channel;
import static dev.agentmemory.recall.conversation.ConversationWorld.ref;
import static dev.agentmemory.recall.conversation.ConversationWorld.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.ConversationFilter;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.RefCode;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.SessionId;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Finding conversations.
class ConversationListTest {

  private final ConversationWorld world = new ConversationWorld();
  private final ConversationWorld.Caller caller = world.caller();
  private final DerivedConversations conversations = caller.conversations();

  private List<String> listed(Optional<String> channel, boolean archived) {
    return Page.stream(
            PageRequest.of(2),
            page ->
                conversations.list(
                    new ConversationFilter(channel.map(ConversationWorld::channel), archived),
                    page))
        .map(view -> view.session().value())
        .toList();
  }

  @Test
  void list_ofAnyChannel_hasEachOnceByIdAndLeavesOutArchivedOnes() {
    world.startIn("ops", "b");
    world.say("a", "hello");
    world.startIn("ops", "d");
    world.say("c", "hello");
    conversations.archive(ref("d"), /* force= */ true);
    conversations.archive(ref("a"), /* force= */ true);

    assertThat(listed(Optional.empty(), false)).containsExactly("b", "c");
    assertThat(listed(Optional.empty(), true)).containsExactly("a", "b", "c", "d");
    assertThat(listed(Optional.of("ops"), false)).containsExactly("b");
    assertThat(listed(Optional.of("ops"), true)).containsExactly("b", "d");
    assertThat(listed(Optional.of("general"), true)).containsExactly("a", "c");
    assertThat(listed(Optional.of("unknown"), true)).isEmpty();
  }

  @Test
  void list_moreThanAStepOfSessions_isComplete() {
    List<String> sessions = IntStream.range(0, 600).mapToObj("s%04d"::formatted).toList();
    sessions.forEach(session -> world.say(session, "hello"));
    world.startIn("ops", "t");
    Page<ConversationView> all =
        conversations.list(ConversationFilter.CURRENT, PageRequest.of(1000));
    assertThat(all.items()).hasSize(601);
    assertThat(all.hasNext()).isFalse();
    assertThat(listed(Optional.of("ops"), false)).containsExactly("t");
    assertThat(conversations.list(ConversationFilter.CURRENT, PageRequest.first()).items())
        .hasSize(20);
  }

  @Test
  void list_nothing_isAnEmptyPage() {
    assertThat(conversations.list(ConversationFilter.ALL, PageRequest.first()))
        .isEqualTo(new Page<>(List.of(), ""));
  }

  @Test
  void list_tokenOfAnotherList_isRefused() {
    world.say("a", "hello");
    world.say("b", "hello");
    String token = conversations.list(ConversationFilter.CURRENT, PageRequest.of(1)).token();
    assertThat(token).isNotEmpty();
    var next = new PageRequest(token, 1);
    assertThat(conversations.list(ConversationFilter.CURRENT, next).items()).hasSize(1);
    refused(
        ErrorCode.INVALID_TOKEN,
        () -> conversations.list(ConversationFilter.ALL, next),
        PageRequest.TOKEN);
    refused(
        ErrorCode.INVALID_TOKEN,
        () -> conversations.list(ConversationFilter.CURRENT.withChannel(channel("ops")), next),
        PageRequest.TOKEN);
    for (String broken : List.of("x", "%%%", token + "A", token.substring(2))) {
      refused(
          ErrorCode.INVALID_TOKEN,
          () -> conversations.list(ConversationFilter.CURRENT, new PageRequest(broken, 1)),
          PageRequest.TOKEN);
    }
  }

  @Test
  void list_recordThatCannotBeRead_leavesOutThatConversationOnly() {
    world.say("a", "hello");
    world.say("b", "hello");
    world.putRecord("conversation:a", "{\"schema_version\":1,\"ref_");
    assertThat(listed(Optional.empty(), true)).containsExactly("b");
    refused(ErrorCode.CORRUPT_RECORD, () -> caller.view("a"), "conversation:a");
    // It is not overwritten either.
    refused(
        ErrorCode.CORRUPT_RECORD,
        () -> conversations.archive(ref("a"), /* force= */ true),
        "conversation:a");
    assertThat(world.store.records().record("conversation:a"))
        .contains("{\"schema_version\":1,\"ref_");
  }

  @Test
  void recordThatCannotBeRead_whatItHadSetDoesNotApply_andItIsCountedOnce() {
    world.startIn("ops", "a");
    world.putRecord("conversation:a", "no json");
    ConversationIndex index = caller.index();
    assertThat(index.overrides(new SessionId("a"))).isEmpty();
    assertThat(index.channel(new SessionId("a"))).contains(channel("ops"));
    index.recordCompaction(new SessionId("a"));
    assertThat(world.store.records().record("conversation:a")).contains("no json");
    assertThat(world.caches.unreadable()).isEqualTo(1);
  }

  @Test
  void list_recordOfALaterVersion_isNotGuessedAt() {
    world.say("a", "hello");
    world.putRecord("conversation:a", "{\"schema_version\":2}");
    refused(ErrorCode.CORRUPT_RECORD, () -> caller.view("a"), "schema_version is 2");
  }

  @Test
  void refCode_ofASession_isElevenCharactersAndStays() {
    world.say("s", "hello");
    RefCode code = caller.view("s").refCode();
    assertThat(code.value()).matches("[0-9A-Za-z]{11}");
    assertThat(conversations.conversation(ConversationRef.of(code)).session())
        .isEqualTo(new SessionId("s"));
    assertThat(caller.view("s").refCode()).isEqualTo(code);
    // Another store gives the same session the same code.
    var other = new ConversationWorld();
    other.say("s", "hello");
    assertThat(other.caller().view("s").refCode()).isEqualTo(code);
  }

  @Test
  void refCode_neverShownHere_isFound() {
    world.say("s", "hello");
    var code = RefCodes.derived("s", 0);
    assertThat(world.store.records().record("refcode:" + code)).isEmpty();
    assertThat(conversations.conversation(ConversationRef.of(code)).session())
        .isEqualTo(new SessionId("s"));
    assertThat(world.store.records().record("refcode:" + code)).contains("s");
  }

  @Test
  void refCode_sameFirstChoice_isGivenOnce() {
    ConversationWorld.Caller colliding =
        world.caller(
            RecordOwner.only(),
            world.store,
            world.ingest(),
            (id, number) -> RefCodes.derived("always the same", number));
    world.say("c", "hello");
    RefCode first = colliding.view("c").refCode();
    world.say("a", "hello");
    world.say("b", "hello");
    List<ConversationView> views =
        colliding.conversations().list(ConversationFilter.CURRENT, PageRequest.first()).items();
    assertThat(views)
        .extracting(ConversationView::refCode)
        .containsExactly(
            RefCodes.derived("always the same", 1), RefCodes.derived("always the same", 2), first);
    for (ConversationView view : views) {
      assertThat(colliding.conversations().conversation(ConversationRef.of(view.refCode())))
          .isEqualTo(view);
    }
  }

  @Test
  void reads_storeCannotBeWritten_areServed() {
    world.say("s", "hello");
    world.refuseCommits();
    RefCode code = caller.view("s").refCode();
    assertThat(conversations.list(ConversationFilter.CURRENT, PageRequest.first()).items())
        .hasSize(1);
    assertThat(caller.channels().list()).hasSize(1);
    world.takeCommits();
    assertThat(caller.view("s").refCode()).isEqualTo(code);
    assertThat(world.store.records().record("refcode:" + code)).contains("s");
  }

  @Test
  void channels_newStoreCannotBeWritten_haveTheDefaultOne() {
    world.refuseCommits();
    assertThat(caller.channels().list()).singleElement().matches(Channel::isDefault);
  }

  @Test
  void view_ofASession_hasItsAgentAndStart() {
    world.startIn("ops", "s");
    ConversationView view = caller.view("s");
    assertThat(view.agent()).contains("agent");
    assertThat(view.startedAt()).isEqualTo(TestEvents.START);
  }
}
