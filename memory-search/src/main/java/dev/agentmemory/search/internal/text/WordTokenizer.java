package dev.agentmemory.search.internal.text;

import java.io.CharArrayReader;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.icu.segmentation.DefaultICUTokenizerConfig;
import org.apache.lucene.analysis.icu.segmentation.ICUTokenizer;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.util.Attribute;
import org.apache.lucene.util.AttributeFactory;
import org.apache.lucene.util.AttributeImpl;

/// Cuts a text into words by the rules of Unicode (UAX #29).
///
/// A text of Latin letters and common punctuation is cut by Lucene's standard tokenizer, any other
/// by ICU's, which also knows scripts that write no spaces between words. Both find the same words
/// in Latin text, and the standard tokenizer takes half the time. Several underscores in a row are
/// a word for ICU only, so a text with such a row is cut by ICU.
final class WordTokenizer extends Tokenizer {

  /// Behind the last letter of the blocks of Latin letters.
  private static final char LATIN_END = '\u0250';

  /// Dashes, quotation marks, bullets and dots. Spaces of zero width and marks of direction, which
  /// stand before them, are left to ICU.
  private static final char PUNCTUATION = '\u2010';

  private static final char PUNCTUATION_END = '\u2028';

  /// For ICU the first two are emoji. The last, the soft hyphen, belongs to what stands before it.
  private static final String DIFFERENT = "\u00A9\u00AE\u00AD";

  /// Longest word in UTF-16 units, as ICU's tokenizer has it; the tokenizer has a buffer of that
  /// size. The rest of a longer one is another word. Terms are much shorter.
  private static final int MAX_WORD = 4096;

  private final StandardTokenizer latin;
  private final ICUTokenizer any;
  private Tokenizer used;
  private char[] text = new char[1024];
  private int length;

  WordTokenizer() {
    AttributeFactory shared =
        new AttributeFactory() {
          @Override
          public AttributeImpl createAttributeInstance(Class<? extends Attribute> type) {
            return (AttributeImpl) addAttribute(type);
          }
        };
    latin = new StandardTokenizer(shared);
    latin.setMaxTokenLength(MAX_WORD);
    // Words of Chinese and Japanese are cut in bigrams later, so ICU need not look them up.
    any = new ICUTokenizer(shared, new DefaultICUTokenizerConfig(false, true));
    used = latin;
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    read();
    used = isLatin() ? latin : any;
    used.setReader(new CharArrayReader(text, 0, length));
    used.reset();
  }

  private void read() throws IOException {
    length = 0;
    for (int read; (read = input.read(text, length, text.length - length)) >= 0; length += read) {
      if (length + read == text.length) {
        text = Arrays.copyOf(text, 2 * text.length);
      }
    }
  }

  private boolean isLatin() {
    for (int i = 0; i < length; i++) {
      char c = text[i];
      boolean letter = c < LATIN_END && DIFFERENT.indexOf(c) < 0;
      boolean punctuation = c >= PUNCTUATION && c < PUNCTUATION_END;
      boolean row = c == '_' && i + 1 < length && text[i + 1] == '_';
      if (row || !(letter || punctuation)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean incrementToken() throws IOException {
    return used.incrementToken();
  }

  @Override
  public void end() throws IOException {
    super.end();
    used.end();
  }

  @Override
  public void close() throws IOException {
    super.close();
    used.close();
  }
}
