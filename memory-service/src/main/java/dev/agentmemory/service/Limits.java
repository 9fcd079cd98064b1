package dev.agentmemory.service;

import com.google.protobuf.MessageLite;
import dev.agentmemory.api.ModelUsage;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Bounds of requests and answers.
final class Limits {

  /// Most bytes of records in one answer, below the 4 MiB that a gRPC client takes by default.
  static final int ANSWER_BYTES = 3 << 20;

  /// The last millisecond that a key of the event log can hold.
  private static final long LAST_MILLIS = 9_999_999_999_999L;

  private static final int DEFAULT_DAYS = 30;

  private Limits() {}

  /// The nearest time that an event can have.
  static Instant instant(long millis) {
    return Instant.ofEpochMilli(Math.clamp(millis, 0, LAST_MILLIS));
  }

  /// A page of an answer.
  ///
  /// @param more whether candidates were left out
  record Page<T>(List<T> items, boolean more) {}

  /// @param asked 0 or less is the default
  static int limit(int asked, int byDefault, int most) {
    return asked <= 0 ? byDefault : Math.min(asked, most);
  }

  /// @param asked 0 is the default
  /// @throws MemoryException `INVALID_FIELD` when it is out of range
  static int days(int asked) {
    if (asked < 0 || asked > ModelUsage.MOST_DAYS) {
      throw MemoryException.invalid(
          "days", "is " + asked + "; expected 1 to " + ModelUsage.MOST_DAYS + ", or 0 for 30");
    }
    return asked == 0 ? DEFAULT_DAYS : asked;
  }

  /// The first candidates, as many as limit and bytes allow, at least one.
  static <T extends MessageLite> Page<T> page(List<T> candidates, int limit) {
    var items = new ArrayList<T>();
    long bytes = 0;
    for (T candidate : candidates) {
      bytes += candidate.getSerializedSize();
      if (items.size() == limit || (!items.isEmpty() && bytes > ANSWER_BYTES)) {
        return new Page<>(items, true);
      }
      items.add(candidate);
    }
    return new Page<>(items, false);
  }

  /// The first messages that fit in the room together, possibly none.
  static <T extends MessageLite> List<T> fitting(List<T> messages, long room) {
    long left = room;
    int count = 0;
    for (T message : messages) {
      left -= message.getSerializedSize();
      if (left < 0) {
        break;
      }
      count++;
    }
    return messages.subList(0, count);
  }

  /// @return empty when no node can have that id
  /// @throws MemoryException `INVALID_FIELD` when it is empty
  static Optional<NodeId> node(String field, String text) {
    return NodeId.parse(required(field, text));
  }

  /// @throws MemoryException `INVALID_FIELD` when the text is blank
  static String required(String field, String text) {
    if (text.isBlank()) {
      throw MemoryException.invalid(field, "is empty; it is required");
    }
    return text;
  }
}
