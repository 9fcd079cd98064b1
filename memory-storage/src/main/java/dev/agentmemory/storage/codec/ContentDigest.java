package dev.agentmemory.storage.codec;

import dev.agentmemory.types.Event;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Computes the digest that shows whether a repeated event has the same content. The digest is
/// keyed with a secret of the store, so that the content of a scrubbed event cannot be guessed from
/// its digest.
///
/// It covers session, time, type, role, text, metadata by key, and agent, each preceded by its
/// length. It does not depend on the format of a row, so digests of earlier formats stay valid.
///
/// Of the 256 bits of HMAC-SHA256 the first 144 are kept, more than the minimum of RFC 2104
/// (section 5), which is half of them. Random bits cannot be compressed, and every event carries
/// them. They are 24 characters in base 64, which are the first 24 characters of the longer digest
/// of format 1.
public final class ContentDigest {

  public static final int KEY_BYTES = 32;

  private static final int BYTES = 18;
  private static final int CHARACTERS = BYTES / 3 * 4;

  private static final String ALGORITHM = "HmacSHA256";

  private final Mac prototype;

  public ContentDigest(byte[] key) {
    try {
      prototype = Mac.getInstance(ALGORITHM);
      prototype.init(new SecretKeySpec(key, ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java platform has " + ALGORITHM, e);
    }
  }

  public String of(Event event) {
    Mac mac = copy();
    add(mac, event.session().value());
    mac.update(ByteBuffer.allocate(8).putLong(0, event.timestamp().toEpochMilli()));
    add(mac, event.type().name());
    add(mac, event.role().name());
    add(mac, event.text());
    mac.update(ByteBuffer.allocate(4).putInt(0, event.metadata().size()));
    for (Map.Entry<String, String> entry : new TreeMap<>(event.metadata()).entrySet()) {
      add(mac, entry.getKey());
      add(mac, entry.getValue());
    }
    mac.update((byte) (event.agent().isPresent() ? 1 : 0));
    event.agent().ifPresent(agent -> add(mac, agent));
    return Base64.getEncoder().encodeToString(Arrays.copyOf(mac.doFinal(), BYTES));
  }

  /// The digest of a text. It is never equal to that of an event by more than chance.
  public String of(String text) {
    Mac mac = copy();
    add(mac, "erased");
    add(mac, text);
    return Base64.getUrlEncoder().encodeToString(Arrays.copyOf(mac.doFinal(), BYTES));
  }

  /// Converts a digest of any format to the current one.
  static String shortened(String stored) {
    return stored.substring(0, Math.min(CHARACTERS, stored.length()));
  }

  private static void add(Mac mac, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    mac.update(ByteBuffer.allocate(4).putInt(0, bytes.length));
    mac.update(bytes);
  }

  private Mac copy() {
    try {
      return (Mac) prototype.clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError("the platform's own " + ALGORITHM + " can be copied", e);
    }
  }
}
