package dev.agentmemory.toc.internal.check;

import dev.agentmemory.text.Terms;
import dev.agentmemory.toc.summary.Digest;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.TocLevel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Holds an answer about a period against the bullets of its parts. A bullet that is left carries
/// the grips of the ones that it cites and shares a good part of its words with. Pure: knows no
/// model and no store.
public final class PeriodAnswerCheck {

  /// Least share of a bullet's content words that a statement has which lends its grips.
  static final double LENDS = 0.3;

  private final Map<ClaimSource, Bullet> bullets;
  private final List<ClaimSource> sources;
  private final DialogueNames names;
  private final Tidy tidy;
  private final Digest extractive;
  private final int most;

  /// @param extractive what stands there already
  public PeriodAnswerCheck(TocLevel level, SourceParts parts, Digest extractive) {
    this.bullets =
        parts.stated().stream()
            .collect(Collectors.toMap(SourceParts.Stated::source, SourceParts.Stated::bullet));
    this.sources = parts.sources();
    ClaimSource all = parts.all();
    this.names = DialogueNames.of(List.of(all), List.of());
    this.tidy = new Tidy(all, names);
    this.extractive = extractive;
    this.most = Digest.mostBullets(level);
  }

  public Checked<Digest> check(Answer answer) {
    int unsupported = answer.odd();
    var kept = new ArrayList<Bullet>();
    Set<String> seen = new HashSet<>();
    for (Claim claim : answer.claims()) {
      String text = Tidy.line(claim.text(), Tidy.MOST_TEXT);
      List<ClaimSource> evidence = evidence(text, claim);
      if (evidence.isEmpty()) {
        unsupported++;
      } else if (kept.size() < most && seen.add(Folded.of(text).text())) {
        kept.add(bullet(text, evidence));
      }
    }
    return new Checked<>(
        kept.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Digest(
                    tidy.prose(answer.prose()),
                    ranked(kept),
                    tidy.keywords(answer.keywords(), extractive.keywords()))),
        unsupported);
  }

  /// The cited statements that bear a claim, the quoted one first; empty when they do not.
  private List<ClaimSource> evidence(String text, Claim claim) {
    List<ClaimSource> cited =
        sources.stream().filter(source -> claim.events().contains(source.number())).toList();
    if (cited.isEmpty() || text.isBlank()) {
      return List.of();
    }
    Optional<Anchor> anchor = Anchor.find(claim.quote(), cited, sources);
    if (anchor.isEmpty()) {
      return List.of();
    }
    Set<String> stems = ClaimCheck.contentStems(Terms.of(text), names);
    List<ClaimSource> shown =
        Stream.concat(Stream.of(anchor.get().source()), cited.stream())
            .distinct()
            .filter(source -> ClaimCheck.borne(stems, List.of(source)) >= LENDS)
            .toList();
    return !shown.isEmpty() && new ClaimCheck(List.of(), shown, names).fault(text).isEmpty()
        ? shown
        : List.of();
  }

  private Bullet bullet(String text, List<ClaimSource> evidence) {
    List<Bullet> cited =
        evidence.stream().map(bullets::get).filter(Bullet.class::isInstance).toList();
    List<GripId> grips =
        cited.stream()
            .map(Bullet::grips)
            .flatMap(List::stream)
            .distinct()
            .limit(Digest.MOST_GRIPS)
            .toList();
    double salience = cited.stream().mapToDouble(Bullet::salience).max().orElse(0);
    return new Bullet(text, grips, salience);
  }

  private static List<Bullet> ranked(List<Bullet> kept) {
    List<Double> salience = Rank.blend(kept.stream().map(Bullet::salience).toList());
    var ranked = new ArrayList<Bullet>();
    for (int i = 0; i < kept.size(); i++) {
      ranked.add(new Bullet(kept.get(i).text(), kept.get(i).grips(), salience.get(i)));
    }
    ranked.sort(Comparator.comparingDouble(Bullet::salience).reversed());
    return ranked;
  }
}
