package dev.agentmemory.search.internal.text;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/// Tokens with their places, one line each, for comparisons.
final class PrintedTokens {

  private PrintedTokens() {}

  /// Reads a stream to its end and closes it.
  static List<String> of(TokenStream stream) throws IOException {
    List<String> tokens = new ArrayList<>();
    try (stream) {
      var term = stream.addAttribute(CharTermAttribute.class);
      var place = stream.addAttribute(PositionIncrementAttribute.class);
      var offset = stream.addAttribute(OffsetAttribute.class);
      stream.reset();
      while (stream.incrementToken()) {
        tokens.add(
            "%s +%d %d-%d"
                .formatted(
                    term, place.getPositionIncrement(), offset.startOffset(), offset.endOffset()));
      }
      stream.end();
      tokens.add("end +%d %d".formatted(place.getPositionIncrement(), offset.endOffset()));
    }
    return tokens;
  }
}
