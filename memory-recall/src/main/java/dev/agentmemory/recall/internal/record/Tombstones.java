package dev.agentmemory.recall.internal.record;

import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.recall.SessionChannels;
import dev.agentmemory.recall.internal.record.MemoryRows.ForgottenText;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.stream.Stream;

/// What callers have deleted of a collection, so that nothing may bring it back.
///
/// @param channels the names that the channels of memories have had
public record Tombstones(MemoryRows rows, SessionChannels channels) {

  /// Whether a memory was deleted by a caller, so that nothing may bring it back.
  public boolean isForgotten(MemoryId id) {
    return rows.tombstone(id).map(Tombstone::forgotten).orElse(false);
  }

  /// Whether a memory of this place and text was deleted by a caller, under any name that the
  /// channel of the place has had.
  public boolean isForgotten(MemoryPlace place, String text) {
    return forgotten(place, text).findAny().isPresent();
  }

  /// The same of a deletion at a time or later.
  public boolean isForgottenSince(MemoryPlace place, String text, Instant time) {
    return forgotten(place, text).anyMatch(one -> !one.deleted().isBefore(time));
  }

  /// Under all names of the channel: the digest of what was deleted has the name that the channel
  /// had then, and cannot be computed again when the text is gone. What had one of these names
  /// after another channel had got it belonged to that one.
  private Stream<ForgottenText> forgotten(MemoryPlace place, String text) {
    return place.scope() == MemoryScope.CHANNEL
        ? place.channel().stream()
            .flatMap(name -> channels.allNames(name).stream())
            .flatMap(alias ->
                rows.forgotten(place.moved(alias.name()), text).stream()
                    .filter(one -> alias.meant(one.placed())))
        : rows.forgotten(place, text).stream();
  }

  /// Whether a memory of this text was deleted by a caller that applied in this place, or only in
  /// the channel or the session that the place names. Who deletes a statement that applied to one
  /// session does not expect to find it derived from that session's events for all of them.
  public boolean isForgottenWithin(MemoryPlace place, String text) {
    return isForgotten(place, text)
        || place.channel().stream().anyMatch(in -> isForgotten(MemoryPlace.channel(in), text))
        || place.session().stream().anyMatch(in -> isForgotten(MemoryPlace.conversation(in), text));
  }
}
