package dev.agentmemory.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.Stream;

/// Where a benchmark runs: the packaged daemon, a throw-away directory and the data sets. Closing
/// it ends every daemon that still runs and deletes the directory.
final class Site implements AutoCloseable {

  private final Path dist;
  private final Path work;
  private final Path data;
  private final Deque<BenchDaemon> daemons = new ConcurrentLinkedDeque<>();

  private Site(Path dist, Path work, Path data) {
    this.dist = dist;
    this.work = work;
    this.data = data;
  }

  /// A site with an empty directory of its own below `parent`, on whose disk is measured.
  ///
  /// @param dist the packaged daemon
  /// @param data the folder of the data sets; need not exist
  static Site below(Path parent, Path dist, Path data) throws IOException {
    if (!Files.isExecutable(launcher(dist))) {
      throw new IllegalStateException("no packaged daemon in " + dist + "; build it first");
    }
    Files.createDirectories(parent);
    return new Site(dist, Files.createTempDirectory(parent, "run-"), data);
  }

  private static Path launcher(Path dist) {
    return dist.resolve("bin").resolve("memory");
  }

  /// Starts a daemon on the data directory of that name and waits until it serves.
  ///
  /// @param settings such as `workspaces.max_open=64`
  BenchDaemon daemon(String name, String... settings) {
    return daemon(name, List.of(), settings);
  }

  /// The same with options for its JVM, on top of those of the launcher.
  BenchDaemon daemon(String name, List<String> javaOptions, String... settings) {
    BenchDaemon daemon = BenchDaemon.start(launcher(dist), work, name, javaOptions, settings);
    daemons.push(daemon);
    return daemon;
  }

  /// A path below the work directory.
  Path path(String name) {
    return work.resolve(name);
  }

  /// The LoCoMo dialogues.
  ///
  /// @throws IllegalStateException saying where they are expected, when they are not there
  Path locomo() {
    return dataSet("events.jsonl");
  }

  /// What people wrote about the LoCoMo dialogues.
  ///
  /// @throws IllegalStateException saying where it is expected, when it is not there
  Path locomoSummaries() {
    return dataSet("summaries.jsonl");
  }

  private Path dataSet(String name) {
    Path file = data.resolve("locomo").resolve(name);
    if (!Files.isReadable(file)) {
      throw new IllegalStateException(
          "this benchmark needs the data set locomo/"
              + name
              + " and found no "
              + file
              + "; name its folder with --data DIR or in BENCH_DATA");
    }
    return file;
  }

  /// The folder of the transcripts.
  ///
  /// @throws IllegalStateException saying where they are expected, when they are not there
  Path transcripts() {
    Path folder = data.resolve("transcripts");
    if (!Files.isDirectory(folder)) {
      throw new IllegalStateException(
          "this benchmark needs the data set transcripts and found no "
              + folder
              + "; name its folder with --data DIR or in BENCH_DATA");
    }
    return folder;
  }

  /// A file beside the work directory, which stays when the benchmark is over.
  Path output(String name) {
    return work.resolveSibling(name);
  }

  /// The command that a user calls.
  String launcher() {
    return launcher(dist).toString();
  }

  /// The JVM that runs this, which the launcher is told to use, too.
  String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /// The jar of the daemon, which holds the sample.
  Path jar() {
    return dist.resolve("lib").resolve("memory-daemon.jar");
  }

  @Override
  public void close() {
    try {
      while (!daemons.isEmpty()) {
        daemons.pop().close();
      }
    } finally {
      daemons.forEach(BenchDaemon::kill);
      deleteTree(work);
    }
  }

  private static void deleteTree(Path root) {
    if (!Files.exists(root)) {
      return;
    }
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + root, e);
    }
  }
}
