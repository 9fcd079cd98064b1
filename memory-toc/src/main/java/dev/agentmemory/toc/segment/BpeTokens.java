package dev.agentmemory.toc.segment;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;

/// Byte-pair encoding with the public `cl100k_base` vocabulary. Loading it takes a few hundred
/// milliseconds and some 30 MiB, so a process makes one and shares it.
public final class BpeTokens implements TokenCounter {

  private final Encoding encoding =
      Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.CL100K_BASE);

  @Override
  public int count(String text) {
    return encoding.countTokensOrdinary(text);
  }
}
