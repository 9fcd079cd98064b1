package dev.agentmemory.rocksdb.internal.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/// Checks a write-ahead log or a manifest. A crash may leave an incomplete record at the end of the
/// last log. That is no damage, because the record was not acknowledged.
final class LogFileCheck {

  /// Whether a crash may have truncated the file.
  enum Tail {
    /// The file is complete.
    WHOLE,
    /// It is the one that is being written, or was when the program ended.
    MAY_BE_TORN
  }

  private LogFileCheck() {}

  /// @param read is called with the number of bytes after every block
  /// @return the first damage, with its place; empty when there is none
  static Optional<String> check(Path path, Tail tail, IntConsumer read) throws IOException {
    List<LogFile.Flaw> flaws = new LogFile(path, /* repairing= */ false).read(payload -> {}, read);
    return flaws.stream()
        .filter(flaw -> tail == Tail.WHOLE || !flaw.torn())
        .findFirst()
        .map(flaw -> flaw.why() + " at byte " + flaw.offset());
  }
}
