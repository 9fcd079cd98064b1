package dev.agentmemory.toc.internal.check;

import dev.agentmemory.text.Graphemes;
import dev.agentmemory.text.Sentences;
import dev.agentmemory.text.Slice;
import dev.agentmemory.text.Term;
import dev.agentmemory.text.Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Where a quote stands: the source, and the words as they are written there.
///
/// A quote that is not there word for word is looked for once more, sentence by sentence: the
/// measure is the longest common subsequence of words over the words of the quote, so that dropped,
/// added and replaced words cost what they weigh and their order counts. The sentence then stands
/// for the quote; what the model made up is never kept.
///
/// @param excerpt occurs verbatim in the source's original text
/// @param exact whether the quote was there as it is
record Anchor(ClaimSource source, String excerpt, boolean exact) {

  /// Longest excerpt in UTF-16 units, as that of the extractive summariser.
  static final int MOST_CHARS = 240;

  /// Least share of the quote's words that the sentence has, in order. Of foreign sentences only
  /// one in a hundred reaches half as much: docs/decisions/0022.
  static final double LIKE = 0.7;

  private static final int LEAST_CHARS = 6;
  private static final int MOST_WORDS = 80;
  private static final Pattern MASKED = Pattern.compile("\\[masked:[^\\]\\n]{0,40}\\]");
  private static final Pattern LOOSE =
      Pattern.compile("^[\\s\"'.,;:!?()\\[\\]-]+|[\\s\"'.,;:!?()\\[-]+$");

  /// Looks in the cited sources first, then in all.
  static Optional<Anchor> find(String quote, List<ClaimSource> cited, List<ClaimSource> all) {
    String folded = LOOSE.matcher(Folded.of(quote).text()).replaceAll("");
    if (!tells(folded)) {
      return Optional.empty();
    }
    return exact(folded, cited)
        .or(() -> nearest(folded, cited))
        .or(() -> exact(folded, all))
        .or(() -> nearest(folded, all));
  }

  /// The sentence of a source that is most like a text, when one is like enough.
  static Optional<Anchor> nearest(String folded, List<ClaimSource> sources) {
    List<String> words = words(folded, 0, folded.length());
    double most = LIKE;
    Optional<Anchor> best = Optional.empty();
    for (ClaimSource source : sources) {
      String text = source.text();
      for (Slice sentence : sentences(text)) {
        double likeness = likeness(words, words(text, sentence.start(), sentence.end()));
        if (likeness > most || (best.isEmpty() && likeness == most)) {
          Optional<String> excerpt = excerpt(source, sentence);
          if (excerpt.isPresent()) {
            most = likeness;
            best = Optional.of(new Anchor(source, excerpt.get(), false));
          }
        }
      }
    }
    return best;
  }

  private static Optional<Anchor> exact(String folded, List<ClaimSource> sources) {
    for (ClaimSource source : sources) {
      Optional<String> excerpt =
          source.folded().find(folded).flatMap(slice -> excerpt(source, slice));
      if (excerpt.isPresent()) {
        return excerpt.map(words -> new Anchor(source, words, true));
      }
    }
    return Optional.empty();
  }

  /// Whether a quote says anything: two content words, or one that stands for itself.
  private static boolean tells(String folded) {
    int content = 0;
    for (Term term : Terms.of(folded)) {
      if (term.isTechnical() || (term.kind() == Term.Kind.NUMBER && !term.part())) {
        return true;
      }
      content += term.isContent() && !term.part() ? 1 : 0;
    }
    return content > 1 || (content == 1 && folded.length() >= LEAST_CHARS);
  }

  private static List<Slice> sentences(String text) {
    var sentences = new ArrayList<Slice>();
    int start = 0;
    while (start < text.length()) {
      int feed = text.indexOf('\n', start);
      int end = feed < 0 ? text.length() : feed;
      sentences.addAll(Sentences.split(text, start, end));
      start = end + 1;
    }
    return sentences;
  }

  private static List<String> words(String text, int start, int end) {
    List<Term> terms = Terms.of(text, start, Math.min(end, start + MOST_CHARS * 3));
    return terms.stream().filter(term -> !term.part()).limit(MOST_WORDS).map(Term::key).toList();
  }

  /// @return 0 to 1
  static double likeness(List<String> quote, List<String> sentence) {
    if (quote.isEmpty() || sentence.isEmpty()) {
      return 0;
    }
    int[] row = new int[sentence.size() + 1];
    for (String word : quote) {
      int diagonal = 0;
      for (int i = 1; i <= sentence.size(); i++) {
        int above = row[i];
        row[i] = word.equals(sentence.get(i - 1)) ? diagonal + 1 : Math.max(row[i], row[i - 1]);
        diagonal = above;
      }
    }
    return (double) row[sentence.size()] / quote.size();
  }

  /// The words as they are stored. Where a secret is masked, what stands beside it.
  private static Optional<String> excerpt(ClaimSource source, Slice slice) {
    String seen = slice.of(source.text());
    String best = "";
    for (String piece : MASKED.split(seen, -1)) {
      String part = piece.strip();
      best = part.length() > best.length() ? part : best;
    }
    if (best.length() > MOST_CHARS) {
      best = best.substring(0, Graphemes.wordBorder(best, 0, MOST_CHARS));
    }
    boolean whole = best.length() == slice.length();
    boolean says = !best.isBlank() && (whole || tells(Folded.of(best).text()));
    return says && source.original().contains(best) ? Optional.of(best) : Optional.empty();
  }
}
