package dev.agentmemory.wire;

import dev.agentmemory.api.search.Fusion;
import dev.agentmemory.api.search.Kind;
import dev.agentmemory.api.search.Mode;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.TocLevel;
import java.util.Optional;

/// Maps the enums that several messages use.
public final class WireEnums {

  private WireEnums() {}

  public static dev.agentmemory.proto.EventRole toWire(EventRole role) {
    return switch (role) {
      case USER -> dev.agentmemory.proto.EventRole.EVENT_ROLE_USER;
      case ASSISTANT -> dev.agentmemory.proto.EventRole.EVENT_ROLE_ASSISTANT;
      case SYSTEM -> dev.agentmemory.proto.EventRole.EVENT_ROLE_SYSTEM;
      case TOOL -> dev.agentmemory.proto.EventRole.EVENT_ROLE_TOOL;
    };
  }

  /// Unspecified is the user.
  public static EventRole fromWire(String field, dev.agentmemory.proto.EventRole role) {
    return switch (role) {
      case EVENT_ROLE_UNSPECIFIED, EVENT_ROLE_USER -> EventRole.USER;
      case EVENT_ROLE_ASSISTANT -> EventRole.ASSISTANT;
      case EVENT_ROLE_SYSTEM -> EventRole.SYSTEM;
      case EVENT_ROLE_TOOL -> EventRole.TOOL;
      case UNRECOGNIZED -> throw unknown(field, "EventRole");
    };
  }

  /// @return empty when the role is unspecified
  static Optional<EventRole> anyRole(String field, dev.agentmemory.proto.EventRole role) {
    return role == dev.agentmemory.proto.EventRole.EVENT_ROLE_UNSPECIFIED
        ? Optional.empty()
        : Optional.of(fromWire(field, role));
  }

  public static dev.agentmemory.proto.EventType toWire(EventType type) {
    return switch (type) {
      case SESSION_START -> dev.agentmemory.proto.EventType.EVENT_TYPE_SESSION_START;
      case USER_MESSAGE -> dev.agentmemory.proto.EventType.EVENT_TYPE_USER_MESSAGE;
      case ASSISTANT_MESSAGE -> dev.agentmemory.proto.EventType.EVENT_TYPE_ASSISTANT_MESSAGE;
      case TOOL_RESULT -> dev.agentmemory.proto.EventType.EVENT_TYPE_TOOL_RESULT;
      case ASSISTANT_STOP -> dev.agentmemory.proto.EventType.EVENT_TYPE_ASSISTANT_STOP;
      case SUBAGENT_START -> dev.agentmemory.proto.EventType.EVENT_TYPE_SUBAGENT_START;
      case SUBAGENT_STOP -> dev.agentmemory.proto.EventType.EVENT_TYPE_SUBAGENT_STOP;
      case SESSION_END -> dev.agentmemory.proto.EventType.EVENT_TYPE_SESSION_END;
    };
  }

  /// Unspecified is a user message.
  public static EventType fromWire(String field, dev.agentmemory.proto.EventType type) {
    return switch (type) {
      case EVENT_TYPE_UNSPECIFIED, EVENT_TYPE_USER_MESSAGE -> EventType.USER_MESSAGE;
      case EVENT_TYPE_SESSION_START -> EventType.SESSION_START;
      case EVENT_TYPE_ASSISTANT_MESSAGE -> EventType.ASSISTANT_MESSAGE;
      case EVENT_TYPE_TOOL_RESULT -> EventType.TOOL_RESULT;
      case EVENT_TYPE_ASSISTANT_STOP -> EventType.ASSISTANT_STOP;
      case EVENT_TYPE_SUBAGENT_START -> EventType.SUBAGENT_START;
      case EVENT_TYPE_SUBAGENT_STOP -> EventType.SUBAGENT_STOP;
      case EVENT_TYPE_SESSION_END -> EventType.SESSION_END;
      case UNRECOGNIZED -> throw unknown(field, "EventType");
    };
  }

  public static dev.agentmemory.proto.TocLevel toWire(TocLevel level) {
    return switch (level) {
      case YEAR -> dev.agentmemory.proto.TocLevel.TOC_LEVEL_YEAR;
      case MONTH -> dev.agentmemory.proto.TocLevel.TOC_LEVEL_MONTH;
      case WEEK -> dev.agentmemory.proto.TocLevel.TOC_LEVEL_WEEK;
      case DAY -> dev.agentmemory.proto.TocLevel.TOC_LEVEL_DAY;
      case SEGMENT -> dev.agentmemory.proto.TocLevel.TOC_LEVEL_SEGMENT;
    };
  }

