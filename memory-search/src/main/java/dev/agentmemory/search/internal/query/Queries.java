package dev.agentmemory.search.internal.query;

import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.Kind;
import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.search.internal.index.Fields;
import dev.agentmemory.search.internal.index.NodeDocuments;
import dev.agentmemory.search.internal.text.Analysis;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.QueryBuilder;

/// Makes queries for the index out of what was asked. No text of a user is ever parsed by Lucene.
public final class Queries {

  /// Terms of a query that are looked for; a longer one is a pasted text, whose beginning will do.
  static final int MAX_TERMS = 64;

  /// What an identifier that occurs as it is written is worth, in terms of words.
  private static final float EXACT = 2;

  /// What a preferred phrase is worth, in terms of words: enough to be among the candidates.
  private static final float PHRASE = 10;

  private static final int SHORTEST_STEM = 4;
  private static final int LONGEST_ENDING = 4;

  private static final Pattern BETWEEN = Pattern.compile("[^\\p{L}\\p{N}']+");
  private static final Pattern GENITIVE = Pattern.compile("['\u2019]s\\b");

  private final Analysis analysis;

  public Queries(Analysis analysis) {
    this.analysis = analysis;
  }

  /// @param vector what finds events by meaning
  /// @param words whether to look for words at all
  /// @param owner whose events are looked for, in a store that workspaces share
  public IndexQuery question(
      ReadQuery read,
      Filters filters,
      boolean words,
      Optional<EventDocuments.Vector> vector,
      Optional<WorkspaceName> owner) {
    List<String> terms = analysis.queryTerms(read.text()).stream().limit(MAX_TERMS).toList();
    List<String> identifiers =
        Analysis.terms(analysis.identifiers(), read.text()).stream()
            .distinct()
            .limit(MAX_TERMS)
            .toList();
    List<Query> phrases =
        read.phrases().stream().map(phrase -> phrase(Fields.WORDS, phrase)).toList();
    return new IndexQuery(
        words ? terms : List.of(),
        words ? identifiers : List.of(),
        words ? words(terms, identifiers, read.prefixes(), phrases) : Optional.empty(),
        filter(read, filters, owner, Fields.WORDS),
        owner.map(Queries::of),
        vector,
        names(read.text()),
        read.time(),
        phrases);
  }

