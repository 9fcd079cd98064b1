package dev.agentmemory.recall.derive;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.recall.extract.ExtractedStatement;
import dev.agentmemory.text.RecalledText;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Checks what a model claims about turns. A claim counts if its turn was shown, its kind and
/// importance are known, and its excerpt stands in the turn character for character, between word
/// borders, and not in recalled text. Of two claims about the same words the first one counts.
final class ClaimedStatements {

  /// Most statements that are added to those of the rules.
  static final int MOST_ADDED = 12;

  /// UTF-16 units of a statement that is added.
  static final int LONGEST = 500;

  private static final int LEAST_WORDS = 3;

  private static final Map<String, MemoryKind> KINDS =
      Map.of(
          "decision", MemoryKind.DECISION,
          "preference", MemoryKind.PREFERENCE,
          "finding", MemoryKind.FINDING);

  private final Map<EventId, Event> events = new LinkedHashMap<>();
  private final Map<EventId, List<ExtractedStatement>> rules;
  private final Map<EventId, List<ExtractedStatement>> accepted = new LinkedHashMap<>();
  private int added;
  private int dropped;

  /// @param turns the events that were asked about
  /// @param rules what the rules find in them
  /// @param shown those that the model has seen
  ClaimedStatements(
      List<Event> turns, Map<EventId, List<ExtractedStatement>> rules, Set<EventId> shown) {
    this.rules = rules;
    for (Event event : turns) {
      if (shown.contains(event.id())) {
        events.put(event.id(), event);
        accepted.put(event.id(), new ArrayList<>());
      }
    }
  }

  void add(StatementRefiner.Claim claim) {
    Optional<ExtractedStatement> statement = check(claim);
    if (statement.isEmpty()) {
      dropped++;
      return;
    }
    accepted.getOrDefault(claim.event(), new ArrayList<>()).add(statement.get());
    added += ofRules(claim).isPresent() ? 0 : 1;
  }

  int dropped() {
    return dropped;
  }

  /// Whether no claim counts, although there were some.
  boolean isUnsupported() {
    return dropped > 0 && accepted.values().stream().allMatch(List::isEmpty);
  }

  /// The statements of each turn that was shown, in the order of the turn.
  Map<Event, List<ExtractedStatement>> accepted() {
    Map<Event, List<ExtractedStatement>> all = new LinkedHashMap<>();
    accepted.forEach((id, statements) -> {
      statements.sort(Comparator.comparingInt(ExtractedStatement::start));
      all.put(events.get(id), statements);
    });
    return all;
  }

  private Optional<ExtractedStatement> check(StatementRefiner.Claim claim) {
    Event event = events.get(claim.event());
    MemoryKind kind = KINDS.get(claim.kind().strip().toLowerCase(Locale.ROOT));
    boolean weighed = claim.importance() >= 0 && claim.importance() <= 1;
    if (event == null || kind == null || !weighed) {
      return Optional.empty();
    }
    double importance = Math.round(claim.importance() * 100) / 100.0;
    return ofRules(claim)
        .map(ExtractedStatement::start)
        .or(() -> added(event, claim.excerpt()))
        .map(start ->
            ExtractedStatement.quoted(
                kind, event.text(), start, start + claim.excerpt().length(), importance))
        .filter(statement -> isApart(event, statement));
  }

  private Optional<ExtractedStatement> ofRules(StatementRefiner.Claim claim) {
    return rules.getOrDefault(claim.event(), List.of()).stream()
        .filter(statement -> statement.text().equals(claim.excerpt()))
        .findFirst();
  }

  /// Where a statement begins that the rules have not found.
  private Optional<Integer> added(Event event, String excerpt) {
    boolean fits =
        added < MOST_ADDED
            && excerpt.length() <= LONGEST
            && excerpt.equals(excerpt.strip())
            && excerpt.split("\\s+").length >= LEAST_WORDS
            && RecalledText.strip(event.text()).contains(excerpt);
    return fits ? place(event.text(), excerpt) : Optional.empty();
  }

  private static Optional<Integer> place(String text, String excerpt) {
    int at = text.indexOf(excerpt);
    while (at >= 0) {
      if (isBorder(text, at) && isBorder(text, at + excerpt.length())) {
        return Optional.of(at);
      }
      at = text.indexOf(excerpt, at + 1);
    }
    return Optional.empty();
  }

  private static boolean isBorder(String text, int at) {
    return at == 0
        || at == text.length()
        || !Character.isLetterOrDigit(text.codePointBefore(at))
        || !Character.isLetterOrDigit(text.codePointAt(at));
  }

  private boolean isApart(Event event, ExtractedStatement statement) {
    return accepted.getOrDefault(event.id(), List.of()).stream()
        .allMatch(other -> other.end() <= statement.start() || statement.end() <= other.start());
  }
}