  /// @return empty when the level is unspecified
  public static Optional<TocLevel> fromWire(String field, dev.agentmemory.proto.TocLevel level) {
    return switch (level) {
      case TOC_LEVEL_UNSPECIFIED -> Optional.empty();
      case TOC_LEVEL_YEAR -> Optional.of(TocLevel.YEAR);
      case TOC_LEVEL_MONTH -> Optional.of(TocLevel.MONTH);
      case TOC_LEVEL_WEEK -> Optional.of(TocLevel.WEEK);
      case TOC_LEVEL_DAY -> Optional.of(TocLevel.DAY);
      case TOC_LEVEL_SEGMENT -> Optional.of(TocLevel.SEGMENT);
      case UNRECOGNIZED -> throw unknown(field, "TocLevel");
    };
  }

  public static dev.agentmemory.proto.SegmentBoundary toWire(Boundary boundary) {
    return switch (boundary) {
      case OPEN -> dev.agentmemory.proto.SegmentBoundary.SEGMENT_BOUNDARY_OPEN;
      case GAP -> dev.agentmemory.proto.SegmentBoundary.SEGMENT_BOUNDARY_GAP;
      case TOKENS -> dev.agentmemory.proto.SegmentBoundary.SEGMENT_BOUNDARY_TOKENS;
      case SESSION_END -> dev.agentmemory.proto.SegmentBoundary.SEGMENT_BOUNDARY_SESSION_END;
    };
  }

  public static Boundary fromWire(String field, dev.agentmemory.proto.SegmentBoundary boundary) {
    return switch (boundary) {
      case SEGMENT_BOUNDARY_OPEN -> Boundary.OPEN;
      case SEGMENT_BOUNDARY_GAP -> Boundary.GAP;
      case SEGMENT_BOUNDARY_TOKENS -> Boundary.TOKENS;
      case SEGMENT_BOUNDARY_SESSION_END -> Boundary.SESSION_END;
      case SEGMENT_BOUNDARY_UNSPECIFIED, UNRECOGNIZED -> throw unknown(field, "SegmentBoundary");
    };
  }

  static dev.agentmemory.proto.SearchMode toWire(Mode mode) {
    return switch (mode) {
      case AUTO -> dev.agentmemory.proto.SearchMode.SEARCH_MODE_AUTO;
      case LEXICAL -> dev.agentmemory.proto.SearchMode.SEARCH_MODE_LEXICAL;
      case SEMANTIC -> dev.agentmemory.proto.SearchMode.SEARCH_MODE_SEMANTIC;
      case HYBRID -> dev.agentmemory.proto.SearchMode.SEARCH_MODE_HYBRID;
    };
  }

  static Mode fromWire(String field, dev.agentmemory.proto.SearchMode mode) {
    return switch (mode) {
      case SEARCH_MODE_AUTO -> Mode.AUTO;
      case SEARCH_MODE_LEXICAL -> Mode.LEXICAL;
      case SEARCH_MODE_SEMANTIC -> Mode.SEMANTIC;
      case SEARCH_MODE_HYBRID -> Mode.HYBRID;
      case UNRECOGNIZED -> throw unknown(field, "SearchMode");
    };
  }

  static dev.agentmemory.proto.SearchFusion toWire(Fusion fusion) {
    return switch (fusion) {
      case WEIGHTED -> dev.agentmemory.proto.SearchFusion.SEARCH_FUSION_WEIGHTED;
      case RECIPROCAL_RANK -> dev.agentmemory.proto.SearchFusion.SEARCH_FUSION_RECIPROCAL_RANK;
    };
  }

  static Fusion fromWire(String field, dev.agentmemory.proto.SearchFusion fusion) {
    return switch (fusion) {
      case SEARCH_FUSION_WEIGHTED -> Fusion.WEIGHTED;
      case SEARCH_FUSION_RECIPROCAL_RANK -> Fusion.RECIPROCAL_RANK;
      case UNRECOGNIZED -> throw unknown(field, "SearchFusion");
    };
  }

  static dev.agentmemory.proto.SearchKind toWire(Kind kind) {
    return switch (kind) {
      case EVENT -> dev.agentmemory.proto.SearchKind.SEARCH_KIND_EVENT;
      case SEGMENT -> dev.agentmemory.proto.SearchKind.SEARCH_KIND_SEGMENT;
      case ROLLUP -> dev.agentmemory.proto.SearchKind.SEARCH_KIND_ROLLUP;
    };
  }

  /// @return empty when the kind is unspecified
  static Optional<Kind> fromWire(String field, dev.agentmemory.proto.SearchKind kind) {
    return switch (kind) {
      case SEARCH_KIND_UNSPECIFIED -> Optional.empty();
      case SEARCH_KIND_EVENT -> Optional.of(Kind.EVENT);
      case SEARCH_KIND_SEGMENT -> Optional.of(Kind.SEGMENT);
      case SEARCH_KIND_ROLLUP -> Optional.of(Kind.ROLLUP);
      case UNRECOGNIZED -> throw unknown(field, "SearchKind");
    };
  }

  /// The exception for an unknown value, which only a daemon can send.
  static MemoryException unknownHere(String field) {
    return MemoryException.invalid(field, "is unknown to this client; is the daemon newer?");
  }

  static MemoryException unknown(String field, String type) {
    return MemoryException.invalid(field, "is not a known value of " + type);
  }
}
