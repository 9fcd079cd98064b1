package dev.agentmemory.recall.memory;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/// Where a page of a list ended: a memory's time and id.
///
/// ```
/// base64url( crc32 of the rest and of the filter : 4 | epoch ms, a space and the id in UTF-8 )
/// ```
///
/// The filter is in the checksum only, so a token of another list is refused like a damaged one.
record MemoryListToken(Instant created, MemoryId id) {

  private static final int CHECKSUM_BYTES = 4;

  String write(MemoryFilter filter) {
    byte[] place = (created.toEpochMilli() + " " + id.value()).getBytes(StandardCharsets.UTF_8);
    byte[] token =
        ByteBuffer.allocate(CHECKSUM_BYTES + place.length)
            .putInt(checksum(place, filter))
            .put(place)
            .array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  /// @throws MemoryException `INVALID_TOKEN`
  static MemoryListToken read(String token, MemoryFilter filter) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(token));
      if (bytes.remaining() <= CHECKSUM_BYTES) {
        throw bad();
      }
      int checksum = bytes.getInt();
      byte[] place = new byte[bytes.remaining()];
      bytes.get(place);
      if (checksum != checksum(place, filter)) {
        throw bad();
      }
      String[] parts = new String(place, StandardCharsets.UTF_8).split(" ", 2);
      return new MemoryListToken(
          Instant.ofEpochMilli(Long.parseLong(parts[0])), MemoryId.of(parts[1]));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw bad();
    }
  }

  private static MemoryException bad() {
    return new MemoryException(
        ErrorCode.INVALID_TOKEN,
        PageRequest.TOKEN + ": was not issued for this request; start again without a token");
  }

  private static int checksum(byte[] place, MemoryFilter filter) {
    CRC32 crc = new CRC32();
    crc.update(place);
    crc.update(text(filter).getBytes(StandardCharsets.UTF_8));
    return (int) crc.getValue();
  }

  /// The same for equal filters, also after a restart: sets have another order then.
  private static String text(MemoryFilter filter) {
    return String.join(
        "|",
        sorted(filter.scopes()),
        sorted(filter.kinds()),
        sorted(filter.lifetimes()),
        sorted(filter.sources()),
        filter.session().toString(),
        filter.channel().toString(),
        sorted(filter.tags().include()),
        Boolean.toString(filter.tags().all()),
        sorted(filter.tags().exclude()),
        filter.after().toString(),
        filter.before().toString(),
        Double.toString(filter.minImportance()),
        filter.near().map(near -> sorted(near.roots()) + near.depth()).orElse(""),
        Boolean.toString(filter.pinned()),
        Boolean.toString(filter.superseded()));
  }

  private static String sorted(Collection<?> values) {
    return values.stream().map(Object::toString).sorted().collect(Collectors.joining(","));
  }
}
