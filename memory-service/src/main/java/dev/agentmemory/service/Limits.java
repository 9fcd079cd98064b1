package dev.agentmemory.service;

import com.google.protobuf.MessageLite;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Limits of requests and responses.
final class Limits {

  /// Most bytes of records in one response. It is below the 4 MiB that a gRPC client accepts by
  /// default.
  static final int ANSWER_BYTES = 3 << 20;

  private Limits() {}

  /// The page of a request.
  ///
  /// @param limit 0 or less is the default
  static PageRequest page(String token, int limit) {
    return new PageRequest(token, Math.max(0, limit));
  }

  /// Returns a page as a response. A page that is larger than a message may be is read again with
  /// fewer items, as long as it has more than one.
  static <T, M extends MessageLite> M paged(
      PageRequest asked, Function<PageRequest, Page<T>> read, Function<Page<T>, M> answer) {
    Page<T> page = read.apply(asked);
    M message = answer.apply(page);
    while (message.getSerializedSize() > ANSWER_BYTES && page.items().size() > 1) {
      page = read.apply(new PageRequest(asked.token(), fewer(page.items().size(), message)));
      message = answer.apply(page);
    }
    return message;
  }

  /// Number of items for the next attempt, by their mean size; at least one.
  static int fewer(int items, MessageLite tooLarge) {
    long fitting = (long) items * ANSWER_BYTES / tooLarge.getSerializedSize();
    return Math.clamp(fitting, 1, items - 1);
  }

  /// The first messages that fit into a number of bytes together, possibly none.
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

  /// The first messages that fit into one response; at least one if there is one.
  static <T extends MessageLite> List<T> fittingOne(List<T> messages) {
    List<T> fitting = fitting(messages, ANSWER_BYTES);
    return fitting.isEmpty() ? messages.subList(0, Math.min(1, messages.size())) : fitting;
  }

  /// What is left of a list behind its first items.
  ///
  /// @param skip how many; all of them if it is more than there are
  /// @throws MemoryException `INVALID_FIELD` when it is negative
  static <T> List<T> behind(int skip, List<T> items) {
    if (skip < 0) {
      throw MemoryException.invalid("skip", "is " + skip + "; expected 0 or more");
    }
    return items.subList(Math.min(skip, items.size()), items.size());
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
