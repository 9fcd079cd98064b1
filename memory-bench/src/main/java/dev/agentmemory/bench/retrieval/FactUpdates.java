package dev.agentmemory.bench.retrieval;

import dev.agentmemory.bench.data.GeneratedProse;
import dev.agentmemory.bench.data.PlainEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/// Generated facts that change: for each an older and a newer statement and a question about it,
/// among statements of the same wording about other subjects, earlier questions, and other
/// messages. The same seed gives the same events.
///
/// @param updates each has its own subject and kind
/// @param events all events, by time
record FactUpdates(List<Update> updates, List<Event> events) {

  private static final Instant START = Instant.parse("2026-01-05T08:00:00Z");

  private static final Duration LENGTH = Duration.ofDays(120);

  private static final int TURNS_IN_SESSION = 8;

  /// Statements of the same wording about other subjects, for each language and kind.
  private static final int LOOK_ALIKES = 8;

  /// One in this number of updates has an earlier question in the same words.
  private static final int ASKED_BEFORE = 5;

  private static final int CHATTER = 300;

  /// A fact that changed.
  record Update(
      FactLanguage language, FactLanguage.Kind kind, String question, Event older, Event newer) {}

  /// A message of which speaker and exact time are set later.
  private record Line(double at, EventRole role, String text) {}

  private record Pair(
      FactLanguage language, FactLanguage.Kind kind, String question, Line older, Line newer) {}

  static FactUpdates of(long seed, int count) {
    return new Maker(new Random(seed)).make(count);
  }

  private static final class Maker {
    private final Random random;
    private final List<Pair> pairs = new ArrayList<>();
    private final List<Line> lines = new ArrayList<>();

    private Maker(Random random) {
      this.random = random;
    }

    private FactUpdates make(int count) {
      int combinations = FactLanguage.values().length * FactLanguage.Kind.values().length;
      int number = 0;
      for (FactLanguage language : FactLanguage.values()) {
        for (FactLanguage.Kind kind : FactLanguage.Kind.values()) {
          int share = count / combinations + (number++ < count % combinations ? 1 : 0);
          fill(language, kind, share);
        }
      }
      for (int i = 0; i < CHATTER; i++) {
        lines.add(
            new Line(random.nextDouble(), EventRole.ASSISTANT, GeneratedProse.sentence(random)));
      }
      return finished();
    }

    private void fill(FactLanguage language, FactLanguage.Kind kind, int updates) {
      List<String> subjects = new ArrayList<>(language.subjects());
      Collections.shuffle(subjects, random);
      for (String subject : subjects.subList(0, updates)) {
        update(language, kind, subject);
      }
      for (String subject : subjects.subList(updates, updates + LOOK_ALIKES)) {
        var values = language.values(kind, random);
        String text = language.statement(kind, subject, values.older(), false, random);
        lines.add(new Line(random.nextDouble(), EventRole.USER, text));
      }
    }

    private void update(FactLanguage language, FactLanguage.Kind kind, String subject) {
      var values = language.values(kind, random);
      double first = random.nextDouble() * 0.5;
      double second = first + 0.05 + random.nextDouble() * (0.95 - first);
      var older =
          new Line(
              first,
              EventRole.USER,
              language.statement(kind, subject, values.older(), false, random));
      var newer =
          new Line(
              second,
              EventRole.USER,
              language.statement(kind, subject, values.newer(), true, random));
      String question = language.question(kind, subject);
      pairs.add(new Pair(language, kind, question, older, newer));
      lines.add(older);
      lines.add(newer);
      if (random.nextInt(ASKED_BEFORE) == 0) {
        lines.add(new Line(random.nextDouble(), EventRole.USER, question));
      }
    }

    private FactUpdates finished() {
      lines.sort(Comparator.comparingDouble(Line::at));
      var made = new IdentityHashMap<Line, Event>();
      for (int i = 0; i < lines.size(); i++) {
        made.put(lines.get(i), event(lines.get(i), i));
      }
      List<Update> updates =
          pairs.stream()
              .map(pair ->
                  new Update(
                      pair.language(),
                      pair.kind(),
                      pair.question(),
                      event(made, pair.older()),
                      event(made, pair.newer())))
              .toList();
      return new FactUpdates(updates, lines.stream().map(line -> event(made, line)).toList());
    }

    private static Event event(Map<Line, Event> made, Line line) {
      return Objects.requireNonNull(made.get(line), "a line without an event");
    }

    private static Event event(Line line, int place) {
      Instant time = START.plusMillis((long) (line.at() * LENGTH.toMillis())).plusMillis(place);
      var session = new SessionId("work-" + place / TURNS_IN_SESSION);
      EventType type =
          line.role() == EventRole.USER ? EventType.USER_MESSAGE : EventType.ASSISTANT_MESSAGE;
      return PlainEvents.of(session, time, type, line.role(), line.text());
    }
  }

  /// Name of a language or kind in a table.
  static String label(Enum<?> one) {
    return one.name().toLowerCase(Locale.ROOT);
  }
}
