package dev.agentmemory.storage.internal.rocksdb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/// Checks a write-ahead log or a manifest. A crash may leave the last record of the last log
/// unfinished. That is no damage: nobody was told that it is stored.
final class LogFileCheck {

  /// Whether a crash may have cut the file short.
  enum Tail {
    /// The file was finished.
    WHOLE,
    /// It is the one that is being written, or was when the program ended.
    MAY_BE_TORN
  }

  private LogFileCheck() {}

  /// @param read is told how many bytes were read, after every block
  /// @return what is wrong first, with its place; empty when nothing is
  static Optional<String> check(Path path, Tail tail, IntConsumer read) throws IOException {
    List<LogFile.Flaw> flaws = new LogFile(path, /* mending= */ false).read(payload -> {}, read);
    return flaws.stream()
        .filter(flaw -> tail == Tail.WHOLE || !flaw.torn())
        .findFirst()
        .map(flaw -> flaw.why() + " at byte " + flaw.offset());
  }
}
