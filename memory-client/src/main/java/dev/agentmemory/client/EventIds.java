package dev.agentmemory.client;

import com.github.f4b6a3.ulid.Ulid;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Ids for events that come without one. The id is derived from the content, so that an event that
/// is sent again is recognised.
///
/// ```
/// ULID = timestamp : 48 bits | first 80 bits of SHA-256( each part, its length before it )
/// parts = session, timestamp, type, role, text, number of pairs of metadata, each pair's key and
///         value in the order of the keys, agent when there is one
/// ```
public final class EventIds {

  private static final int RANDOM_BYTES = 10;
  private static final long MOST_MILLIS = (1L << 48) - 1;

  private EventIds() {}

  /// @throws MemoryException `INVALID_FIELD` when the timestamp does not fit into a ULID
  public static EventId derive(
      SessionId session,
      Instant timestamp,
      EventType type,
      EventRole role,
      String text,
      Map<String, String> metadata,
      Optional<String> agent) {
    long millis = timestamp.toEpochMilli();
    if (millis < 0 || millis > MOST_MILLIS) {
      throw MemoryException.invalid(
          "event.timestamp_ms", "is outside the range of ULID timestamps: " + millis);
    }
    MessageDigest digest = sha256();
    add(digest, session.value());
    add(digest, Long.toString(millis));
    add(digest, type.name());
    add(digest, role.name());
    add(digest, text);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, metadata.size()));
    new TreeMap<>(metadata)
        .forEach((key, value) -> {
          add(digest, key);
          add(digest, value);
        });
    agent.ifPresent(name -> add(digest, name));
    byte[] random = Arrays.copyOf(digest.digest(), RANDOM_BYTES);
    return new EventId(new Ulid(millis, random).toString());
  }

  private static void add(MessageDigest digest, String part) {
    byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
    digest.update(bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
