package dev.agentmemory.rocksdb.internal.engine;

import java.math.BigInteger;
import java.util.Optional;
import java.util.function.Supplier;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/// Finds the next readable row after an unreadable block. The engine stops a scan there and does
/// not report where the next block begins.
///
/// Idea: a seek to a key inside the block fails, a seek to a key after it succeeds. Keys are
/// treated as numbers. The step is doubled until a seek succeeds, and a binary search finds the end
/// of the block. That takes some hundred seeks at most, and is rare.
///
/// Every seek has its own iterator: one that has met damage may report it again where there is
/// none. In a scan over a whole table the rows of other files in the skipped range are skipped,
/// too. [FileScan] therefore skips the damage of one file at a time.
///
/// @param iterators creates new ones
public record CorruptionSkipper(Supplier<RowIterator> iterators, Direction direction) {

  /// Keys are extended to the length of most rows' keys, so that a key between two rows can be
  /// expressed.
  private static final int USUAL_BYTES = 64;

  private static final int SPARE_BYTES = 4;

  /// The direction of the scan.
  public enum Direction {
    UP,
    DOWN
  }

  /// The nearest readable row after the damage.
  ///
  /// @param last the row before the damage, or the start of the scan
  public Optional<byte[]> behind(byte[] last) throws RocksDBException {
    int length = Math.max(USUAL_BYTES, last.length + SPARE_BYTES);
    BigInteger from = new BigInteger(1, last).shiftLeft(Byte.SIZE * (length - last.length));
    BigInteger bad = from;
    for (int stride = 0; stride < Byte.SIZE * length; stride++) {
      BigInteger place = step(from, BigInteger.ONE.shiftLeft(stride));
      if (place.signum() < 0 || place.bitLength() > Byte.SIZE * length) {
        return Optional.empty();
      }
      Probe probe = probe(place, length);
      if (probe.readable()) {
        return halve(bad, place, probe, length);
      }
      bad = place;
    }
    return Optional.empty();
  }

  private Optional<byte[]> halve(BigInteger notYet, BigInteger found, Probe there, int length)
      throws RocksDBException {
    BigInteger bad = notYet;
    BigInteger good = found;
    Probe best = there;
    while (good.subtract(bad).abs().compareTo(BigInteger.ONE) > 0) {
      BigInteger middle = good.add(bad).shiftRight(1);
      Probe probe = probe(middle, length);
      if (probe.readable()) {
        good = middle;
        best = probe;
      } else {
        bad = middle;
      }
    }
    return best.row();
  }

  /// Result of a seek.
  ///
  /// @param row the row at which it arrived; empty when there is none
  private record Probe(boolean readable, Optional<byte[]> row) {}

  private Probe probe(BigInteger place, int length) throws RocksDBException {
    byte[] key = bytes(place, length);
    try (RowIterator rows = iterators.get()) {
      rows.seek(key, direction);
      boolean readable = damage(rows).isEmpty();
      return new Probe(readable, rows.isValid() ? Optional.of(rows.key()) : Optional.empty());
    }
  }

  private BigInteger step(BigInteger from, BigInteger stride) {
    return switch (direction) {
      case UP -> from.add(stride);
      case DOWN -> from.subtract(stride);
    };
  }

  /// The damage that ended a scan; empty when it has a current row or reached its end.
  ///
  /// @throws RocksDBException when another error ended it
  public static Optional<RocksDBException> damage(RowIterator rows) throws RocksDBException {
    if (rows.isValid()) {
      return Optional.empty();
    }
    try {
      rows.status();
      return Optional.empty();
    } catch (RocksDBException e) {
      if (!isDamage(e)) {
        throw e;
      }
      return Optional.of(e);
    }
  }

  public static boolean isDamage(RocksDBException e) {
    return e.getStatus() != null && e.getStatus().getCode() == Status.Code.Corruption;
  }

  private static byte[] bytes(BigInteger place, int length) {
    byte[] digits = place.toByteArray();
    byte[] key = new byte[length];
    int most = Math.min(length, digits.length);
    System.arraycopy(digits, digits.length - most, key, length - most, most);
    return key;
  }
}
