package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryRecord.EmbeddingState;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.SessionChannels;
import dev.agentmemory.recall.internal.record.ContentMask;
import dev.agentmemory.recall.internal.record.MemoryJson;
import dev.agentmemory.recall.internal.table.NewMemory;
import dev.agentmemory.recall.internal.table.NewMemoryIds;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/// Brings drafts into the form in which they are stored, as far as that needs no other memory.
final class DraftReader {

  private static final String DEFAULT_SOURCE = "user";

  private final RecallServices services;
  private final SessionChannels channels;
  private final ContentMask mask;
  private final NewMemoryIds ids;

  DraftReader(RecallServices services, SessionChannels channels) {
    this.services = services;
    this.channels = channels;
    this.mask = new ContentMask(services.mask());
    this.ids = new NewMemoryIds(services.system().random());
  }

  /// @param now the time of the call
  /// @param existing which channels there are
  /// @throws MemoryException `INVALID_FIELD` naming `memories[<index>].<field>`
  DraftedMemory read(int index, MemoryDraft draft, Instant now, Predicate<ChannelName> existing) {
    Instant created = draft.created().orElse(now);
    checkTime(index, created, now);
    String path = DraftedMemory.field(index, "");
    MemoryRecord memory =
        new MemoryRecord(
            id(index, draft, created),
            place(path, draft.place(), existing),
            draft.lifetime(),
            draft.kind(),
            source(path, draft),
            mask.content(path, draft.content()),
            draft.importance(),
            /* pinned= */ false,
            mask.tags(draft.tags()),
            draft.links(),
            Validity.since(created),
            MemoryUse.NEVER,
            draft.place().scope() == MemoryScope.ACCOUNT
                ? EmbeddingState.NONE
                : EmbeddingState.PENDING,
            "");
    boolean isDrawn = draft.id().isEmpty();
    return new DraftedMemory(index, draft, NewMemory.of(MemoryJson.CURRENT.row(memory), isDrawn));
  }

  private MemoryId id(int index, MemoryDraft draft, Instant created) {
    if (draft.id().isEmpty()) {
      return ids.next(created);
    }
    MemoryId chosen = draft.id().get();
    if (chosen.workspace().isPresent()) {
      // Ids that contain a workspace are returned to callers but not accepted from them.
      throw MemoryException.invalid(
          DraftedMemory.field(index, "memory_id"), "names a workspace; send a ULID alone");
    }
    return chosen;
  }

  private String source(String path, MemoryDraft draft) {
    String masked = mask.text(path + "source", draft.source().orElse(DEFAULT_SOURCE));
    // A mask can be longer than what it stands for.
    return masked.substring(0, Math.min(masked.length(), MemoryDraft.MAX_SOURCE));
  }

  /// A memory belongs to the channel of its session unless it names another one. It makes none.
  private MemoryPlace place(String path, MemoryPlace place, Predicate<ChannelName> existing) {
    Optional<ChannelName> ofSession = place.session().flatMap(channels::channel);
    if (place.channel().isEmpty()) {
      return ofSession.map(place::moved).orElse(place);
    }
    ChannelName named = place.channel().get();
    if (!place.channel().equals(ofSession) && !existing.test(named)) {
      throw MemoryException.invalid(
          path + "channel",
          "names %s, which does not exist; `memory channels create %s` creates it, `memory channels` lists all"
              .formatted(named, named));
    }
    return place;
  }

  private void checkTime(int index, Instant created, Instant now) {
    if (created.toEpochMilli() < 0) {
      throw MemoryException.invalid(
          DraftedMemory.field(index, "created_ms"),
          "is before 1970; send milliseconds since the epoch");
    }
    if (created.isAfter(now.plus(services.maxClockSkew()))) {
      throw MemoryException.invalid(
          DraftedMemory.field(index, "created_ms"),
          "is %s, more than %d s (ingest.max_clock_skew) ahead of the daemon's clock; check the clocks"
              .formatted(created, services.maxClockSkew().toSeconds()));
    }
  }
}
