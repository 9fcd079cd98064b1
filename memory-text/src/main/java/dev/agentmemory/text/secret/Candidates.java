package dev.agentmemory.text.secret;

import java.util.BitSet;
import java.util.List;

/// Finds the places of a text that rules have to look at.
///
/// Idea: a text consists mostly of words of letters. Such a word is passed over if no format begins
/// with its first three characters, no telling name ends with its last four letters, and nothing
/// after it goes on with it. Only the low bits of these characters are compared, so that the tables
/// are small: a word may be looked at in vain, but none is missed.
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

  /// Begin a key, an option, a URL, a span, an escaped letter or a mask.
  private static final String MARKS = "-:<\\[";

  /// Continue a name, or show a parameter, a cookie or a call.
  private static final String TIES = "_-=(";

  /// Commands that a secret follows.
  private static final List<String> COMMANDS = List.of("echo", "sqlplus");

  private static final int ASCII = 128;
  private static final int END_LETTERS = 4;

  /// Of a letter, without its case.
  private static final int LETTER_BITS = 5;

  /// Of any character.
  private static final int BITS = 6;

  private final byte[] kinds = new byte[ASCII];

  /// Low bits of the first three characters of formats.
  private final BitSet beginnings = new BitSet();

  /// Low bits of the last four letters of names.
  private final BitSet ends = new BitSet();

  /// Characters before the first literal of a format, together with the character that begins it.
  private final BitSet leads = new BitSet();

  Candidates(List<SecretFormat> formats, List<SecretName> names) {
    for (char c = 0; c < ASCII; c++) {
      boolean inWord = Letters.isDigit(c) || c == '_';
      int mark = inWord || MARKS.indexOf(c) >= 0 ? MARK : 0;
      int tie = inWord || TIES.indexOf(c) >= 0 ? TIE : 0;
      kinds[c] = (byte) (Letters.isLetter(c) ? LETTER : mark | tie);
    }
    for (SecretFormat format : formats) {
      if (format.lead() > 0) {
        addLed(format);
      } else {
        addBeginning(format.anchor());
      }
    }
    names.forEach(name -> addEnd(name.word()));
    COMMANDS.forEach(this::addEnd);
  }

  private void addLed(SecretFormat format) {
    char literal = format.anchor().charAt(0);
    leads.set(lead(format.lead(), literal));
    if (!Letters.isLetter(literal)) {
      kinds[literal] |= LED;
    } else if (format.lead() < SecretScan.LEAST_RANDOM) {
      kinds[literal] = MARK | TIE;
    }
  }

  private void addBeginning(String literal) {
    char first = literal.charAt(0);
    kinds[first] |= (byte) (Letters.isWord(first) ? 0 : BEGINNING);
    if (literal.length() > 2) {
      beginnings.set(triple(first, literal.charAt(1), literal.charAt(2)));
    } else {
      int any = triple(first, literal.charAt(1), '\0');
      beginnings.set(any, any + (1 << BITS));
    }
  }

  private void addEnd(String word) {
    int letters = 0;
    for (int i = word.length() - 1; i >= Math.max(0, word.length() - END_LETTERS); i--) {
      letters = withLetter(letters, word.charAt(i));
    }
    int any = 1 << (LETTER_BITS * Math.max(0, END_LETTERS - word.length()));
    ends.set(letters * any, (letters + 1) * any);
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

  /// Where the next word begins, or the next mark stands, that rules have to look at; the length of
  /// the text if there is none.
  ///
  /// @param from index of a mark or of the beginning of a word
  int next(char[] text, int from) {
    int at = from;
    while (at < text.length) {
      int kind = kind(text[at]);
      if ((kind & MARK) != 0 || ((kind & BEGINNING) != 0 && begins(text, at))) {
        return at;
      }
      int end = at + 1;
      if (kind == LETTER) {
        while (end < text.length && kind(text[end]) == LETTER) {
          end++;
        }
        if (isCandidate(text, at, end)) {
          return at;
        }
      }
      at = end;
    }
    return text.length;
  }

  private int kind(char c) {
    return c < ASCII ? kinds[c] : MARK | TIE;
  }

  /// @param start where a run of letters begins
  /// @param end where it ends
  private boolean isCandidate(char[] text, int start, int end) {
    int length = end - start;
    char after = at(text, end);
    int kind = kind(after);
    return (kind & TIE) != 0
        || ((kind & LED) != 0 && leads.get(lead(length, after)))
        || length >= SecretScan.LEAST_RANDOM
        || begins(text, start)
        || (length == 1 ? after == '"' || kind(at(text, start - 1)) != 0 : ends(text, start, end));
  }

  private boolean begins(char[] text, int at) {
    return beginnings.get(triple(text[at], at(text, at + 1), at(text, at + 2)));
  }

  /// What divides the words of a name is no letter of it.
  private boolean ends(char[] text, int start, int end) {
    int letters = 0;
    int at = end - 1;
    for (int i = 0; i < END_LETTERS; i++) {
      at -= at < start && SecretNames.JOINTS.indexOf(at(text, at)) >= 0 ? 1 : 0;
      letters = withLetter(letters, at(text, at));
      at--;
    }
    return ends.get(letters);
  }

  private static char at(char[] text, int index) {
    return index >= 0 && index < text.length ? text[index] : ' ';
  }
}
