package dev.agentmemory.bench.console;

import dev.agentmemory.bench.daemon.Children;
import dev.agentmemory.bench.result.Clock;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The sources of the project in a folder where nothing was built, and Maven on a path without
/// Node.
final class FreshCheckout {

  private static final Set<String> LEFT_OUT = Set.of("target", ".git", "results", "node_modules");

  /// Programs that a build of the console must not need.
  private static final Set<String> HIDDEN =
      Set.of("node", "nodejs", "npm", "npx", "corepack", "deno", "bun", "esbuild");

  private static final String MODULE = "memory-console";
  private static final String WEB = MODULE + "/target/classes/dev/agentmemory/console/web";
  private static final int MINUTES = 10;

  private final Path folder;
  private final Path programs;

  private FreshCheckout(Path folder, Path programs) {
    this.folder = folder;
    this.programs = programs;
  }

  /// @param root of the project
  /// @param folder must not exist
  static FreshCheckout of(Path root, Path folder) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes)
              throws IOException {
            if (LEFT_OUT.contains(String.valueOf(from.getFileName()))) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(folder.resolve(root.relativize(from)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path from, BasicFileAttributes attributes)
              throws IOException {
            if (!LEFT_OUT.contains(String.valueOf(from.getFileName()))) {
              Files.copy(from, folder.resolve(root.relativize(from)));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return new FreshCheckout(
        folder, programs(folder.resolveSibling(folder.getFileName() + "-bin")));
  }

  /// A folder with links to all programs of the path but the hidden ones.
  private static Path programs(Path folder) throws IOException {
    Files.createDirectories(folder);
    for (String place : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      if (!place.isEmpty() && Files.isDirectory(Path.of(place))) {
        try (Stream<Path> files = Files.list(Path.of(place))) {
          for (Path program : files.toList()) {
            String name = String.valueOf(program.getFileName());
            if (!HIDDEN.contains(name) && Files.notExists(folder.resolve(name))) {
              Files.createSymbolicLink(folder.resolve(name), program);
            }
          }
        }
      }
    }
    return folder;
  }

  /// Whether a program can be run.
  boolean has(String program) {
    return Files.exists(programs.resolve(program));
  }

  /// Runs Maven for the module of the console, without the network.
  ///
  /// @param goals such as `process-classes`
  /// @return how long it took, in seconds
  /// @throws IllegalStateException when it fails
  double maven(String... goals) throws IOException, InterruptedException {
    Path log = folder.resolve("maven.log");
    var command =
        new ArrayList<>(List.of("mvn", "-B", "-q", "-o", "-ntp", "-pl", MODULE, "-DskipTests"));
    command.addAll(List.of(goals));
    command.set(0, programs.resolve("mvn").toRealPath().toString());
    var builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("PATH", programs.toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Clock clock = Clock.start();
    Process process = Children.start(builder);
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IllegalStateException("Maven did not end; see " + log);
    }
    double seconds = clock.seconds();
    if (process.exitValue() != 0) {
      throw new IllegalStateException("Maven failed: " + Files.readString(log));
    }
    return seconds;
  }

  /// The digests of the files of the bundle, by name.
  Map<String, String> bundle() throws IOException {
    var digests = new TreeMap<String, String>();
    Path web = folder.resolve(WEB);
    try (Stream<Path> files = Files.walk(web)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        digests.put(web.relativize(file).toString(), digest(Files.readAllBytes(file)));
      }
    }
    return digests;
  }

  private static String digest(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Deletes what was built.
  void clean() throws IOException {
    Path target = folder.resolve(MODULE).resolve("target");
    if (Files.exists(target)) {
      try (Stream<Path> files = Files.walk(target)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
