package dev.agentmemory.cli.ingest;

import dev.agentmemory.cli.ingest.IngestCounts.Refusal;
import dev.agentmemory.cli.ingest.LineReader.Line;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/// One run of `memory ingest`: reads lines and counts the results. It holds one batch and the line
/// numbers of unanswered events, whatever the size of the input.
public final class IngestRun {

  private static final int BATCH_EVENTS = EventSender.FEW;
  private static final int BATCH_CHARS = 1 << 18;

  private final Terminal screen;
  private final boolean strict;
  private final boolean numbered;
  private final List<Event> batch = new ArrayList<>();
  private final UnknownFields unknown = new UnknownFields();
  private int batchChars;
  private boolean complete;

  /// Line numbers of the unanswered events, in order.
  private final Queue<Long> lines = new ConcurrentLinkedQueue<>();

  private final AtomicLong stored = new AtomicLong();
  private final AtomicLong known = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final Mutex listing = new Mutex();
  private final List<Refusal> refusals = new ArrayList<>();

  /// @param strict whether the first refused line ends the run
  /// @param numbered whether a line's number becomes the position of an event without one; not for
  ///   a pipe, because line numbers of two pipes are unrelated
  public IngestRun(Terminal screen, boolean strict, boolean numbered) {
    this.screen = screen;
    this.strict = strict;
    this.numbered = numbered;
  }

  /// Reads to the end of the input, or to the first refused line when strict. [#counts] has the
  /// result, also after a failure.
  ///
  /// @throws IOException when the input cannot be read; what was read before is sent and answered
  /// @throws MemoryException when the daemon does not answer or refuses more than an event
  public void send(MemoryClient client, InputStream in) throws IOException {
    try (var sender = new EventSender(client, this::answered)) {
      try {
        send(sender, new LineReader(in));
      } catch (IOException e) {
        sendIfFull(sender, /* more= */ false, 1, 0);
        throw e;
      }
      sender.finish();
    } finally {
      screen.progress("");
    }
    complete = !stopped();
  }

  private void send(EventSender sender, LineReader reader) throws IOException {
    Optional<Line> line = reader.next();
    while (line.isPresent()) {
      take(line.get());
      // A program that writes to the pipe may wait for answers before it writes more.
      boolean more = !stopped() && reader.isMoreAtHand();
      sendIfFull(sender, more, more ? BATCH_EVENTS : 1, BATCH_CHARS);
      line = stopped() ? Optional.empty() : reader.next();
    }
  }

  private boolean stopped() {
    return strict && refused.get() > 0;
  }

  private void take(Line line) {
    switch (line) {
      case Line.Unreadable(long number, String problem) -> refuse(new Refusal(number, "", problem));
      case Line.Text(long number, String text) -> {
        if (!text.isBlank()) {
          take(number, text);
        }
      }
    }
  }

  private void take(long number, String text) {
    try {
      EventLine line = EventLine.parse(text);
      unknown.add(number, line.unknown());
      Event read = line.event();
      Event event = numbered && read.position() == 0 ? read.withPosition(number) : read;
      batch.add(event);
      batchChars += event.text().length();
      lines.add(number);
    } catch (MemoryException e) {
      refuse(number, e);
    }
  }

  private void sendIfFull(EventSender sender, boolean more, int events, int chars) {
    if (batch.size() >= events || (batchChars >= chars && !batch.isEmpty())) {
      sender.send(List.copyOf(batch), more);
      batch.clear();
      batchChars = 0;
      screen.progress(IngestCounts.sentence(stored.get(), known.get(), refused.get()));
    }
  }

  private void answered(Receipt receipt) {
    Long polled = lines.poll();
    long line = polled == null ? 0 : polled;
    switch (receipt) {
      case Receipt.Created _ -> stored.incrementAndGet();
      case Receipt.AlreadyKnown _, Receipt.Erased _ -> known.incrementAndGet();
      case Receipt.Conflict conflict ->
          refuse(line, MemoryException.invalid("event.event_id", conflict.problem()));
      case Receipt.Refused refused -> refuse(line, refused.why());
    }
  }

  private void refuse(long line, MemoryException why) {
    refuse(new Refusal(line, why.field().orElse(""), String.valueOf(why.getMessage())));
  }

  private void refuse(Refusal refusal) {
    try (var _ = listing.hold()) {
      if (refused.incrementAndGet() <= IngestCounts.MOST_LISTED) {
        refusals.add(refusal);
        screen.error("line " + refusal.line() + ": " + refusal.problem());
      }
    }
  }

  public long refused() {
    return refused.get();
  }

  public long stored() {
    return stored.get();
  }

  /// Prints remarks besides the counts: unknown fields, and refused lines that are not listed.
  public void remark() {
    unknown.sentence().ifPresent(screen::error);
    long unlisted = refused.get() - IngestCounts.MOST_LISTED;
    if (unlisted > 0) {
      screen.error(
          Format.count(unlisted, "more line")
              + " refused and not listed; fix those above and run the same command again");
    }
  }

  /// The result so far.
  public IngestCounts counts() {
    try (var _ = listing.hold()) {
      return new IngestCounts(
          stored.get(),
          known.get(),
          refused.get(),
          lines.size(),
          complete,
          refusals,
          unknown.fields());
    }
  }
}
