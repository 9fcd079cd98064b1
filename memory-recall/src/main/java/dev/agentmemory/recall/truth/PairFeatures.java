package dev.agentmemory.recall.truth;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.recall.internal.grammar.ClauseShape;
import dev.agentmemory.recall.internal.grammar.ClauseShape.Subject;
import dev.agentmemory.recall.internal.grammar.WordClass;
import dev.agentmemory.recall.internal.grammar.WordStems;
import dev.agentmemory.recall.internal.grammar.WordToken;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/// Compares two statements word by word.
final class PairFeatures {

  private static final Set<String> NOW = Set.of("now", "nowadays", "currently", "meanwhile");

  private final double[] values = new double[PairFeature.values().length];
  private final StatementContent older;
  private final StatementContent newer;
  private final List<ContentWord> gone;
  private final List<ContentWord> added;

  private PairFeatures(StatementContent older, StatementContent newer) {
    this.older = older;
    this.newer = newer;
    this.gone = older.without(newer);
    this.added = newer.without(older);
  }

  static double[] of(StatedText older, StatedText newer) {
    var features = new PairFeatures(older.content(), newer.content());
    features.cues();
    features.subjects();
    features.differences();
    features.predicates();
    features.polarity();
    features.overlap();
    features.kinds(older.kind(), newer.kind());
    return features.values;
  }

  private void set(PairFeature feature, boolean holds) {
    values[feature.index()] = holds ? 1 : 0;
  }

  private boolean holds(PairFeature feature) {
    return values[feature.index()] == 1;
  }

  private double oldCovered() {
    return (double) shared() / Math.max(1, older.words().size());
  }

  private int shared() {
    return older.words().size() - gone.size();
  }

  private void cues() {
    set(PairFeature.REVERSAL, newer.isReversal());
    set(PairFeature.REVERSAL_AGAIN, newer.reversals() > 1);
    set(PairFeature.REVERSAL_OF_SHARED, newer.isReversal() && shared() > 0);
    set(PairFeature.ADDITION, newer.isAddition());
    set(PairFeature.EXCEPTION_NEW, newer.isException());
    set(PairFeature.EXCEPTION_OLD, older.isException());
    set(PairFeature.NOW, newer.tokens().stream().anyMatch(token -> NOW.contains(token.key())));
  }

  private void overlap() {
    boolean kept = gone.isEmpty() && !older.words().isEmpty();
    boolean known = added.isEmpty() && !newer.words().isEmpty();
    set(PairFeature.NOTHING_SHARED, shared() == 0);
    set(PairFeature.ONE_WORD_SHARED, shared() == 1);
    values[PairFeature.OLD_COVERED.index()] = oldCovered();
    values[PairFeature.NEW_COVERED.index()] =
        (double) (newer.words().size() - added.size()) / Math.max(1, newer.words().size());
    boolean changed =
        holds(PairFeature.REVERSAL)
            || holds(PairFeature.NEGATION_CHANGED)
            || holds(PairFeature.TASTE_REVERSED);
    set(PairFeature.REFINEMENT, kept && !known && !changed);
    set(PairFeature.SHORTER, known && !kept && !changed);
    set(PairFeature.SAME_WORDS, known && kept && !changed);
  }

  private void subjects() {
    boolean before = gone.stream().anyMatch(ContentWord::subject);
    boolean now = added.stream().anyMatch(ContentWord::subject);
    set(PairFeature.OTHER_SUBJECT, before && now);
    set(PairFeature.SUBJECT_KEPT, !before && older.words().stream().anyMatch(ContentWord::subject));
    set(
        PairFeature.NEW_SUBJECT_KNOWN,
        !now && newer.words().stream().anyMatch(ContentWord::subject));
    Set<String> persons = persons(older);
    Set<String> others = persons(newer);
    boolean owner = !persons.equals(others);
    set(
        PairFeature.OTHER_PERSON,
        !persons.isEmpty() && !others.isEmpty() && persons.stream().noneMatch(others::contains));
    set(
        PairFeature.OTHER_OWNER,
        owner && ((persons.isEmpty() && isOwn(older)) || (others.isEmpty() && isOwn(newer))));
    set(PairFeature.OTHER_NAME_IN_SUBJECT, differInSubject(WordClass.NAME));
    set(PairFeature.OTHER_CODE_IN_SUBJECT, differInSubject(WordClass.CODE));
  }

