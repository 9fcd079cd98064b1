package dev.agentmemory.search.internal.query;

import dev.agentmemory.search.internal.index.EventDocuments;
import dev.agentmemory.search.internal.index.Fields;
import dev.agentmemory.search.internal.text.Analysis;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/// Makes queries for the index of curated memories. The query language is that of a search
/// ([QueryReader]) with `tag:` as its only filter; other filters are text. A word may hold the
/// wildcards of [WildcardWord].
public final class MemoryQueries {

  /// The filter that is understood.
  private static final String TAG = "tag";

  /// Finds everything.
  private static final String ALL = "*";

  /// What a word that matches a pattern is worth, in terms of words.
  private static final float PATTERN = 2;

  private static final BooleanClause.Occur MUST = BooleanClause.Occur.FILTER;
  private static final BooleanClause.Occur SHOULD = BooleanClause.Occur.SHOULD;

  private static final Pattern SPACES = Pattern.compile("\\s+");

  private final Queries queries;

  public MemoryQueries(Analysis analysis) {
    this.queries = new Queries(analysis);
  }

  /// What finds memories.
  ///
  /// @param query any text
  /// @return empty when the query asks for nothing
  public Optional<Query> of(String query) {
    if (query.strip().equals(ALL)) {
      return Optional.of(MatchAllDocsQuery.INSTANCE);
    }
    var requested = new RequestedWords(query);
    // Filters of time are text here, so no time matters.
    QueryReader.pieces(query, ZoneOffset.UTC, Instant.EPOCH).forEach(requested::take);
    return requested.query();
  }

  /// What a query asks for, piece by piece.
  private final class RequestedWords {
    private final String whole;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder quoted = new StringBuilder();
    private final List<WildcardWord> patterns = new ArrayList<>();
    private final List<String> phrases = new ArrayList<>();
    private final BooleanQuery.Builder filter = new BooleanQuery.Builder();
    private boolean filtered;

    private RequestedWords(String whole) {
      this.whole = whole;
    }

    private void take(Piece piece) {
      switch (piece) {
        case Piece.Text free -> words(whole.substring(free.start(), free.end()));
        case Piece.Prefix prefix -> words(prefix.letters() + ALL);
        case Piece.Phrase phrase -> {
          quoted.append(phrase.words()).append(' ');
          if (phrase.plus()) {
            require(phrase.words());
          } else {
            phrases.add(phrase.words());
          }
        }
        case Piece.Excluded without ->
            filter.add(queries.phrase(Fields.WORDS, without.words()), BooleanClause.Occur.MUST_NOT);
        case Piece.Filter typed when typed.name().equalsIgnoreCase(TAG) -> {
          filter.add(Queries.is(Fields.TAG, EventDocuments.lower(typed.value())), MUST);
          filtered = true;
        }
        case Piece.Filter typed -> words(whole.substring(typed.start(), typed.end()));
      }
    }

    private void require(String phrase) {
      filter.add(queries.phrase(Fields.WORDS, phrase), MUST);
      filtered = true;
    }

    private void words(String piece) {
      for (String word : SPACES.split(piece, -1)) {
        Optional<WildcardWord> pattern =
            patterns.size() < QueryReader.MAX_OPERATORS ? WildcardWord.of(word) : Optional.empty();
        pattern.ifPresent(patterns::add);
        text.append(pattern.map(WildcardWord::text).orElse(word)).append(' ');
      }
    }

    private Optional<Query> query() {
      // With nothing else to look for, every hit holds the phrases.
      boolean alone = text.codePoints().noneMatch(Character::isLetterOrDigit) && patterns.isEmpty();
      if (alone) {
        phrases.forEach(this::require);
      }
      Optional<Query> words = words();
      if (words.isEmpty() && !filtered) {
        return Optional.empty();
      }
      BooleanQuery.Builder query = new BooleanQuery.Builder();
      if (filtered || !filter.build().clauses().isEmpty()) {
        filter.add(MatchAllDocsQuery.INSTANCE, MUST);
        query.add(filter.build(), MUST);
      }
      words.ifPresent(found -> query.add(found, BooleanClause.Occur.MUST));
      return Optional.of(query.build());
    }

    private Optional<Query> words() {
      String free = text.toString() + quoted;
      BooleanQuery.Builder query = new BooleanQuery.Builder();
      for (String term : queries.terms(free)) {
        query.add(new TermQuery(new Term(Fields.WORDS, term)), SHOULD);
      }
      for (String identifier : queries.identifiers(free)) {
        var exact = new TermQuery(new Term(Fields.EXACT, identifier));
        query.add(new BoostQuery(exact, Queries.EXACT), SHOULD);
      }
      for (WildcardWord pattern : patterns) {
        query.add(new BoostQuery(pattern.query(queries), PATTERN), SHOULD);
      }
      for (String phrase : phrases) {
        query.add(new BoostQuery(queries.phrase(Fields.WORDS, phrase), Queries.PHRASE), SHOULD);
      }
      BooleanQuery built = query.build();
      return built.clauses().isEmpty() ? Optional.empty() : Optional.of(built);
    }
  }
}
