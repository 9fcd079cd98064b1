package dev.agentmemory.search.internal.rank;

import dev.agentmemory.api.search.Kind;
import dev.agentmemory.api.search.Parts;
import dev.agentmemory.api.search.Said;
import dev.agentmemory.search.internal.query.Question;
import java.time.Instant;
import java.util.OptionalInt;

/// Something found, before anything is read of it but its documents.
///
/// @param uid of the event or node, as the asker knows it
/// @param time in epoch ms
public record Found(
    String uid, Kind kind, long time, double score, double relevance, Parts parts, Said said) {

  static Found of(CandidateTurn turn, Question question) {
    Parts parts =
        new Parts(
            rank(turn.lexicalRank),
            rank(turn.semanticRank),
            turn.get(Feature.TURN),
            Double.isNaN(turn.cosine) ? 0 : turn.cosine,
            turn.get(Feature.TIME),
            1,
            Ranking.explained(turn));
    return new Found(
        question.visible(turn.id()).value(),
        Kind.EVENT,
        turn.time,
        turn.score,
        turn.relevance,
        parts,
        new Said(turn.times, Instant.ofEpochMilli(turn.since)));
  }

  private static OptionalInt rank(int rank) {
    return rank == 0 ? OptionalInt.empty() : OptionalInt.of(rank);
  }
}
