package dev.agentmemory.search.internal.query;

import dev.agentmemory.api.search.Coverage;
import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.search.internal.index.Fields;
import dev.agentmemory.search.internal.index.NodeDocuments;
import dev.agentmemory.search.internal.text.Analysis;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
public record Queries(Analysis analysis) {

  /// Terms of a query that are looked for; a longer one is a pasted text, whose beginning will do.
  static final int MAX_TERMS = 64;

  /// What an identifier that occurs as it is written is worth, in terms of words.
  static final float EXACT = 2;

  /// What a preferred phrase is worth, in terms of words: enough to be among the candidates.
  static final float PHRASE = 10;

  /// Turns that a person or an agent said.
  public static final Query SAID =
      new BooleanQuery.Builder()
          .add(is(Fields.ROLE, EventDocuments.role(EventRole.USER)), BooleanClause.Occur.SHOULD)
          .add(
              is(Fields.ROLE, EventDocuments.role(EventRole.ASSISTANT)), BooleanClause.Occur.SHOULD)
          .build();

  private static final BooleanClause.Occur MUST = BooleanClause.Occur.FILTER;
  private static final BooleanClause.Occur SHOULD = BooleanClause.Occur.SHOULD;

  private static final int SHORTEST_STEM = 4;
  private static final int LONGEST_ENDING = 4;

  private static final Pattern BETWEEN = Pattern.compile("[^\\p{L}\\p{N}']+");
  private static final Pattern GENITIVE = Pattern.compile("['\u2019]s\\b");

  /// What finds events.
  public IndexQuery events(Question question) {
    ReadQuery read = question.read();
    boolean words = question.used() != SearchMode.SEMANTIC;
    List<String> terms = terms(read.text());
    List<String> identifiers = identifiers(read.text());
    List<Query> phrases =
        read.phrases().stream().map(phrase -> phrase(Fields.WORDS, phrase)).toList();
    return new IndexQuery(
        words ? terms : List.of(),
        words ? identifiers : List.of(),
        words ? words(terms, identifiers, read.prefixes(), phrases) : Optional.empty(),
        filter(question, Fields.WORDS),
        question.owner().map(Queries::of),
        question.vector(),
        names(read.text()),
        read.time(),
        phrases);
  }

  /// Terms of words, each once.
  public List<String> terms(String text) {
    return analysis.queryTerms(text).stream().limit(MAX_TERMS).toList();
  }

  /// Exact terms, each once.
  List<String> identifiers(String text) {
    return Analysis.terms(analysis.identifiers(), text).stream()
        .distinct()
        .limit(MAX_TERMS)
        .toList();
  }