  /// Summaries that pass.
  public BooleanQuery.Builder summariesThatPass(
      ReadQuery read, Filters filters, Set<Kind> kinds, Optional<WorkspaceName> owner) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    query.add(kinds(kinds), BooleanClause.Occur.FILTER);
    owner.ifPresent(name -> query.add(of(name), BooleanClause.Occur.FILTER));
    summaryFilter(read, filters, owner)
        .ifPresent(filter -> query.add(filter, BooleanClause.Occur.FILTER));
    return query;
  }

  /// What may be a speaker's name among the words of a query, lower case.
  static Set<String> names(String text) {
    String plain = GENITIVE.matcher(text.toLowerCase(Locale.ROOT)).replaceAll("");
    return new HashSet<>(Arrays.asList(BETWEEN.split(plain, -1)));
  }

  private static Optional<Query> words(
      List<String> terms, List<String> identifiers, List<String> prefixes, List<Query> phrases) {
    if (terms.isEmpty() && identifiers.isEmpty() && prefixes.isEmpty()) {
      return Optional.empty();
    }
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (String term : terms) {
      query.add(new TermQuery(new Term(Fields.WORDS, term)), BooleanClause.Occur.SHOULD);
    }
    for (String identifier : identifiers) {
      query.add(
          new BoostQuery(new TermQuery(new Term(Fields.EXACT, identifier)), EXACT),
          BooleanClause.Occur.SHOULD);
    }
    for (String prefix : prefixes) {
      query.add(prefix(prefix), BooleanClause.Occur.SHOULD);
    }
    // Not by themselves: a phrase has words, which are among the terms.
    phrases.forEach(
        phrase -> query.add(new BoostQuery(phrase, PHRASE), BooleanClause.Occur.SHOULD));
    return Optional.of(query.build());
  }

  /// Words are kept by their stems, so a beginning may be longer than what it begins.
  private static Query prefix(String prefix) {
    String folded = EventDocuments.lower(prefix);
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    query.add(new PrefixQuery(new Term(Fields.WORDS, folded)), BooleanClause.Occur.SHOULD);
    query.add(new PrefixQuery(new Term(Fields.EXACT, folded)), BooleanClause.Occur.SHOULD);
    for (int end = Math.max(SHORTEST_STEM, folded.length() - LONGEST_ENDING);
        end < folded.length();
        end++) {
      Query stem = new TermQuery(new Term(Fields.WORDS, folded.substring(0, end)));
      query.add(new ConstantScoreQuery(stem), BooleanClause.Occur.SHOULD);
    }
    return query.build();
  }

  /// What finds summaries by words.
  public Optional<Query> summaries(ReadQuery read) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    analysis.queryTerms(read.text()).stream()
        .limit(MAX_TERMS)
        .forEach(term ->
            query.add(new TermQuery(new Term(Fields.SUMMARY, term)), BooleanClause.Occur.SHOULD));
    read.prefixes()
        .forEach(prefix ->
            query.add(
                new PrefixQuery(new Term(Fields.SUMMARY, EventDocuments.lower(prefix))),
                BooleanClause.Occur.SHOULD));
    BooleanQuery built = query.build();
    return built.clauses().isEmpty() ? Optional.empty() : Optional.of(built);
  }

  /// Documents of nodes of these kinds.
  static Query kinds(Set<Kind> kinds) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    if (kinds.contains(Kind.SEGMENT)) {
      query.add(is(Fields.KIND, NodeDocuments.SEGMENT), BooleanClause.Occur.SHOULD);
    }
    if (kinds.contains(Kind.ROLLUP)) {
      query.add(is(Fields.KIND, NodeDocuments.ROLLUP), BooleanClause.Occur.SHOULD);
    }
    return query.build();
  }

  /// What a summary has to fulfil.
  Optional<Query> summaryFilter(ReadQuery read, Filters filters, Optional<WorkspaceName> owner) {
    return filter(read, filters, owner, Fields.SUMMARY);
  }

  /// Documents of a workspace, in a store that workspaces share.
  static Query of(WorkspaceName owner) {
    return is(Fields.OWNER, owner.value());
  }

  /// All events, or all of an owner.
  public static Query events(Optional<WorkspaceName> owner) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    query.add(is(Fields.KIND, EventDocuments.KIND), MUST);
    owner.ifPresent(name -> query.add(of(name), MUST));
    return query.build();
  }

  /// @param owner whose sessions are meant
  /// @param field of the words of phrases
  private Optional<Query> filter(
      ReadQuery read, Filters filters, Optional<WorkspaceName> owner, String field) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    filters.session().ifPresent(session -> query.add(session(session, owner), MUST));
    filters.agent().ifPresent(agent -> query.add(is(Fields.AGENT, agent), MUST));
    filters.role().ifPresent(role -> query.add(is(Fields.ROLE, EventDocuments.role(role)), MUST));
    filters
        .level()
        .ifPresent(level -> query.add(is(Fields.LEVEL, NodeDocuments.level(level)), MUST));
    filters.tags().forEach(tag -> query.add(is(Fields.TAG, tag), MUST));
    filters
        .before()
        .ifPresent(before ->
            query.add(
                LongPoint.newRangeQuery(Fields.TIME, Long.MIN_VALUE, before.toEpochMilli() - 1),
                MUST));
    filters.after().ifPresent(after -> query.add(notBefore(after.toEpochMilli()), MUST));
    for (String phrase : read.required()) {
      query.add(phrase(field, phrase), MUST);
    }
    for (String word : read.excluded()) {
      query.add(phrase(field, word), BooleanClause.Occur.MUST_NOT);
    }
    BooleanQuery built = query.build();
    boolean positive = built.clauses().stream().anyMatch(clause -> clause.occur() == MUST);
    if (built.clauses().isEmpty()) {
      return Optional.empty();
    }
    if (positive) {
      return Optional.of(built);
    }
    query.add(MatchAllDocsQuery.INSTANCE, MUST);
    return Optional.of(query.build());
  }

  private static final BooleanClause.Occur MUST = BooleanClause.Occur.FILTER;

  private static Query is(String field, String value) {
    return new TermQuery(new Term(field, EventDocuments.cut(value)));
  }

  /// An id that is too long is nobody's.
  private static Query session(SessionId id, Optional<WorkspaceName> owner) {
    if (id.value().getBytes(StandardCharsets.UTF_8).length > SessionId.MAX_BYTES
        && owner.isPresent()) {
      return MatchNoDocsQuery.INSTANCE;
    }
    String value = owner.map(id::in).orElse(id).value();
    return new BooleanQuery.Builder()
        .add(is(Fields.SESSION, value), BooleanClause.Occur.SHOULD)
        .add(is(Fields.PART, value), BooleanClause.Occur.SHOULD)
        .build();
  }

  /// Events from then on, and summaries of what ends then or later.
  private static Query notBefore(long millis) {
    return new BooleanQuery.Builder()
        .add(
            new BooleanQuery.Builder()
                .add(is(Fields.KIND, EventDocuments.KIND), MUST)
                .add(LongPoint.newRangeQuery(Fields.TIME, millis, Long.MAX_VALUE), MUST)
                .build(),
            BooleanClause.Occur.SHOULD)
        .add(
            LongPoint.newRangeQuery(Fields.END, millis, Long.MAX_VALUE), BooleanClause.Occur.SHOULD)
        .build();
  }

  /// Words that follow each other; an identifier as it is written.
  private Query phrase(String field, String text) {
    BooleanQuery.Builder either = new BooleanQuery.Builder();
    Query words = new QueryBuilder(analysis.phrases()).createPhraseQuery(field, text);
    if (words != null) {
      either.add(words, BooleanClause.Occur.SHOULD);
    }
    List<String> identifiers = Analysis.terms(analysis.identifiers(), text);
    if (identifiers.size() == 1) {
      either.add(is(Fields.EXACT, identifiers.getFirst()), BooleanClause.Occur.SHOULD);
    }
    BooleanQuery query = either.build();
    // A phrase of nothing but punctuation asks for nothing.
    return query.clauses().isEmpty() ? MatchNoDocsQuery.INSTANCE : new ConstantScoreQuery(query);
  }
}
