package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.format.FormatIndex;
import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.SecretFormat;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Finds the places of a text that rules have to look at.
///
/// Idea: a text consists mostly of words of letters. Such a word is passed over if no format begins
/// with its first three characters, no telling name ends with its last letters, and nothing after
/// it goes on with it. So is a number. Small tables of the low bits of these characters rule out
/// most words; the others are compared with formats and names. A word may be looked at in vain, but
/// none is missed.
class Candidates {

  /// Kind of a character: a letter of a word that may be passed over.
  private static final int LETTER = 1;

  /// Kind of a character: always looked at.
  private static final int MARK = 2;

  /// Kind of a character: a format begins with it, and no word does.
  private static final int BEGINNING = 4;

  /// Kind of a character: a word before it is looked at.
  private static final int TIE = 8;

  /// Kind of a character: a format goes on with it after characters of an alphabet.
  private static final int LED = 16;

  /// Kind of a character: a digit of a number that may be passed over.
  private static final int DIGIT = 32;

  /// Begin a key, an option, a URL, a span, an escaped letter or a mask.
  private static final String MARKS = "-:<\\[";

  /// Continue a name, or show a parameter, a cookie or a call.
  private static final String TIES = "_-=(";

  /// Commands that a secret follows.
  private static final List<String> COMMANDS = List.of("echo", "printf", "sqlplus");

  /// Characters that are read after a character of a text.
  private static final int AFTER = 2;

  private static final int ASCII = 128;

  /// Letters or digits of a quoted value that can be a secret without a name.
  private static final int LEAST_QUOTED = 20;

  /// Letters or digits of a word that begins a line and can be a secret.
  private static final int LEAST_LINE = 8;

  /// Characters of base64 that are no letters, at the beginning of a value.
  private static final int SIGNS = 2;

  private static final int END_LETTERS = 5;
  private static final int HASH_BITS = 17;

  /// An odd number whose high bits depend on all bits of what it is multiplied with.
  private static final int SPREAD = 0x9E3779B1;

  /// Of a letter, without its case.
  private static final int LETTER_BITS = 5;

  /// Of any character.
  private static final int BITS = 6;

  private final byte[] kinds = new byte[ASCII];

  /// Low bits of the first three characters of formats.
  private final BitTable beginnings = new BitTable(3 * BITS);

  /// Low bits of the last letters of names that have fewer than five.
  private final BitTable shortEnds = new BitTable((END_LETTERS - 1) * LETTER_BITS);

  /// Hashes of the low bits of the last five letters of the others.
  private final BitTable longEnds = new BitTable(HASH_BITS);

  /// Characters before the first literal of a format, together with the character that begins it.
  private final BitSet leads = new BitSet();

  private final FormatIndex formats;
  private final SecretNames names;
  private final Set<String> commands;

  /// @param index of the formats
  /// @param programs first words of the commands of rules
  Candidates(
      List<SecretFormat> formats, FormatIndex index, List<SecretName> names, Set<String> programs) {
    for (char c = 0; c < ASCII; c++) {
      int mark = c == '_' || MARKS.indexOf(c) >= 0 ? MARK : 0;
      int tie = TIES.indexOf(c) >= 0 ? TIE : 0;
      int other = Letters.isDigit(c) ? DIGIT | TIE : mark | tie;
      kinds[c] = (byte) (Letters.isLetter(c) ? LETTER : other);
    }
    this.formats = index;
    this.names = new SecretNames(names);
    for (SecretFormat format : formats) {
      if (format.lead() > 0) {
        addLed(format);
      } else {
        addBeginning(format.anchor());
      }
    }
    names.forEach(name -> addEnd(name.word()));
    this.commands =
        Stream.concat(COMMANDS.stream(), programs.stream().map(Candidates::lastWord))
            .collect(Collectors.toUnmodifiableSet());
    commands.forEach(this::addEnd);
  }

  /// The letters at the end of a program, such as `cli` of `redis-cli`.
  private static String lastWord(String program) {
    int from = program.length();
    while (from > 0 && Letters.isLetter(program.charAt(from - 1))) {
      from--;
    }
    return from == program.length() ? program : program.substring(from);
  }

  private void addLed(SecretFormat format) {
    char literal = format.anchor().charAt(0);
    leads.set(lead(format.lead(), literal));
    if (!Letters.isPlain(literal)) {
      kinds[literal] |= LED;
    } else if (format.lead() < SecretScan.LEAST_RANDOM) {
      kinds[literal] = MARK | TIE;
    }
  }

  private void addBeginning(String literal) {
    char first = literal.charAt(0);
    kinds[first] |= (byte) (Letters.isWord(first) ? 0 : BEGINNING);
    if (literal.length() > 2) {
      beginnings.set(triple(first, literal.charAt(1), literal.charAt(2)), 1);
    } else {
      int any = triple(first, literal.charAt(1), '\0');
      beginnings.set(any, 1 << BITS);
    }
  }

  private void addEnd(String word) {
    int length = Math.min(word.length(), END_LETTERS);
    int letters = 0;
    for (int i = 1; i <= length; i++) {
      letters = withLetter(letters, word.charAt(word.length() - i));
    }
    if (length == END_LETTERS) {
      longEnds.set(hash(letters), 1);
    } else {
      int any = 1 << (LETTER_BITS * (END_LETTERS - 1 - length));
      shortEnds.set(letters * any, any);
    }
  }

