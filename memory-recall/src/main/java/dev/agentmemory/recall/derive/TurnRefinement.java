package dev.agentmemory.recall.derive;

import dev.agentmemory.recall.derive.StatementRefiner.Answer;
import dev.agentmemory.recall.derive.StatementRefiner.Turn;
import dev.agentmemory.recall.extract.ExtractedStatement;
import dev.agentmemory.recall.extract.TurnSpeaker;
import dev.agentmemory.recall.memory.MemoryBatch;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.record.RecordReader;
import dev.agentmemory.text.RecalledText;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Determines the statements of turns: those that a model has revised, else those of the rules.
///
/// Idea: a turn is decided once. What a model says about it is written, in one commit with the
/// ledger's rows, before any memory is made of it; from then on it replaces the rules for this
/// turn, so recut segments, replays and crashes give the same memories and ask nothing again. A
/// turn whose statements by the rules have been memories before is decided by the rules.
final class TurnRefinement {

  private final MemoryCollection memories;
  private final StatementRefiner refiner;
  private final RefinedTurns rows;

  /// @param records of the store of the memories
  TurnRefinement(RecordReader records, MemoryCollection memories, StatementRefiner refiner) {
    this.memories = memories;
    this.refiner = refiner;
    this.rows = new RefinedTurns(records, memories.rows().keys().owner());
  }

  /// @param statements of each event, in the order of the events
  /// @param interrupted whether a model has to be asked again by another thread
  record Result(
      Map<Event, List<ExtractedStatement>> statements,
      RefinementCounts counts,
      boolean interrupted) {}

  /// @param asked the node of the events' segment, if a model may be asked
  Result statements(Optional<NodeId> asked, List<Event> events) {
    Map<Event, List<ExtractedStatement>> all = new LinkedHashMap<>();
    List<Event> open = new ArrayList<>();
    boolean ask = asked.isPresent() && refiner.isReady();
    for (Event event : events) {
      if (isOfConversation(event)) {
        Optional<List<ExtractedStatement>> revised = rows.statements(event);
        all.put(event, revised.orElseGet(() -> DerivedDrafts.byRules(event)));
        if (ask && revised.isEmpty() && !isDecided(event, all.get(event))) {
          open.add(event);
        }
      }
    }
    return open.isEmpty()
        ? new Result(all, RefinementCounts.NONE, /* interrupted= */ false)
        : refined(asked.orElseThrow(), open, all);
  }

  private static boolean isOfConversation(Event event) {
    return switch (EventTurns.speaker(event)) {
      case PERSON, ASSISTANT -> true;
      case TOOL, PROGRAM -> false;
    };
  }

  /// Whether memories were made of it by the rules, or there is nothing to read in it.
  private boolean isDecided(Event event, List<ExtractedStatement> byRules) {
    return RecalledText.strip(event.text()).isBlank()
        || byRules.stream()
            .anyMatch(statement -> memories.hasHad(DerivedDrafts.id(event, statement.text())));
  }

  private Result refined(NodeId node, List<Event> open, Map<Event, List<ExtractedStatement>> all) {
    Answer answer = refiner.refine(node, open.stream().map(event -> turn(event, all)).toList());
    return switch (answer) {
      case Answer.Interrupted(var calls) -> {
        commit(new ArrayList<>(), calls);
        yield new Result(Map.of(), new RefinementCounts(1, 1, 0), /* interrupted= */ true);
      }
      case Answer.Nothing(var calls) -> {
        commit(new ArrayList<>(), calls);
        yield new Result(all, new RefinementCounts(1, 1, 0), /* interrupted= */ false);
      }
      case Answer.Claims claims -> accepted(claims, open, all);
    };
  }

  private static Turn turn(Event event, Map<Event, List<ExtractedStatement>> byRules) {
    return new Turn(
        event.id(),
        EventTurns.speaker(event) == TurnSpeaker.PERSON,
        RecalledText.strip(event.text()),
        byRules.getOrDefault(event, List.of()));
  }

  private Result accepted(
      Answer.Claims answer, List<Event> open, Map<Event, List<ExtractedStatement>> all) {
    Map<EventId, List<ExtractedStatement>> byRules = new HashMap<>();
    open.forEach(event -> byRules.put(event.id(), all.getOrDefault(event, List.of())));
    var claimed = new ClaimedStatements(open, byRules, answer.shown());
    answer.claims().forEach(claimed::add);
    long dropped = (long) answer.odd() + claimed.dropped();
    List<Change> changes = new ArrayList<>();
    // An answer of which nothing is supported says nothing about the turns.
    boolean unusable = claimed.isUnsupported();
    if (!unusable) {
      all.putAll(claimed.accepted());
      claimed.accepted().forEach((event, stated) -> changes.add(rows.put(event, stated)));
    }
    commit(changes, answer.calls());
    return new Result(
        all, new RefinementCounts(1, unusable ? 1 : 0, dropped), /* interrupted= */ false);
  }

  private void commit(List<Change> changes, List<ModelCall> calls) {
    calls.forEach(call -> changes.add(new Change.RecordCall(call)));
    memories.commit(new MemoryBatch().with(changes));
  }
}
