package dev.agentmemory.bench.recall;

import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryFilter.Neighbourhood;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemorySearch.Order;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.recall.TagFilter;
import dev.agentmemory.bench.data.GeneratedMemories;
import dev.agentmemory.bench.data.Vocabulary;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Distinct searches for [GeneratedMemories]: every filter alone and with others, all orders.
final class MixedSearches {

  private static final int FEWEST_WORDS = 1;
  private static final int MOST_WORDS = 4;
  private static final int SHORTEST_WORD = 4;
  private static final int MOST_DEPTH = 4;
  private static final int LARGE_LIMIT = 50;

  /// Characters before a wildcard.
  private static final int PREFIX = 4;

  private static final Pattern WORD = Pattern.compile("[a-z]+");

  /// A search.
  ///
  /// @param shape what it filters by
  record Query(String shape, MemorySearch search) {}

  /// What searches of a shape filter by.
  private record Shape(String name, Supplier<MemorySearch> next) {}

  private final GeneratedMemories memories;
  private final int stored;
  private final SplittableRandom random;
  private final Set<MemorySearch> asked = new HashSet<>();
  private final List<Shape> shapes =
      List.of(
          new Shape("words", () -> words(any())),
          new Shape("words, kinds", () -> words(any()).withFilter(kinds().build())),
          new Shape("words, any of several tags", () -> words(any()).withFilter(anyTags())),
          new Shape("all of several tags", () -> filtered(allTags())),
          new Shape("area without some of its tags", () -> filtered(area())),
          new Shape("words, sources, importance", () -> words(any()).withFilter(sources())),
          new Shape("words, time range", () -> words(any()).withFilter(time().build())),
          new Shape("importance, by importance", () -> by(Order.IMPORTANCE, important())),
          new Shape("references", () -> filtered(near().build())),
          new Shape("wildcards", this::wildcards),
          new Shape("words, by time", () -> words(any()).withOrder(Order.TIME)),
          new Shape("words, as of a time", () -> words(any()).withAsOf(moment())),
          new Shape("session, kinds", () -> filtered(kinds().session(session()).build())),
          new Shape("lifetime, source, by time", () -> by(Order.TIME, lifetime())),
          new Shape("references, words, kinds", this::nearWithWords),
          new Shape("all together", this::all));

  /// @param stored the memories 0 (inclusive) to this one (exclusive) are there
  MixedSearches(GeneratedMemories memories, int stored, long seed) {
    this.memories = memories;
    this.stored = stored;
    this.random = new SplittableRandom(seed);
  }

