package dev.agentmemory.agents.internal;

import dev.agentmemory.types.EventId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Ids of events, derived from what they are.
///
/// A turn reaches the daemon by several ways: by a hook, by a retry of it, by the transcript, by
/// the transcript of a fork that repeats it. Each way carries other fields, so an id is derived
/// only from those that all of them carry.
public final class EventIdentity {

  /// Characters of a [#brief] digest.
  private static final int BRIEF_LENGTH = 12;

  private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

  private EventIdentity() {}

  /// The id of a thing that these parts name: the first 128 bits of their digest, as a ULID.
  public static EventId of(String... parts) {
    MessageDigest digest = sha256();
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
      digest.update(bytes);
    }
    ByteBuffer bits = ByteBuffer.wrap(digest.digest());
    return new EventId(ulid(bits.getLong(), bits.getLong()));
  }

  /// A digest of a text, in hex.
  public static String sha256(String text) {
    return HexFormat.of().formatHex(sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  /// A short digest, for comparisons within a session.
  public static String brief(String... parts) {
    return of(parts).value().substring(0, BRIEF_LENGTH);
  }

  private static String ulid(long high, long low) {
    var out = new char[EventId.LENGTH];
    for (int i = EventId.LENGTH - 1; i >= 0; i--) {
      out[i] = ALPHABET.charAt((int) (low & 31));
      low = low >>> 5 | high << 59;
      high >>>= 5;
    }
    return new String(out);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java runtime has SHA-256", e);
    }
  }
}
