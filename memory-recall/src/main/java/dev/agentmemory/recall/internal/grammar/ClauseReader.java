package dev.agentmemory.recall.internal.grammar;

import dev.agentmemory.recall.internal.grammar.ClauseShape.Mood;
import dev.agentmemory.recall.internal.grammar.ClauseShape.Subject;
import dev.agentmemory.recall.internal.grammar.ClauseShape.Tense;
import dev.agentmemory.recall.internal.grammar.ClauseShape.Traits;
import java.util.List;
import java.util.Optional;

/// Finds subject and verb of one clause by the order of its words. It is an approximation: English
/// nouns and verbs often look the same.
final class ClauseReader {

  private static final int SUBJECT_REACH = 14;
  private static final int NOUN_REACH = 4;

  private static final long AUXILIARY =
      WordClass.bits(WordClass.BE, WordClass.HAVE, WordClass.WILL, WordClass.MODAL, WordClass.DO);
  private static final long FINITE_AUXILIARY =
      WordClass.bits(WordClass.BE, WordClass.HAVE, WordClass.WILL, WordClass.MODAL);
  private static final long PRONOUN =
      WordClass.bits(WordClass.I, WordClass.WE, WordClass.YOU, WordClass.THEY);
  private static final long BEFORE_NOUN =
      WordClass.bits(
          WordClass.DETERMINER, WordClass.POSSESSIVE, WordClass.PREPOSITION, WordClass.NUMBER);
  private static final long BETWEEN = WordClass.bits(WordClass.ADVERB, WordClass.NOT);
  private static final long STEADY = WordClass.bits(WordClass.LASTING, WordClass.HABITUAL);

  private final List<WordToken> tokens;
  private final int from;
  private final int to;
  private boolean negated;
  private boolean lasting;
  private boolean passive;
  private Tense tense = Tense.NONE;
  private long verb;
  private int verbAt;

  ClauseReader(List<WordToken> tokens, int from, int to) {
    this.tokens = tokens;
    this.from = from;
    this.to = to;
    this.verbAt = to;
  }

  /// @param former the mood of the clause before
  /// @return empty when there is nothing behind the openers
  Optional<ClauseShape> read(Mood former) {
    int at = skipOpeners();
    if (at >= to) {
      return Optional.empty();
    }
    WordToken first = tokens.get(at);
    if (isQuestion(at)) {
      return shape(at, Subject.NONE, Mood.QUESTION);
    }
    if (isRelative(at) || (first.is(WordClass.SUBORDINATE) && !first.isAny(AUXILIARY))) {
      readVerb(nextVerb(at + 1));
      return shape(
          at, Subject.NONE, first.is(WordClass.CONDITION) ? Mood.CONDITION : Mood.SUBORDINATE);
    }
    Optional<Subject> pronoun = pronoun(at);
    if (pronoun.isPresent()) {
      int found = verbBehindPronoun(at);
      if (found < to) {
        readVerb(found);
        return shape(at, pronoun.get(), Mood.STATEMENT);
      }
    }
    if (first.is("let's")) {
      readVerb(nextVerb(at + 1));
      return shape(at, Subject.WE, Mood.PROPOSAL);
    }
    int order = order(at);
    if (order < to) {
      verbAt = order;
      verb = tokens.get(order).classes();
      tense = Tense.PRESENT;
      return shape(at, Subject.NONE, Mood.ORDER);
    }
    return readNoun(at, former);
  }

  private Optional<ClauseShape> shape(int at, Subject subject, Mood mood) {
    return Optional.of(
        new ClauseShape(
            at, to, verbAt, subject, mood, tense, new Traits(negated, passive, lasting), verb));
  }

  private int skipOpeners() {
    int at = from;
    while (at < to) {
      WordToken token = tokens.get(at);
      boolean followed =
          at + 1 >= to
              || tokens.get(at + 1).is(WordClass.MARK)
              || tokens.get(at + 1).is(WordClass.OPENER);
      boolean opener =
          token.is(WordClass.MARK)
              || token.is(WordClass.OPENER)
              || (token.is(WordClass.COURTESY) && followed)
              || (token.is(WordClass.CONJUNCTION) && !token.is(WordClass.SUBORDINATE));
      if (!opener) {
        break;
      }
      at++;
    }
    return at;
  }

