package dev.agentmemory.toc.segment;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;

/// Byte-pair encoding with the public `cl100k_base` vocabulary. Loading it takes a few hundred
/// milliseconds and some 30 MiB, so a process loads it once, when it first counts.
public final class BpeTokens implements TokenCounter {

  private static final class Vocabulary {

    private static final Encoding CL100K =
        Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.CL100K_BASE);
  }

  @Override
  public int count(String text) {
    return text.isEmpty() ? 0 : Vocabulary.CL100K.countTokensOrdinary(text);
  }

  /// Loads the vocabulary, so that the first count need not wait for it.
  public static void load() {
    new BpeTokens().count(" ");
  }
}