  private static Set<String> persons(StatementContent content) {
    var persons = new HashSet<String>();
    for (ContentWord word : content.words()) {
      if (word.token().is(WordClass.PERSON)) {
        persons.add(word.stem());
      }
    }
    return persons;
  }

  /// Whether its first clause is about the speaker.
  private static boolean isOwn(StatementContent content) {
    return !content.clauses().isEmpty()
        && (content.clauses().getFirst().subject() == Subject.I
            || content.clauses().getFirst().subject() == Subject.WE);
  }

  /// Names may begin a sentence, where a capital says nothing; there they count, too.
  private boolean differInSubject(WordClass kind) {
    Predicate<ContentWord> counts =
        word ->
            word.subject() && (word.token().is(kind) || (kind == WordClass.NAME && word.at() == 0));
    return gone.stream().anyMatch(counts) && added.stream().anyMatch(counts);
  }

  private void differences() {
    int before = groups(older, gone);
    int now = groups(newer, added);
    set(PairFeature.ONE_DIFFERENCE, before == 1 && now == 1);
    set(PairFeature.SEVERAL_DIFFERENCES, before > 1 && now > 1);
    boolean number = differ(WordClass.NUMBER);
    boolean words =
        gone.stream().anyMatch(PairFeatures::isWord)
            || added.stream().anyMatch(PairFeatures::isWord);
    set(PairFeature.NUMBER_CHANGED, number);
    set(PairFeature.ONLY_NUMBER_CHANGED, number && !words);
    set(PairFeature.NAME_CHANGED, differ(WordClass.NAME) || differ(WordClass.CODE));
    compareKinds(
        StatementContent::kindOfCase, PairFeature.OTHER_CASE, PairFeature.OTHER_CASE_IN_SUBJECT);
    values();
    Set<String> attributes = older.attributes();
    Set<String> others = newer.attributes();
    set(
        PairFeature.OTHER_ATTRIBUTE,
        !attributes.isEmpty()
            && !others.isEmpty()
            && attributes.stream().noneMatch(others::contains));
  }

  /// What they say of their subjects.
  private void predicates() {
    String before = verb(older);
    String now = verb(newer);
    boolean verbs = !before.isEmpty() && !now.isEmpty();
    boolean same = verbs && WordStems.areRelated(before, now);
    set(PairFeature.SAME_VERB, same);
    set(PairFeature.OTHER_VERB, verbs && !same);
    boolean onlySubject =
        shared() > 0 && !sharesBehindVerb(older, newer) && !sharesBehindVerb(newer, older);
    set(PairFeature.ONLY_SUBJECT_SHARED, onlySubject);
    Set<String> prepositions = prepositions(older);
    Set<String> others = prepositions(newer);
    boolean common = prepositions.stream().anyMatch(others::contains);
    set(PairFeature.SAME_PREPOSITION, common);
    set(PairFeature.OTHER_PREPOSITION, !common && !prepositions.isEmpty() && !others.isEmpty());
    set(
        PairFeature.OTHER_PREDICATE,
        onlySubject && verbs && !same && !common && !holds(PairFeature.SAME_KIND_OF_VALUE));
    boolean behind =
        gone.stream().noneMatch(ContentWord::subject)
            && added.stream().noneMatch(ContentWord::subject);
    set(
        PairFeature.SAME_PREDICATE,
        same
            && behind
            && prepositions.equals(others)
            && groups(older, gone) == 1
            && groups(newer, added) == 1);
    set(PairFeature.NUMBER_OF_ONE, has(gone, WordClass.NUMBER) != has(added, WordClass.NUMBER));
  }

  /// Whether a word behind the verb of a statement is in another one, too. A word that stands
  /// before the verb as well, as in `the event bus keeps events`, belongs to the subject.
  private static boolean sharesBehindVerb(StatementContent one, StatementContent other) {
    var subject = new HashSet<String>();
    one.words().stream().filter(ContentWord::subject).forEach(word -> subject.add(word.stem()));
    return one.words().stream()
        .anyMatch(word -> !word.subject() && !subject.contains(word.stem()) && other.has(word));
  }

