package dev.agentmemory.recall.internal.record;

import dev.agentmemory.api.recall.MemoryPlace;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Recognises a deleted text when it comes back. The digest is keyed with a secret of the store, so
/// that what was deleted cannot be guessed from it.
///
/// It covers the scope with its channel or session, and the text in lower case with single spaces.
/// It must not change: digests are stored.
///
/// @param key of HMAC-SHA256
public record StatementDigest(String key) {

  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEY_BYTES = 32;

  /// The bits that are kept are more than the minimum of RFC 2104 (section 5), half of all.
  private static final int KEPT_BYTES = 18;

  private static final int HASH_BYTES = 12;

  /// @param random a generator that is fit for secrets
  static StatementDigest draw(RandomGenerator random) {
    byte[] key = new byte[KEY_BYTES];
    random.nextBytes(key);
    return new StatementDigest(Base64.getEncoder().encodeToString(key));
  }

  /// 24 characters of `A-Z a-z 0-9 - _`.
  String of(MemoryPlace place, String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), ALGORITHM));
      add(mac, RecordJson.word(place.scope()));
      switch (place.scope()) {
        case CONVERSATION -> add(mac, place.session().orElseThrow().value());
        case CHANNEL -> add(mac, place.channel().orElseThrow().value());
        case WORKSPACE, ACCOUNT -> {}
      }
      add(mac, normalised(text));
      byte[] kept = Arrays.copyOf(mac.doFinal(), KEPT_BYTES);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(kept);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java platform has " + ALGORITHM, e);
    }
  }

  /// A hash of any text, of 24 hexadecimal digits. It is never equal to a digest by more than
  /// chance: both begin with other words.
  public String hash(String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), ALGORITHM));
      add(mac, "redaction");
      add(mac, text);
      return HexFormat.of().formatHex(mac.doFinal(), 0, HASH_BYTES);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java platform has " + ALGORITHM, e);
    }
  }

  private static String normalised(String text) {
    return Normalizer.normalize(text, Normalizer.Form.NFC)
        .toLowerCase(Locale.ROOT)
        .replaceAll("[\\s\\p{Z}]+", " ")
        .strip();
  }

  private static void add(Mac mac, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
    mac.update(bytes);
  }

  @Override
  public String toString() {
    return "StatementDigest[key=secret]";
  }
}
