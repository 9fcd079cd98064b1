package dev.agentmemory.search.internal.text;

import dev.agentmemory.text.Identifiers;
import dev.agentmemory.text.Lexicon;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.FilteringTokenFilter;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.cjk.CJKWidthFilter;
import org.apache.lucene.analysis.core.FlattenGraphFilter;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.icu.ICUFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.ConditionalTokenFilter;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.KeywordAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.util.CharsRef;
import org.apache.lucene.util.CharsRefBuilder;

/// How texts and queries become terms.
///
/// Words: segmented by the rules of Unicode and ICU's dictionaries, Chinese, Japanese and Korean in
/// bigrams, folded (case, accents, width), identifiers also in their parts, English stemmed, the
/// most frequent words left out. Exact: what stands between spaces without the punctuation around
/// it, where that is an identifier, a path, a version or the like.
public final class Analysis {

  /// Longest term, in UTF-16 units; what is longer is nothing that a person looks for.
  public static final int MAX_TERM = 128;

  /// Stands before a word in the form in which it was written. In no text.
  public static final char FORM = '\u0001';

  private static final Lexicon WORDS = Lexicon.beside(Analysis.class, "query-words.txt");

  /// Words come folded, so their case need not be ignored.
  private static final CharArraySet STOP =
      CharArraySet.unmodifiableSet(new CharArraySet(WORDS.words("stop"), false));

  private static final int PARTS =
      WordDelimiterGraphFilter.GENERATE_WORD_PARTS
          | WordDelimiterGraphFilter.GENERATE_NUMBER_PARTS
          | WordDelimiterGraphFilter.SPLIT_ON_CASE_CHANGE
          | WordDelimiterGraphFilter.PRESERVE_ORIGINAL;

  private final Analyzer words = analyzer(true, /* forms= */ false);
  private final Analyzer phrases = analyzer(false, /* forms= */ false);
  private final Analyzer forms = analyzer(true, /* forms= */ true);
  private final Analyzer exact = exact();
  private final Analyzer folding = folding();
  private final Set<String> askingTerms =
      Set.copyOf(terms(words, String.join(" ", WORDS.words("asking"))));

  /// For the field of words.
  public Analyzer words() {
    return words;
  }

  /// The same, each word also in the form in which it was written, behind [#FORM]: patterns with
  /// wildcards are compared with forms, not with stems.
  public Analyzer forms() {
    return forms;
  }

  /// The same for phrases of a query: one term a place.
  public Analyzer phrases() {
    return phrases;
  }

  /// For the field of exact terms.
  public Analyzer identifiers() {
    return exact;
  }

  /// A part of a word as it stands in a form: case, accents and width do not differ.
  public String folded(String part) {
    return String.join("", terms(folding, part));
  }

  /// The terms of a question's free text, each once, those left out that only ask. If nothing else
  /// is left, those.
  public List<String> queryTerms(String text) {
    List<String> all = terms(words, text);
    Set<String> telling = new LinkedHashSet<>(all);
    telling.removeAll(askingTerms);
    return List.copyOf(telling.isEmpty() ? new LinkedHashSet<>(all) : telling);
  }

  /// What [#queryTerms] leaves out.
  Set<String> askingTerms() {
    return askingTerms;
  }

  /// The terms of a text in its order.
  public static List<String> terms(Analyzer analyzer, String text) {
    List<String> terms = new ArrayList<>();
    try (TokenStream stream = analyzer.tokenStream("", text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) {
        terms.add(term.toString());
      }
      stream.end();
    } catch (IOException e) {
      throw new AssertionError("a string cannot fail to be read", e);
    }
    return terms;
  }

  private static Analyzer analyzer(boolean parts, boolean forms) {
    return new Analyzer() {
      @Override
      protected TokenStreamComponents createComponents(String field) {
        Tokenizer source = new WordTokenizer();
        return new TokenStreamComponents(
            source, terms(new UnlessPlain(source, in -> rewritten(in, parts)), forms));
      }
    };
  }

  /// What makes words of tokens. A plain word comes out of it as it is, but for its case.
  static TokenStream rewritten(TokenStream in, boolean parts) {
    TokenStream stream = new EnglishPossessiveFilter(in);
    if (parts) {
      stream = new WordDelimiterGraphFilter(stream, PARTS, CharArraySet.EMPTY_SET);
      stream = new FlattenGraphFilter(stream);
    }
    return new CJKBigramFilter(new ICUFoldingFilter(new CJKWidthFilter(stream)));
  }

  private static TokenStream terms(TokenStream words, boolean forms) {
    return new DistinctFilter(allTerms(words, forms));
  }

  /// What makes terms of words, several equal ones at a place included.
  static TokenStream allTerms(TokenStream words, boolean forms) {
    TokenStream stream = new StopFilter(words, STOP);
    if (forms) {
      stream = new FormFilter(stream);
    }
    return new ShortFilter(new PorterStemFilter(stream));
  }

  private static Analyzer exact() {
    return new Analyzer() {
      @Override
      protected TokenStreamComponents createComponents(String field) {
        Tokenizer source = new WhitespaceTokenizer();
        TokenStream stream = new LowerCaseFilter(new IdentifierFilter(source));
        return new TokenStreamComponents(source, new ShortFilter(stream));
      }
    };
  }