  private static Set<String> prepositions(StatementContent content) {
    var prepositions = new HashSet<String>();
    for (WordToken token : content.tokens()) {
      if (token.is(WordClass.PREPOSITION) && !token.is("of") && !token.is("to")) {
        prepositions.add(token.key());
      }
    }
    return prepositions;
  }

  private static boolean isWord(ContentWord word) {
    return !word.token().is(WordClass.NUMBER) && !word.token().is(WordClass.UNIT);
  }

  private boolean differ(WordClass kind) {
    return has(gone, kind) && has(added, kind);
  }

  private static boolean has(List<ContentWord> words, WordClass kind) {
    return words.stream().anyMatch(word -> word.token().is(kind));
  }

  /// The number of places at which a statement has words of its own: words next to each other are
  /// one place.
  ///
  /// @param own some of its words, in their order
  private static int groups(StatementContent content, List<ContentWord> own) {
    int groups = 0;
    int found = 0;
    boolean before = false;
    for (int i = 0; i < content.words().size() && found < own.size(); i++) {
      boolean is = content.words().get(i).at() == own.get(found).at();
      if (is) {
        groups += before && close(content, i) ? 0 : 1;
        found++;
      }
      before = is;
    }
    return groups;
  }

  /// Whether at most one word without meaning stands before a word, and no mark.
  private static boolean close(StatementContent content, int word) {
    int at = content.words().get(word).at();
    return at - content.words().get(word - 1).at() <= 2
        && !content.tokens().get(at - 1).is(WordClass.MARK)
        && !content.tokens().get(at - 1).is(WordClass.PREPOSITION);
  }

  private void compareKinds(
      Function<ContentWord, String> kind, PairFeature anywhere, PairFeature inSubject) {
    boolean differ = false;
    boolean subject = false;
    for (ContentWord word : gone) {
      String of = kind.apply(word);
      if (of.isEmpty()) {
        continue;
      }
      for (ContentWord other : added) {
        boolean both = of.equals(kind.apply(other));
        differ |= both;
        subject |= both && (word.subject() || other.subject() || word.at() < 2 || other.at() < 2);
      }
    }
    set(anywhere, differ);
    set(inSubject, subject);
  }

  private void values() {
    Set<String> before = values(gone);
    Set<String> now = values(added);
    boolean common = before.stream().anyMatch(now::contains);
    set(PairFeature.SAME_KIND_OF_VALUE, common);
    set(PairFeature.OTHER_KIND_OF_VALUE, !common && !before.isEmpty() && !now.isEmpty());
  }

  private static Set<String> values(List<ContentWord> words) {
    var kinds = new HashSet<String>();
    words.forEach(word -> kinds.add(StatementContent.kindOfValue(word)));
    kinds.remove("");
    return kinds;
  }

  /// The verb of the first clause that has one.
  private static String verb(StatementContent content) {
    for (ClauseShape clause : content.clauses()) {
      if (clause.verbAt() < clause.end()) {
        WordToken token = content.tokens().get(clause.verbAt());
        return token.is(WordClass.BE) ? "be" : WordStems.of(token.key());
      }
    }
    return "";
  }

  private void polarity() {
    boolean before = older.isNegated();
    boolean now = newer.isNegated();
    boolean alike = oldCovered() >= 0.6 && !holds(PairFeature.ONLY_SUBJECT_SHARED);
    set(PairFeature.NEGATION_CHANGED, before != now && shared() > 0);
    set(PairFeature.NEGATION_CHANGED_OF_SAME, before != now && alike);
    set(PairFeature.BOTH_NEGATED, before && now);
    int taste = Taste.of(older) * Taste.of(newer);
    set(PairFeature.TASTE_REVERSED, taste < 0 && shared() > 0);
  }

  private void kinds(MemoryKind before, MemoryKind now) {
    set(PairFeature.OTHER_KIND, before != now);
    set(PairFeature.BOTH_FINDINGS, before == MemoryKind.FINDING && now == before);
    set(PairFeature.BOTH_DECISIONS, before == MemoryKind.DECISION && now == before);
    set(PairFeature.BOTH_PREFERENCES, before == MemoryKind.PREFERENCE && now == before);
  }
}
