package dev.agentmemory.toc;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.EventSlice;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.text.masked.MaskTally;
import dev.agentmemory.text.secret.SecretMask;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Masks secrets in every version of every node, and in every grip, before they are masked in the
/// events. Former versions stay as they are otherwise, and every excerpt still occurs verbatim in
/// its events once these are masked. The latest versions are made anew by a rebuild afterwards.
public final class ContentsMasking {

  private static final int PAGE = 64;
  private static final long PAGE_CHARS = 4L << 20;

  /// Of an excerpt that has to be another part of its event.
  private static final int EXCERPT = 200;

  private final TocWriter writer;
  private final Secrets secrets;
  private final Consumer<List<Change>> commit;
  private final MaskTally tally = new MaskTally();

  /// The secrets of the events.
  public interface Secrets {

    /// A text that was made of events, without their secrets.
    ///
    /// @param ofEvents whether one of these events has secrets: then parts of them are masked, too
    String mask(String text, boolean ofEvents);

    /// Whether an event has secrets.
    boolean has(EventId event);

    /// Whether an event of a time has secrets.
    boolean hasBetween(Instant from, Instant to);

    /// An event without its secrets.
    Event masked(Event event);
  }

  /// @param commit commits changes; does nothing for a dry run
  public ContentsMasking(TocWriter writer, Secrets secrets, Consumer<List<Change>> commit) {
    this.writer = writer;
    this.secrets = secrets;
    this.commit = commit;
  }

  /// Counts what would be masked.
  ///
  /// @return how many versions and grips have secrets
  public MaskTally count() {
    maskAll();
    return tally;
  }

  /// Masks nodes and grips, then the events. Nothing else is written to the table of contents
  /// meanwhile, so nothing is made of events before they are masked.
  ///
  /// @param events masks the events
  /// @return how many versions and grips had secrets
  public MaskTally run(Runnable events) {
    return writer.hold(() -> {
      maskAll();
      events.run();
      return tally;
    });
  }

  private void maskAll() {
    MemoryStore store = writer.store();
    List<TocNode> nodes = store.derived().nodeVersions(Optional.empty(), PAGE);
    while (!nodes.isEmpty()) {
      checkStop();
      commit(nodes.stream().flatMap(node -> masked(node).stream()).toList());
      nodes = store.derived().nodeVersions(Optional.of(nodes.getLast()), PAGE);
    }
    List<Grip> grips = store.derived().grips(Optional.<GripId>empty(), PAGE);
    while (!grips.isEmpty()) {
      checkStop();
      commit(grips.stream().flatMap(grip -> masked(grip).stream()).toList());
      grips = store.derived().grips(Optional.of(grips.getLast().id()), PAGE);
    }
  }

  private static void checkStop() {
    if (Thread.currentThread().isInterrupted()) {
      throw new MemoryException(
          ErrorCode.CLOSED, "the masking of the table of contents was stopped; run it again");
    }
  }

  private void commit(List<Change> changes) {
    if (!changes.isEmpty()) {
      commit.accept(changes);
    }
  }

  private Optional<Change> masked(TocNode node) {
    boolean ofEvents = secrets.hasBetween(node.span().start(), node.span().end());
    TocNode masked =
        new TocNode(
            node.id(),
            secrets.mask(node.title(), ofEvents),
            node.summary().map(text -> secrets.mask(text, ofEvents)),
            node.bullets().stream()
                .map(bullet ->
                    new Bullet(
                        secrets.mask(bullet.text(), ofEvents), bullet.grips(), bullet.salience()))
                .toList(),
            keywords(node, ofEvents),
            node.children(),
            node.span(),
            node.edition(),
            node.agents());
    if (masked.equals(node)) {
      return Optional.empty();
    }
    tally.add(said(node), said(masked));
    return Optional.of(new Change.MaskNode(masked));
  }

  /// A keyword that has to be masked is left out: a mask is nothing to search for.
  private List<String> keywords(TocNode node, boolean ofEvents) {
    return node.keywords().stream()
        .filter(word -> secrets.mask(word, ofEvents).equals(word))
        .toList();
  }

  private static String said(TocNode node) {
    var said = new StringBuilder(node.title()).append('\n').append(node.summary().orElse(""));
    node.bullets().forEach(bullet -> said.append('\n').append(bullet.text()));
    node.keywords().forEach(word -> said.append('\n').append(word));
    return said.toString();
  }

  private Optional<Change> masked(Grip grip) {
    boolean ofEvents = secrets.has(grip.first()) || secrets.has(grip.last());
    String excerpt = secrets.mask(grip.excerpt(), ofEvents);
    if (excerpt.equals(grip.excerpt()) && !ofEvents) {
      return Optional.empty();
    }
    String verbatim = verbatim(excerpt, grip);
    if (verbatim.equals(grip.excerpt())) {
      return Optional.empty();
    }
    tally.add(grip.excerpt(), verbatim);
    return Optional.of(
        new Change.PutGrip(
            new Grip(
                grip.id(),
                verbatim,
                grip.first(),
                grip.last(),
                grip.timestamp(),
                grip.source(),
                grip.node())));
  }

  /// The excerpt, or the longest part of it that occurs in the masked events: what is a secret can
  /// depend on words beside the excerpt. The beginning of an event if nothing of it does.
  private String verbatim(String excerpt, Grip grip) {
    List<String> texts = texts(grip);
    if (texts.stream().anyMatch(text -> text.contains(excerpt))) {
      return excerpt;
    }
    return parts(excerpt).stream()
        .filter(part -> texts.stream().anyMatch(text -> text.contains(part)))
        .findFirst()
        .or(() -> texts.stream().filter(text -> !text.isBlank()).findFirst().map(this::beginning))
        // Its events cannot be read, so nothing can be verbatim.
        .orElse(excerpt);
  }

  private String beginning(String text) {
    String whole = text.strip();
    return whole.substring(0, whole.offsetByCodePoints(0, Math.min(EXCERPT, codePoints(whole))));
  }

  private static int codePoints(String text) {
    return text.codePointCount(0, text.length());
  }

  /// What stands between masks, the longest first.
  private static List<String> parts(String excerpt) {
    return Arrays.stream(excerpt.split("\\Q" + SecretMask.MASKED + "\\E[^\\]]*\\]"))
        .map(String::strip)
        .filter(part -> !part.isEmpty())
        .sorted(Comparator.comparingInt(String::length).reversed())
        .toList();
  }

  /// The texts of the events of a grip's range as they will be.
  private List<String> texts(Grip grip) {
    MemoryStore store = writer.store();
    List<String> texts = new ArrayList<>();
    Optional<Event> first = store.events().event(grip.first());
    first.ifPresent(event -> texts.add(secrets.masked(event).text()));
    if (grip.first().equals(grip.last()) || first.isEmpty()) {
      return texts;
    }
    Optional<EventKey> last = store.events().event(grip.last()).map(Event::key);
    Optional<EventKey> after = first.map(Event::key);
    while (last.isPresent()) {
      List<EventKey> page = new ArrayList<>();
      for (EventKey key : store.sessions().eventsAfter(first.get().session(), after, PAGE)) {
        if (key.compareTo(last.get()) <= 0) {
          page.add(key);
        }
      }
      if (page.isEmpty()) {
        break;
      }
      EventSlice slice = store.events().events(page, PAGE_CHARS);
      slice.events().forEach(event -> texts.add(secrets.masked(event).text()));
      after = Optional.of(page.get(slice.keys() - 1));
    }
    return texts;
  }
}
