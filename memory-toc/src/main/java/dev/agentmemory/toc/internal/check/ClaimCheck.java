package dev.agentmemory.toc.internal.check;

import dev.agentmemory.text.Lexicon;
import dev.agentmemory.text.Term;
import dev.agentmemory.text.Terms;
import dev.agentmemory.types.EventRole;
import java.lang.Character.UnicodeScript;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Whether a statement is borne by its evidence: numbers and identifiers by what a reader will see
/// as its evidence, names by the passage, the rest of its words mostly by the events that it cites,
/// and nothing turned around. It knows no meaning: it cannot tell that a true sentence in other
/// words is true, so it asks for the words; and what it lets through may still be put together
/// wrongly, but only from what was said. docs/decisions/0022 says where the thresholds come from.
public final class ClaimCheck {

  /// Share of a statement's content words that its evidence must have.
  static final double BORNE = 0.6;

  /// Share of them that what is shown as evidence must have.
  static final double BORNE_BY_SHOWN = 0.3;

  /// Words that only say who speaks and that something was said.
  private static final Set<String> FRAME =
      Lexicon.beside(ClaimCheck.class, "frame.txt").words("frame");

  private static final Set<String> AGENT = Set.of("agent", "assistant", "ai");
  private static final Pattern LETTERS = Pattern.compile("\\p{L}{2,}");
  private static final Pattern ORDINARY = Pattern.compile("\\p{L}{4,}(?:ed|ing|ion|ment|ness)");

  private final List<ClaimSource> evidence;
  private final List<ClaimSource> shown;
  private final DialogueNames speakers;

  /// @param cited the sources that the statement cites
  /// @param shown those of them, or another one, that the statement will lead its reader to
  public ClaimCheck(List<ClaimSource> cited, List<ClaimSource> shown, DialogueNames speakers) {
    this.evidence = Stream.concat(cited.stream(), shown.stream()).distinct().toList();
    this.shown = List.copyOf(shown);
    this.speakers = speakers;
  }

  /// What is wrong with a statement; empty when it is borne.
  public Optional<ClaimProblem> fault(String text) {
    List<Term> terms = Terms.of(text);
    ClaimWording wording = ClaimWording.of(text);
    return scripts(text)
        .or(() -> numbers(wording))
        .or(() -> identifiers(terms))
        .or(() -> names(text, terms))
        .or(() -> speaker(text))
        .or(() -> negation(wording))
        .or(() -> content(terms));
  }

  private Optional<ClaimProblem> scripts(String text) {
    Matcher word = LETTERS.matcher(text);
    while (word.find()) {
      Set<UnicodeScript> scripts = new HashSet<>();
      word.group()
          .codePoints()
          .mapToObj(UnicodeScript::of)
          .filter(ClaimCheck::looksLikeLatin)
          .forEach(scripts::add);
      String folded = Folded.of(word.group()).text();
      boolean known = shown.stream().anyMatch(s -> s.wording().words().contains(folded));
      if (scripts.size() > 1 && !known) {
        return Optional.of(ClaimProblem.SCRIPT);
      }
    }
    return Optional.empty();
  }

  private static boolean looksLikeLatin(UnicodeScript script) {
    return switch (script) {
      case LATIN, CYRILLIC, GREEK, ARMENIAN, CHEROKEE -> true;
      default -> false;
    };
  }

  private Optional<ClaimProblem> numbers(ClaimWording wording) {
    Measures known =
        Measures.joined(shown.stream().map(source -> source.wording().measures()).toList());
    return unless(known.bear(wording.measures()), ClaimProblem.NUMBER);
  }

  private Optional<ClaimProblem> identifiers(List<Term> terms) {
    return unless(
        terms.stream()
            .filter(term -> !term.part() && isIdentifier(term))
            .allMatch(term -> shown.stream().anyMatch(source -> has(source, term))),
        ClaimProblem.IDENTIFIER);
  }

  private static boolean has(ClaimSource source, Term term) {
    return source.folded().find(Folded.of(term.text()).text()).isPresent();
  }

  /// `PostgreSQL` is a name; `max_idle`, `a.b`, `v1.2` and hashes are identifiers.
  private static boolean isIdentifier(Term term) {
    boolean letters = term.text().chars().allMatch(Character::isLetter);
    boolean camel = letters && Character.isLowerCase(term.text().charAt(0));
    return (term.isTechnical() && (!letters || camel)) || term.kind() == Term.Kind.OPAQUE;
  }

  private Optional<ClaimProblem> names(String text, List<Term> terms) {
    for (Term term : terms) {
      if (!term.part() && isName(text, term) && !isKnown(term)) {
        return Optional.of(ClaimProblem.NAME);
      }
    }
    return Optional.empty();
  }

  private static boolean isName(String text, Term term) {
    boolean word = term.kind() == Term.Kind.WORD || term.kind() == Term.Kind.IDENTIFIER;
    if (!word || isIdentifier(term) || !Character.isUpperCase(term.text().charAt(0))) {
      return false;
    }
    boolean capital = term.text().chars().skip(1).anyMatch(Character::isUpperCase);
    return capital || !opensSentence(text, term.start()) || !isOrdinary(term);
  }

  /// At the start of a sentence any word has a capital; these are hardly ever names.
  private static boolean isOrdinary(Term term) {
    return ORDINARY.matcher(Folded.of(term.text()).text()).matches();
  }

