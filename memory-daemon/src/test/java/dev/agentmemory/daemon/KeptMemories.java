package dev.agentmemory.daemon;

import dev.agentmemory.api.Recall;
import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationFilter;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.ConversationStart;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.conversation.SessionPreferences;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// All that a workspace keeps of memories, as a client reads it. Use counts are left out: they are
/// written after a while.
///
/// @param memories the latest first
/// @param histories former states of each memory
/// @param pads scratchpads of the sessions
record KeptMemories(
    List<MemoryRecord> memories,
    Map<MemoryId, List<MemoryState>> histories,
    List<Channel> channels,
    List<ConversationView> conversations,
    Map<SessionId, List<ScratchpadEntry>> pads) {

  static final SessionId IDLE = new SessionId("idle-one");
  static final SessionId ARCHIVED = new SessionId("archived-one");
  private static final ChannelName BACKEND = new ChannelName("backend");

  /// Stores one of everything: memories of each scope of the workspace with tags, references,
  /// structure, history, pins and a tombstone; channels; conversations in each state.
  static void fill(Recall recall) {
    var conversations = recall.conversations();
    var _ = recall.channels().create(new ChannelName("frontend"), "What runs in the browser");
    var _ = recall.channels().makeDefault(new ChannelName("frontend"));
    var _ =
        conversations.start(ConversationStart.of(IDLE).withChannel(BACKEND).withUser("user123"));
    var _ = conversations.start(ConversationStart.of(ARCHIVED));
    var _ =
        conversations.change(
            ConversationRef.of(IDLE),
            new ConversationChange(
                Optional.empty(),
                Optional.empty(),
                Optional.of(
                    new SessionPreferences(
                        Optional.of("en"), Optional.of("low"), Map.of("tone", "dry"))),
                Optional.of(
                    new SessionOverrides(
                        Optional.of(true),
                        Optional.of(Duration.ofHours(400)),
                        Optional.of(0.2),
                        Optional.of(false),
                        Optional.of(0.95)))));
    MemoryRecord first =
        recall
            .memories()
            .remember(
                MemoryDraft.builder(
                        new MemoryContent(
                            "Use the Authorization Code flow.",
                            Optional.of(
                                "{\"alternatives\":[\"implicit\"],\"rationale\":\"PKCE\"}")))
                    .kind(MemoryKind.DECISION)
                    .importance(0.9)
                    .tags(Set.of(new Tag("security.oauth"), new Tag("web")))
                    .build());
    var _ =
        recall
            .memories()
            .remember(
                List.of(
                    MemoryDraft.builder(MemoryContent.of("Said in this conversation only."))
                        .place(MemoryPlace.conversation(IDLE))
                        .build(),
                    MemoryDraft.builder(MemoryContent.of("The backend keeps tokens for an hour."))
                        .place(MemoryPlace.channel(BACKEND))
                        .links(MemoryLinks.NONE.withReferences(List.of(first.id())))
                        .build()));
    var _ = recall.memories().update(first.id(), MemoryUpdate.NONE.withImportance(0.95));
    var _ = recall.memories().pin(first.id(), /* pinned= */ true);
    MemoryRecord gone = recall.memories().remember(MemoryDraft.of("It is to be forgotten."));
    var _ = recall.memories().delete(Deletion.of(gone.id()), /* preview= */ false);
    var _ = conversations.scratchpads().write(IDLE, "progress", "{\"step\":2}");
    var _ = conversations.scratchpads().write(ARCHIVED, "done", "true");
    var _ = conversations.idle(ConversationRef.of(IDLE));
    var _ = conversations.archive(ConversationRef.of(ARCHIVED), /* force= */ true);
  }

  /// Stores a memory of the account.
  static MemoryRecord ofAccount(Recall recall) {
    return recall
        .memories()
        .remember(
            MemoryDraft.builder(MemoryContent.of("Answers are short, in every workspace."))
                .place(MemoryPlace.account())
                .kind(MemoryKind.PREFERENCE)
                .build());
  }

  static KeptMemories of(Recall recall) {
    List<MemoryRecord> memories =
        recall
            .memories()
            .list(MemoryFilter.builder().superseded(true).build(), PageRequest.of(1000))
            .page()
            .items();
    var conversations = recall.conversations();
    return new KeptMemories(
        memories.stream().map(KeptMemories::unused).toList(),
        memories.stream()
            .collect(Collectors.toMap(MemoryRecord::id, one -> history(recall, one.id()))),
        recall.channels().list(),
        conversations.list(ConversationFilter.ALL, PageRequest.of(1000)).items(),
        Map.of(
            IDLE, conversations.scratchpads().list(IDLE),
            ARCHIVED, conversations.scratchpads().list(ARCHIVED)));
  }

  private static MemoryRecord unused(MemoryRecord memory) {
    return memory.withUse(MemoryUse.NEVER);
  }

  private static List<MemoryState> history(Recall recall, MemoryId id) {
    return recall.memories().history(id).states().stream()
        .map(state -> new MemoryState(unused(state.memory()), state.until(), state.reason()))
        .toList();
  }
}
