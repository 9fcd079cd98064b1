package dev.agentmemory.cli.export;

import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.cli.time.Range;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.cli.time.When;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/// The options that say what is exported. One of them may be given; a start and an end are one.
final class ExportSelectors {

  private static final String SESSION = "--session";
  private static final String AGENT = "--agent";
  private static final String USER = "--user";
  private static final String TOPIC = "--topic";
  private static final String SINCE = "--since";
  private static final String UNTIL = "--until";

  @Option(names = SESSION, paramLabel = "ID", description = "Only what belongs to this session.")
  private Optional<String> session = Optional.empty();

  @Option(names = AGENT, paramLabel = "NAME", description = "Only what comes from this agent.")
  private Optional<String> agent = Optional.empty();

  @Option(
      names = USER,
      paramLabel = "NAME",
      description = "Only conversations with this person, and what belongs to them.")
  private Optional<String> user = Optional.empty();

  @Option(
      names = TOPIC,
      paramLabel = "TAG",
      description = "Only memories with this tag or one below it, and their evidence.")
  private Optional<String> topic = Optional.empty();

  @Option(
      names = SINCE,
      paramLabel = "TIME",
      description = "Only from this time on, such as 2026-01-30, 2026-01, yesterday or 7d (ago).")
  private Optional<String> since = Optional.empty();

  @Option(
      names = UNTIL,
      paramLabel = "TIME",
      description =
          "Only until this time. A day, week, month or year is included as a whole; an instant is"
              + " excluded.")
  private Optional<String> until = Optional.empty();

  /// Refuses values that are not possible, and more than one selector.
  ///
  /// @throws MemoryException `INVALID_FIELD` naming the option
  void check() {
    since.ifPresent(text -> When.parse(SINCE, text));
    until.ifPresent(text -> When.parse(UNTIL, text));
    topic.ifPresent(text -> Tag.parse(TOPIC, text));
    session.ifPresent(text -> SessionId.parseStored(SESSION, text));
    refuseEmpty(AGENT, agent);
    refuseEmpty(USER, user);
    long given =
        Stream.of(session, agent, user, topic, since.or(() -> until))
            .filter(Optional::isPresent)
            .count();
    if (given > 1) {
      throw MemoryException.invalid(
          "selection",
          "has %d parts; give one of %s, %s, %s, %s, or a time (%s, %s)"
              .formatted(given, SESSION, AGENT, USER, TOPIC, SINCE, UNTIL));
    }
  }

  private static void refuseEmpty(String option, Optional<String> name) {
    if (name.filter(String::isBlank).isPresent()) {
      throw MemoryException.invalid(option, "is empty; give a name, or omit the option");
    }
  }

  /// @throws MemoryException `INVALID_FIELD` naming the option
  Selection selection(Times times, Instant now) {
    if (session.isPresent()) {
      return new Selection.OfSession(SessionId.parseStored(SESSION, session.get()));
    }
    if (agent.isPresent()) {
      return new Selection.OfAgent(agent.get());
    }
    if (user.isPresent()) {
      return new Selection.OfUser(user.get());
    }
    if (topic.isPresent()) {
      return new Selection.OfTopic(Tag.parse(TOPIC, topic.get()));
    }
    return since.isPresent() || until.isPresent()
        ? new Selection.OfTime(Range.bounds(SINCE, since, UNTIL, until, times, now))
        : new Selection.Everything();
  }
}
