package dev.agentmemory.toc.summary.model;

import dev.agentmemory.toc.summary.Digest;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.TocLevel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Holds an answer about a period against the bullets of its parts. A bullet that is left carries
/// the grips of the ones that it cites and shares words with. Pure: knows no model and no store.
final class PeriodCheck {

  /// A bullet that stands for many keeps at most that many grips.
  static final int MOST_GRIPS = 32;

  private final Map<Source, Bullet> bullets;
  private final List<Source> sources;
  private final Scene scene;
  private final Tidy tidy;
  private final Digest extractive;
  private final int most;

  /// @param extractive what stands there already
  PeriodCheck(TocLevel level, Parts parts, Digest extractive) {
    this.bullets =
        parts.stated().stream()
            .collect(Collectors.toMap(Parts.Stated::source, Parts.Stated::bullet));
    this.sources = parts.sources();
    Source all = parts.all();
    this.scene = Scene.of(List.of(all), List.of());
    this.tidy = new Tidy(all, scene);
    this.extractive = extractive;
    this.most = Parts.mostBullets(level);
  }

  Checked<Digest> check(Answer answer) {
    int unsupported = answer.odd();
    var kept = new ArrayList<Bullet>();
    Set<String> seen = new HashSet<>();
    for (Claim claim : answer.claims()) {
      String text = Tidy.line(claim.text(), Tidy.MOST_TEXT);
      List<Source> evidence = evidence(text, claim);
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
  private List<Source> evidence(String text, Claim claim) {
    List<Source> cited =
        sources.stream().filter(source -> claim.events().contains(source.number())).toList();
    if (cited.isEmpty() || text.isBlank()) {
      return List.of();
    }
    Set<String> stems = Wording.of(text).stems();
    Set<Source> evidence = new LinkedHashSet<>();
    Anchor.find(claim.quote(), cited, sources).map(Anchor::source).ifPresent(evidence::add);
    if (evidence.isEmpty()) {
      return List.of();
    }
    cited.stream()
        .filter(source -> source.wording().stems().stream().anyMatch(stems::contains))
        .forEach(evidence::add);
    List<Source> shown = List.copyOf(evidence);
    return new ClaimCheck(List.of(), shown, scene).fault(text).isEmpty() ? shown : List.of();
  }

  private Bullet bullet(String text, List<Source> evidence) {
    List<Bullet> cited =
        evidence.stream().map(bullets::get).filter(Bullet.class::isInstance).toList();
    List<GripId> grips =
        cited.stream()
            .map(Bullet::grips)
            .flatMap(List::stream)
            .distinct()
            .limit(MOST_GRIPS)
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
