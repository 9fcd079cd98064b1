package dev.agentmemory.storage.internal.rocksdb;

import java.math.BigInteger;
import java.util.Optional;
import java.util.function.Supplier;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/// A way around a block that cannot be read. The engine stops a scan there and does not say where
/// the next block begins. Idea: a place inside the block cannot be sought, one behind it can; so
/// keys are taken as numbers, strides double until one lands behind the block, and halving finds
/// its end. Some hundred seeks at most, on a path that is hardly ever taken.
///
/// Every seek has an iterator of its own: one that has met damage may report it again where there
/// is none. Over a whole table the rows of other files that lie within the stretch are left out
/// with it; [FileScan] therefore goes around the damage of one file at a time.
public final class CorruptionSkipper {

  /// Keys are made as long as most rows' keys are, so that a place between two rows can be named.
  private static final int USUAL_BYTES = 64;

  private static final int SPARE_BYTES = 4;

  private final Supplier<Rows> iterators;
  private final Direction direction;

  /// Where the scan goes.
  public enum Direction {
    UP,
    DOWN
  }

  /// @param iterators makes new ones
  public CorruptionSkipper(Supplier<Rows> iterators, Direction direction) {
    this.iterators = iterators;
    this.direction = direction;
  }

  /// The nearest row behind the damage that can be read.
  ///
  /// @param last the row before the damage, or where the scan began
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

  /// What a seek came to.
  ///
  /// @param row where it arrived; empty when nothing is further on
  private record Probe(boolean readable, Optional<byte[]> row) {}

  private Probe probe(BigInteger place, int length) throws RocksDBException {
    byte[] key = bytes(place, length);
    try (Rows rows = iterators.get()) {
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

  /// The damage that ended a scan; empty when it stands on a row or came to its end.
  ///
  /// @throws RocksDBException when something else ended it
  public static Optional<RocksDBException> damage(Rows rows) throws RocksDBException {
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
