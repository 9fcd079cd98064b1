package dev.agentmemory.service;

import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.ConversationStatus;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.RefCode;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.conversation.SessionPreferences;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.api.upkeep.ConsolidationCounts;
import dev.agentmemory.api.upkeep.ConsolidationEntry;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Curated memories and conversations to test with. No part of them is empty if it can be avoided.
final class MemorySamples {

  static final SessionId SESSION = new SessionId("s1");
  static final ChannelName CHANNEL = new ChannelName("backend");
  static final Tag TAG = new Tag("security.authentication");
  static final Instant TIME = Instant.ofEpochMilli(Samples.START);

  private MemorySamples() {}

  static MemoryId id(int number) {
    return new MemoryId(Samples.id(number));
  }

  static MemoryRecord memory(int number) {
    return memory(number, "Use the Authorization Code flow, " + number);
  }

  static MemoryRecord memory(int number, String text) {
    return new MemoryRecord(
        id(number),
        new MemoryPlace(MemoryScope.CHANNEL, Optional.of(CHANNEL), Optional.of(SESSION)),
        MemoryLifetime.LONG_TERM,
        MemoryKind.DECISION,
        "researcher",
        new MemoryContent(text, Optional.of("{\"rationale\":\"safest\"}")),
        0.9,
        true,
        Set.of(TAG),
        links(),
        Validity.since(TIME).superseded(TIME.plusSeconds(1), id(number + 1)),
        new MemoryUse(Optional.of(TIME.plusSeconds(2)), 3),
        MemoryRecord.EmbeddingState.READY,
        "sha256:" + "ab".repeat(32));
  }

  private static MemoryLinks links() {
    return new MemoryLinks(List.of(id(77)), List.of(Samples.id(1)), List.of(Samples.grip(1)));
  }

  static MemoryDraft draft(int number) {
    return MemoryDraft.builder(new MemoryContent("text", Optional.of("{}")))
        .id(id(number))
        .place(MemoryPlace.conversation(SESSION))
        .lifetime(MemoryLifetime.CONVERSATION)
        .kind(MemoryKind.FINDING)
        .source("orchestrator")
        .importance(0.7)
        .tags(Set.of(TAG))
        .links(links())
        .created(TIME)
        .build();
  }

  static MemoryHit hit(int number) {
    return hit(memory(number));
  }

  static MemoryHit hit(MemoryRecord memory) {
    return new MemoryHit(
        memory,
        0.5,
        new MemoryHit.Why(0.9, 0.8, 0.7, 1.6, 1.5, MemoryScope.CHANNEL),
        List.of(id(80)),
        List.of(id(81)));
  }

  static Channel channel() {
    return new Channel(CHANNEL, "What runs on the server", true, TIME);
  }

  static ConversationView conversation() {
    return new ConversationView(
        SESSION,
        new RefCode("0aZ0aZ0aZ0a"),
        CHANNEL,
        ConversationStatus.IDLE,
        TIME,
        Optional.of(TIME.plusSeconds(60)),
        Optional.of("claude"),
        Optional.of("user123"),
        new SessionPreferences(Optional.of("en"), Optional.of("medium"), Map.of("tone", "dry")),
        new SessionOverrides(
            Optional.of(true),
            Optional.of(Duration.ofDays(14)),
            Optional.of(0.2),
            Optional.of(false),
            Optional.of(0.95)));
  }

  static ScratchpadEntry entry(int number, String value) {
    return new ScratchpadEntry("key %04d".formatted(number), value, TIME, TIME.plusSeconds(5));
  }

  static ConsolidationEntry run() {
    return new ConsolidationEntry(
        Samples.id(5).value(),
        "consolidation",
        TIME,
        new ConsolidationCounts(1, 2, 3, 4, 5, 6, 7),
        Optional.of(TIME.plusSeconds(9)));
  }
}
