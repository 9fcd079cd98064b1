package dev.agentmemory.search.internal.rank;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Orders evidence so that what comes next adds something to what was kept: maximal marginal
/// relevance, the highest of `LAMBDA * relevance - (1 - LAMBDA) * likeness to the nearest kept`.
/// After Carbonell and Goldstein, "The use of MMR, diversity-based reranking for reordering
/// documents and producing summaries", SIGIR 1998. Relevance is the hit's score between that of the
/// last hit, 0, and that of the first, 1.
public final class Diversity {

  /// More than half: what answers best comes first, whatever else was kept.
  static final double LAMBDA = 0.7;

  private final List<Candidate> rest = new ArrayList<>();

  public Diversity(List<Evidence> found) {
    double least = found.stream().mapToDouble(Evidence::score).min().orElse(0);
    double most = found.stream().mapToDouble(Evidence::score).max().orElse(0);
    for (Evidence one : found) {
      double relevance = most > least ? (one.score() - least) / (most - least) : 1;
      rest.add(new Candidate(one, relevance));
    }
  }

  private static final class Candidate {
    private final Evidence evidence;
    private final double relevance;

    /// To the nearest that was kept.
    private double likeness;

    private Candidate(Evidence evidence, double relevance) {
      this.evidence = evidence;
      this.relevance = relevance;
    }

    private double worth() {
      return LAMBDA * relevance - (1 - LAMBDA) * likeness;
    }
  }

  private static boolean isSame(Evidence one, Evidence other) {
    return one.speaker().equals(other.speaker()) && one.likeness().isSame(other.likeness());
  }

  /// Takes the best of what is left; of equal ones that which was found first.
  public Optional<Evidence> next() {
    Optional<Candidate> best =
        rest.stream().reduce((one, other) -> other.worth() > one.worth() ? other : one);
    Optional<Candidate> chosen = best.map(this::newest);
    chosen.ifPresent(rest::remove);
    return chosen.map(candidate -> candidate.evidence);
  }

  /// Of look-alikes that answer as well the newest comes first, as in the order of the hits: where
  /// room is short the older one must not stand alone.
  private Candidate newest(Candidate best) {
    return rest.stream()
        .filter(other -> other == best || supersedes(other, best))
        .max(Comparator.comparing(other -> other.evidence.time()))
        .orElse(best);
  }

  private static boolean supersedes(Candidate other, Candidate best) {
    return other.evidence.score() >= best.evidence.score()
        && other.evidence.likeness().to(best.evidence.likeness()) >= Freshness.ALIKE;
  }

  /// What says the same as this is not handed out any more.
  public void keep(Evidence kept) {
    rest.removeIf(candidate -> {
      double likeness = candidate.evidence.likeness().to(kept.likeness());
      candidate.likeness = Math.max(candidate.likeness, likeness);
      return isSame(candidate.evidence, kept);
    });
  }
}
