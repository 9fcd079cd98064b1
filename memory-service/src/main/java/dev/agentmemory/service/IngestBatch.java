package dev.agentmemory.service;

import dev.agentmemory.api.Ingest;
import dev.agentmemory.proto.IngestAck;
import dev.agentmemory.proto.IngestStreamRequest;
import dev.agentmemory.proto.IngestStreamResponse;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.wire.EventMessages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// The events of one message, of a stream or of a call. Refused events have their answers; the
/// others wait for their receipts.
final class IngestBatch {

  private static final int MOST_EVENTS = 1000;

  private final long position;
  private final int size;
  private final int bytes;
  private final List<Event> valid = new ArrayList<>();
  private final Map<Integer, MemoryException> refused = new HashMap<>();
  private volatile @Nullable List<Receipt> receipts;
  private volatile @Nullable Throwable failure;

  private IngestBatch(long position, int size, int bytes) {
    this.position = position;
    this.size = size;
    this.bytes = bytes;
  }

  /// A message of a stream.
  ///
  /// @param position of the message's first event in the stream
  static IngestBatch ofStream(long position, IngestStreamRequest message, Ingest ingest) {
    return read(position, message.getSerializedSize(), message, ingest);
  }

  /// The message of a call. Its bytes are not counted, which would take a pass over its texts:
  /// nothing waits for their number.
  static IngestBatch ofCall(IngestStreamRequest message, Ingest ingest) {
    return read(/* position= */ 0, /* bytes= */ 0, message, ingest);
  }

  private static IngestBatch read(
      long position, int bytes, IngestStreamRequest message, Ingest ingest) {
    var batch = new IngestBatch(position, message.getEventsCount(), bytes);
    if (batch.size > MOST_EVENTS) {
      batch.fail(
          MemoryException.invalid(
              "events", "are " + batch.size + "; send at most " + MOST_EVENTS + " in a message"));
      return batch;
    }
    if (message.getImporting()) {
      ingest.importing();
    }
    for (int i = 0; i < batch.size; i++) {
      try {
        batch.valid.add(EventMessages.fromWire(message.getEvents(i)));
      } catch (MemoryException e) {
        batch.refused.put(i, e);
        ingest.refused(e);
      }
    }
    if (batch.valid.isEmpty()) {
      batch.receipts = List.of();
    }
    return batch;
  }

  int size() {
    return size;
  }

  int bytes() {
    return bytes;
  }

  List<Event> valid() {
    return valid;
  }

  void complete(List<Receipt> result) {
    receipts = result;
  }

  /// The answer of this batch alone.
  IngestStreamResponse answer(List<Receipt> result) {
    complete(result);
    var response = IngestStreamResponse.newBuilder();
    addAcks(response);
    return response.build();
  }

  void fail(Throwable failed) {
    failure = cause(failed);
  }

  /// The original exception of a failed stage.
  static Throwable cause(Throwable failed) {
    return failed instanceof CompletionException && failed.getCause() != null
        ? failed.getCause()
        : failed;
  }

  /// Whether all receipts have arrived.
  boolean done() {
    return receipts != null || failure != null;
  }

  /// Why this batch cannot be answered event by event. The failure ends the stream.
  Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /// Adds the answers of a batch that is complete and did not fail.
  void addAcks(IngestStreamResponse.Builder response) {
    List<Receipt> known = receipts;
    if (known == null || known.size() != valid.size()) {
      throw new AssertionError("a batch of " + valid.size() + " events has receipts " + known);
    }
    int next = 0;
    for (int i = 0; i < size; i++) {
      var ack = response.addAcksBuilder().setPosition(position + i);
      MemoryException refusal = refused.get(i);
      if (refusal == null) {
        answer(ack, known.get(next++));
      } else {
        answer(ack, refusal);
      }
    }
  }

  private static void answer(IngestAck.Builder ack, MemoryException refusal) {
    ack.setOutcome(IngestAck.Outcome.OUTCOME_INVALID)
        .setError(String.valueOf(refusal.getMessage()))
        .setField(refusal.field().orElse(""));
  }

  private static void answer(IngestAck.Builder ack, Receipt receipt) {
    switch (receipt) {
      case Receipt.Created _ -> ack.setOutcome(IngestAck.Outcome.OUTCOME_CREATED);
      case Receipt.AlreadyKnown _ -> ack.setOutcome(IngestAck.Outcome.OUTCOME_ALREADY_KNOWN);
      case Receipt.Erased _ -> ack.setOutcome(IngestAck.Outcome.OUTCOME_ERASED);
      case Receipt.Conflict conflict ->
          ack.setOutcome(IngestAck.Outcome.OUTCOME_CONFLICT)
              .setError("event.event_id: " + conflict.problem())
              .setField("event.event_id");
      case Receipt.Refused refused -> answer(ack, refused.why());
    }
  }
}
