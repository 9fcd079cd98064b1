package dev.agentmemory.search.internal.query;

import dev.agentmemory.search.internal.time.TimeWords;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads what was typed into a search: free text, `"phrases"`, `+"required"`, `-without`, `prefix*`
/// and filters such as `role:user`. docs/search.md tells it to users.
///
/// There are no errors: what cannot be read as anything else is free text, so a pasted message or
/// line of code is looked for as it is. That is why operators count only where a word begins, why
/// `-v` and `-Dname=value` are options of a command, and why `--` and `**` mean nothing.
public final class QueryReader {

  /// Most phrases, exclusions, prefixes and filters of one query together; more are free text.
  static final int MAX_OPERATORS = 32;

  /// What ends a sentence or a bracket, and then the word.
  private static final String REST = "[,;.?!)]*(?=\\s|$)";

  private static final Pattern FILTER =
      Pattern.compile("(?i)(session|agent|role|after|before|on|level|kind|tag):(?!:|//)");

  /// With a bracket of its own it is taken as it is.
  private static final Pattern VALUE = Pattern.compile("((?:\\S*[(]\\S*)|\\S*?)" + REST);

  private static final Pattern EXCLUDED = Pattern.compile("-([\\p{L}_./@#][^\\s=]*?)" + REST);
  private static final Pattern PREFIX =
      Pattern.compile(
          "([\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}_.:/\\\\@#-]*[\\p{L}\\p{M}\\p{N}_])?)[*]" + REST);
  private static final Pattern OPTION = Pattern.compile("[a-zA-Z]|[^\\p{L}]*");

  private final String query;
  private final TypedFilters filters;
  private final List<Piece> pieces = new ArrayList<>();
  private int operators;

  private QueryReader(String query, ZoneId zone, Instant now) {
    this.query = query;
    this.filters = new TypedFilters(zone, now);
    split();
  }

  /// @param zone in which days begin
  /// @param now the current time of the query
  public static ReadQuery read(String query, ZoneId zone, Instant now) {
    return new QueryReader(query, zone, now).read(zone, now);
  }

  /// The pieces of what was typed, in its order and without gaps.
  static List<Piece> pieces(String query, ZoneId zone, Instant now) {
    return List.copyOf(new QueryReader(query, zone, now).pieces);
  }

  private void split() {
    int text = 0;
    int i = 0;
    while (i < query.length()) {
      Optional<Piece> found =
          begins(i) && operators < MAX_OPERATORS ? operator(i) : Optional.empty();
      if (found.isEmpty()) {
        i++;
        continue;
      }
      if (text < i) {
        pieces.add(new Piece.Text(text, i));
      }
      pieces.add(found.get());
      operators++;
      i = found.get().end();
      text = i;
    }
    if (text < query.length()) {
      pieces.add(new Piece.Text(text, query.length()));
    }
  }

  /// Whether a word can begin there; a bracket may stand before it, but none of a call or of JSON.
  private boolean begins(int i) {
    int before = i > 0 && query.charAt(i - 1) == '(' ? i - 1 : i;
    return before == 0 || Character.isWhitespace(query.charAt(before - 1));
  }

  private Optional<Piece> operator(int i) {
    return phrase(i).or(() -> excluded(i)).or(() -> filter(i)).or(() -> prefix(i));
  }

  private Optional<Piece> phrase(int i) {
    boolean plus = query.charAt(i) == '+';
    return Quoted.at(query, plus ? i + 1 : i)
        .map(quoted -> new Piece.Phrase(i, quoted.end(), quoted.words(), plus));
  }

  private Optional<Piece> excluded(int i) {
    if (query.charAt(i) != '-') {
      return Optional.empty();
    }
    Optional<Quoted> quoted = Quoted.at(query, i + 1);
    if (quoted.isPresent()) {
      return quoted.map(found -> new Piece.Excluded(i, found.end(), found.words()));
    }
    Matcher word = at(EXCLUDED, i);
    return word.lookingAt() && !OPTION.matcher(word.group(1)).matches()
        ? Optional.of(new Piece.Excluded(i, word.end(1), word.group(1)))
        : Optional.empty();
  }

