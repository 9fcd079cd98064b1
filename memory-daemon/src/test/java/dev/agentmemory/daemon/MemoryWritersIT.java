package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.ConversationStart;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.types.MemoryId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two processes write memories of one session while the daemon is killed.
@Tag("long")
class MemoryWritersIT {

  private static final int OF_EACH = 5_000;
  private static final String[] SETTINGS = {"search.embeddings=none"};

  @TempDir private Path folder;

  @Test
  void memoriesOfTwoProcesses_daemonKilledInBetween_areAllThereOnce() throws Exception {
    Path data = folder.resolve("data");
    PackagedDaemon daemon = PackagedDaemon.start(data, SETTINGS);
    try (var one = WritingProcess.start(data, "one", OF_EACH, folder.resolve("one"));
        var two = WritingProcess.start(data, "two", OF_EACH, folder.resolve("two"))) {
      awaitWritten(one, two, OF_EACH / 2);
      daemon.kill();
      List<MemoryId> before = acknowledged(one, two);
      assertThat(before).hasSizeLessThan(2 * OF_EACH);
      daemon = PackagedDaemon.start(data, SETTINGS);
      assertThat(stored(daemon)).containsKeys(before.toArray(MemoryId[]::new));

      awaitWritten(one, two, OF_EACH * 3 / 2);
      daemon.kill();
      daemon = PackagedDaemon.start(data, SETTINGS);
      assertThat(one.await()).isZero();
      assertThat(two.await()).isZero();
      assertThat(acknowledged(one, two)).doesNotHaveDuplicates().hasSize(2 * OF_EACH);
      assertThat(stored(daemon)).isEqualTo(expected());
      assertCounted(daemon);
    } finally {
      daemon.close();
    }
  }

  private static void awaitWritten(WritingProcess one, WritingProcess two, int count) {
    Await.until(
        count + " are written",
        () -> {
          assertThat(one.isAlive() || two.isAlive()).isTrue();
          return acknowledged(one, two).size() >= count;
        });
  }

  private static List<MemoryId> acknowledged(WritingProcess one, WritingProcess two) {
    List<MemoryId> ids = new ArrayList<>(one.acknowledged());
    ids.addAll(two.acknowledged());
    return ids;
  }

  private static Map<MemoryId, String> expected() {
    Map<MemoryId, String> texts = new HashMap<>();
    Stream.of("one", "two")
        .flatMap(
            writer -> IntStream.range(0, OF_EACH).mapToObj(i -> WritingProcess.draft(writer, i)))
        .forEach(draft -> texts.put(draft.id().orElseThrow(), draft.content().text()));
    return texts;
  }

  /// The texts of all memories of the session. None may be there twice.
  private static Map<MemoryId, String> stored(PackagedDaemon daemon) {
    Map<MemoryId, String> texts = new HashMap<>();
    memories(daemon.client.recall().memories())
        .forEach(memory ->
            assertThat(texts.put(memory.id(), memory.content().text())).as("twice").isNull());
    return texts;
  }

  private static Stream<MemoryRecord> memories(Memories memories) {
    MemoryFilter filter = MemoryFilter.builder().session(WritingProcess.SESSION).build();
    return Page.stream(
        PageRequest.of(1000),
        page -> {
          var part = memories.list(filter, page);
          assertThat(part.skipped()).isZero();
          return part.page();
        });
  }

  private static void assertCounted(PackagedDaemon daemon) {
    var recall = daemon.client.recall();
    assertThat(recall.memories().stats().total()).isEqualTo(2 * OF_EACH);
    var _ = recall.conversations().start(ConversationStart.of(WritingProcess.SESSION));
    assertThat(
            recall
                .conversations()
                .stats(ConversationRef.of(WritingProcess.SESSION))
                .totalMemories())
        .isEqualTo(2 * OF_EACH);
    assertThat(recall.memories().rebuildIndex()).isEqualTo(2 * OF_EACH);
    assertThat(daemon.client.admin().verify(10)).isEmpty();
  }
}
