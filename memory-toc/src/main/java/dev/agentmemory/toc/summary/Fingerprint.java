package dev.agentmemory.toc.summary;

import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.TocNode;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/// Tells whether a model would be asked about the same thing again: equal content, equal
/// fingerprint. It covers what is summarised, not who does it: words that were paid for stay when
/// another model is configured.
///
/// It is the first 144 bits of a SHA-256, as 24 characters of base 64.
public final class Fingerprint {

  private static final int BYTES = 18;

  private Fingerprint() {}

  /// Of a segment's events. What was said before them is context, it may change. That the session
  /// has ended says nothing.
  public static String of(SegmentText passage) {
    var print = new ContentHash();
    for (Event event : passage.events()) {
      if (event.type() == EventType.SESSION_END && event.text().isBlank()) {
        continue;
      }
      print.add(event.id().plain().value());
      print.add(event.role().name());
      print.add(event.text());
    }
    return text(print);
  }

  /// Of what a period's parts say.
  public static String of(List<TocNode> children) {
    var print = new ContentHash();
    for (TocNode child : children) {
      print.add(child.id().plain().value());
      print.add(child.title());
      print.add(child.summary().orElse(""));
      child.keywords().forEach(print::add);
      for (Bullet bullet : child.bullets()) {
        print.add(bullet.text());
        bullet.grips().forEach(grip -> print.add(grip.plain().value()));
      }
    }
    return text(print);
  }

  private static String text(ContentHash print) {
    return Base64.getEncoder().encodeToString(Arrays.copyOf(print.bytes(), BYTES));
  }
}
