package dev.agentmemory.wire;

import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.Parts;
import dev.agentmemory.api.search.Said;
import dev.agentmemory.api.search.Snippet;
import dev.agentmemory.api.search.Snippet.Highlight;
import dev.agentmemory.proto.SearchHighlight;
import dev.agentmemory.proto.SearchHit;
import dev.agentmemory.proto.SearchParts;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// Maps hits of a search.
final class HitMessages {

  private HitMessages() {}

  static SearchHit toWire(Hit hit) {
    var message =
        SearchHit.newBuilder()
            .setKind(WireEnums.KIND.toWire(hit.kind()))
            .setTimeMs(hit.time().toEpochMilli())
            .setScore(hit.score())
            .setRelevance(hit.relevance())
            .setParts(toWire(hit.parts()))
            .setSnippet(hit.snippet().text())
            .addAllPath(hit.path().stream().map(NodeId::value).toList())
            .addAllGripIds(GripMessages.toWire(hit.grips()))
            .setSaidTimes(hit.said().times())
            .setSaidSinceMs(hit.said().since().toEpochMilli());
    hit.event().ifPresent(key -> message.setEventId(key.id().value()));
    hit.node().ifPresent(node -> message.setNodeId(node.value()));
    hit.memory().ifPresent(memory -> message.setMemoryId(memory.value()));
    hit.role().map(WireEnums.ROLE::toWire).ifPresent(message::setRole);
    hit.agent().ifPresent(message::setAgent);
    hit.title().ifPresent(message::setTitle);
    hit.session().ifPresent(session -> message.setSessionId(session.value()));
    for (Highlight highlight : hit.snippet().highlights()) {
      message.addHighlights(
          SearchHighlight.newBuilder().setStart(highlight.start()).setEnd(highlight.end()));
    }
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming `hits.<field>`
  static Hit fromWire(SearchHit message) {
    return new Hit(
        WireEnums.KIND
            .fromWire("hits.kind", message.getKind())
            .orElseThrow(() -> MemoryException.invalid("hits.kind", "is unspecified")),
        message.hasEventId() ? Optional.of(key(message)) : Optional.empty(),
        message.hasNodeId()
            ? Optional.of(NodeMessages.nodeId("hits.node_id", message.getNodeId()))
            : Optional.empty(),
        message.hasMemoryId()
            ? Optional.of(MemoryId.parse("hits.memory_id", message.getMemoryId()))
            : Optional.empty(),
        Instant.ofEpochMilli(message.getTimeMs()),
        WireEnums.ROLE.fromWire("hits.role", message.getRole()),
        message.hasAgent() ? Optional.of(message.getAgent()) : Optional.empty(),
        message.hasTitle() ? Optional.of(message.getTitle()) : Optional.empty(),
        message.hasSessionId()
            ? Optional.of(SessionId.parseStored("hits.session_id", message.getSessionId()))
            : Optional.empty(),
        message.getScore(),
        message.getRelevance(),
        fromWire(message.getParts()),
        new Snippet(message.getSnippet(), highlights(message)),
        message.getPathList().stream().map(id -> NodeMessages.nodeId("hits.path", id)).toList(),
        GripMessages.fromWire("hits.grip_ids", message.getGripIdsList()),
        said(message));
  }

  /// A daemon that does not count omits the field.
  private static Said said(SearchHit message) {
    return message.getSaidTimes() < 1
        ? Said.once(Instant.ofEpochMilli(message.getTimeMs()))
        : new Said(message.getSaidTimes(), Instant.ofEpochMilli(message.getSaidSinceMs()));
  }

  private static EventKey key(SearchHit message) {
    if (message.getTimeMs() < 0) {
      throw MemoryException.invalid("hits.time_ms", "is before 1970: " + message.getTimeMs());
    }
    return new EventKey(
        Instant.ofEpochMilli(message.getTimeMs()),
        EventId.parseStored("hits.event_id", message.getEventId()));
  }

  private static List<Highlight> highlights(SearchHit message) {
    List<Highlight> highlights = new ArrayList<>();
    int behind = 0;
    for (SearchHighlight highlight : message.getHighlightsList()) {
      if (highlight.getStart() < behind
          || highlight.getEnd() < highlight.getStart()
          || highlight.getEnd() > message.getSnippet().length()) {
        throw MemoryException.invalid(
            "hits.highlights", "are outside of the snippet or out of order");
      }
      behind = highlight.getEnd();
      highlights.add(new Highlight(highlight.getStart(), behind));
    }
    return highlights;
  }

  private static SearchParts toWire(Parts parts) {
    var message =
        SearchParts.newBuilder()
            .setLexical(parts.lexical())
            .setSemantic(parts.semantic())
            .setTime(parts.time())
            .setDecay(parts.decay())
            .putAllFeatures(parts.features());
    parts.lexicalRank().ifPresent(message::setLexicalRank);
    parts.semanticRank().ifPresent(message::setSemanticRank);
    return message.build();
  }

  private static Parts fromWire(SearchParts message) {
    return new Parts(
        message.hasLexicalRank() ? OptionalInt.of(message.getLexicalRank()) : OptionalInt.empty(),
        message.hasSemanticRank() ? OptionalInt.of(message.getSemanticRank()) : OptionalInt.empty(),
        message.getLexical(),
        message.getSemantic(),
        message.getTime(),
        message.getDecay(),
        message.getFeaturesMap());
  }
}
