package dev.agentmemory.bench.search;

import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.run.Site;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/// The files of a daemon's search index.
final class IndexFiles {

  /// Longer than the interval between two commits of the index.
  private static final Duration QUIET = Duration.ofSeconds(10);

  private static final int POLL_MILLIS = 200;

  private IndexFiles() {}

  /// The folder of the indexes of a daemon's workspaces.
  static Path of(Site site, String daemon) {
    return site.path(daemon).resolve("index");
  }

  /// Bytes of all files below, once they have not changed for some time.
  static long settled(Path folder) throws InterruptedException {
    long bytes = bytes(folder);
    Clock clock = Clock.start();
    while (clock.seconds() < QUIET.toSeconds()) {
      Thread.sleep(POLL_MILLIS);
      long now = bytes(folder);
      if (now != bytes) {
        bytes = now;
        clock = Clock.start();
      }
    }
    return bytes;
  }

  private static long bytes(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(IndexFiles::size).sum();
    } catch (NoSuchFileException | UncheckedIOException e) {
      // A merge deleted the file meanwhile; the sizes are read again.
      return -1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
