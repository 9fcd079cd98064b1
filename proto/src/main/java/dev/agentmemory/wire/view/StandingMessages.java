package dev.agentmemory.wire.view;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.standing.DecayLaw;
import dev.agentmemory.api.standing.MemoryStanding;
import dev.agentmemory.proto.InspectMemoriesRequest;
import dev.agentmemory.proto.ListMemoriesRequest;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.wire.FieldNames;
import dev.agentmemory.wire.MemoryMessages;
import dev.agentmemory.wire.MemorySearchMessages;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Maps where memories stand.
public final class StandingMessages {

  private StandingMessages() {}

  public static InspectMemoriesRequest toWire(List<MemoryId> ids, Optional<Instant> asOf) {
    var message =
        InspectMemoriesRequest.newBuilder()
            .addAllMemoryIds(ids.stream().map(MemoryId::value).toList());
    asOf.ifPresent(time -> message.setAsOfMs(time.toEpochMilli()));
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static List<MemoryId> ids(InspectMemoriesRequest message) {
    if (message.getMemoryIdsCount() == 0) {
      throw MemoryException.invalid("memory_ids", "is empty; name the memories");
    }
    return MemoryMessages.ids("memory_ids", message.getMemoryIdsList());
  }

  /// @throws MemoryException `INVALID_FIELD` naming `as_of_ms`
  public static Optional<Instant> asOf(InspectMemoriesRequest message) {
    return message.hasAsOfMs()
        ? Optional.of(FieldNames.time("as_of_ms", message.getAsOfMs()))
        : Optional.empty();
  }

  /// @throws MemoryException `INVALID_FIELD` naming `as_of_ms`
  public static Optional<Instant> asOf(ListMemoriesRequest message) {
    return message.hasAsOfMs()
        ? Optional.of(FieldNames.time("as_of_ms", message.getAsOfMs()))
        : Optional.empty();
  }

  public static ListMemoriesRequest toWire(MemoryFilter filter, Instant asOf, PageRequest page) {
    return MemorySearchMessages.toWire(filter, page).toBuilder()
        .setAsOfMs(asOf.toEpochMilli())
        .build();
  }

  public static dev.agentmemory.proto.MemoryStanding toWire(MemoryStanding standing) {
    return dev.agentmemory.proto.MemoryStanding.newBuilder()
        .setMemory(MemoryMessages.toWire(standing.memory()))
        .setRelevance(standing.relevance())
        .setWhy(MemorySearchMessages.toWire(standing.why()))
        .setDecay(
            dev.agentmemory.proto.DecayLaw.newBuilder()
                .setDecays(standing.decay().decays())
                .setHalfLifeMs(standing.decay().halfLife().toMillis())
                .setFloor(standing.decay().floor())
                .setSinceMs(standing.decay().since().toEpochMilli()))
        .addAllReplaced(MemoryMessages.toWire(standing.replaced()))
        .build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static MemoryStanding fromWire(dev.agentmemory.proto.MemoryStanding message) {
    var decay = message.getDecay();
    return new MemoryStanding(
        MemoryMessages.fromWire(message.getMemory()),
        MemorySearchMessages.fromWire(message.getWhy()),
        new DecayLaw(
            decay.getDecays(),
            Duration.ofMillis(decay.getHalfLifeMs()),
            decay.getFloor(),
            Instant.ofEpochMilli(decay.getSinceMs())),
        MemoryMessages.ids("replaced", message.getReplacedList()));
  }
}
