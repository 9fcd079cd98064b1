package dev.agentmemory.search.internal.query;

import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.RelevanceThreshold;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.WorkspaceName;
import java.util.Optional;
import java.util.Set;

/// A search request after it was read: what all steps of the search need to know.
///
/// @param read the text of the request
/// @param filters of the request and of its text together
/// @param vector of the text; empty where events are found by words only
/// @param degraded why less is used than was asked for
/// @param owner the workspace that asks, in a store that several share
public record Question(
    SearchRequest request,
    ReadQuery read,
    Filters filters,
    Optional<EventDocuments.Vector> vector,
    Optional<String> degraded,
    Optional<WorkspaceName> owner) {

  /// What may be found.
  public Set<HitKind> kinds() {
    return FilterMerge.kinds(filters);
  }

  /// By what events are found.
  public SearchMode used() {
    if (vector.isEmpty()) {
      return SearchMode.LEXICAL;
    }
    return request.mode() == SearchMode.SEMANTIC ? SearchMode.SEMANTIC : SearchMode.HYBRID;
  }

  /// The same where what is required is only preferred.
  public Question lenient() {
    return new Question(request, read.lenient(), filters, vector, degraded, owner);
  }

  /// The same with another limit of relevance.
  public Question with(RelevanceThreshold threshold) {
    return new Question(request.withThreshold(threshold), read, filters, vector, degraded, owner);
  }

  /// The id under which the asker knows an event.
  public EventId visible(EventId id) {
    return owner.isPresent() ? id.plain() : id;
  }

  /// The id under which the asker knows a node.
  public NodeId visible(NodeId id) {
    return owner.isPresent() ? id.plain() : id;
  }
}
