package dev.agentmemory.wire;

import dev.agentmemory.api.contents.NodeField;
import dev.agentmemory.api.conversation.ConversationStatus;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryRecord.EmbeddingState;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.search.Coverage;
import dev.agentmemory.api.search.Fusion;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.proto.MemoryEmbedding;
import dev.agentmemory.proto.MemoryOrder;
import dev.agentmemory.proto.RecallKind;
import dev.agentmemory.proto.SearchCondition;
import dev.agentmemory.proto.SearchField;
import dev.agentmemory.proto.SearchFusion;
import dev.agentmemory.proto.SearchKind;
import dev.agentmemory.proto.SegmentBoundary;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.TocLevel;
import java.util.Optional;

/// Maps the enums that several messages use. Their constants have the same names on the wire,
/// behind a prefix.
public final class WireEnums {
  public static final Pair<EventRole, dev.agentmemory.proto.EventRole> ROLE =
      new Pair<>(EventRole.class, dev.agentmemory.proto.EventRole.class, "EVENT_ROLE_");
  public static final Pair<EventType, dev.agentmemory.proto.EventType> TYPE =
      new Pair<>(EventType.class, dev.agentmemory.proto.EventType.class, "EVENT_TYPE_");
  public static final Pair<TocLevel, dev.agentmemory.proto.TocLevel> LEVEL =
      new Pair<>(TocLevel.class, dev.agentmemory.proto.TocLevel.class, "TOC_LEVEL_");
  public static final Pair<Boundary, SegmentBoundary> BOUNDARY =
      new Pair<>(Boundary.class, SegmentBoundary.class, "SEGMENT_BOUNDARY_");
  static final Pair<SearchMode, dev.agentmemory.proto.SearchMode> MODE =
      new Pair<>(SearchMode.class, dev.agentmemory.proto.SearchMode.class, "SEARCH_MODE_");
  static final Pair<Fusion, SearchFusion> FUSION =
      new Pair<>(Fusion.class, SearchFusion.class, "SEARCH_FUSION_");
  static final Pair<HitKind, SearchKind> KIND =
      new Pair<>(HitKind.class, SearchKind.class, "SEARCH_KIND_");
  static final Pair<Coverage.Condition, SearchCondition> CONDITION =
      new Pair<>(Coverage.Condition.class, SearchCondition.class, "SEARCH_CONDITION_");
  public static final Pair<NodeField, SearchField> FIELD =
      new Pair<>(NodeField.class, SearchField.class, "SEARCH_FIELD_");
  static final Pair<MemoryScope, dev.agentmemory.proto.MemoryScope> SCOPE =
      new Pair<>(MemoryScope.class, dev.agentmemory.proto.MemoryScope.class, "MEMORY_SCOPE_");
  static final Pair<MemoryLifetime, dev.agentmemory.proto.MemoryLifetime> LIFETIME =
      new Pair<>(
          MemoryLifetime.class, dev.agentmemory.proto.MemoryLifetime.class, "MEMORY_LIFETIME_");
  static final Pair<MemoryKind, RecallKind> MEMORY_KIND =
      new Pair<>(MemoryKind.class, RecallKind.class, "RECALL_KIND_");
  static final Pair<EmbeddingState, MemoryEmbedding> EMBEDDING =
      new Pair<>(EmbeddingState.class, MemoryEmbedding.class, "MEMORY_EMBEDDING_");
  static final Pair<MemorySearch.Order, MemoryOrder> ORDER =
      new Pair<>(MemorySearch.Order.class, MemoryOrder.class, "MEMORY_ORDER_");
  static final Pair<ConversationStatus, dev.agentmemory.proto.ConversationStatus> STATUS =
      new Pair<>(
          ConversationStatus.class,
          dev.agentmemory.proto.ConversationStatus.class,
          "CONVERSATION_STATUS_");

  /// What the generated code calls a value that it does not know.
  private static final String UNKNOWN = "UNRECOGNIZED";

  private WireEnums() {}

  /// An enum of the API and that of the wire.
  public record Pair<E extends Enum<E>, W extends Enum<W>>(
      Class<E> own, Class<W> wire, String prefix) {
    public W toWire(E value) {
      return Enum.valueOf(wire, prefix + value.name());
    }

    /// @return empty when the value is unspecified
    /// @throws MemoryException `INVALID_FIELD` when it is not known
    public Optional<E> fromWire(String field, W value) {
      if (value.name().equals(UNKNOWN)) {
        throw unknown(field);
      }
      return known(value);
    }

    /// @return empty when the value is unspecified or not known
    public Optional<E> known(W value) {
      return value.name().equals(UNKNOWN) || value.name().endsWith("_UNSPECIFIED")
          ? Optional.empty()
          : Optional.of(Enum.valueOf(own, value.name().substring(prefix.length())));
    }

    /// Reads a value that has to be specified.
    ///
    /// @throws MemoryException `INVALID_FIELD` when it is not known, or unspecified
    public E required(String field, W value) {
      return fromWire(field, value).orElseThrow(() -> unknown(field));
    }

    private MemoryException unknown(String field) {
      return MemoryException.invalid(field, "is not a known value of " + wire.getSimpleName());
    }
  }

  /// The exception for an unknown value, which only a daemon can send.
  static MemoryException unknownHere(String field) {
    return MemoryException.invalid(field, "is unknown to this client; is the daemon newer?");
  }
}
