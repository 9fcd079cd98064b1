package dev.agentmemory.api.transcript;

import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.util.Optional;

/// Which part of a session is asked for.
///
/// @param start where the part begins, or ends if it goes back
/// @param backward whether the part ends at its start and has what is before; a token goes on in
///   the direction that it was given for
/// @param limit most events of the part, 1 to [#MOST]; 0 is [#BY_DEFAULT]
public record TranscriptRequest(SessionId session, Start start, boolean backward, int limit) {

  public static final int BY_DEFAULT = 50;

  /// Most events of a part.
  public static final int MOST = 1000;

  /// @throws MemoryException `INVALID_FIELD` naming `limit`
  public TranscriptRequest {
    if (limit < 0 || limit > MOST) {
      throw MemoryException.invalid(
          "limit", "is %d; expected 1 to %d, or 0 for %d".formatted(limit, MOST, BY_DEFAULT));
    }
  }

  /// The first events of a session.
  public static TranscriptRequest of(SessionId session) {
    return new TranscriptRequest(session, new Start.AtBorder(), /* backward= */ false, 0);
  }

  public TranscriptRequest at(Start changed) {
    return new TranscriptRequest(session, changed, backward, limit);
  }

  public TranscriptRequest goingBack() {
    return new TranscriptRequest(session, start, true, limit);
  }

  public TranscriptRequest withLimit(int changed) {
    return new TranscriptRequest(session, start, backward, changed);
  }

  /// Most events of the part.
  public int most() {
    return limit == 0 ? BY_DEFAULT : limit;
  }

  /// Where a part begins, or ends.
  public sealed interface Start {

    /// At the first event of the session, or the last one if the part goes back.
    record AtBorder() implements Start {}

    /// At an event, which is included.
    record AtEvent(EventId event) implements Start {}

    /// At the event with a number, which is included. Behind the last one there is nothing.
    ///
    /// @param index 0 and up
    record AtIndex(long index) implements Start {

      /// @throws MemoryException `INVALID_FIELD` naming `from_index`
      public AtIndex {
        if (index < 0) {
          throw MemoryException.invalid("from_index", "is " + index + "; expected 0 or more");
        }
      }
    }

    /// Where another part has ended.
    record Behind(String token) implements Start {}
  }

  /// A start of those that a caller may name, one at most.
  ///
  /// @throws MemoryException `INVALID_FIELD` naming `from_event_id` when there are several
  public static Start start(Optional<String> token, Optional<EventId> event, Optional<Long> index) {
    if (token.isPresent()
        ? event.isPresent() || index.isPresent()
        : event.isPresent() && index.isPresent()) {
      throw MemoryException.invalid(
          "from_event_id",
          "is one of several starts; give one of continuation_token, from_event_id and from_index");
    }
    return token
        .<Start>map(Start.Behind::new)
        .or(() -> event.map(Start.AtEvent::new))
        .or(() -> index.map(Start.AtIndex::new))
        .orElseGet(Start.AtBorder::new);
  }
}
