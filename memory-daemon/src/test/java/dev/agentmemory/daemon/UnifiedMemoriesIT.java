package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.api.Recall;
import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.ChannelChange;
import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationFilter;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.ConversationStart;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.upkeep.ExportRequest;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Memories of workspaces that share a store, in a packaged daemon.
class UnifiedMemoriesIT {

  private static final WorkspaceName ALPHA = new WorkspaceName("alpha");
  private static final WorkspaceName BETA = new WorkspaceName("beta");
  private static final SessionId SESSION = new SessionId("same");

  @TempDir private Path data;

  private MemoryClient client(WorkspaceName of) {
    return MemoryClient.connect(Endpoint.find(data).withWorkspace(Optional.of(of)));
  }

  @Test
  void callerWithoutAWorkspace_readsAllAndWritesNothing_othersSeeTheirOwn() throws Exception {
    try (PackagedDaemon daemon =
            PackagedDaemon.start(data, "multi_agent_mode=unified", "search.embeddings=none");
        MemoryClient alpha = client(ALPHA);
        MemoryClient beta = client(BETA)) {
      MemoryId ofAlpha = fill(alpha.recall(), "alpha retries four times");
      MemoryId ofBeta = fill(beta.recall(), "beta retries never");
      assertSees(alpha.recall(), ofAlpha, ofBeta);
      assertSees(beta.recall(), ofBeta, ofAlpha);

      start(alpha.recall());
      start(beta.recall());

      Recall all = daemon.client.recall();
      assertReadsAll(all, List.of(ofAlpha.in(ALPHA), ofBeta.in(BETA)));
      writes(all, ofAlpha.in(ALPHA)).forEach(write -> assertRefused(write));
      assertThat(ids(all)).hasSize(2);
      assertThat(alpha.recall().memories().get(ofAlpha).pinned()).isFalse();
    }
  }

  private static MemoryId fill(Recall recall, String text) {
    MemoryId id = recall.memories().remember(MemoryDraft.of(text)).id();
    assertThat(ids(recall)).as("read before an event of the workspace is stored").hasSize(1);
    var _ = recall.conversations().scratchpads().write(SESSION, "key", "\"" + text + "\"");
    return id;
  }

  private static void start(Recall recall) {
    var _ =
        recall
            .conversations()
            .start(ConversationStart.of(SESSION).withChannel(new ChannelName("backend")));
  }

  private static List<MemoryId> ids(Recall recall) {
    return recall.memories().list(MemoryFilter.NONE, PageRequest.of(1000)).page().items().stream()
        .map(MemoryRecord::id)
        .toList();
  }

  private static List<MemoryId> found(Recall recall) {
    return recall.memories().search(MemorySearch.of("retries").explained()).hits().stream()
        .map(hit -> hit.memory().id())
        .toList();
  }

  private static void assertSees(Recall recall, MemoryId own, MemoryId other) {
    assertThat(ids(recall)).containsExactly(own);
    assertThat(found(recall)).containsExactly(own);
    assertThat(recall.memories().stats().total()).isEqualTo(1);
    assertThat(recall.conversations().scratchpads().list(SESSION)).hasSize(1);
    MemoryException failure =
        catchThrowableOfType(MemoryException.class, () -> recall.memories().get(other));
    assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND);
  }

  private static void assertReadsAll(Recall all, List<MemoryId> memories) {
    assertThat(ids(all)).containsExactlyInAnyOrderElementsOf(memories);
    assertThat(found(all)).containsExactlyInAnyOrderElementsOf(memories);
    memories.forEach(id -> assertThat(all.memories().get(id).id()).isEqualTo(id));
    assertThat(all.channels().list())
        .filteredOn(channel -> channel.name().value().equals("backend"))
        .extracting(Channel::workspace)
        .containsExactlyInAnyOrder(Optional.of(ALPHA), Optional.of(BETA));
    assertThat(all.conversations().list(ConversationFilter.CURRENT, PageRequest.of(1000)).items())
        .extracting(ConversationView::session)
        .containsExactlyInAnyOrder(new SessionId("@alpha/same"), new SessionId("@beta/same"));
    List<String> lines = new ArrayList<>();
    all.exchange()
        .export(
            new ExportRequest(Optional.empty(), Optional.empty(), /* redact= */ false), lines::add);
    assertThat(lines)
        .anyMatch(line -> line.contains("alpha retries four times"))
        .anyMatch(line -> line.contains("beta retries never"));
    assertThat(all.conversations().scratchpads().list(new SessionId("@beta/same")))
        .singleElement()
        .satisfies(entry -> assertThat(entry.value()).contains("beta"));
  }

  private static List<ThrowingCallable> writes(Recall all, MemoryId known) {
    var conversations = all.conversations();
    var name = new ChannelName("backend");
    var one = ConversationRef.of(new SessionId("@alpha/same"));
    return List.of(
        () -> all.memories().remember(MemoryDraft.of("Of nobody.")),
        () -> all.memories().update(known, MemoryUpdate.NONE.withImportance(0.9)),
        () -> all.memories().pin(known, /* pinned= */ true),
        () -> all.memories().delete(Deletion.of(known), /* preview= */ false),
        () -> all.channels().create(new ChannelName("new"), ""),
        () -> all.channels().change(name, ChannelChange.describe("about")),
        () -> all.channels().makeDefault(name),
        () -> conversations.start(ConversationStart.of(SESSION)),
        () -> conversations.idle(one),
        () -> conversations.archive(one, /* force= */ true),
        () -> conversations.change(one, ConversationChange.ofUser("me")),
        () -> conversations.scratchpads().write(SESSION, "key", "1"),
        () -> conversations.scratchpads().clear(SESSION));
  }

  private static void assertRefused(ThrowingCallable write) {
    MemoryException failure = catchThrowableOfType(MemoryException.class, write);
    assertThat(failure).as("a write without a workspace").isNotNull();
    assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(failure.field()).hasValue("memory-workspace");
  }
}
