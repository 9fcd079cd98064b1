package dev.agentmemory.toc.internal.check;

import dev.agentmemory.text.Graphemes;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.TocNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The parts of a period as a model may read them, secrets masked. Of a period with countless
/// statements only the most salient ones are read, and of each part its best one while there is
/// room.
public final class SourceParts {

  /// Most statements of all parts together.
  public static final int MOST = 400;

  private static final int MOST_TITLE = 200;
  private static final int MOST_PROSE = 1000;

  private final List<TocNode> children;
  private final List<String> titles = new ArrayList<>();
  private final List<String> proses = new ArrayList<>();
  private final List<Stated> stated;
  private final UnaryOperator<String> mask;

  /// A bullet of a part.
  public record Stated(int part, Bullet bullet, ClaimSource source) {}

  /// A bullet before it is chosen.
  ///
  /// @param first whether it is its part's best one
  private record Candidate(int part, int place, Bullet bullet, boolean first) {}

  public SourceParts(List<TocNode> children, UnaryOperator<String> mask) {
    this.children = children;
    this.mask = mask;
    for (TocNode child : children) {
      titles.add(masked(child.title(), MOST_TITLE));
      proses.add(masked(prose(child), MOST_PROSE));
    }
    this.stated = stated(chosen(candidates(children)));
  }

  /// What a model wrote of a part. Without a model the prose repeats the part's statements.
  private static String prose(TocNode child) {
    return child.edition().input().isPresent() ? child.summary().orElse("") : "";
  }

  private String masked(String text, int most) {
    return Graphemes.head(mask.apply(text), most);
  }

  private static List<Candidate> candidates(List<TocNode> children) {
    var candidates = new ArrayList<Candidate>();
    for (int part = 0; part < children.size(); part++) {
      List<Bullet> bullets = children.get(part).bullets();
      int best = -1;
      for (int place = 0; place < bullets.size(); place++) {
        boolean better = best < 0 || bullets.get(place).salience() > bullets.get(best).salience();
        best = isReadable(bullets.get(place)) && better ? place : best;
      }
      for (int place = 0; place < bullets.size(); place++) {
        if (isReadable(bullets.get(place))) {
          candidates.add(new Candidate(part, place, bullets.get(place), place == best));
        }
      }
    }
    return candidates;
  }

  private static boolean isReadable(Bullet bullet) {
    return !bullet.grips().isEmpty() && !bullet.text().isBlank();
  }

  private static List<Candidate> chosen(List<Candidate> candidates) {
    return candidates.stream()
        .sorted(
            Comparator.comparing(Candidate::first)
                .thenComparingDouble(one -> one.bullet().salience())
                .reversed())
        .limit(MOST)
        .sorted(Comparator.comparingInt(Candidate::part).thenComparingInt(Candidate::place))
        .toList();
  }

  private List<Stated> stated(List<Candidate> chosen) {
    var numbered = new ArrayList<Stated>();
    for (Candidate one : chosen) {
      String text = mask.apply(one.bullet().text());
      var source = new ClaimSource(numbered.size() + 1, text, text, "", Optional.empty());
      numbered.add(new Stated(one.part(), one.bullet(), source));
    }
    return List.copyOf(numbered);
  }

  public List<Stated> stated() {
    return stated;
  }

  List<ClaimSource> sources() {
    return stated.stream().map(Stated::source).toList();
  }

  public String title(int part) {
    return titles.get(part);
  }

  public String prose(int part) {
    return proses.get(part);
  }

  /// Everything that is said, as one text: the statements first, then what the parts that they
  /// belong to are called and about.
  ClaimSource all() {
    var lines = new ArrayList<String>();
    stated.forEach(one -> lines.add(one.source().text()));
    for (int part : stated.stream().mapToInt(Stated::part).distinct().toArray()) {
      lines.add(title(part));
      lines.add(prose(part));
      children.get(part).keywords().forEach(keyword -> lines.add(masked(keyword, MOST_TITLE)));
    }
    return ClaimSource.joined(stated.size() + 1, String.join("\n", lines));
  }
}