  private boolean isQuestion(int at) {
    WordToken first = tokens.get(at);
    if (at + 1 >= to) {
      return first.is(WordClass.QUESTION);
    }
    WordToken next = tokens.get(at + 1);
    if (isRelative(at)) {
      return next.isAny(AUXILIARY) && at + 2 < to && tokens.get(at + 2).isAny(PRONOUN);
    }
    if (first.is(WordClass.QUESTION)) {
      boolean when = first.is(WordClass.SUBORDINATE);
      boolean auxiliary = next.isAny(AUXILIARY) && !(when && next.is(WordClass.HAVE));
      return auxiliary || (!when && !next.isAny(PRONOUN));
    }
    boolean inverted =
        next.isAny(PRONOUN)
            || next.is(WordClass.IT)
            || next.is(WordClass.DETERMINER)
            || next.is(WordClass.PERSON)
            || next.is(WordClass.NAME);
    if (first.isAny(FINITE_AUXILIARY)) {
      boolean order = first.is("have") && !next.isAny(PRONOUN);
      return inverted && !order;
    }
    return first.is(WordClass.DO)
        && (next.isAny(PRONOUN) || (first.key().length() > 2 && inverted));
  }

  /// Whether a word such as `which` directly follows a comma, so that it may refer to what is
  /// before.
  private boolean isRelative(int at) {
    WordToken token = tokens.get(at);
    boolean relative =
        token.is("which")
            || token.is("who")
            || token.is("whose")
            || token.is("where")
            || token.is("when");
    return relative && at == from && at > 0 && tokens.get(at - 1).is(",");
  }

  private Optional<Subject> pronoun(int at) {
    WordToken token = tokens.get(at);
    boolean alone = at + 1 < to && tokens.get(at + 1).isAny(AUXILIARY | BETWEEN);
    if (token.is(WordClass.I)) {
      return Optional.of(Subject.I);
    }
    if (token.is(WordClass.WE)) {
      return Optional.of(Subject.WE);
    }
    if (token.is(WordClass.YOU)) {
      return Optional.of(Subject.YOU);
    }
    if (token.is(WordClass.THEY)) {
      return Optional.of(Subject.THEY);
    }
    boolean it = token.is("it") || (token.is(WordClass.IT) && (alone || isVerbAt(at + 1)));
    return it ? Optional.of(Subject.IT) : Optional.empty();
  }

  private boolean isVerbAt(int at) {
    return at < to
        && tokens.get(at).isAny(WordClass.THIRD.bit() | WordClass.PAST.bit())
        && !tokens.get(at).is(WordClass.BASE);
  }

  /// The verb of a subject that is one word, or of `my sister and I`.
  private int verbBehindPronoun(int at) {
    int reach = Math.min(to, at + NOUN_REACH + 2);
    for (int i = at + 1; i < reach; i++) {
      WordToken token = tokens.get(i);
      if (token.isAny(AUXILIARY) || token.is(WordClass.ANY)) {
        return i;
      }
      if (!token.isAny(BETWEEN)) {
        break;
      }
      note(token);
    }
    return to;
  }

  /// The verb of an order, or the end of the clause when it is none.
  private int order(int at) {
    int i = at;
    while (i < to && tokens.get(i).isAny(STEADY) && i - at < 2) {
      note(tokens.get(i));
      i++;
    }
    if (i + 1 < to && tokens.get(i).is("do") && tokens.get(i + 1).is("not")) {
      negated = true;
      i += 2;
      while (i < to && tokens.get(i).isAny(BETWEEN)) {
        note(tokens.get(i));
        i++;
      }
    }
    boolean marked = i > at;
    if (i >= to || !tokens.get(i).is(WordClass.BASE)) {
      return to;
    }
    return marked || !isNoun(i) ? i : to;
  }

