package dev.agentmemory.toc.internal.check;

import dev.agentmemory.text.Graphemes;
import dev.agentmemory.text.Sentences;
import dev.agentmemory.text.Slice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What of an answer's title, prose and keywords is borne by what was said.
final class Tidy {

  static final int MOST_TITLE = 70;
  static final int MOST_TEXT = 240;
  static final int MOST_KEYWORDS = 8;

  private static final int MOST_PROSE = 600;
  private static final int MOST_SENTENCES = 3;
  private static final int MOST_KEYWORD = 40;
  private static final int FEW_KEYWORDS = 3;

  private final ClaimSource all;
  private final ClaimCheck check;

  /// @param all everything that was said
  Tidy(ClaimSource all, DialogueNames names) {
    this.all = all;
    this.check = new ClaimCheck(List.of(), List.of(all), names);
  }

  /// A text of the model as one line of bounded length.
  static String line(String text, int most) {
    return Graphemes.shorten(Lines.flat(text), most);
  }

  /// The title; empty when the transcript does not support it.
  Optional<String> title(String written) {
    String title = line(written, MOST_TITLE);
    return Optional.of(title).filter(text -> !text.isEmpty() && check.fault(text).isEmpty());
  }

  /// The sentences that are borne.
  Optional<String> prose(String written) {
    String line = Lines.flat(written);
    var kept = new ArrayList<String>();
    int length = 0;
    for (Slice slice : Sentences.split(line, 0, line.length())) {
      String sentence = slice.of(line);
      boolean fits = length + sentence.length() <= MOST_PROSE && kept.size() < MOST_SENTENCES;
      if (fits && check.fault(sentence).isEmpty()) {
        kept.add(sentence);
        length += sentence.length() + 1;
      }
    }
    return kept.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", kept));
  }

  /// The terms that occur, and some of the usual ones when few do.
  List<String> keywords(List<String> written, List<String> usual) {
    Map<String, String> kept = new LinkedHashMap<>();
    for (String one : written) {
      String keyword = Lines.flat(one);
      String folded = Folded.of(keyword).text();
      boolean fits = keyword.length() <= MOST_KEYWORD && kept.size() < MOST_KEYWORDS;
      if (fits && all.folded().find(folded).isPresent() && !ClaimWording.words(folded).isEmpty()) {
        kept.putIfAbsent(folded, keyword);
      }
    }
    for (String keyword : usual) {
      if (kept.size() < FEW_KEYWORDS) {
        kept.putIfAbsent(Folded.of(keyword).text(), keyword);
      }
    }
    return List.copyOf(kept.values());
  }
}
