package dev.agentmemory.toc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestSegments;
import dev.agentmemory.testkit.TestToc;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.text.masked.MaskTally;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Masking of what was made of events before a rule for their secrets existed.
class ContentsMaskingTest {

  private static final String SECRET = "zorp_4f7q9z2k8m1x";
  private static final String MASK = "[masked:zorp_key]";

  private final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private final TocWriter writer =
      new TocWriter(() -> TestEvents.START, store, /* upgrading= */ false, _ -> {});
  private final Event event =
      TestEvents.message("s", TestEvents.START, "The key is " + SECRET + ". Rotate it.");

  /// Knows the secret as a whole, and its first eleven characters of events that have it.
  private final ContentsMasking.Secrets secrets =
      new ContentsMasking.Secrets() {
        @Override
        public String mask(String text, boolean ofEvents) {
          String masked = text.replace(SECRET, MASK);
          return ofEvents ? masked.replace(SECRET.substring(0, 11), MASK) : masked;
        }

        @Override
        public boolean has(EventId id) {
          return id.equals(event.id());
        }

        @Override
        public boolean hasBetween(Instant from, Instant to) {
          return !event.timestamp().isBefore(from) && !event.timestamp().isAfter(to);
        }

        @Override
        public Event masked(Event one) {
          return one.withContent(one.text().replace(SECRET, MASK), Map.of());
        }
      };

  private Grip grip(Segment segment, String excerpt, int number) {
    return new Grip(
        GripId.of(event.timestamp(), TestEvents.id(event.timestamp(), 100 + number)),
        excerpt,
        event.id(),
        event.id(),
        event.timestamp(),
        "segment_summarizer",
        segment.node());
  }

  private Segment store(String... excerpts) {
    store.commit(Commit.append(List.of(event)));
    Event stored = store.events().event(event.id()).orElseThrow();
    Segment segment = TestSegments.segment(Boundary.GAP, List.of(stored));
    List<Grip> grips = new ArrayList<>();
    for (String excerpt : excerpts) {
      grips.add(grip(segment, excerpt, grips.size()));
    }
    store.commit(Commit.of(TestToc.putTree(segment, grips)));
    return segment;
  }

  private MaskTally run() {
    return new ContentsMasking(writer, secrets, changes -> store.commit(Commit.of(changes)))
        .run(() ->
            store.commit(
                Commit.of(
                    new Change.MaskEvent(
                        secrets.masked(store.events().event(event.id()).orElseThrow())))));
  }

  @Test
  void grips_occurVerbatimInTheMaskedEvents_howeverTheyWereCut() {
    store("The key is " + SECRET, "4f7q9z2k8m1x. Rotate it.", SECRET.substring(0, 9), "Rotate it.");
    run();
    String text = store.events().event(event.id()).orElseThrow().text();
    assertThat(store.derived().grips(Optional.empty(), 10))
        .extracting(Grip::excerpt)
        .hasSize(4)
        .contains("The key is " + MASK, "Rotate it.")
        .allSatisfy(excerpt -> assertThat(text).contains(excerpt));
    assertThat(store.verify(10)).isEmpty();
  }

  @Test
  void formerVersions_areMaskedInPlace_keywordsWithSecretsGo() {
    Segment segment = store("Rotate it.");
    TocNode latest = store.toc().node(segment.node()).orElseThrow();
    TocNode former = said(latest, "about " + SECRET);
    store.commit(Commit.of(new Change.PutNode(former)));
    TocNode next =
        latest.withEdition(
            latest.edition().withVersion(latest.edition().version() + 1, TestEvents.START));
    store.commit(Commit.of(new Change.PutNode(next)));

    MaskTally tally = run();

    TocNode masked = store.toc().node(segment.node(), former.edition().version()).orElseThrow();
    assertThat(masked).isEqualTo(maskedOf(former));
    assertThat(store.toc().node(segment.node())).contains(next);
    assertThat(tally.rows()).isEqualTo(1);
    assertThat(run().rows()).as("a second run").isZero();
  }

  private static TocNode said(TocNode node, String text) {
    return new TocNode(
        node.id(),
        text,
        Optional.of(text),
        node.bullets().stream()
            .map(bullet -> new Bullet(text, bullet.grips(), bullet.salience()))
            .toList(),
        List.of("rotate", SECRET.substring(0, 11)),
        node.children(),
        node.span(),
        node.edition());
  }

  private static TocNode maskedOf(TocNode node) {
    String text = "about " + MASK;
    return new TocNode(
        node.id(),
        text,
        Optional.of(text),
        node.bullets().stream()
            .map(bullet -> new Bullet(text, bullet.grips(), bullet.salience()))
            .toList(),
        List.of("rotate"),
        node.children(),
        node.span(),
        node.edition());
  }

  @Test
  void count_writesNothing() {
    Segment segment = store("The key is " + SECRET);
    TocNode before = store.toc().node(segment.node()).orElseThrow();
    var masking = new ContentsMasking(writer, secrets, _ -> {});
    assertThat(masking.count().rows()).as("the node and its grip").isEqualTo(2);
    assertThat(store.toc().node(segment.node())).contains(before);
    assertThat(store.derived().grips(Optional.empty(), 10))
        .extracting(Grip::excerpt)
        .containsExactly("The key is " + SECRET);
  }
}
