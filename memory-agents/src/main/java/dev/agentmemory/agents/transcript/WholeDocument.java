package dev.agentmemory.agents.transcript;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.internal.PayloadFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.function.BiConsumer;

/// A transcript that is one JSON document, which its program writes anew. So it is read as a whole
/// whenever its size has changed; the ids of the events make that harmless.
final class WholeDocument {

  /// A larger document is not read.
  private static final long MOST_BYTES = 64 << 20;

  private final Agent agent;

  WholeDocument(Agent agent) {
    this.agent = agent;
  }

  TranscriptPart read(TranscriptSource from, BiConsumer<PayloadFields, TranscriptReading> reader)
      throws IOException {
    long size = Files.size(from.file());
    var reading = new TranscriptReading(agent, from, TranscriptState.parse(from.state()));
    if (size == from.offset()) {
      return reading.part(size, false);
    }
    if (size > MOST_BYTES) {
      reading.skip(TranscriptPart.TOO_LONG);
      return reading.part(size, false);
    }
    byte[] bytes;
    try (var in = Files.newInputStream(from.file(), StandardOpenOption.READ)) {
      bytes = in.readNBytes((int) MOST_BYTES);
    }
    Optional<PayloadFields> document = PayloadFields.parse(bytes, 0, bytes.length);
    reading.state = TranscriptState.empty();
    if (document.isEmpty()) {
      // It is being written, and read when it is complete.
      reading.skip("incomplete");
      return reading.part(0, false);
    }
    reader.accept(document.get(), reading);
    return reading.part(bytes.length, false);
  }
}
