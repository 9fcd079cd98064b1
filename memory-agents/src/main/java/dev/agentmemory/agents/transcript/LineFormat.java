package dev.agentmemory.agents.transcript;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.internal.PayloadFields;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;

/// A transcript of one JSON object per line.
abstract class LineFormat implements TranscriptFormat {

  private static final int HEAD_BYTES = 256;

  private final Agent agent;

  LineFormat(Agent agent) {
    this.agent = agent;
  }

  /// What a line says.
  abstract void line(PayloadFields line, TranscriptReading reading);

  /// Fields of lines of which only some members are needed, with the names of these. What else is
  /// in them is passed over.
  Map<String, Set<String>> partial() {
    return Map.of();
  }

  /// Whether a line need not be parsed; see [LineScan.Test].
  String skipped(byte[] bytes, int from, int length) {
    return "";
  }

  @Override
  public TranscriptPart read(TranscriptSource from) throws IOException {
    try (var file = FileChannel.open(from.file(), StandardOpenOption.READ)) {
      TranscriptState state = TranscriptState.parse(from.state());
      boolean same = from.offset() <= file.size() && state.headSum == sum(file, state.headLength);
      return same
          ? read(file, from, from.offset(), state)
          : read(file, from, 0, TranscriptState.empty());
    }
  }

  private TranscriptPart read(
      FileChannel file, TranscriptSource from, long start, TranscriptState state)
      throws IOException {
    var reading = new TranscriptReading(agent, from, state);
    var scan = new LineScan(file, start, this::skipped);
    long end = start + from.mostBytes();
    boolean more = true;
    while (more && scan.offset() < end) {
      more = scan.next() && take(scan, reading);
    }
    int head = (int) Math.min(HEAD_BYTES, scan.offset());
    reading.state.headLength = head;
    reading.state.headSum = sum(file, head);
    return reading.part(scan.offset(), more);
  }

  /// @return false when the line is torn
  private boolean take(LineScan scan, TranscriptReading reading) {
    if (!scan.skipped().isEmpty()) {
      if (!scan.isEnded()) {
        scan.back();
        return false;
      }
      reading.skip(scan.skipped());
      return true;
    }
    Optional<PayloadFields> line =
        PayloadFields.parse(scan.bytes(), scan.from(), scan.length(), partial());
    if (line.isEmpty() && !scan.isEnded()) {
      scan.back();
      return false;
    }
    if (line.isPresent()) {
      reading.line(scan.lineOffset());
      line(line.get(), reading);
    } else if (scan.length() > 1) {
      reading.skip(TranscriptPart.UNREADABLE);
    }
    return true;
  }

  private static long sum(FileChannel file, int length) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(length);
    int read = 0;
    while (read >= 0 && head.hasRemaining()) {
      read = file.read(head, head.position());
    }
    var sum = new CRC32();
    sum.update(head.flip());
    return sum.getValue();
  }
}
