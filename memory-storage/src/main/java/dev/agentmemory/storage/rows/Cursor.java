package dev.agentmemory.storage.rows;

import java.util.Arrays;

/// The current row of a scan. The value is fetched only when it is requested.
public interface Cursor {

  byte[] key();

  byte[] value();

  /// The first bytes of the value, as many as there are up to a limit, without fetching the rest.
  byte[] head(int most);

  /// A row that is in memory as a whole.
  static Cursor of(byte[] key, byte[] value) {
    return new Cursor() {
      @Override
      public byte[] key() {
        return key;
      }

      @Override
      public byte[] value() {
        return value;
      }

      @Override
      public byte[] head(int most) {
        return Arrays.copyOf(value, Math.min(most, value.length));
      }
    };
  }

  /// Receives a row.
  interface Visitor {

    /// @return whether to continue
    boolean row(Cursor cursor);
  }
}
