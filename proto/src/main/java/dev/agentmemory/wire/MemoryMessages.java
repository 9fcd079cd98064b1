package dev.agentmemory.wire;

import static dev.agentmemory.wire.FieldNames.present;

import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.api.recall.RelatedMemory;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.proto.CuratedMemory;
import dev.agentmemory.proto.FormerMemory;
import dev.agentmemory.proto.NewMemory;
import dev.agentmemory.proto.ReachedMemory;
import dev.agentmemory.proto.RememberRequest;
import dev.agentmemory.proto.TextList;
import dev.agentmemory.proto.UpdateMemoryRequest;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// Maps curated memories, new ones and their changes.
public final class MemoryMessages {

  private MemoryMessages() {}

  public static CuratedMemory toWire(MemoryRecord memory) {
    var message =
        CuratedMemory.newBuilder()
            .setMemoryId(memory.id().value())
            .setScope(WireEnums.SCOPE.toWire(memory.place().scope()))
            .setLifetime(WireEnums.LIFETIME.toWire(memory.lifetime()))
            .setKind(WireEnums.MEMORY_KIND.toWire(memory.kind()))
            .setSource(memory.source())
            .setContent(memory.content().text())
            .setImportance(memory.importance())
            .setPinned(memory.pinned())
            .addAllTags(tagsToWire(memory.tags()))
            .addAllReferences(toWire(memory.links().references()))
            .addAllEvidenceEventIds(memory.links().events().stream().map(EventId::value).toList())
            .addAllEvidenceGripIds(GripMessages.toWire(memory.links().grips()))
            .setCreatedMs(memory.validity().created().toEpochMilli())
            .setUpdatedMs(memory.validity().updated().toEpochMilli())
            .setValidFromMs(memory.validity().validFrom().toEpochMilli())
            .setAccessCount(memory.use().count())
            .setEmbedding(WireEnums.EMBEDDING.toWire(memory.embedding()))
            .setChecksum(memory.checksum());
    memory.place().channel().ifPresent(channel -> message.setChannel(channel.value()));
    memory.place().session().ifPresent(session -> message.setSessionId(session.value()));
    memory.content().json().ifPresent(message::setContentJson);
    memory
        .validity()
        .supersededAt()
        .ifPresent(time -> message.setSupersededMs(time.toEpochMilli()));
    memory.validity().supersededBy().ifPresent(id -> message.setSupersededBy(id.value()));
    memory.use().lastAccess().ifPresent(time -> message.setLastAccessMs(time.toEpochMilli()));
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming `memory.<field>`
  public static MemoryRecord fromWire(CuratedMemory message) {
    return FieldNames.within("memory.", () -> record(message));
  }

  private static MemoryRecord record(CuratedMemory message) {
    if (message.hasSupersededMs() != message.hasSupersededBy()) {
      throw MemoryException.invalid("superseded_by", "has to be there with superseded_ms");
    }
    if (message.getAccessCount() < 0) {
      throw MemoryException.invalid("access_count", "is above " + Long.MAX_VALUE);
    }
    return new MemoryRecord(
        MemoryId.parse("memory_id", message.getMemoryId()),
        new MemoryPlace(
            WireEnums.SCOPE.required("scope", message.getScope()),
            present(message.hasChannel(), () -> ChannelName.parse("channel", message.getChannel())),
            present(message.hasSessionId(), () -> session(message.getSessionId()))),
        WireEnums.LIFETIME.required("lifetime", message.getLifetime()),
        WireEnums.MEMORY_KIND.required("kind", message.getKind()),
        message.getSource(),
        new MemoryContent(
            message.getContent(), present(message.hasContentJson(), message::getContentJson)),
        message.getImportance(),
        message.getPinned(),
        tags("tags", message.getTagsList()),
        new MemoryLinks(
            ids("references", message.getReferencesList()),
            events(message.getEvidenceEventIdsList()),
            GripMessages.fromWire("evidence_grip_ids", message.getEvidenceGripIdsList())),
        new Validity(
            Instant.ofEpochMilli(message.getCreatedMs()),
            Instant.ofEpochMilli(message.getUpdatedMs()),
            Instant.ofEpochMilli(message.getValidFromMs()),
            present(
                message.hasSupersededMs(), () -> Instant.ofEpochMilli(message.getSupersededMs())),
            present(
                message.hasSupersededBy(),
                () -> MemoryId.parse("superseded_by", message.getSupersededBy()))),
        new MemoryUse(
            present(
                message.hasLastAccessMs(), () -> Instant.ofEpochMilli(message.getLastAccessMs())),
            message.getAccessCount()),
        WireEnums.EMBEDDING.required("embedding", message.getEmbedding()),
        message.getChecksum());
  }

  public static List<CuratedMemory> memoriesToWire(List<MemoryRecord> memories) {
    return memories.stream().map(MemoryMessages::toWire).toList();
  }

  /// @throws MemoryException `INVALID_FIELD` naming `memory.<field>`
  public static List<MemoryRecord> memories(List<CuratedMemory> messages) {
    return messages.stream().map(MemoryMessages::fromWire).toList();
  }

  public static RememberRequest draftsToWire(List<MemoryDraft> drafts) {
    return RememberRequest.newBuilder()
        .addAllMemories(drafts.stream().map(MemoryMessages::toWire).toList())
        .build();
  }

  static NewMemory toWire(MemoryDraft draft) {
    var message =
        NewMemory.newBuilder()
            .setScope(WireEnums.SCOPE.toWire(draft.place().scope()))
            .setLifetime(WireEnums.LIFETIME.toWire(draft.lifetime()))
            .setKind(WireEnums.MEMORY_KIND.toWire(draft.kind()))
            .setContent(draft.content().text())
            .setImportance(draft.importance())
            .addAllTags(tagsToWire(draft.tags()))
            .addAllReferences(toWire(draft.links().references()))
            .addAllEvidenceEventIds(draft.links().events().stream().map(EventId::value).toList())
            .addAllEvidenceGripIds(GripMessages.toWire(draft.links().grips()));
    draft.id().ifPresent(id -> message.setMemoryId(id.value()));
    draft.place().channel().ifPresent(channel -> message.setChannel(channel.value()));
    draft.place().session().ifPresent(session -> message.setSessionId(session.value()));
    draft.source().ifPresent(message::setSource);
    draft.content().json().ifPresent(message::setContentJson);
    draft.created().ifPresent(time -> message.setCreatedMs(time.toEpochMilli()));
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming `memories` or `memories[<index>].<field>`
  public static List<MemoryDraft> drafts(RememberRequest request) {
    int count = request.getMemoriesCount();
    if (count < 1 || count > MemoryDraft.MAX_CALL) {
      throw MemoryException.invalid(
          "memories", "are %d; expected 1 to %d".formatted(count, MemoryDraft.MAX_CALL));
    }
    return IntStream.range(0, count)
        .mapToObj(i -> FieldNames.within("memories[" + i + "].", () -> draft(request, i)))
        .toList();
  }

  private static MemoryDraft draft(RememberRequest request, int index) {
    NewMemory message = request.getMemories(index);
    return new MemoryDraft(
        present(message.hasMemoryId(), () -> MemoryId.parse("memory_id", message.getMemoryId())),
        new MemoryPlace(
            WireEnums.SCOPE.fromWire("scope", message.getScope()).orElse(MemoryScope.WORKSPACE),
            present(message.hasChannel(), () -> ChannelName.parse("channel", message.getChannel())),
            present(message.hasSessionId(), () -> session(message.getSessionId()))),
        WireEnums.LIFETIME
            .fromWire("lifetime", message.getLifetime())
            .orElse(MemoryLifetime.SHORT_TERM),
        WireEnums.MEMORY_KIND.fromWire("kind", message.getKind()).orElse(MemoryKind.OBSERVATION),
        present(message.hasSource(), message::getSource),
        new MemoryContent(
            message.getContent(), present(message.hasContentJson(), message::getContentJson)),
        message.hasImportance() ? message.getImportance() : MemoryDraft.DEFAULT_IMPORTANCE,
        tags("tags", message.getTagsList()),
        new MemoryLinks(
            ids("references", message.getReferencesList()),
            events(message.getEvidenceEventIdsList()),
            GripMessages.fromWire("evidence_grip_ids", message.getEvidenceGripIdsList())),
        present(
            message.hasCreatedMs(), () -> FieldNames.time("created_ms", message.getCreatedMs())));
  }

  public static UpdateMemoryRequest toWire(MemoryId id, MemoryUpdate update) {
    var message = UpdateMemoryRequest.newBuilder().setMemoryId(id.value());
    update
        .content()
        .ifPresent(content -> {
          message.setContent(content.text());
          content.json().ifPresent(message::setContentJson);
        });
    update.importance().ifPresent(message::setImportance);
    update.lifetime().map(WireEnums.LIFETIME::toWire).ifPresent(message::setLifetime);
    update.kind().map(WireEnums.MEMORY_KIND::toWire).ifPresent(message::setKind);
    update.tags().ifPresent(tags -> message.setTags(list(tagsToWire(tags))));
    update.references().ifPresent(ids -> message.setReferences(list(toWire(ids))));
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static MemoryUpdate fromWire(UpdateMemoryRequest message) {
    if (message.hasContentJson() && !message.hasContent()) {
      throw MemoryException.invalid(
          "content_json", "is there without content; send both, or neither");
    }
    return new MemoryUpdate(
        present(
            message.hasContent(),
            () ->
                new MemoryContent(
                    message.getContent(),
                    present(message.hasContentJson(), message::getContentJson))),
        present(message.hasImportance(), message::getImportance),
        WireEnums.LIFETIME.fromWire("lifetime", message.getLifetime()),
        WireEnums.MEMORY_KIND.fromWire("kind", message.getKind()),
        present(message.hasTags(), () -> tags("tags", message.getTags().getValuesList())),
        present(
            message.hasReferences(),
            () -> ids("references", message.getReferences().getValuesList())));
  }

  private static TextList list(Collection<String> values) {
    return TextList.newBuilder().addAllValues(values).build();
  }

  public static FormerMemory toWire(MemoryState state) {
    return FormerMemory.newBuilder()
        .setMemory(toWire(state.memory()))
        .setUntilMs(state.until().toEpochMilli())
        .setReason(state.reason())
        .build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming `memory.<field>`
  public static MemoryState fromWire(FormerMemory message) {
    return new MemoryState(
        fromWire(message.getMemory()),
        Instant.ofEpochMilli(message.getUntilMs()),
        message.getReason());
  }

  public static ReachedMemory toWire(RelatedMemory related) {
    return ReachedMemory.newBuilder()
        .setMemory(toWire(related.memory()))
        .setDepth(related.depth())
        .build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming `memory.<field>`
  public static RelatedMemory fromWire(ReachedMemory message) {
    return new RelatedMemory(fromWire(message.getMemory()), message.getDepth());
  }

  static SessionId session(String text) {
    return SessionId.parseStored("session_id", text);
  }

  public static List<String> toWire(List<MemoryId> ids) {
    return ids.stream().map(MemoryId::value).toList();
  }

  /// @throws MemoryException `INVALID_FIELD` when one of them is not an id of a memory
  public static List<MemoryId> ids(String field, List<String> ids) {
    return ids.stream().map(id -> MemoryId.parse(field, id)).toList();
  }

  static List<String> tagsToWire(Set<Tag> tags) {
    return new TreeSet<>(tags).stream().map(Tag::value).toList();
  }

  /// @throws MemoryException `INVALID_FIELD` when one of them is not a tag
  static Set<Tag> tags(String field, List<String> tags) {
    Set<Tag> parsed = new LinkedHashSet<>();
    tags.forEach(tag -> parsed.add(Tag.parse(field, tag)));
    return parsed;
  }

  private static List<EventId> events(List<String> ids) {
    return ids.stream().map(id -> EventId.parseStored("evidence_event_ids", id)).toList();
  }
}