  /// Events that pass the filters, whatever their words.
  public Query eventsThatPass(Question question) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    query.add(allEvents(question.owner()), MUST);
    filter(question, Fields.WORDS).ifPresent(filter -> query.add(filter, MUST));
    return query.build();
  }

  /// Summaries that pass the filters, whatever their words.
  public Query summariesThatPass(Question question) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    query.add(kinds(question.kinds()), MUST);
    question.owner().ifPresent(name -> query.add(of(name), MUST));
    filter(question, Fields.SUMMARY).ifPresent(filter -> query.add(filter, MUST));
    return query.build();
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
      query.add(new TermQuery(new Term(Fields.WORDS, term)), SHOULD);
    }
    for (String identifier : identifiers) {
      var exact = new TermQuery(new Term(Fields.EXACT, identifier));
      query.add(new BoostQuery(exact, EXACT), SHOULD);
    }
    for (String prefix : prefixes) {
      query.add(prefix(prefix), SHOULD);
    }
    // Not by themselves: a phrase has words, which are among the terms.
    phrases.forEach(phrase -> query.add(new BoostQuery(phrase, PHRASE), SHOULD));
    return Optional.of(query.build());
  }

  /// Words are kept by their stems, so a beginning may be longer than what it begins.
  private static Query prefix(String prefix) {
    String folded = EventDocuments.lower(prefix);
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    query.add(new PrefixQuery(new Term(Fields.WORDS, folded)), SHOULD);
    query.add(new PrefixQuery(new Term(Fields.EXACT, folded)), SHOULD);
    for (int end = Math.max(SHORTEST_STEM, folded.length() - LONGEST_ENDING);
        end < folded.length();
        end++) {
      Query stem = new TermQuery(new Term(Fields.WORDS, folded.substring(0, end)));
      query.add(new ConstantScoreQuery(stem), SHOULD);
    }
    return query.build();
  }

  /// What finds summaries; empty when the question has no words.
  public Optional<Query> summaries(Question question) {
    return summaryWords(terms(question.read().text()), question.read().prefixes())
        .map(words ->
            new BooleanQuery.Builder()
                .add(summariesThatPass(question), MUST)
                .add(words, BooleanClause.Occur.MUST)
                .build());
  }

  private static Optional<Query> summaryWords(List<String> terms, List<String> prefixes) {
    BooleanQuery.Builder words = new BooleanQuery.Builder();
    terms.stream()
        .map(term -> new TermQuery(new Term(Fields.SUMMARY, term)))
        .forEach(term -> words.add(term, SHOULD));
    prefixes.stream()
        .map(prefix -> new PrefixQuery(new Term(Fields.SUMMARY, EventDocuments.lower(prefix))))
        .forEach(prefix -> words.add(prefix, SHOULD));
    BooleanQuery built = words.build();
    return built.clauses().isEmpty() ? Optional.empty() : Optional.of(built);
  }

  /// Documents of nodes of these kinds.
  private static Query kinds(Set<HitKind> kinds) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    if (kinds.contains(HitKind.SEGMENT)) {
      query.add(is(Fields.KIND, NodeDocuments.SEGMENT), SHOULD);
    }
    if (kinds.contains(HitKind.ROLLUP)) {
      query.add(is(Fields.KIND, NodeDocuments.ROLLUP), SHOULD);
    }
    return query.build();
  }

  /// Documents of a workspace, in a store that workspaces share.
  private static Query of(WorkspaceName owner) {
    return is(Fields.OWNER, owner.value());
  }

  /// All events, or all of an owner.
  public static Query allEvents(Optional<WorkspaceName> owner) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    query.add(is(Fields.KIND, EventDocuments.KIND), MUST);
    owner.ifPresent(name -> query.add(of(name), MUST));
    return query.build();
  }

  /// A condition that a document has to meet.
  ///
  /// @param met whether it has to match the query, or must not
  public record Condition(Coverage.Condition name, Query query, boolean met) {

    /// What documents match that do not meet it.
    Query missed() {
      return met ? not(query) : query;
    }
  }

  /// What a document has to fulfil.
  ///
  /// @param field of the words of phrases
  private Optional<Query> filter(Question question, String field) {
    List<Condition> conditions = conditions(question, field);
    if (conditions.isEmpty()) {
      return Optional.empty();
    }
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    conditions.forEach(
        one -> query.add(one.query(), one.met() ? MUST : BooleanClause.Occur.MUST_NOT));
    if (conditions.stream().noneMatch(Condition::met)) {
      query.add(MatchAllDocsQuery.INSTANCE, MUST);
    }
    return Optional.of(query.build());
  }

  /// The conditions of a question, one after the other.
  ///
  /// @param field of the words of phrases
  private List<Condition> conditions(Question question, String field) {
    Filters filters = question.filters();
    List<Condition> all = new ArrayList<>();
    filters
        .session()
        .map(session -> session(session, question.owner()))
        .ifPresent(query -> all.add(met(Coverage.Condition.SESSION, query)));
    filters
        .notSession()
        .map(session -> session(session, question.owner()))
        .ifPresent(query ->
            all.add(new Condition(Coverage.Condition.NOT_SESSION, query, /* met= */ false)));
    filters
        .agent()
        .ifPresent(agent -> all.add(met(Coverage.Condition.AGENT, is(Fields.AGENT, agent))));
    filters
        .role()
        .map(EventDocuments::role)
        .ifPresent(role -> all.add(met(Coverage.Condition.ROLE, is(Fields.ROLE, role))));
    filters
        .level()
        .map(NodeDocuments::level)
        .ifPresent(level -> all.add(met(Coverage.Condition.LEVEL, is(Fields.LEVEL, level))));
    filters.tags().forEach(tag -> all.add(met(Coverage.Condition.TAGS, is(Fields.TAG, tag))));
    filters
        .before()
        .map(before ->
            LongPoint.newRangeQuery(Fields.TIME, Long.MIN_VALUE, before.toEpochMilli() - 1))
        .ifPresent(query -> all.add(met(Coverage.Condition.TIME, query)));
    filters
        .after()
        .map(after -> notBefore(after.toEpochMilli()))
        .ifPresent(query -> all.add(met(Coverage.Condition.TIME, query)));
    for (String phrase : question.read().required()) {
      all.add(met(Coverage.Condition.PHRASE, phrase(field, phrase)));
    }
    for (String word : question.read().excluded()) {
      all.add(new Condition(Coverage.Condition.EXCLUSION, phrase(field, word), /* met= */ false));
    }
    return all;
  }

  private static Condition met(Coverage.Condition name, Query query) {
    return new Condition(name, query, /* met= */ true);
  }

  private static Query not(Query query) {
    return new BooleanQuery.Builder()
        .add(MatchAllDocsQuery.INSTANCE, MUST)
        .add(query, BooleanClause.Occur.MUST_NOT)
        .build();
  }

  /// For each condition of a question, the documents that do not meet it.
  ///
  /// @param events whether events are meant, else summaries
  public Map<Coverage.Condition, Query> missed(Question question, boolean events) {
    Map<Coverage.Condition, BooleanQuery.Builder> missed = new EnumMap<>(Coverage.Condition.class);
    conditions(question, events ? Fields.WORDS : Fields.SUMMARY)
        .forEach(one ->
            missed
                .computeIfAbsent(one.name(), _ -> new BooleanQuery.Builder())
                .add(one.missed(), SHOULD));
    Map<Coverage.Condition, Query> built = new EnumMap<>(Coverage.Condition.class);
    missed.forEach((name, query) -> built.put(name, query.build()));
    return built;
  }

  /// Events or summaries of the asker, whatever they say.
  ///
  /// @param events whether events are meant, else summaries
  public Query all(Question question, boolean events) {
    if (events) {
      return allEvents(question.owner());
    }
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    query.add(kinds(question.kinds()), MUST);
    question.owner().ifPresent(name -> query.add(of(name), MUST));
    return query.build();
  }

  /// Documents with a word of a question, whatever else is asked for; empty when it has no words.
  ///
  /// @param events whether events are meant, else summaries
  public Optional<Query> anyWord(Question question, boolean events) {
    ReadQuery read = question.read();
    List<String> terms = terms(read.text());
    return events
        ? words(terms, identifiers(read.text()), read.prefixes(), List.of())
        : summaryWords(terms, read.prefixes());
  }

  static Query is(String field, String value) {
    return new TermQuery(new Term(field, EventDocuments.cut(value)));
  }

  /// An id that is too long matches nothing.
  private static Query session(SessionId id, Optional<WorkspaceName> owner) {
    if (id.value().getBytes(StandardCharsets.UTF_8).length > SessionId.MAX_BYTES
        && owner.isPresent()) {
      return MatchNoDocsQuery.INSTANCE;
    }
    String value = owner.map(id::in).orElse(id).value();
    return new BooleanQuery.Builder()
        .add(is(Fields.SESSION, value), SHOULD)
        .add(is(Fields.PART, value), SHOULD)
        .build();
  }

  /// Events from then on, and summaries of what ends then or later.
  private static Query notBefore(long millis) {
    BooleanQuery.Builder events = new BooleanQuery.Builder();
    events.add(is(Fields.KIND, EventDocuments.KIND), MUST);
    events.add(LongPoint.newRangeQuery(Fields.TIME, millis, Long.MAX_VALUE), MUST);
    return new BooleanQuery.Builder()
        .add(events.build(), SHOULD)
        .add(LongPoint.newRangeQuery(Fields.END, millis, Long.MAX_VALUE), SHOULD)
        .build();
  }

  /// Words that follow each other; an identifier as it is written.
  Query phrase(String field, String text) {
    BooleanQuery.Builder either = new BooleanQuery.Builder();
    Query words = new QueryBuilder(analysis.phrases()).createPhraseQuery(field, text);
    if (words != null) {
      either.add(words, SHOULD);
    }
    List<String> identifiers = Analysis.terms(analysis.identifiers(), text);
    if (identifiers.size() == 1) {
      either.add(is(Fields.EXACT, identifiers.getFirst()), SHOULD);
    }
    BooleanQuery query = either.build();
    // A phrase of nothing but punctuation asks for nothing.
    return query.clauses().isEmpty() ? MatchNoDocsQuery.INSTANCE : new ConstantScoreQuery(query);
  }
}
