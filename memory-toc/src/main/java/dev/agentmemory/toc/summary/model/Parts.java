package dev.agentmemory.toc.summary.model;

import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The parts of a period as a model may read them, secrets masked.
final class Parts {

  /// Of a period with more statements than that, only the first so many of each part are read.
  private static final int MOST = 400;

  private final List<TocNode> children;
  private final UnaryOperator<String> mask;
  private final List<Stated> stated = new ArrayList<>();

  /// A bullet of a part.
  record Stated(int part, Bullet bullet, Source source) {}

  Parts(List<TocNode> children, UnaryOperator<String> mask) {
    this.children = children;
    this.mask = mask;
    int each = Math.max(1, MOST / Math.max(1, children.size()));
    for (int part = 0; part < children.size(); part++) {
      List<Bullet> bullets = children.get(part).bullets();
      for (Bullet bullet : bullets.subList(0, Math.min(each, bullets.size()))) {
        add(part, bullet);
      }
    }
  }

  private void add(int part, Bullet bullet) {
    if (!bullet.grips().isEmpty() && !bullet.text().isBlank()) {
      String text = mask.apply(bullet.text());
      var source = new Source(stated.size() + 1, text, text, "", Optional.empty());
      stated.add(new Stated(part, bullet, source));
    }
  }

  List<Stated> stated() {
    return stated;
  }

  List<Source> sources() {
    return stated.stream().map(Stated::source).toList();
  }

  String title(int part) {
    return mask.apply(children.get(part).title());
  }

  String prose(int part) {
    return mask.apply(children.get(part).summary().orElse(""));
  }

  /// Everything that is said, as one text.
  Source all() {
    var lines = new ArrayList<String>();
    for (int part = 0; part < children.size(); part++) {
      lines.add(title(part));
      lines.add(prose(part));
      lines.addAll(children.get(part).keywords().stream().map(mask).toList());
    }
    stated.forEach(one -> lines.add(one.source().text()));
    String text = String.join("\n", lines);
    return new Source(stated.size() + 1, text, text, "", Optional.empty());
  }

  static int mostBullets(TocLevel level) {
    return switch (level) {
      case SEGMENT, DAY -> 5;
      case WEEK -> 6;
      case MONTH -> 7;
      case YEAR -> 8;
    };
  }
}
