package dev.agentmemory.bench.data;

import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.client.EventIds;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// Generated memories of scope workspace with the word frequencies of a language, about 200
/// subjects in as many sessions. The same number and time always give the same memory.
///
/// @param until the memories are made in the 60 days before; decay depends on their age, so they
///   cannot be of fixed days
public record GeneratedMemories(Instant until) {

  /// The time in which the memories are made.
  public static final Duration SPAN = Duration.ofDays(60);

  public static final List<String> SOURCES =
      List.of(
          "user",
          "system",
          "orchestrator",
          "researcher",
          "planner",
          "reviewer",
          "tester",
          "extraction");

  public static final List<String> AREAS =
      List.of(
          "security",
          "storage",
          "network",
          "build",
          "search",
          "billing",
          "frontend",
          "backend",
          "testing",
          "release",
          "docs",
          "people");

  private static final List<String> PARTS =
      List.of(
          "design", "cost", "bugs", "tools", "limits", "names", "access", "speed", "policy",
          "owners");

  private static final SessionId IDS = new SessionId("generated-memories");
  private static final int SUBJECTS = 200;
  private static final int SHORTEST = 60;
  private static final int LONGEST = 280;
  private static final double LEAST_IMPORTANCE = 0.2;
  private static final double REFERRING = 0.3;
  private static final double LONG_TERM = 0.1;
  private static final int MOST_TAGS = 3;

  /// How far back a memory refers at most. So chains of references are long.
  private static final int REFERS_BACK = 50;

  /// Memories of one call.
  private static final int IN_CALL = 1000;

  /// A kind, what its statements begin with, and the share of all memories up to it.
  private record Form(MemoryKind kind, String opening, double upTo) {}

  private static final List<Form> FORMS =
      List.of(
          new Form(MemoryKind.OBSERVATION, "", 0.45),
          new Form(MemoryKind.CONVERSATION, "It was asked: ", 0.65),
          new Form(MemoryKind.FINDING, "The cause was found. ", 0.88),
          new Form(MemoryKind.DECISION, "We decided this. ", 0.98),
          new Form(MemoryKind.PREFERENCE, "I prefer it so. ", 1));

  /// Stores the memories `from` (inclusive) to `to` (exclusive). Those that they refer to must be
  /// stored.
  public void store(MemoryClient client, int from, int to) {
    for (int start = from; start < to; start += IN_CALL) {
      var _ = client.recall().memories().remember(drafts(start, Math.min(to, start + IN_CALL)));
    }
  }

  private List<MemoryDraft> drafts(int from, int to) {
    return IntStream.range(from, to).mapToObj(this::draft).toList();
  }

  /// A memory of 60 to 280 characters. Three in ten refer to earlier ones.
  public MemoryDraft draft(int number) {
    var random = new SplittableRandom(number);
    int length = random.nextInt(SHORTEST, LONGEST);
    List<MemoryId> references = references(number, random);
    return draft(number, length, random)
        .id(id(number))
        .links(MemoryLinks.NONE.withReferences(references))
        .build();
  }

  /// A memory of a certain length that refers to no other and leaves its id to the daemon, as most
  /// callers do.
  ///
  /// @param length fewest characters of its text
  public MemoryDraft draft(int number, int length) {
    return draft(number, length, new SplittableRandom(number)).build();
  }

  private MemoryDraft.Builder draft(int number, int length, SplittableRandom random) {
    Form form = form(random);
    boolean longTerm = random.nextDouble() < LONG_TERM;
    return MemoryDraft.builder(MemoryContent.of(form.opening() + text(number, length, random)))
        .place(MemoryPlace.WORKSPACE.from(session(number)))
        .lifetime(longTerm ? MemoryLifetime.LONG_TERM : MemoryLifetime.SHORT_TERM)
        .kind(form.kind())
        .source(SOURCES.get(random.nextInt(SOURCES.size())))
        .importance(LEAST_IMPORTANCE + (1 - LEAST_IMPORTANCE) * random.nextInt(101) / 100)
        .tags(tags(random))
        .created(created(number));
  }

  /// The text of [#draft].
  public String text(int number) {
    return draft(number).content().text();
  }

  private static String text(int number, int length, RandomGenerator random) {
    // The negated numbers are the seeds of the subjects, so that they differ from those of the
    // memories.
    int[] topics = Talk.topics(new SplittableRandom(-1L - number % SUBJECTS));
    return Talk.text(topics, length, random);
  }

  private static Form form(RandomGenerator random) {
    double place = random.nextDouble();
    return FORMS.stream().filter(form -> place < form.upTo()).findFirst().orElseThrow();
  }

  /// The session that a memory comes from.
  public static SessionId session(int number) {
    return new SessionId("subject-%03d".formatted(number % SUBJECTS));
  }

  private Instant created(int number) {
    // Neighbouring numbers have times that are far apart.
    double share = number * 0.618_033_988_75 % 1;
    return until.minus(Duration.ofMillis((long) (SPAN.toMillis() * share)));
  }

  /// The id of a memory, which depends on its time.
  public MemoryId id(int number) {
    return new MemoryId(
        EventIds.derive(
            IDS,
            created(number),
            EventType.USER_MESSAGE,
            EventRole.USER,
            "memory " + number,
            Map.of(),
            Optional.empty()));
  }

  private List<MemoryId> references(int number, RandomGenerator random) {
    if (number == 0 || random.nextDouble() >= REFERRING) {
      return List.of();
    }
    int earliest = Math.max(0, number - REFERS_BACK);
    return IntStream.range(0, random.nextInt(1, 3))
        .map(_ -> random.nextInt(earliest, number))
        .distinct()
        .mapToObj(this::id)
        .toList();
  }

  private static Set<Tag> tags(RandomGenerator random) {
    Set<Tag> tags = new HashSet<>();
    int count = random.nextInt(1, MOST_TAGS + 1);
    for (int i = 0; i < count; i++) {
      tags.add(tag(random));
    }
    return tags;
  }

  /// A tag of two or three levels.
  public static Tag tag(RandomGenerator random) {
    String area = AREAS.get(random.nextInt(AREAS.size()));
    String part = PARTS.get(random.nextInt(PARTS.size()));
    String detail = random.nextInt(3) == 0 ? ".part" + random.nextInt(10) : "";
    return new Tag(area + "." + part + detail);
  }
}