  private static int hash(int letters) {
    return (letters * SPREAD) >>> (Integer.SIZE - HASH_BITS);
  }

  private static int lead(int length, char literal) {
    return length * ASCII + literal;
  }

  private static int triple(char one, char two, char three) {
    int low = (1 << BITS) - 1;
    return ((one & low) << BITS | (two & low)) << BITS | (three & low);
  }

  private static int withLetter(int letters, char c) {
    return letters << LETTER_BITS | (Letters.lower(c) & (1 << LETTER_BITS) - 1);
  }

  /// The characters of a text, as [#next] reads them: with some more behind its end, so that what
  /// follows a word is known for the last one, too.
  static char[] chars(String text) {
    char[] chars = new char[text.length() + AFTER];
    text.getChars(0, text.length(), chars, 0);
    return chars;
  }

  /// Where the next word begins, or the next mark stands, that rules have to look at; the length of
  /// the text if there is none.
  ///
  /// @param chars the characters of the text
  /// @param from index of a mark or of the beginning of a word
  int next(String text, char[] chars, int from) {
    int length = text.length();
    int at = from;
    while (at < length) {
      int kind = kind(chars[at]);
      if ((kind & MARK) != 0 || ((kind & BEGINNING) != 0 && begins(text, chars, at))) {
        return at;
      }
      int end = at + 1;
      if ((kind & (LETTER | DIGIT)) != 0) {
        int after = kind(chars[end]);
        while (after == kind) {
          end++;
          after = kind(chars[end]);
        }
        boolean letters = kind == LETTER;
        if ((after & (letters ? TIE : TIE | LETTER)) != 0
            || isLed(chars, at, end)
            || begins(text, chars, at)
            || (letters && isNamed(text, chars, at, end))) {
          return at;
        }
      }
      at = end;
    }
    return length;
  }

  private int kind(char c) {
    return c < ASCII ? kinds[c] : MARK | TIE;
  }

  /// Whether a word is looked at for its length and what stands beside it.
  ///
  /// @param start where a run of letters or of digits begins
  /// @param end where it ends
  private boolean isLed(char[] chars, int start, int end) {
    int length = end - start;
    char after = chars[end];
    return ((kind(after) & LED) != 0 && leads.get(lead(length, after)))
        || length >= SecretScan.LEAST_RANDOM
        || begins(before(chars, start, after), length, after)
        || (length == 1 && (after == '"' || after == ':' || kind(at(chars, start - 1)) != 0));
  }

  /// The character before a word, or before one or two signs of base64 in front of it. In quotes,
  /// what `/` also follows is part of a path.
  private static char before(char[] chars, int start, char after) {
    int at = start - 1;
    while (at > start - 1 - SIGNS && (at(chars, at) == '/' || at(chars, at) == '+')) {
      at--;
    }
    char before = at(chars, at);
    return after == '/' && Letters.isQuote(before) ? at(chars, start - 1) : before;
  }

  /// Whether a word begins a line, or a value in quotes that goes on after it.
  private static boolean begins(char before, int length, char after) {
    return (before == '\n' && (length >= LEAST_LINE || "+/=!#$%&*?@^".indexOf(after) >= 0))
        || (Letters.isQuote(before) && (length >= LEAST_QUOTED || "+/.".indexOf(after) >= 0));
  }

  private boolean begins(String text, char[] chars, int at) {
    return beginnings.get(triple(chars[at], chars[at + 1], chars[at + 2]))
        && formats.beginAt(text, at);
  }

  private boolean isNamed(String text, char[] chars, int start, int end) {
    int length = end - start;
    if (length == 1) {
      return false;
    }
    int letters =
        length < END_LETTERS ? dividedLetters(chars, start, end) : lastLetters(chars, end);
    return shortEnds.get(letters >> LETTER_BITS)
        || (longEnds.get(hash(letters)) && (names.endAt(text, end) || isCommand(text, start, end)));
  }

  private boolean isCommand(String text, int start, int end) {
    return commands.contains(text.substring(start, end));
  }

  private static int lastLetters(char[] chars, int end) {
    int letters = 0;
    for (int at = end - 1; at >= end - END_LETTERS; at--) {
      letters = letters << LETTER_BITS | (chars[at] & (1 << LETTER_BITS) - 1);
    }
    return letters;
  }

  /// What divides the words of a name is no letter of it.
  private static int dividedLetters(char[] chars, int start, int end) {
    int letters = 0;
    int at = end - 1;
    for (int i = 0; i < END_LETTERS; i++) {
      at -= at < start && SecretNames.isDivider(at(chars, at)) ? 1 : 0;
      letters = withLetter(letters, at(chars, at));
      at--;
    }
    return letters;
  }

  private static char at(char[] chars, int index) {
    return index >= 0 ? chars[index] : ' ';
  }

  /// A set of numbers that is asked for each word.
  private static final class BitTable {

    private final long[] bits;

    /// @param width bits of the largest number
    BitTable(int width) {
      bits = new long[1 << (width - 6)];
    }

    void set(int from, int count) {
      for (int i = from; i < from + count; i++) {
        bits[i >> 6] |= 1L << i;
      }
    }

    boolean get(int number) {
      return (bits[number >> 6] & 1L << number) != 0;
    }
  }
}
