package dev.agentmemory.search;

import dev.agentmemory.types.Span;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.search.Query;

/// A query as the index understands it.
///
/// @param terms of the words, each once
/// @param identifiers exact terms, each once
/// @param words what finds turns by words; empty when the query has none
/// @param filter what every hit has to match; empty when anything goes
/// @param vector what finds turns by meaning
/// @param names words of the query, lower case: a speaker's name may be among them
/// @param time what the query names; events of then are preferred
record Question(
    List<String> terms,
    List<String> identifiers,
    Optional<Query> words,
    Optional<Query> filter,
    Optional<EventDocuments.Vector> vector,
    Set<String> names,
    Optional<Span> time) {}
