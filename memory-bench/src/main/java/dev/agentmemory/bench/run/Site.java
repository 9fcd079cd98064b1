package dev.agentmemory.bench.run;

import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Commands;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.Talk;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;

/// Environment of a benchmark: the packaged daemon, a temporary directory and the data sets.
/// Closing it stops all its daemons and deletes the directory.
public final class Site implements AutoCloseable {

  /// A setting for benchmarks that do not measure embeddings: a daemon that embeds would take
  /// processor time from the other side.
  public static final String WITHOUT_EMBEDDINGS = "search.embeddings=none";

  /// Number of sessions that are generated at a time when a store is filled.
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

  /// A site with its own empty directory, whose disk is measured.
  ///
  /// @param own the folder of this module
  /// @param dist the packaged daemon
  /// @param data the folder of the data sets; need not exist
  /// @param stock shared by the benchmarks of a run
  /// @param out receives the messages of [#progress]
  public static Site below(Path own, Path dist, Path data, Stock stock, PrintStream out)
      throws IOException {
    if (!Files.isExecutable(launcher(dist))) {
      throw new IllegalStateException("no packaged daemon in " + dist + "; build it first");
    }
    Path work = Leftovers.directory(runs(own), "run");
    return new Site(dist, work, data, results(own), stock, out);
  }

  /// A site of another package, in a directory below this one's.
  ///
  /// @param dist the other packaged daemon
  public Site other(String name, Path dist) throws IOException {
    return new Site(dist, Files.createDirectory(path(name)), data, results, stock, out);
  }

  /// The folder of the results.
  public static Path results(Path own) {
    return own.resolve("results");
  }

  /// The work directory.
  public static Path runs(Path own) {
    return own.resolve("target").resolve("run");
  }

  private static Path launcher(Path dist) {
    return dist.resolve("bin").resolve("memory");
  }

  /// Starts a daemon on the data directory of this name and waits until it serves.
  ///
  /// @param settings such as `workspaces.max_open=64`
  public BenchDaemon daemon(String name, String... settings) {
    return daemon(name, List.of(), settings);
  }

  /// Like the method above, for a daemon that may open that many files at most.
  public BenchDaemon daemonWithFiles(int files, String name, String... settings)
      throws IOException {
    Path limited = path("memory-with-files");
    Files.writeString(
        limited, "#!/bin/sh\nulimit -n %d\nexec '%s' \"$@\"\n".formatted(files, launcher()));
    limited.toFile().setExecutable(true);
    return register(BenchDaemon.start(limited, work, name, List.of(), settings));
  }

  /// Like [#daemon(String, String...)], with options for the JVM, after those of the launcher.
  public BenchDaemon daemon(String name, List<String> javaOptions, String... settings) {
    return register(BenchDaemon.start(launcher(dist), work, name, javaOptions, settings));
  }

  /// Like the method above, for a data directory with damaged files: the daemon has to answer, but
  /// may report that it does not serve.
  ///
  /// @throws IllegalStateException with its output, when it does not start
  public BenchDaemon damagedDaemon(String name, String... settings) {
    return damagedDaemon(name, Map.of(), settings);
  }

  /// Like the method above, with variables in the environment of the process.
  public BenchDaemon damagedDaemon(
      String name, Map<String, String> environment, String... settings) {
    return register(BenchDaemon.startDamaged(launcher(dist), work, name, environment, settings));
  }

  /// Runs a command of the packaged launcher and waits for its end.
  public Commands.Ran command(String... args) throws IOException, InterruptedException {
    return Commands.run(launcher(), path("command"), args);
  }

  /// Like the method above, with further variables in the environment.
  public Commands.Ran command(Map<String, String> environment, String... args)
      throws IOException, InterruptedException {
    return Commands.run(environment, launcher(), path("command"), args);
  }

  private BenchDaemon register(BenchDaemon daemon) {
    daemons.push(daemon);
    return daemon;
  }

  /// Puts [Stock#events] of [Talk] into the data directory of this name: in the table of contents
  /// and the index, without embeddings.
  public void stocked(String name) throws IOException {
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
  public Path path(String name) {
    return work.resolve(name);
  }

  /// Prints the progress of a long benchmark.
  public void progress(String line) {
    out.println("  .. " + line);
    out.flush();
  }

  /// The folder of the data sets, or of one of them.
  public Path data() {
    return data;
  }

  /// The LoCoMo dialogues.
  ///
  /// @throws IllegalStateException with the expected place, when they do not exist
  public Path locomo() {
    return dataSet("locomo/events.jsonl");
  }

  /// Annotations of the LoCoMo dialogues by people.
  ///
  /// @throws IllegalStateException with the expected place, when they do not exist
  public Path locomoSummaries() {
    return dataSet("locomo/summaries.jsonl");
  }

  /// The events of a coding agent's sessions.
  ///
  /// @throws IllegalStateException with the expected place, when they do not exist
  public Path coding() {
    return dataSet("coding/events.jsonl.gz");
  }

  private Path dataSet(String name) {
    Path file = data.resolve(name);
    if (!Files.isReadable(file)) {
      throw new IllegalStateException(
          "this benchmark needs the data set "
              + name
              + " and found no "
              + file
              + "; name its folder with --data DIR or in BENCH_DATA");
    }
    return file;
  }

  /// The folder of the transcripts.
  ///
  /// @throws IllegalStateException with the expected place, when they do not exist
  public Path transcripts() {
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
  public Path result(String name) {
    return results.resolve(name);
  }

  /// A file beside the work directory, which is kept after the benchmark.
  public Path output(String name) {
    return work.resolveSibling(name);
  }

  /// The launcher that a user runs.
  public String launcher() {
    return launcher(dist).toString();
  }

  /// The JVM of this process, which the launcher also has to use.
  public String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /// The command line's jar, which contains the sample.
  public Path jar() throws IOException {
    try (DirectoryStream<Path> jars =
        Files.newDirectoryStream(dist.resolve("lib"), "memory-cli-*.jar")) {
      return jars.iterator().next();
    }
  }

  /// Deletes the directory after an interrupt. All processes must have ended.
  public void discard() {
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
