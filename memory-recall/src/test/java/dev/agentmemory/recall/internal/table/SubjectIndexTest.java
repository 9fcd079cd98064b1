package dev.agentmemory.recall.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.MemoryId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SubjectIndexTest {

  private static final List<String> NOUNS =
      List.of(
          "ledger", "kafka", "cache", "import", "parser", "retry", "queue", "token", "socket",
          "mirror", "report", "window");

  private final SubjectIndex index = new SubjectIndex();

  private static MemoryEntry entry(long tail, String text) {
    return new MemoryEntry(
        new MemoryId(TestEvents.id(TestEvents.START, tail)),
        MemoryPlace.WORKSPACE,
        MemoryLifetime.SHORT_TERM,
        MemoryKind.FINDING,
        "user",
        0.5,
        false,
        Set.of(),
        List.of(),
        Validity.since(TestEvents.START),
        MemoryUse.NEVER,
        100,
        MemoryStatement.of(text),
        Optional.empty());
  }

  private static String statement(RandomGenerator random) {
    return "The service uses "
        + IntStream.rangeClosed(0, random.nextInt(4))
            .mapToObj(_ -> NOUNS.get(random.nextInt(NOUNS.size())))
            .collect(Collectors.joining(" and "));
  }

  @Seeds(20)
  void alike_findsWhatALookAtAllMemoriesFinds(RandomGenerator random) {
    List<MemoryEntry> all =
        IntStream.range(0, 30).mapToObj(i -> entry(i, statement(random))).toList();
    all.forEach(index::add);
    for (MemoryEntry entry : all) {
      assertThat(index.alike(entry, 4)).isEqualTo(alike(entry, all, 4));
    }
  }

  @Seeds(20)
  void alike_afterSomeWereRemoved_findsWhatALookAtTheOthersFinds(RandomGenerator random) {
    List<MemoryEntry> all =
        IntStream.range(0, 30).mapToObj(i -> entry(i, statement(random))).toList();
    all.forEach(index::add);
    List<MemoryEntry> left = new ArrayList<>(all);
    for (int i = 0; i < 20; i++) {
      index.remove(left.remove(random.nextInt(left.size())));
    }
    for (MemoryEntry entry : all) {
      assertThat(index.alike(entry, 4)).isEqualTo(alike(entry, left, 4));
    }
  }

  private static List<MemoryId> alike(MemoryEntry entry, List<MemoryEntry> all, int limit) {
    Comparator<MemoryEntry> least =
        Comparator.comparingDouble((MemoryEntry other) -> weight(entry, other, all))
            .thenComparing(MemoryEntry::id);
    return all.stream()
        .filter(other -> !other.id().equals(entry.id()))
        .filter(other -> {
          int shorter = Math.min(words(entry).length, words(other).length);
          return shared(entry, other).length >= Math.max(1, 0.3 * shorter);
        })
        .sorted(least.reversed())
        .limit(limit)
        .map(MemoryEntry::id)
        .toList();
  }

  private static double weight(MemoryEntry entry, MemoryEntry other, List<MemoryEntry> all) {
    double weight = 0;
    for (int word : shared(entry, other)) {
      long having = all.stream().filter(one -> has(one, word)).count();
      weight += 1 / Math.log(2.0 + having);
    }
    return weight;
  }

  private static int[] shared(MemoryEntry entry, MemoryEntry other) {
    return Arrays.stream(words(entry)).filter(word -> has(other, word)).toArray();
  }

  private static boolean has(MemoryEntry entry, int word) {
    return Arrays.binarySearch(words(entry), word) >= 0;
  }

  private static int[] words(MemoryEntry entry) {
    return entry.statement().words().orElseThrow().words();
  }

  @Test
  void words_thatTooManyHave_findNoneByThemselves() {
    IntStream.rangeClosed(0, SubjectIndex.MOST_SEEN)
        .forEach(i -> index.add(entry(i, "The service uses kafka")));
    assertThat(index.alike(entry(9_000, "The service uses kafka"), 4)).isEmpty();
  }
}
