package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.ConversationStatus;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of the memories of a packaged daemon when it ends, is killed, backed up and
/// restored, and when a workspace is deleted.
class MemoryKeepingIT {

  private static final String[] SETTINGS = {"search.embeddings=none"};
  private static final WorkspaceName ALPHA = new WorkspaceName("alpha");

  @TempDir private Path root;

  @Test
  void everything_afterARestartAndAKillAndARestore_isAsBefore() throws Exception {
    Path data = root.resolve("data");
    Path backups = root.resolve("backups");
    KeptMemories before;
    MemoryRecord ofAccount;
    try (PackagedDaemon daemon = PackagedDaemon.start(data, SETTINGS)) {
      KeptMemories.fill(daemon.client.recall());
      ofAccount = KeptMemories.ofAccount(daemon.client.recall());
      before = KeptMemories.of(daemon.client.recall());
      assertFull(before, ofAccount.id());
    }
    PackagedDaemon killed = PackagedDaemon.start(data, SETTINGS);
    try (killed) {
      assertThat(KeptMemories.of(killed.client.recall())).isEqualTo(before);
      killed.kill();
    }
    try (PackagedDaemon daemon = PackagedDaemon.start(data, SETTINGS)) {
      assertThat(KeptMemories.of(daemon.client.recall())).isEqualTo(before);
      assertFound(daemon.client);
      PackagedDaemon.Run backup = PackagedDaemon.run(data, "backup", backups.toString());
      assertThat(backup.exit()).as(backup.output()).isZero();
      // What is stored after a backup is not in it.
      var _ = daemon.client.recall().memories().remember(MemoryDraft.of("Too late."));
    }
    Path restored = root.resolve("restored");
    PackagedDaemon.Run restore =
        PackagedDaemon.run(data, "restore", backups.toString(), "--to", restored.toString());
    assertThat(restore.exit()).as(restore.output()).isZero();
    try (PackagedDaemon daemon = PackagedDaemon.start(restored, SETTINGS)) {
      assertThat(KeptMemories.of(daemon.client.recall())).isEqualTo(before);
      assertFound(daemon.client);
    }
  }

  /// The comparison of nothing with nothing would show nothing.
  private static void assertFull(KeptMemories kept, MemoryId ofAccount) {
    assertThat(kept.memories()).hasSize(4).extracting(MemoryRecord::id).contains(ofAccount);
    assertThat(kept.memories()).anyMatch(MemoryRecord::pinned);
    assertThat(kept.histories().values()).anyMatch(states -> !states.isEmpty());
    assertThat(kept.channels())
        .extracting(channel -> channel.name().value())
        .contains("backend", "frontend", "general");
    assertThat(kept.channels())
        .filteredOn(Channel::isDefault)
        .extracting(channel -> channel.name().value())
        .containsExactly("frontend");
    assertThat(kept.conversations())
        .extracting(ConversationView::status)
        .containsExactly(ConversationStatus.ARCHIVED, ConversationStatus.IDLE);
    assertThat(kept.pads().get(KeptMemories.IDLE)).hasSize(1);
    assertThat(kept.pads().get(KeptMemories.ARCHIVED)).hasSize(1);
  }

  /// The index for words has them, too, and the code of a conversation still leads to it.
  private static void assertFound(MemoryClient client) {
    List<MemoryHit> hits =
        client.recall().memories().search(MemorySearch.of("authorization").explained()).hits();
    assertThat(hits).hasSize(1);
    var conversations = client.recall().conversations();
    ConversationView idle = conversations.conversation(ConversationRef.of(KeptMemories.IDLE));
    assertThat(conversations.conversation(ConversationRef.of(idle.refCode()))).isEqualTo(idle);
  }

