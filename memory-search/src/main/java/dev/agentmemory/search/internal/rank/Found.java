package dev.agentmemory.search.internal.rank;

import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.Parts;
import dev.agentmemory.api.search.Said;
import dev.agentmemory.search.internal.query.Question;
import dev.agentmemory.search.memory.FoundMemory;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// Something found, before anything is read of it but its documents.
///
/// @param uid of the event or node, as the asker knows it; of a memory, its citation
/// @param time in epoch ms
/// @param complete whether it is an event with every word that was asked for
/// @param memory empty for events and nodes
public record Found(
    String uid,
    HitKind kind,
    long time,
    double score,
    double relevance,
    Parts parts,
    Said said,
    boolean complete,
    Optional<FoundMemory> memory) {

  static Found of(CandidateTurn turn, Question question) {
    Parts parts =
        new Parts(
            rank(turn.lexicalRank),
            rank(turn.semanticRank),
            turn.get(Feature.TURN),
            Double.isNaN(turn.cosine) ? 0 : turn.cosine,
            turn.get(Feature.TIME),
            1,
            question.request().explain() ? Ranking.explained(turn) : Map.of());
    return new Found(
        question.visible(turn.id()).value(),
        HitKind.EVENT,
        turn.time,
        turn.score,
        turn.relevance,
        parts,
        new Said(turn.times, Instant.ofEpochMilli(turn.since)),
        turn.cover >= 1,
        Optional.empty());
  }

  /// A memory. Among memories alone the order is that of their source.
  public static Found of(FoundMemory memory) {
    return new Found(
        memory.citation(),
        HitKind.MEMORY,
        memory.time().toEpochMilli(),
        memory.relevance(),
        memory.relevance(),
        memory.parts(),
        Said.once(memory.time()),
        /* complete= */ false,
        Optional.of(memory));
  }

  Found withRelevance(double changed) {
    return new Found(uid, kind, time, score, changed, parts, said, complete, memory);
  }

  private static OptionalInt rank(int rank) {
    return rank == 0 ? OptionalInt.empty() : OptionalInt.of(rank);
  }
}
