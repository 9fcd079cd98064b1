package dev.agentmemory.search.internal.query;

import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.types.Span;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;

/// A query as the index understands it.
///
/// @param terms of the words, each once
/// @param identifiers exact terms, each once
/// @param words what finds turns by words; empty when the query has none
/// @param filter what every hit has to match; empty when anything goes
/// @param owner what every hit has to match besides; it holds for whole sessions
/// @param vector what finds turns by meaning
/// @param names words of the query, lower case: a speaker's name may be among them
/// @param time what the query names; events of then are preferred
/// @param phrases documents that contain them are preferred
public record IndexQuery(
    List<String> terms,
    List<String> identifiers,
    Optional<Query> words,
    Optional<Query> filter,
    Optional<Query> owner,
    Optional<EventDocuments.Vector> vector,
    Set<String> names,
    Optional<Span> time,
    List<Query> phrases) {

  /// What every hit has to match.
  public Optional<Query> everyHit() {
    return Stream.concat(filter.stream(), owner.stream())
        .reduce((one, other) ->
            new BooleanQuery.Builder()
                .add(one, BooleanClause.Occur.FILTER)
                .add(other, BooleanClause.Occur.FILTER)
                .build());
  }
}