  /// So many searches of each shape, in turns. None was returned before.
  List<Query> ofEachShape(int count) {
    List<Query> queries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      for (Shape shape : shapes) {
        queries.add(new Query(shape.name(), unasked(shape)));
      }
    }
    return queries;
  }

  private MemorySearch unasked(Shape shape) {
    MemorySearch search = limited(shape.next().get());
    while (!asked.add(search)) {
      search = limited(shape.next().get());
    }
    return search;
  }

  private MemorySearch limited(MemorySearch search) {
    return random.nextInt(4) == 0 ? search.withLimit(LARGE_LIMIT) : search;
  }

  /// The number of a memory.
  private int any() {
    return random.nextInt(stored);
  }

  /// Words of a memory, as people ask about the subject of several.
  String question() {
    return words(any()).query();
  }

  private MemorySearch words(int number) {
    List<String> told = tellingWords(number);
    int count = random.nextInt(FEWEST_WORDS, MOST_WORDS + 1);
    return MemorySearch.of(
        random
            .ints(count, 0, told.size())
            .mapToObj(told::get)
            .distinct()
            .collect(Collectors.joining(" ")));
  }

  private List<String> tellingWords(int number) {
    List<String> told =
        WORD.matcher(memories.text(number).toLowerCase(Locale.ROOT))
            .results()
            .map(MatchResult::group)
            .filter(word -> word.length() >= SHORTEST_WORD && Vocabulary.tells(word))
            .toList();
    return told.isEmpty() ? List.of(Integer.toString(number)) : told;
  }

  private MemorySearch filtered(MemoryFilter filter) {
    return by(order(), filter);
  }

  private Order order() {
    Order[] orders = Order.values();
    return orders[random.nextInt(orders.length)];
  }

  private static MemorySearch by(Order order, MemoryFilter filter) {
    return MemorySearch.of("").withFilter(filter).withOrder(order);
  }

  private MemoryFilter.Builder kinds() {
    MemoryKind[] kinds = MemoryKind.values();
    return MemoryFilter.builder()
        .kinds(
            Stream.of(kinds[random.nextInt(kinds.length)], kinds[random.nextInt(kinds.length)])
                .collect(Collectors.toSet()));
  }

  private MemoryFilter anyTags() {
    Set<Tag> tags =
        Stream.generate(() -> GeneratedMemories.tag(random))
            .limit(random.nextInt(1, 4))
            .collect(Collectors.toSet());
    return MemoryFilter.builder().tags(new TagFilter(tags, /* all= */ false, Set.of())).build();
  }

  /// All tags of a memory.
  private MemoryFilter allTags() {
    Set<Tag> tags = memories.draft(any()).tags();
    return MemoryFilter.builder()
        .tags(new TagFilter(tags, /* all= */ true, Set.of()))
        .minImportance(someImportance())
        .build();
  }

  private MemoryFilter area() {
    var area = new Tag(GeneratedMemories.AREAS.get(random.nextInt(GeneratedMemories.AREAS.size())));
    return MemoryFilter.builder()
        .tags(TagFilter.any(area).without(GeneratedMemories.tag(random)))
        .minImportance(someImportance())
        .build();
  }

  private MemoryFilter sources() {
    return MemoryFilter.builder().sources(Set.of(source())).minImportance(someImportance()).build();
  }

  private String source() {
    return GeneratedMemories.SOURCES.get(random.nextInt(GeneratedMemories.SOURCES.size()));
  }

  private double someImportance() {
    return random.nextInt(10_000) / 10_000.0;
  }

  private MemoryFilter important() {
    return MemoryFilter.builder().minImportance(someImportance()).build();
  }

  private Instant moment() {
    return memories.until().minusMillis(random.nextLong(GeneratedMemories.SPAN.toMillis()));
  }

  private MemoryFilter.Builder time() {
    Instant from = moment();
    return MemoryFilter.builder()
        .after(from)
        .before(from.plus(Duration.ofHours(random.nextInt(24, 480))));
  }

  private SessionId session() {
    return GeneratedMemories.session(any());
  }

  private MemoryFilter lifetime() {
    MemoryLifetime[] lifetimes = {MemoryLifetime.SHORT_TERM, MemoryLifetime.LONG_TERM};
    return MemoryFilter.builder()
        .lifetimes(Set.of(lifetimes[random.nextInt(lifetimes.length)]))
        .scopes(Set.of(MemoryScope.WORKSPACE))
        .sources(Set.of(source()))
        .before(moment())
        .build();
  }

  /// What a memory that refers to others reaches.
  private MemoryFilter.Builder near() {
    int number = any();
    while (memories.draft(number).links().references().isEmpty()) {
      number = any();
    }
    return MemoryFilter.builder()
        .near(new Neighbourhood(Set.of(memories.id(number)), random.nextInt(1, MOST_DEPTH + 1)));
  }

  private MemorySearch nearWithWords() {
    return words(any()).withFilter(near().kinds(Set.of(MemoryKind.OBSERVATION)).build());
  }

  private MemorySearch wildcards() {
    List<String> told = tellingWords(any());
    String word = told.get(random.nextInt(told.size()));
    String other = told.get(random.nextInt(told.size()));
    String start = word.substring(0, Math.min(PREFIX, word.length()));
    int place = random.nextInt(1, Math.max(2, other.length()));
    String query =
        start
            + "* "
            + other.substring(0, place)
            + "?"
            + other.substring(Math.min(other.length(), place + 1));
    return MemorySearch.of(query);
  }

  private MemorySearch all() {
    Instant from = moment();
    int number = any();
    return words(number)
        .withFilter(
            kinds()
                .tags(
                    new TagFilter(
                        memories.draft(number).tags(),
                        /* all= */ false,
                        Set.of(GeneratedMemories.tag(random))))
                .lifetimes(Set.of(MemoryLifetime.SHORT_TERM))
                .after(from)
                .minImportance(someImportance() / 2)
                .superseded(true)
                .build())
        .withOrder(order())
        .withAsOf(memories.until());
  }
}
