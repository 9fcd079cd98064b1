package dev.agentmemory.search.internal.query;

import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.search.internal.index.IndexView;
import dev.agentmemory.search.internal.index.Vectors;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.WorkspaceName;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads search requests: their text, their filters, and the vector of the text where the index has
/// vectors of its model.
///
/// @param zone in which days begin
/// @param owner the workspace that asks, in a store that several share
public record RequestReader(
    IndexView index, ZoneId zone, Optional<Embedder> embedder, Optional<WorkspaceName> owner) {

  public Question read(SearchRequest request) {
    ReadQuery read = QueryReader.read(request.query(), zone, request.now());
    Filters filters = filters(request, read);
    Meaning meaning =
        FilterMerge.isOfMemories(filters)
            ? new Meaning(Optional.empty(), Optional.empty())
            : meaning(request, read);
    return new Question(request, read, filters, meaning.vector(), meaning.degraded(), owner);
  }

  private static Filters filters(SearchRequest request, ReadQuery read) {
    Filters filters = FilterMerge.of(request.filters(), read.filters());
    Optional<Span> time = read.hardTime().or(read::time).filter(named -> request.strictTime());
    return time.map(named -> FilterMerge.within(filters, named)).orElse(filters);
  }

  /// What finds by meaning, or why nothing can.
  private record Meaning(Optional<EventDocuments.Vector> vector, Optional<String> degraded) {}

  private Meaning meaning(SearchRequest request, ReadQuery read) {
    boolean auto = request.mode() == SearchMode.AUTO && embedder.isEmpty();
    if (auto || request.mode() == SearchMode.LEXICAL || read.text().isBlank()) {
      return new Meaning(Optional.empty(), Optional.empty());
    }
    if (embedder.isEmpty()) {
      return byWords("no embedding model is configured");
    }
    String field;
    try {
      if (!embedder.get().reads(read.text())) {
        return byWords("the embedding model does not support the script of the query");
      }
      field = EventDocuments.Vector.field(embedder.get());
    } catch (MemoryException e) {
      return byWords(e.getMessage());
    }
    double share = index.share(field);
    if (share == 0) {
      return byWords("no event has an embedding yet");
    }
    try {
      float[] values = embedder.get().query(read.text());
      Optional<String> degraded =
          share >= Vectors.NEARLY_ALL ? Optional.empty() : Optional.of(lacking(share));
      return new Meaning(Optional.of(new EventDocuments.Vector(field, values)), degraded);
    } catch (MemoryException e) {
      return byWords(e.getMessage());
    }
  }

  private static Meaning byWords(@Nullable String why) {
    return new Meaning(Optional.empty(), Optional.of("searched by words: " + why));
  }

  /// In a shared store, the number of events with an embedding is not revealed.
  private String lacking(double share) {
    String some = owner.isPresent() ? "not all" : Math.round(share * 100) + "%";
    return some + " of the events have an embedding; the others are searched by words";
  }
}