  private static boolean opensSentence(String text, int at) {
    int before = at - 1;
    while (before >= 0 && "\"'(*_ “‘`".indexOf(text.charAt(before)) >= 0) {
      before--;
    }
    return before < 0 || ".!?:…-–—•。！？".indexOf(text.charAt(before)) >= 0;
  }

  private boolean isKnown(Term term) {
    for (String part : ClaimWording.words(Folded.of(term.text()).text())) {
      if (!FRAME.contains(part) && !speakers.knows(part) && !stemIsKnown(part)) {
        return false;
      }
    }
    return true;
  }

  /// A verb or noun that only stands first: `Fixed …` where somebody said `the fix`.
  private boolean stemIsKnown(String word) {
    String stem = ClaimWording.stem(word);
    return evidence.stream().anyMatch(source -> source.wording().stems().contains(stem));
  }

  private Optional<ClaimProblem> speaker(String text) {
    Matcher word = LETTERS.matcher(Folded.of(text).text());
    boolean first = true;
    while (word.find()) {
      String one = word.group();
      if (speakers.speakers().contains(one)) {
        return unless(
            evidence.stream().anyMatch(source -> isBy(source, one)), ClaimProblem.SPEAKER);
      }
      if (first && one.equals("user")) {
        return unless(isByRole(one, Set.of(EventRole.USER)), ClaimProblem.SPEAKER);
      }
      if (first && AGENT.contains(one)) {
        return unless(
            isByRole(one, Set.of(EventRole.ASSISTANT, EventRole.TOOL)), ClaimProblem.SPEAKER);
      }
      first = first && one.equals("the");
    }
    return Optional.empty();
  }

  private static boolean isBy(ClaimSource source, String name) {
    return source.wording().words().contains(name)
        || ClaimWording.words(Folded.of(source.speaker()).text()).contains(name);
  }

  private boolean isByRole(String word, Set<EventRole> roles) {
    return evidence.stream()
        .anyMatch(source ->
            source.role().map(roles::contains).orElse(true)
                || source.wording().words().contains(word));
  }

  private Optional<ClaimProblem> negation(ClaimWording wording) {
    Set<String> known = new HashSet<>();
    List<Clause> clauses = new ArrayList<>();
    for (ClaimSource source : evidence) {
      known.addAll(source.wording().words());
      clauses.addAll(source.wording().clauses());
    }
    if (Opposites.turned(wording.words(), known)) {
      return Optional.of(ClaimProblem.NEGATION);
    }
    for (Clause clause : wording.clauses()) {
      List<Clause> alike = mostAlike(clause, clauses);
      if (isDenied(clause, alike)) {
        return Optional.of(ClaimProblem.NEGATION);
      }
      if (!wording.open() && !alike.isEmpty() && alike.stream().allMatch(Clause::isOpen)) {
        return Optional.of(ClaimProblem.OPEN);
      }
    }
    return Optional.empty();
  }

  /// Those that share the most words with a clause; none when none shares any.
  private static List<Clause> mostAlike(Clause clause, List<Clause> known) {
    int most = 1;
    var alike = new ArrayList<Clause>();
    for (Clause one : known) {
      int shared = clause.shared(one);
      if (shared > most) {
        most = shared;
        alike.clear();
      }
      if (shared == most) {
        alike.add(one);
      }
    }
    return alike;
  }

  /// Whether the clauses that are most like this one say the opposite.
  private static boolean isDenied(Clause clause, List<Clause> alike) {
    boolean same = alike.stream().anyMatch(one -> one.asks() || one.denies() == clause.denies());
    boolean other = alike.stream().anyMatch(one -> !one.asks() && one.denies() != clause.denies());
    return other && !same;
  }

  private Optional<ClaimProblem> content(List<Term> terms) {
    Set<String> stems = contentStems(terms, speakers);
    boolean says = !stems.isEmpty() || terms.stream().anyMatch(Term::isContent);
    return unless(
        says && borne(stems, evidence) >= BORNE && borne(stems, shown) >= BORNE_BY_SHOWN,
        ClaimProblem.CONTENT);
  }

  /// What a statement says beside numbers, identifiers, names of speakers and its frame.
  static Set<String> contentStems(List<Term> terms, DialogueNames speakers) {
    Set<String> stems = new HashSet<>();
    for (Term term : terms) {
      String word = Folded.of(term.text()).text();
      boolean counts =
          switch (term.kind()) {
            case WORD, CJK, GENERIC -> !term.part();
            case STOP, POLITE, NUMBER, IDENTIFIER, PATH, CODE, OPAQUE -> false;
          };
      if (counts && !FRAME.contains(word) && !speakers.speakers().contains(word)) {
        stems.add(ClaimWording.stem(term.key()));
      }
    }
    return stems;
  }

  /// The share of stems that some sources have together; all of none.
  static double borne(Set<String> stems, List<ClaimSource> sources) {
    long found =
        stems.stream()
            .filter(stem -> sources.stream().anyMatch(s -> s.wording().stems().contains(stem)))
            .count();
    return stems.isEmpty() ? 1 : (double) found / stems.size();
  }

  private static Optional<ClaimProblem> unless(boolean holds, ClaimProblem fault) {
    return holds ? Optional.empty() : Optional.of(fault);
  }
}
