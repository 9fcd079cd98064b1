package dev.agentmemory.recall.orient;

import static dev.agentmemory.recall.orient.OrientWorld.IN_SESSION;
import static dev.agentmemory.recall.orient.OrientWorld.START;
import static dev.agentmemory.recall.orient.OrientWorld.draft;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemorySearch.Viewer;
import dev.agentmemory.api.upkeep.OrientationDocument;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.text.RecalledText;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.NodeId;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The document never has more tokens than it may, and uses those that it has.
@Tag("slow")
class OrientationBudgetTest {

  private static final List<String> WORDS =
      List.of(
          "postgres",
          "retries",
          "use",
          "#",
          "```",
          "login",
          "never",
          "[mem:x]",
          "42",
          "日本語",
          "billing\n",
          "deadline",
          "e\u0301",
          "we",
          "cache-control",
          "😀");

  /// Counters that do with joined texts what real ones may do: the sum of the parts is more than
  /// the whole, less, and much less.
  private static final List<ToIntFunction<String>> COUNTERS =
      List.of(
          text -> (text.length() + 3) / 4,
          text -> text.length() / 5,
          text -> (int) Math.pow(text.length() / 4.0, 1.05),
          text -> text.isBlank() ? 0 : text.split("\\W+").length + text.length() / 10);

  private static String text(RandomGenerator random, int mostWords) {
    StringBuilder out = new StringBuilder("fact " + random.nextInt(1_000_000));
    int words = random.nextInt(1, mostWords);
    for (int i = 0; i < words; i++) {
      out.append(' ').append(WORDS.get(random.nextInt(WORDS.size())));
    }
    return out.toString();
  }

  private static OrientWorld world(RandomGenerator random) {
    var world = new OrientWorld();
    world.append(TestEvents.message("s1", START, "hello"));
    int memories = random.nextInt(120);
    for (int i = 0; i < memories; i++) {
      world.now = START.minus(Duration.ofMinutes(random.nextInt(100_000)));
      MemoryKind[] kinds = MemoryKind.values();
      var draft =
          draft(text(random, random.nextInt(10) == 0 ? 2000 : 30))
              .kind(kinds[random.nextInt(kinds.length)])
              .importance(random.nextInt(11) / 10.0);
      if (random.nextInt(5) == 0) {
        draft.place(MemoryPlace.account());
      }
      MemoryId id = world.remember(draft).id();
      if (random.nextInt(20) == 0) {
        var _ = world.memories.pin(id, /* pinned= */ true);
      }
    }
    int passages = random.nextInt(25);
    for (int i = 0; i < passages; i++) {
      var _ =
          world.worked(
              "s" + random.nextInt(4), text(random, 8), text(random, 20), text(random, 9) + "?");
    }
    world.now = START;
    return world;
  }

  /// 50 states, 20 requests of each.
  @Seeds(50)
  void randomRequests_neverExceedTheBudget_andRepeatByteForByte(RandomGenerator random) {
    OrientWorld world = world(random);
    for (int i = 0; i < 20; i++) {
      world.tokens = COUNTERS.get(random.nextInt(COUNTERS.size()));
      int budget = random.nextInt(OrientationRequest.MIN_BUDGET, i == 0 ? 32_000 : 3000);
      String query = random.nextBoolean() ? "" : text(random, 4);
      Viewer viewer = random.nextBoolean() ? IN_SESSION : Viewer.WORKSPACE;
      var request = new OrientationRequest(query, viewer, budget, random.nextBoolean());
      OrientationDocument document = world.orientation().orient(request);
      assertThat(document.tokens())
          .isEqualTo(world.tokens.applyAsInt(document.markdown()))
          .isLessThanOrEqualTo(budget);
      assertThat(world.orientation().orient(request)).isEqualTo(document);
      assertThat(document.markdown().lines().allMatch(RecalledText::contains))
          .as("every line carries the mark")
          .isEqualTo(request.enveloped() || document.markdown().isEmpty());
      assertThat(document.citations()).doesNotHaveDuplicates();
      Set<String> unresolved = new HashSet<>(document.citations());
      unresolved.removeIf(id -> resolves(world, id));
      assertThat(unresolved).isEmpty();
    }
    world.reopen();
    var request = new OrientationRequest("postgres", IN_SESSION, 700);
    assertThat(world.orientation().orient(request)).isEqualTo(world.orientation().orient(request));
  }

  private static boolean resolves(OrientWorld world, String id) {
    if (NodeId.parse(id).isPresent()) {
      return world.work.stream().anyMatch(passage -> passage.node().value().equals(id));
    }
    if (GripId.isValid(id)) {
      return world.work.stream()
          .flatMap(passage -> passage.statements().stream())
          .anyMatch(one -> one.grips().contains(new GripId(id)));
    }
    return world.memories.get(MemoryId.of(id)).id().value().equals(id);
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 500, 1000, 4000, 32_000})
  void matchingMemories_ofThreeTimesTheBudget_fillIt(int budget) {
    for (int words : List.of(6, 30, 300, budget)) {
      var world = new OrientWorld();
      String filler = "some more words ".repeat(words / 3);
      int tokens = 0;
      for (int i = 0; tokens < 3 * budget; i++) {
        String text = "The login of number " + i + " times out, " + filler;
        tokens += world.tokens.applyAsInt(text);
        world.now = START.minusSeconds(i);
        world.remember(draft(text));
      }
      world.now = START;
      OrientationDocument document = world.orient("login", budget);
      assertThat(document.tokens())
          .as("budget %d, words %d", budget, words)
          .isBetween(budget * 85 / 100, budget);
    }
  }

  @Test
  void pinnedMemories_beyondTheBudget_leaveNoPlaceToOthers() {
    var world = new OrientWorld();
    var pinned = new HashSet<String>();
    var others = new HashSet<String>();
    for (int i = 0; i < 40; i++) {
      MemoryId id = world.remember(draft("billing retries are numbered " + 100_000 * i)).id();
      pinned.add(world.memories.pin(id, /* pinned= */ true).id().value());
      others.add(world.remember(draft("billing " + i)).id().value());
    }
    for (int budget = 400; budget < 500; budget++) {
      List<String> cited = world.orient("billing", budget).citations();
      assertThat(cited).as("budget " + budget).containsAnyElementsOf(pinned);
      assertThat(cited).as("budget " + budget).doesNotContainAnyElementsOf(others);
    }
  }

  @Test
  void smallestBudget_withLongValues_isKept() {
    var world = new OrientWorld();
    world.tokens = String::length;
    world.remember(draft("word ".repeat(10_000)));
    OrientationDocument document = world.orient("word", OrientationRequest.MIN_BUDGET);
    assertThat(document.tokens()).isLessThanOrEqualTo(OrientationRequest.MIN_BUDGET);
  }

  @Test
  void longMemory_isShortenedAfterAWord_withAnEllipsis() {
    var world = new OrientWorld();
    var memory = world.remember(draft("alpha beta ".repeat(2000)));
    assertThat(world.text("", 500)).containsPattern("(alpha|beta)… \\[mem:" + memory.id() + "\\]$");
  }
}
