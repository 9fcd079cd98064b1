package dev.agentmemory.service;

import dev.agentmemory.api.SegmentOutline;
import dev.agentmemory.proto.GetSegmentResponse;
import dev.agentmemory.store.EventReader;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.wire.EventMessages;
import dev.agentmemory.wire.PageTokens;
import dev.agentmemory.wire.SessionMessages;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Pages of one segment: the overlap's events, then its own. An open segment may grow between two
/// pages; what is new lies behind the token. Events are read in small steps, so that a page of the
/// largest ones costs no more memory than a few of them.
final class SegmentPages {

  private static final int STEP = 64;

  private final EventReader events;

  SegmentPages(EventReader events) {
    this.events = events;
  }

  GetSegmentResponse page(Segment segment, Optional<EventKey> after) {
    var response =
        GetSegmentResponse.newBuilder()
            .setSegment(SessionMessages.toWire(SegmentOutline.of(segment)));
    List<EventKey> keys = behind(segment, after);
    long bytes = response.getSegment().getSerializedSize();
    Optional<EventKey> place = Optional.empty();
    for (int from = 0; from < keys.size(); from += STEP) {
      List<EventKey> step = keys.subList(from, Math.min(keys.size(), from + STEP));
      for (Event event : events.events(step)) {
        var message = EventMessages.toWire(event);
        bytes += message.getSerializedSize();
        if (bytes > Limits.ANSWER_BYTES && place.isPresent()) {
          String token = PageTokens.afterSegmentEvent(segment.id(), place.get());
          return response.setContinuationToken(token).build();
        }
        boolean own = event.key().compareTo(segment.first()) >= 0;
        var _ = own ? response.addEvents(message) : response.addOverlapEvents(message);
        place = Optional.of(event.key());
      }
    }
    return response.build();
  }

  /// The overlap lies before the segment's first event, so all of it is in time order.
  private static List<EventKey> behind(Segment segment, Optional<EventKey> after) {
    return Stream.concat(
            segment.overlap().stream(), segment.entries().stream().map(SegmentEntry::key))
        .filter(key -> after.isEmpty() || key.compareTo(after.get()) > 0)
        .toList();
  }
}