  private static Analyzer folding() {
    return new Analyzer() {
      @Override
      protected TokenStreamComponents createComponents(String field) {
        Tokenizer source = new KeywordTokenizer();
        return new TokenStreamComponents(source, new ICUFoldingFilter(new CJKWidthFilter(source)));
      }
    };
  }

  /// Passes plain words on, in lower case, and sends all other tokens through a filter. A plain
  /// word has letters and digits of ASCII only, and no capital behind a small letter, which is so
  /// for most words of most texts. The filter would change nothing else of it, and takes much
  /// longer.
  private static final class UnlessPlain extends ConditionalTokenFilter {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);

    UnlessPlain(TokenStream in, Function<TokenStream, TokenStream> filter) {
      super(in, filter);
    }

    @Override
    protected boolean shouldFilter() {
      char[] word = term.buffer();
      int length = term.length();
      if (!isPlain(word, length)) {
        return true;
      }
      for (int i = 0; i < length; i++) {
        word[i] = Character.toLowerCase(word[i]);
      }
      return false;
    }

    private static boolean isPlain(char[] word, int length) {
      boolean small = false;
      for (int i = 0; i < length; i++) {
        char c = word[i];
        boolean digit = c >= '0' && c <= '9';
        if (!(isSmall(c) || digit || (isCapital(c) && !small))) {
          return false;
        }
        small = isSmall(c);
      }
      return length > 0;
    }

    private static boolean isCapital(char c) {
      return c >= 'A' && c <= 'Z';
    }

    private static boolean isSmall(char c) {
      return c >= 'a' && c <= 'z';
    }
  }

  /// Gives each word twice at its place: as it is, and marked as a form, which is not stemmed.
  ///
  /// Between the two nothing before this filter moves on, so all attributes but the term are still
  /// those of the word.
  private static final class FormFilter extends TokenFilter {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final KeywordAttribute keyword = addAttribute(KeywordAttribute.class);
    private final PositionIncrementAttribute place = addAttribute(PositionIncrementAttribute.class);
    private final char[] form = new char[MAX_TERM + 2];
    private int length;

    FormFilter(TokenStream in) {
      super(in);
    }

    @Override
    public boolean incrementToken() throws IOException {
      if (length > 0) {
        term.copyBuffer(form, 0, length);
        length = 0;
        keyword.setKeyword(true);
        place.setPositionIncrement(0);
        return true;
      }
      if (!input.incrementToken()) {
        return false;
      }
      keyword.setKeyword(false);
      // A form that is cut is still too long for a term, and is dropped by a later filter.
      length = Math.min(1 + term.length(), form.length);
      form[0] = FORM;
      System.arraycopy(term.buffer(), 0, form, 1, length - 1);
      return true;
    }

    @Override
    public void reset() throws IOException {
      super.reset();
      length = 0;
    }
  }

  /// Drops a term that stands at the same place before, such as the part of an identifier that has
  /// one part. Lucene's own filter also hashes every term and makes a new array for it, which takes
  /// longer where a place has one term, as most have.
  private static final class DistinctFilter extends TokenFilter {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final PositionIncrementAttribute place = addAttribute(PositionIncrementAttribute.class);
    private final List<CharsRefBuilder> before = new ArrayList<>();
    private int count;

    DistinctFilter(TokenStream in) {
      super(in);
    }

    @Override
    public boolean incrementToken() throws IOException {
      while (input.incrementToken()) {
        if (place.getPositionIncrement() > 0) {
          count = 0;
        } else if (wasThere()) {
          continue;
        }
        if (count == before.size()) {
          before.add(new CharsRefBuilder());
        }
        before.get(count++).copyChars(term.buffer(), 0, term.length());
        return true;
      }
      return false;
    }

    private boolean wasThere() {
      for (int i = 0; i < count; i++) {
        CharsRef one = before.get(i).get();
        if (Arrays.equals(one.chars, 0, one.length, term.buffer(), 0, term.length())) {
          return true;
        }
      }
      return false;
    }

    @Override
    public void reset() throws IOException {
      super.reset();
      count = 0;
    }
  }

  /// Drops what is too long to be a term.
  private static final class ShortFilter extends FilteringTokenFilter {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);

    ShortFilter(TokenStream in) {
      super(in);
    }

    @Override
    protected boolean accept() {
      return term.length() > 0 && term.length() <= MAX_TERM;
    }
  }

  /// Keeps identifiers and takes the punctuation around them away.
  private static final class IdentifierFilter extends FilteringTokenFilter {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final OffsetAttribute offset = addAttribute(OffsetAttribute.class);

    IdentifierFilter(TokenStream in) {
      super(in);
    }

    @Override
    protected boolean accept() {
      int start = 0;
      int end = term.length();
      while (start < end && !Character.isLetterOrDigit(term.charAt(start))) {
        start++;
      }
      while (end > start && !Character.isLetterOrDigit(term.charAt(end - 1))) {
        end--;
      }
      if (!Identifiers.isIdentifier(term.subSequence(start, end))) {
        return false;
      }
      int begin = offset.startOffset();
      offset.setOffset(begin + start, begin + end);
      term.copyBuffer(term.buffer(), start, end - start);
      return true;
    }
  }
}