  /// Whether a word that could be a verb is the subject: a finite verb follows soon.
  private boolean isNoun(int at) {
    int reach = Math.min(to, at + NOUN_REACH);
    for (int i = at + 1; i < reach; i++) {
      WordToken token = tokens.get(i);
      if (token.isAny(BEFORE_NOUN) || token.isAny(PRONOUN) || token.is(WordClass.IT)) {
        return false;
      }
      if (token.isAny(FINITE_AUXILIARY)) {
        return true;
      }
      boolean third = token.is(WordClass.THIRD) && !token.is(WordClass.BASE);
      if (third && i + 1 < to && !tokens.get(i + 1).isAny(AUXILIARY)) {
        return i > at + 1 || !tokens.get(i).is(WordClass.DELIVERABLE);
      }
    }
    return false;
  }

  private Optional<ClauseShape> readNoun(int at, Mood former) {
    WordToken first = tokens.get(at);
    int found = nextVerb(at + 1);
    if (first.is(WordClass.GERUND) && (found >= to || hasPronoun(at + 1, found))) {
      verbAt = at;
      verb = first.classes();
      tense = Tense.PROGRESSIVE;
      return shape(at, Subject.NONE, Mood.FRAGMENT);
    }
    boolean elided =
        first.is(WordClass.PAST) && !first.isAny(FINITE_AUXILIARY) && !isAuxiliaryAt(at + 1);
    if (elided) {
      verbAt = at;
      verb = first.classes();
      tense = Tense.PAST;
      return shape(at, Subject.NONE, Mood.STATEMENT);
    }
    boolean continues = first.is(WordClass.THIRD) && former == Mood.STATEMENT;
    if (first.isAny(AUXILIARY) || continues) {
      readVerb(at);
      return shape(at, Subject.NONE, Mood.STATEMENT);
    }
    if (found >= to) {
      negated = first.is(WordClass.NOT);
      return shape(at, noun(at, to), Mood.FRAGMENT);
    }
    negated |= first.is(WordClass.NOT);
    Subject subject = endsInI(at, found) ? Subject.WE : noun(at, found);
    readVerb(found);
    return shape(at, subject, Mood.STATEMENT);
  }

  /// `My sister and I`.
  private boolean endsInI(int at, int found) {
    return found > at + 1 && tokens.get(found - 1).is(WordClass.I);
  }

  private boolean isAuxiliaryAt(int at) {
    return at < to && tokens.get(at).isAny(FINITE_AUXILIARY);
  }

  private boolean hasPronoun(int start, int end) {
    for (int i = start; i < end; i++) {
      if (tokens.get(i).isAny(PRONOUN)) {
        return true;
      }
    }
    return false;
  }

  private Subject noun(int at, int end) {
    boolean article = tokens.get(at).is(WordClass.DEFINITE);
    for (int i = at; i < Math.min(end, at + NOUN_REACH); i++) {
      WordToken token = tokens.get(i);
      if (token.is(WordClass.CODE)) {
        return Subject.CODE;
      }
      if (token.is(WordClass.PERSON)) {
        return Subject.PERSON;
      }
      if (i > at && token.is(WordClass.PREPOSITION)) {
        break;
      }
    }
    return article ? Subject.THE_THING : Subject.A_THING;
  }

  /// The first finite verb behind a noun; the end of the clause when there is none.
  private int nextVerb(int start) {
    int reach = Math.min(to, start + SUBJECT_REACH);
    for (int i = start; i < reach; i++) {
      WordToken token = tokens.get(i);
      if (token.isAny(FINITE_AUXILIARY) || (token.is(WordClass.DO) && isNotAt(i + 1))) {
        return i;
      }
      if (!token.is(WordClass.ANY) || tokens.get(i - 1).isAny(BEFORE_NOUN)) {
        continue;
      }
      boolean third = token.is(WordClass.THIRD) && !isAuxiliaryAt(i + 1);
      boolean past = token.is(WordClass.PAST) && !isAuxiliaryAt(i + 1);
      boolean plural =
          token.is(WordClass.BASE)
              && (isPlural(tokens.get(i - 1)) || isPronounAt(i - 1) || isPluralHead(start - 1, i));
      if (third || past || plural) {
        return i;
      }
    }
    return to;
  }

