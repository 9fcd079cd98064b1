package dev.agentmemory.bench.data;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// Generated conversations with the word frequencies of a language: sessions of 40 turns of 120 to
/// 280 characters. Each session has its own subjects, with names and numbers from code. A session
/// begins 63 minutes after the previous one. The same number always gives the same session.
public final class Talk {

  public static final int IN_SESSION = 40;

  private static final Instant FIRST = Instant.parse("2023-01-02T00:00:00Z");
  private static final Duration APART = Duration.ofMinutes(63);
  private static final int SECONDS_BETWEEN = 20;
  private static final int SHORTEST = 120;
  private static final int LONGEST = 280;
  private static final int TOPICS = 40;
  private static final double ON_TOPIC = 0.25;
  private static final double IN_CODE = 0.03;

  private Talk() {}

  /// The events of a session, in time order.
  public static List<Event> session(int number) {
    var random = new SplittableRandom(number);
    int[] topics = topics(random);
    var session = new SessionId("talk-%08d".formatted(number));
    Instant start = start(number);
    var events = new ArrayList<Event>(IN_SESSION);
    for (int i = 0; i < IN_SESSION; i++) {
      events.add(
          event(
              session,
              start.plusSeconds((long) i * SECONDS_BETWEEN),
              i % 2 == 0,
              text(topics, random.nextInt(SHORTEST, LONGEST), random)));
    }
    return events;
  }

  /// The subjects of a session, as ranks of words.
  static int[] topics(RandomGenerator random) {
    return random.ints(TOPICS, 0, 1).map(_ -> Vocabulary.topic(random)).toArray();
  }

  /// The events of the sessions `from` (inclusive) to `to` (exclusive).
  public static List<Event> sessions(int from, int to) {
    return IntStream.range(from, to).mapToObj(Talk::session).flatMap(List::stream).toList();
  }

  /// The texts of the first events.
  public static List<String> texts(int count) {
    return sessions(0, count / IN_SESSION).stream().map(Event::text).toList();
  }

  /// Start of a session.
  public static Instant start(int number) {
    return FIRST.plus(APART.multipliedBy(number));
  }

  /// The same event with one more word.
  public static Event saying(Event event, String word) {
    return event(
        event.session(),
        event.timestamp(),
        event.role() == EventRole.USER,
        event.text() + " " + word);
  }

  private static Event event(SessionId session, Instant time, boolean asks, String text) {
    EventType type = asks ? EventType.USER_MESSAGE : EventType.ASSISTANT_MESSAGE;
    EventRole role = asks ? EventRole.USER : EventRole.ASSISTANT;
    return PlainEvents.of(session, time, type, role, text);
  }

  /// Sentences about subjects.
  ///
  /// @param length fewest characters; the last word may exceed it
  static String text(int[] topics, int length, RandomGenerator random) {
    var text = new StringBuilder(length + 64);
    int left = 0;
    while (text.length() < length) {
      boolean begins = left == 0;
      String word = word(topics, random);
      text.append(text.isEmpty() ? "" : begins ? ". " : " ")
          .append(
              begins ? word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1) : word);
      left = begins ? random.nextInt(5, 15) : left - 1;
    }
    return text.append('.').toString();
  }

  private static String word(int[] topics, RandomGenerator random) {
    if (random.nextDouble() < IN_CODE) {
      return code(random);
    }
    int rank =
        random.nextDouble() < ON_TOPIC
            ? topics[random.nextInt(topics.length)]
            : Vocabulary.rank(random);
    return Vocabulary.word(rank, random);
  }

  private static String code(RandomGenerator random) {
    String one = Vocabulary.word(Vocabulary.topic(random), random);
    String two = Vocabulary.word(Vocabulary.topic(random), random);
    return switch (random.nextInt(5)) {
      case 0 -> one + two.substring(0, 1).toUpperCase(Locale.ROOT) + two.substring(1);
      case 1 -> one + "_" + two;
      case 2 -> "src/" + one + "/" + two + ".java";
      case 3 -> "ERR_" + random.nextInt(10_000);
      default -> "v" + random.nextInt(10) + "." + random.nextInt(100);
    };
  }
}
