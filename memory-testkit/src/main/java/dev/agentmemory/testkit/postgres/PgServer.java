package dev.agentmemory.testkit.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// A PostgreSQL server on a free port of loopback, with a folder of its own.
public final class PgServer implements AutoCloseable {

  /// The owner of the server.
  public static final String USER = "tests";

  /// Its password.
  public static final String PASSWORD = "not a secret";

  private static final int MINUTES = 2;
  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private final PgBinaries binaries;
  private final Path folder;
  private final int port;

  private boolean ended;

  private PgServer(PgBinaries binaries, Path folder, int port) {
    this.binaries = binaries;
    this.folder = folder;
    this.port = port;
  }

  private static final class Shared {

    static final PgServer SERVER = start();

    private static PgServer start() {
      // Tests that end the server, or the machine, start their own.
      PgServer server = PgServer.start("fsync=off", "full_page_writes=off", "max_connections=200");
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
      return server;
    }
  }

  /// The server that the tests of this process share. It does not survive the end of the machine,
  /// and ends with the process.
  public static PgServer shared() {
    return Shared.SERVER;
  }

  /// Makes a server and starts it.
  ///
  /// @param settings such as `max_connections=200`
  /// @throws IllegalStateException with the server's log, when it does not start
  public static PgServer start(String... settings) {
    PgBinaries binaries = PgBinaries.unpacked();
    try {
      Path folder = binaries.newFolder();
      var server = new PgServer(binaries, folder, freePort());
      server.create();
      server.startWith(settings);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Path data() {
    return folder.resolve("data");
  }

  private void create() throws IOException {
    Path password = folder.resolve("password");
    Files.writeString(password, PASSWORD);
    binaries.own(password);
    run(
        "initdb",
        "--pgdata=" + data(),
        "--username=" + USER,
        "--pwfile=" + password,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--no-sync");
  }

  private void startWith(String... settings) throws IOException {
    List<String> options = new ArrayList<>();
    options.add("-p " + port);
    options.add("-c listen_addresses=127.0.0.1");
    options.add("-c unix_socket_directories=");
    for (String setting : settings) {
      options.add("-c " + setting);
    }
    run(
        "pg_ctl",
        "--pgdata=" + data(),
        "--log=" + folder.resolve("log"),
        "--options=" + String.join(" ", options),
        "--wait",
        "start");
  }

  private void run(String program, String... args) throws IOException {
    // What a server inherits stays open, so its output goes to a file.
    Path output = folder.resolve(program + ".out");
    Process process =
        new ProcessBuilder(binaries.command(program, args))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new IllegalStateException(program + " did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    if (process.exitValue() != 0) {
      Path log = folder.resolve("log");
      throw new IllegalStateException(
          "%s failed: %s%n%s"
              .formatted(
                  program,
                  Files.readString(output),
                  Files.exists(log) ? Files.readString(log) : ""));
    }
  }

  public int port() {
    return port;
  }

  /// Its address for JDBC.
  public String url() {
    return "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(port);
  }

  /// A name of a schema that no other test of this process has.
  public static String newSchema() {
    return "test_" + SCHEMAS.incrementAndGet();
  }

  /// Ends the server at once, as a crash does. A second call does nothing.
  public void end() {
    if (ended) {
      return;
    }
    ended = true;
    try {
      run("pg_ctl", "--pgdata=" + data(), "--mode=immediate", "--wait", "stop");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Ends the server and deletes its folder.
  @Override
  public void close() {
    end();
    try {
      PgFolders.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
