package dev.agentmemory.recall.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.SessionPreferences;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.recall.internal.record.RecordJson;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.SessionId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// An export that is given away says nothing that was written.
class RedactedExportTest {

  /// Stands in everything that a person or an agent can write.
  private static final String WORD = "mango";

  private static final SessionId SESSION = new SessionId("s1");

  private final ExchangeWorld world = new ExchangeWorld();

  private MemoryRecord remember(String text, String tag) {
    return world.memories.remember(
        MemoryDraft.builder(
                new MemoryContent(text, Optional.of("{\"mango\":[\"a mango\"],\"n\":1}")))
            .kind(MemoryKind.DECISION)
            .source("the mango agent")
            .tags(Set.of(new Tag(tag)))
            .build());
  }

  private void fill() {
    MemoryRecord changed = remember("a mango", "mango.juice");
    world.memories.update(
        changed.id(), MemoryUpdate.NONE.withContent(MemoryContent.of("two mangos")));
    MemoryRecord deleted = remember("third mango", "mango");
    world.memories.delete(Deletion.of(deleted.id()).because("no mango"), false);
    world.memories.remember(
        MemoryDraft.builder(MemoryContent.of("mango")).place(MemoryPlace.account()).build());
    world.channels.create(new ChannelName("ops"), "all about mangos");
    world.append(TestEvents.message("s1", world.now, "mango"));
    world.conversations.change(
        ConversationRef.of(SESSION),
        new ConversationChange(
            Optional.empty(),
            Optional.of("mango"),
            Optional.of(
                new SessionPreferences(
                    Optional.empty(), Optional.empty(), Map.of("fruit", "mango"))),
            Optional.empty()));
    world.conversations.scratchpads().write(SESSION, "key", "\"mango\"");
  }

  @Test
  void redactedLines_leakNothing() {
    fill();
    List<String> lines = world.export(ExchangeWorld.REDACTED);

    assertThat(lines).hasSameSizeAs(world.export());
    assertThat(lines)
        .noneMatch(line -> line.contains(WORD))
        .noneMatch(line -> line.contains("sha256:"))
        .allMatch(line -> line.contains("\"redacted\":true"))
        .anyMatch(line -> line.matches(".*\"text\":\"\\[redacted:decision:10:[0-9a-f]{24}]\".*"));
    assertThat(world.export()).anyMatch(line -> line.contains(WORD));
  }

  /// The id of an extracted memory is a hash of its session, its event and its text.
  @Test
  void redactedLines_nameNoEvidence_alsoNotThoseOfFormerStates() {
    EventId event = TestEvents.id(world.now, 7);
    MemoryRecord memory =
        world.memories.remember(
            MemoryDraft.builder(MemoryContent.of("one"))
                .links(
                    new MemoryLinks(
                        List.of(), List.of(event), List.of(GripId.of(world.now, event))))
                .build());
    world.memories.update(memory.id(), MemoryUpdate.NONE.withContent(MemoryContent.of("two")));

    assertThat(world.export().stream().filter(line -> line.contains(event.value()))).hasSize(2);
    assertThat(world.export(ExchangeWorld.REDACTED))
        .hasSameSizeAs(world.export())
        .noneMatch(line -> line.contains(event.value()) || line.contains("evidence"));
  }

  @Test
  void redactedLines_cannotBeImported() {
    fill();
    List<String> lines = world.export(ExchangeWorld.REDACTED);
    var other = new ExchangeWorld(2);

    assertThat(other.load(lines, 1000).skipped()).isEqualTo(lines.size());
    assertThat(other.rows()).isEmpty();
  }

  @Test
  void equalTextsAndTags_haveEqualHashes_inOneStoreOnly() {
    MemoryRecord one = remember("mango", "mango.juice");
    MemoryRecord two = remember("mango", "mango");
    List<String> lines = world.export(ExchangeWorld.REDACTED);
    String first = field(lines, one, "text");
    String tag = tag(lines, two);

    assertThat(field(lines, two, "text")).isEqualTo(first);
    assertThat(tag(lines, one)).startsWith(tag + ".");
    assertThat(new Tag(tag(lines, one)).isWithin(new Tag(tag))).isTrue();
    assertThat(world.export(ExchangeWorld.REDACTED)).isEqualTo(lines);

    var other = new ExchangeWorld(2);
    other.load(world.export(), 1000);
    assertThat(field(other.export(ExchangeWorld.REDACTED), one, "text")).isNotEqualTo(first);
  }

  private static String field(List<String> lines, MemoryRecord memory, String field) {
    return lines.stream()
        .filter(line -> line.contains(memory.id().value()))
        .map(line -> RecordJson.parse(line).get(field).asText())
        .findFirst()
        .orElseThrow();
  }

  private static String tag(List<String> lines, MemoryRecord memory) {
    return lines.stream()
        .filter(line -> line.contains(memory.id().value()))
        .map(line -> RecordJson.parse(line).get("tags").get(0).asText())
        .findFirst()
        .orElseThrow();
  }
}
