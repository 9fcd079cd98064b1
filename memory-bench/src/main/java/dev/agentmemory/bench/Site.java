package dev.agentmemory.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/// Where a benchmark runs: the packaged daemon, a throw-away directory and the data sets. Closing
/// it ends every daemon that still runs and deletes the directory.
final class Site implements AutoCloseable {

  /// A setting for what has nothing to do with vectors: a daemon that embeds what it got takes time
  /// from whatever it is compared with.
  static final String WITHOUT_EMBEDDINGS = "search.embeddings=none";

  /// How many sessions are made up at once when a store is filled.
  private static final int FILL_SESSIONS = 500;

  private final Path dist;
  private final Path work;
  private final Path data;
  private final Path results;
  private final Stock stock;
  private final PrintStream out;
  private final Deque<BenchDaemon> daemons = new ConcurrentLinkedDeque<>();

  private Site(Path dist, Path work, Path data, Path results, Stock stock, PrintStream out) {
    this.dist = dist;
    this.work = work;
    this.data = data;
    this.results = results;
    this.stock = stock;
    this.out = out;
  }

  /// A site with an empty directory of its own, on whose disk is measured.
  ///
  /// @param own the folder of this module
  /// @param dist the packaged daemon
  /// @param data the folder of the data sets; need not exist
  /// @param stock shared by the benchmarks of a run
  /// @param out gets what [#progress] says
  static Site below(Path own, Path dist, Path data, Stock stock, PrintStream out)
      throws IOException {
    if (!Files.isExecutable(launcher(dist))) {
      throw new IllegalStateException("no packaged daemon in " + dist + "; build it first");
    }
    Path work = Leftovers.directory(runs(own), "run");
    return new Site(dist, work, data, results(own), stock, out);
  }

  /// A site of another package in a directory of its own below this one's.
  ///
  /// @param dist the other packaged daemon
  Site other(String name, Path dist) throws IOException {
    return new Site(dist, Files.createDirectory(path(name)), data, results, stock, out);
  }

  /// Where results are written.
  static Path results(Path own) {
    return own.resolve("results");
  }

  /// Where benchmarks run.
  static Path runs(Path own) {
    return own.resolve("target").resolve("run");
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
    return register(BenchDaemon.start(launcher(dist), work, name, javaOptions, settings));
  }

  /// The same for a data directory with damaged files: a daemon that answers, even if it does not
  /// say that it serves.
  ///
  /// @throws IllegalStateException with what it printed, when it does not start
  BenchDaemon damagedDaemon(String name, String... settings) {
    return register(BenchDaemon.startDamaged(launcher(dist), work, name, settings));
  }

  /// Runs a command of the packaged launcher and waits for its end.
  Commands.Ran command(String... args) throws IOException, InterruptedException {
    return Commands.run(launcher(), path("command"), args);
  }

  private BenchDaemon register(BenchDaemon daemon) {
    daemons.push(daemon);
    return daemon;
  }

  /// Puts [Stock#events] of [Talk] where a daemon of that name finds them: in the table of
  /// contents, indexed, without vectors.
  void stocked(String name) throws IOException {
    stock.copyTo(path(name), this::fill);
  }

  private void fill(Path folder) {
    progress(
        "filling a store of " + Stock.events() + " events, once for all benchmarks of this run");
    int sessions = Stock.events() / Talk.IN_SESSION;
    try (BenchDaemon daemon =
        register(
            BenchDaemon.start(launcher(dist), folder, Stock.NAME, List.of(), WITHOUT_EMBEDDINGS))) {
      for (int from = 0; from < sessions; from += FILL_SESSIONS) {
        Sending.stream(
            daemon.client(), Talk.sessions(from, Math.min(sessions, from + FILL_SESSIONS)));
      }
      progress("sent");
      daemon.awaitToc();
      daemon.awaitIndexed(daemon.client(), Stock.events());
    }
    progress("filled");
  }

  /// A path below the work directory.
  Path path(String name) {
    return work.resolve(name);
  }

  /// Tells whoever waits how far a long benchmark has come.
  void progress(String line) {
    out.println("  .. " + line);
    out.flush();
  }

  /// The folder of the data sets, or of one of them.
  Path data() {
    return data;
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

  /// A file beside the results.
  Path result(String name) {
    return results.resolve(name);
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

  /// The jar of the command line, which holds the sample.
  Path jar() throws IOException {
    try (DirectoryStream<Path> jars =
        Files.newDirectoryStream(dist.resolve("lib"), "memory-cli-*.jar")) {
      return jars.iterator().next();
    }
  }

  /// Deletes what is left when the run is interrupted. All processes must have ended.
  void discard() {
    Trees.deleteAgain(work);
  }

  @Override
  public void close() {
    try {
      while (!daemons.isEmpty()) {
        daemons.pop().close();
      }
    } finally {
      daemons.forEach(BenchDaemon::kill);
      Trees.delete(work);
    }
  }
}
