package dev.agentmemory.daemon.cli;

import dev.agentmemory.client.IngestStream;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.client.StreamAck;
import dev.agentmemory.daemon.cli.LineReader.Line;
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

/// One run of `memory ingest`: lines in, counts out. Holds one batch and the line numbers of what
/// is not answered yet, whatever the size of the input.
final class IngestRun {

  private static final int BATCH_EVENTS = 64;
  private static final int BATCH_CHARS = 1 << 18;

  private final Screen screen;
  private final boolean strict;
  private final List<Event> batch = new ArrayList<>();
  private int batchChars;

  /// Line numbers of the events that were sent and not answered, in order.
  private final Queue<Long> lines = new ConcurrentLinkedQueue<>();

  private final AtomicLong stored = new AtomicLong();
  private final AtomicLong known = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();

  IngestRun(Screen screen, boolean strict) {
    this.screen = screen;
    this.strict = strict;
  }

  void send(MemoryClient client, InputStream in) throws IOException {
    var reader = new LineReader(in);
    try (IngestStream stream = client.openStream(this::answered)) {
      Optional<Line> line = reader.next();
      while (line.isPresent()) {
        take(line.get());
        // Whoever feeds a pipe may wait for what was said so far before saying more.
        boolean waiting = stopped() || !reader.isMoreAtHand();
        sendIfFull(stream, waiting ? 1 : BATCH_EVENTS, BATCH_CHARS);
        line = stopped() ? Optional.empty() : reader.next();
      }
      sendIfFull(stream, 1, 0);
    }
    screen.progress("");
  }

  private boolean stopped() {
    return strict && refused.get() > 0;
  }

  private void take(Line line) {
    switch (line) {
      case Line.Unreadable(long number, String problem) -> refuse(number, problem);
      case Line.Text(long number, String text) -> {
        if (!text.isBlank()) {
          take(number, text);
        }
      }
    }
  }

  private void take(long number, String text) {
    try {
      Event event = EventLine.parse(text);
      batch.add(event);
      batchChars += event.text().length();
      lines.add(number);
    } catch (MemoryException e) {
      refuse(number, String.valueOf(e.getMessage()));
    }
  }

  private void sendIfFull(IngestStream stream, int events, int chars) {
    if (batch.size() >= events || (batchChars >= chars && !batch.isEmpty())) {
      stream.send(List.copyOf(batch));
      batch.clear();
      batchChars = 0;
      screen.progress(counts().sentence());
    }
  }

  private void answered(StreamAck ack) {
    Long number = lines.poll();
    switch (ack.outcome()) {
      case CREATED -> stored.incrementAndGet();
      case ALREADY_KNOWN -> known.incrementAndGet();
      case CONFLICT, INVALID ->
          refuse(number == null ? 0 : number, ack.error().orElse("refused by the daemon"));
    }
  }

  private void refuse(long number, String problem) {
    refused.incrementAndGet();
    screen.error("line " + number + ": " + problem);
  }

  long refused() {
    return refused.get();
  }

  long stored() {
    return stored.get();
  }

  /// The counts so far.
  Counts counts() {
    return new Counts(stored.get(), known.get(), refused.get());
  }

  /// What became of the lines.
  record Counts(long stored, long known, long refused) implements Reply {

    String sentence() {
      return "%d stored, %d known, %d refused".formatted(stored, known, refused);
    }

    @Override
    public void print(Screen screen) {
      screen.line(sentence());
    }

    @Override
    public void write(JsonPen json) {
      json.number("stored", stored).number("known", known).number("refused", refused);
    }
  }
}
