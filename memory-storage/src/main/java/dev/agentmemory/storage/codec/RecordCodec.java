package dev.agentmemory.storage.codec;

import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Rows of `records`. Key and value are UTF-8, as the module that owns the row chose them.
public final class RecordCodec {

  private RecordCodec() {}

  /// The value of a row.
  public static byte[] encode(StoredRecord row) {
    return row.value().getBytes(StandardCharsets.UTF_8);
  }

  /// @throws MemoryException `CORRUPT_RECORD` when key or value is not valid UTF-8 or the key is
  ///   empty or too long
  public static StoredRecord decode(byte[] key, byte[] value) {
    try {
      return new StoredRecord(text(key), text(value));
    } catch (CharacterCodingException e) {
      throw RowJson.corrupt(e);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.INVALID_FIELD);
      throw RowJson.corrupt(e);
    }
  }

  /// Whether [#decode] accepts a row.
  public static boolean isReadable(byte[] key, byte[] value) {
    try {
      StoredRecord _ = decode(key, value);
      return true;
    } catch (MemoryException e) {
      return false;
    }
  }

  /// A new decoder reports invalid bytes instead of replacing them.
  private static String text(byte[] utf8) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
  }
}
