package dev.agentmemory.recall.conversation;

import static dev.agentmemory.recall.conversation.ConversationWorld.channel;
import static dev.agentmemory.recall.conversation.ConversationWorld.ref;
import static dev.agentmemory.recall.conversation.ConversationWorld.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.Ingest;
import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.ChannelChange;
import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationFilter;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.ConversationStart;
import dev.agentmemory.api.conversation.ConversationStatus;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Conversations in a store that workspaces share.
class SharedConversationsTest {

  private static final SessionId S = new SessionId("s");

  private final ConversationWorld world = new ConversationWorld();
  private final ConversationWorld.Caller alpha = member("alpha");
  private final ConversationWorld.Caller beta = member("beta");
  private final ConversationWorld.Caller joint =
      world.caller(RecordOwner.ofAll(), world.store, world.ingest(), RefCodes::derived);

  private ConversationWorld.Caller member(String name) {
    var workspace = new WorkspaceName(name);
    Ingest ingest =
        events ->
            world.store.submit(
                Commit.append(events.stream().map(event -> event.in(workspace)).toList()));
    return world.caller(
        RecordOwner.of(workspace),
        new MemberReader(world.store, workspace),
        ingest,
        RefCodes::derived);
  }

  private static List<String> sessions(ConversationWorld.Caller caller) {
    return caller.conversations().list(ConversationFilter.ALL, PageRequest.first()).items().stream()
        .map(view -> view.session().value())
        .toList();
  }

  @Test
  void sessions_ofTheSameId_areTwoConversations() {
    alpha
        .conversations()
        .start(ConversationStart.of(S).withChannel(channel("ops")).withUser("ann"));
    beta.conversations().start(ConversationStart.of(S).withUser("bob"));
    beta.conversations().archive(ref("s"), /* force= */ true);
    assertThat(alpha.view("s").user()).contains("ann");
    assertThat(alpha.view("s").status()).isEqualTo(ConversationStatus.ACTIVE);
    assertThat(beta.view("s").user()).contains("bob");
    assertThat(beta.view("s").status()).isEqualTo(ConversationStatus.ARCHIVED);
    assertThat(alpha.view("s").refCode()).isNotEqualTo(beta.view("s").refCode());
    assertThat(sessions(alpha)).containsExactly("s");
  }

  @Test
  void codes_ofAnother_doNotExist() {
    alpha.conversations().start(ConversationStart.of(S));
    beta.conversations().start(ConversationStart.of(new SessionId("t")));
    refused(
        ErrorCode.NOT_FOUND,
        () -> beta.conversations().conversation(ConversationRef.of(alpha.view("s").refCode())),
        "no conversation");
  }

  @Test
  void joint_reader_seesAllWithTheirWorkspaces() {
    alpha
        .conversations()
        .start(ConversationStart.of(S).withChannel(channel("ops")).withUser("ann"));
    beta.conversations().start(ConversationStart.of(S));
    assertThat(sessions(joint)).containsExactly("@alpha/s", "@beta/s");
    ConversationView seen = joint.view("@alpha/s");
    ConversationView own = alpha.view("s");
    assertThat(seen.user()).contains("ann");
    assertThat(seen.channel()).isEqualTo(channel("ops"));
    assertThat(seen.refCode()).isEqualTo(own.refCode());
    assertThat(joint.conversations().conversation(ConversationRef.of(own.refCode())))
        .isEqualTo(seen);
  }

  @Test
  void joint_reader_seesCodesThatWereNeverStored() {
    world.append(TestEvents.message("s", world.now, "hello").in(new WorkspaceName("alpha")));
    ConversationView seen = joint.view("@alpha/s");
    assertThat(world.store.records().records("refcode:", Optional.empty(), 1)).isEmpty();
    assertThat(alpha.view("s").refCode()).isEqualTo(seen.refCode());
  }

  @Test
  void joint_reader_writesNothing() {
    alpha.conversations().start(ConversationStart.of(S));
    var conversation = ref("@alpha/s");
    var session = new SessionId("@alpha/s");
    List.<ThrowingCallable>of(
            () -> joint.conversations().start(ConversationStart.of(session)),
            () -> joint.conversations().idle(conversation),
            () -> joint.conversations().archive(conversation, true),
            () -> joint.conversations().change(conversation, ConversationChange.ofUser("x")),
            () -> joint.conversations().compact(conversation),
            () -> joint.scratchpads().write(session, "k", "1"),
            () -> joint.scratchpads().clear(session),
            () -> joint.channels().create(channel("ops"), ""),
            () -> joint.channels().makeDefault(channel("general")),
            () -> joint.channels().change(channel("general"), ChannelChange.describe("x")))
        .forEach(call -> refused(ErrorCode.INVALID_FIELD, call, "memory-workspace"));
  }

  @Test
  void channels_ofEachWorkspace_areItsOwn() {
    alpha.channels().create(channel("ops"), "of alpha");
    beta.channels().create(channel("ops"), "of beta");
    beta.channels().makeDefault(channel("ops"));
    alpha.channels().change(channel("ops"), ChannelChange.rename(channel("infra")));
    world.pass(Duration.ofSeconds(1));
    alpha.conversations().start(ConversationStart.of(S).withChannel(channel("ops")));
    beta.conversations().start(ConversationStart.of(S));
    assertThat(alpha.view("s").channel()).isEqualTo(channel("infra"));
    assertThat(beta.view("s").channel()).isEqualTo(channel("ops"));
    assertThat(alpha.channels().list())
        .extracting(Channel::name)
        .containsExactly(channel("general"), channel("infra"));

    assertThat(joint.view("@alpha/s").channel()).isEqualTo(channel("infra"));
    assertThat(joint.channels().list())
        .extracting(one -> one.workspace().orElseThrow() + ":" + one.name() + one.isDefault())
        .containsExactly(
            "alpha:generaltrue", "beta:generalfalse", "alpha:infrafalse", "beta:opstrue");
  }

  @Test
  void scratchpads_ofEachWorkspace_areItsOwn() {
    alpha.scratchpads().write(S, "key", "1");
    beta.scratchpads().write(S, "key", "22");
    assertThat(alpha.scratchpads().list(S)).extracting(ScratchpadEntry::value).containsExactly("1");
    assertThat(alpha.pads().sessions(Optional.empty(), 10)).containsExactly(S);
    assertThat(joint.scratchpads().list(new SessionId("@beta/s")))
        .extracting(ScratchpadEntry::value)
        .containsExactly("22");
    assertThat(joint.pads().sessions(Optional.empty(), 10))
        .extracting(SessionId::value)
        .containsExactly("@alpha/s", "@beta/s");
    assertThat(joint.pads().bytes(new SessionId("@beta/s"))).isEqualTo(5);
    beta.scratchpads().write(S, "key", "333");
    assertThat(joint.pads().bytes(new SessionId("@beta/s"))).isEqualTo(6);
  }
}