  private boolean isNotAt(int at) {
    return at < to && tokens.get(at).is(WordClass.NOT);
  }

  private boolean isPronounAt(int at) {
    return tokens.get(at).isAny(PRONOUN);
  }

  /// Whether the noun before the first preposition is a plural: `the plants in the bathroom need
  /// …`.
  private boolean isPluralHead(int start, int end) {
    for (int i = start + 1; i < end; i++) {
      if (tokens.get(i).is(WordClass.PREPOSITION)) {
        return isPlural(tokens.get(i - 1));
      }
    }
    return false;
  }

  private static boolean isPlural(WordToken token) {
    String key = token.key();
    boolean adverb = token.is(WordClass.ADVERB) || token.is(WordClass.LASTING);
    boolean ends = key.length() > 2 && key.endsWith("s") && !key.endsWith("ss");
    return ends || adverb || token.is("people") || token.is("children") || token.is("kids");
  }

  /// Reads tense, negation and voice from the verb and what follows it.
  private void readVerb(int at) {
    if (at >= to) {
      return;
    }
    verbAt = at;
    WordToken token = tokens.get(at);
    int next = skipBetween(at + 1);
    WordToken behind = next < to ? tokens.get(next) : token;
    if (token.is(WordClass.WILL) || token.is(WordClass.MODAL)) {
      tense = token.is(WordClass.WILL) ? Tense.FUTURE : Tense.MODAL;
      verb = behind.classes();
      passive = behind.is("be") && isFormAt(skipBetween(next + 1), WordClass.PAST);
      verb = passive ? tokens.get(skipBetween(next + 1)).classes() : verb;
    } else if (token.is(WordClass.BE)) {
      readBe(token, next, behind);
    } else if (token.is(WordClass.HAVE) && next < to && behind.is(WordClass.PAST)) {
      tense = Tense.PERFECT;
      verb = behind.classes();
    } else if (token.is(WordClass.DO) && next < to && behind.is(WordClass.BASE)) {
      tense = token.is("did") ? Tense.PAST : Tense.PRESENT;
      verb = behind.classes();
    } else {
      boolean past = token.is(WordClass.PAST) && !token.isAny(presentForms());
      tense = past || token.is("had") ? Tense.PAST : Tense.PRESENT;
      verb = token.classes();
    }
  }

  private static long presentForms() {
    return WordClass.BASE.bit() | WordClass.THIRD.bit();
  }

  private void readBe(WordToken be, int next, WordToken behind) {
    boolean past = be.is("was") || be.is("were");
    tense = past ? Tense.PAST : Tense.PRESENT;
    verb = be.classes();
    if (next >= to) {
      return;
    }
    if (behind.is("going") && next + 2 < to && tokens.get(next + 1).is("to")) {
      tense = Tense.FUTURE;
      verb = tokens.get(next + 2).classes();
    } else if (behind.is(WordClass.GERUND)) {
      tense = past ? Tense.PAST : Tense.PROGRESSIVE;
      verb = behind.classes();
    } else if (behind.is(WordClass.PAST)) {
      passive = true;
      verb = behind.classes();
    }
  }

  private boolean isFormAt(int at, WordClass form) {
    return at < to && tokens.get(at).is(form);
  }

  private int skipBetween(int start) {
    int at = start;
    while (at < to && tokens.get(at).isAny(BETWEEN) && at - start < NOUN_REACH) {
      note(tokens.get(at));
      at++;
    }
    return at;
  }

  private void note(WordToken token) {
    negated |= token.is(WordClass.NOT);
    lasting |= token.isAny(STEADY);
  }
}
