package dev.agentmemory.postgres.internal;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.sql.SQLException;
import java.util.Objects;

/// Translates errors of the database into errors of the store, by the codes of appendix A of its
/// manual.
final class PgErrors {

  private static final String DISK_FULL = "53100";
  private static final String CONNECTION = "08";
  private static final String SHUTTING_DOWN = "57P";
  private static final String IDLE_IN_TRANSACTION = "25P03";
  private static final String DIVISION_BY_ZERO = "22012";

  private static final String DAMAGED_DATA = "XX001";
  private static final String DAMAGED_INDEX = "XX002";

  private PgErrors() {}

  static MemoryException translated(String doing, SQLException e) {
    String state = state(e);
    if (state.equals(DISK_FULL)) {
      return new MemoryException(
          ErrorCode.DISK_FULL,
          "the disk of the database is full " + doing + "; free some space on it and try again",
          e);
    }
    if (state.equals(DAMAGED_DATA) || state.equals(DAMAGED_INDEX)) {
      return new MemoryException(
          ErrorCode.CORRUPT_RECORD,
          "the database has damaged rows (%s) %s".formatted(e.getMessage(), doing),
          e);
    }
    return new MemoryException(
        ErrorCode.STORAGE_FAILED,
        "the database failed %s (%s); check that it runs and can be reached"
            .formatted(doing, e.getMessage()),
        e);
  }

  /// Whether the connection broke, so that nobody knows whether its last statement was done.
  static boolean isLost(SQLException e) {
    String state = state(e);
    return state.startsWith(CONNECTION)
        || state.startsWith(SHUTTING_DOWN)
        || state.equals(IDLE_IN_TRANSACTION)
        || state.isEmpty();
  }

  /// Whether the fence of a batch has refused it, see [PgStatements#fence].
  static boolean isFence(SQLException e) {
    return state(e).equals(DIVISION_BY_ZERO);
  }

  private static String state(SQLException e) {
    return Objects.requireNonNullElse(e.getSQLState(), "");
  }
}