  @Test
  void workspaceDeleted_takesItsMemoriesAlong_andThoseOfTheAccountStay() throws Exception {
    Path data = root.resolve("data");
    try (PackagedDaemon daemon = PackagedDaemon.start(data, SETTINGS)) {
      MemoryId own =
          daemon.client.recall().memories().remember(MemoryDraft.of("Of the default one.")).id();
      MemoryId ofAccount;
      try (MemoryClient alpha = client(data)) {
        KeptMemories.fill(alpha.recall());
        ofAccount = KeptMemories.ofAccount(alpha.recall()).id();
        assertThat(KeptMemories.of(alpha.recall()).memories())
            .hasSize(4)
            .extracting(MemoryRecord::id)
            .doesNotContain(own);
      }
      assertThat(ids(daemon.client)).containsExactlyInAnyOrder(own, ofAccount);

      assertThat(daemon.client.workspaces().delete(ALPHA)).isPositive();
      assertThat(ids(daemon.client)).containsExactlyInAnyOrder(own, ofAccount);
      assertThat(daemon.client.workspaces().create(ALPHA)).isTrue();
      try (MemoryClient alpha = client(data)) {
        KeptMemories empty = KeptMemories.of(alpha.recall());
        assertThat(empty.memories()).extracting(MemoryRecord::id).containsExactly(ofAccount);
        assertThat(empty.channels())
            .extracting(channel -> channel.name().value())
            .containsExactly("general");
        assertThat(empty.conversations()).isEmpty();
        assertThat(empty.pads().values()).allMatch(List::isEmpty);
        assertThat(alpha.recall().consolidations().log(PageRequest.first()).items()).isEmpty();
      }
    }
  }

  @Test
  void sessionWithMemoriesOnly_isShownAndSet_andKeepsThatWhenItStarts() throws Exception {
    Path data = root.resolve("data");
    try (PackagedDaemon daemon = PackagedDaemon.start(data, SETTINGS)) {
      assertThat(PackagedDaemon.run(data, "remember", "A fact.", "--session", "q").exit()).isZero();
      PackagedDaemon.Run set =
          PackagedDaemon.run(data, "conversations", "set", "q", "--half-life", "336h");
      assertThat(set.exit()).as(set.output()).isZero();
      assertThat(PackagedDaemon.run(data, "conversations", "show", "q").output()).contains("14 d");
      PackagedDaemon.Run idle = PackagedDaemon.run(data, "conversations", "idle", "q");
      assertThat(idle.exit()).isEqualTo(1);
      assertThat(idle.output()).contains("no event of conversation q is stored; start it first");
      assertThat(PackagedDaemon.run(data, "conversations", "start", "q").exit()).isZero();
      assertThat(PackagedDaemon.run(data, "conversations", "show", "q").output()).contains("14 d");
      assertThat(daemon.client.serving()).isTrue();
    }
  }

  @Test
  void preferenceOfTwoWorkspaces_isOneOfTheAccount_unlessOneIsDeletedBefore() throws Exception {
    Path data = root.resolve("data");
    try (PackagedDaemon daemon = PackagedDaemon.start(data, SETTINGS)) {
      try (MemoryClient alpha = client(data)) {
        prefer(alpha, "I prefer short answers.");
      }
      assertThat(daemon.client.workspaces().delete(ALPHA)).isPositive();
      prefer(daemon.client, "I prefer short answers.");
      assertThat(ofAccount(daemon.client)).isEmpty();

      try (MemoryClient alpha = client(data)) {
        prefer(alpha, "I prefer short answers");
        assertThat(ofAccount(alpha)).containsExactly("I prefer short answers");
      }
      assertThat(ofAccount(daemon.client)).containsExactly("I prefer short answers");
    }
  }

  private static void prefer(MemoryClient client, String text) {
    MemoryDraft draft =
        MemoryDraft.builder(MemoryContent.of(text)).kind(MemoryKind.PREFERENCE).build();
    var _ = client.recall().memories().remember(draft);
    assertThat(client.jobs().run("consolidation")).containsKey("shared");
  }

  private static List<String> ofAccount(MemoryClient client) {
    return all(client).stream()
        .filter(memory -> memory.place().scope() == MemoryScope.ACCOUNT)
        .map(memory -> memory.content().text())
        .toList();
  }

  private static MemoryClient client(Path data) {
    return MemoryClient.connect(Endpoint.find(data).withWorkspace(Optional.of(ALPHA)));
  }

  private static List<MemoryId> ids(MemoryClient client) {
    return all(client).stream().map(MemoryRecord::id).toList();
  }

  private static List<MemoryRecord> all(MemoryClient client) {
    return client.recall().memories().list(MemoryFilter.NONE, PageRequest.of(1000)).page().items();
  }
}