  private Optional<Piece> filter(int i) {
    Matcher name = at(FILTER, i);
    if (!name.lookingAt()) {
      return Optional.empty();
    }
    Optional<Quoted> quoted = Quoted.at(query, name.end());
    if (quoted.isPresent()) {
      return filter(i, quoted.get().end(), name.group(1), quoted.get().words());
    }
    if (Quoted.begins(query, name.end())) {
      return Optional.empty();
    }
    Matcher value = at(VALUE, name.end());
    return value.lookingAt()
        ? filter(i, value.end(1), name.group(1), value.group(1))
        : Optional.empty();
  }

  private Optional<Piece> filter(int start, int end, String name, String value) {
    return filters.take(name, value)
        ? Optional.of(new Piece.Filter(start, end, name, value))
        : Optional.empty();
  }

  /// One letter begins half of all words.
  private Optional<Piece> prefix(int i) {
    Matcher prefix = at(PREFIX, i);
    if (!prefix.lookingAt()) {
      return Optional.empty();
    }
    String letters = prefix.group(1);
    boolean letter = letters.length() == 1 && letters.charAt(0) < 128;
    return letter ? Optional.empty() : Optional.of(new Piece.Prefix(i, prefix.end(1) + 1, letters));
  }

  private Matcher at(Pattern pattern, int i) {
    return pattern.matcher(query).region(i, query.length());
  }

  private ReadQuery read(ZoneId zone, Instant now) {
    FreeText text = new FreeText();
    List<String> phrases = new ArrayList<>();
    List<String> required = new ArrayList<>();
    boolean alone = pieces.stream().noneMatch(this::asks);
    List<String> excluded = new ArrayList<>();
    List<String> prefixes = new ArrayList<>();
    for (Piece piece : pieces) {
      switch (piece) {
        case Piece.Text free -> text.add(query.substring(free.start(), free.end()));
        case Piece.Phrase phrase -> {
          (alone || phrase.plus() ? required : phrases).add(phrase.words());
          text.addQuoted(phrase.words());
        }
        case Piece.Excluded without -> excluded.add(without.words());
        case Piece.Prefix prefix -> prefixes.add(prefix.letters());
        case Piece.Filter _ -> {}
      }
    }
    return new ReadQuery(
        text.text(),
        phrases,
        required,
        excluded,
        prefixes,
        filters.filters(),
        TimeWords.read(text.unquoted(), zone, now));
  }

  /// Whether a piece asks for something else than a phrase.
  private boolean asks(Piece piece) {
    return switch (piece) {
      case Piece.Text free -> holdsWord(query.substring(free.start(), free.end()));
      case Piece.Prefix _ -> true;
      case Piece.Phrase _, Piece.Excluded _, Piece.Filter _ -> false;
    };
  }

  private static boolean holdsWord(String text) {
    return text.codePoints().anyMatch(Character::isLetterOrDigit);
  }

  /// The free text, and the same with something else in place of what was quoted: a quoted "last
  /// week" is looked for, not understood.
  private static final class FreeText {
    private static final String MASK = "|";

    private final StringBuilder text = new StringBuilder();
    private final StringBuilder unquoted = new StringBuilder();

    /// One space is left where something has been taken out.
    void add(String more) {
      boolean open = !text.isEmpty() && !Character.isWhitespace(text.charAt(text.length() - 1));
      String rest = open ? more : more.stripLeading();
      text.append(rest);
      unquoted.append(rest);
    }

    void addQuoted(String more) {
      text.append(more);
      unquoted.append(MASK.repeat(more.length()));
    }

    String text() {
      return text.toString().stripTrailing();
    }

    String unquoted() {
      return unquoted.substring(0, text().length());
    }
  }
}
