package dev.agentmemory.toc;

import dev.agentmemory.toc.summary.Digest;
import dev.agentmemory.toc.summary.PeriodPart;
import dev.agentmemory.toc.summary.Point;
import dev.agentmemory.toc.summary.SegmentText;
import dev.agentmemory.toc.summary.Summarizer;
import dev.agentmemory.toc.summary.Summary;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.TocLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A summariser that is easy to foresee: the text of the first three events that have one.
final class FirstSentences implements Summarizer {

  @Override
  public String name() {
    return "first_sentences";
  }

  @Override
  public Summary summarize(SegmentText passage) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < passage.events().size() && points.size() < 3; i++) {
      Event event = passage.events().get(i);
      if (!event.text().isBlank()) {
        points.add(new Point(event.text(), event.text(), i, i, 0.5));
      }
    }
    return new Summary(
        points.stream().findFirst().map(Point::text), Optional.empty(), points, List.of());
  }

  @Override
  public Digest digest(TocLevel level, List<PeriodPart> parts) {
    List<Bullet> bullets =
        parts.stream().flatMap(part -> part.node().bullets().stream().limit(1)).limit(4).toList();
    return new Digest(Optional.empty(), bullets, List.of());
  }
}
