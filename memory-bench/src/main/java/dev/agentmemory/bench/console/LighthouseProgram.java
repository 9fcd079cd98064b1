package dev.agentmemory.bench.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.bench.daemon.Children;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Lighthouse in a version. It is installed below `target` with npm where no installed copy is
/// named; it needs Node of at least version 22, which npm installs beside it.
final class LighthouseProgram {

  static final String VERSION = "13.5.0";

  private static final JsonMapper JSON = new JsonMapper();

  /// Names a folder with `node_modules` of a copy that is installed already.
  private static final String INSTALLED = "LIGHTHOUSE";

  private static final String NODE = "node_modules/node/bin/node";
  private static final String MODULE = "node_modules/lighthouse";
  private static final int MINUTES = 10;

  private final Path folder;

  private LighthouseProgram(Path folder) {
    this.folder = folder;
  }

  /// @param folder for what is installed
  /// @return empty when it cannot be installed
  static Optional<LighthouseProgram> find(Path folder) throws IOException, InterruptedException {
    Path named = Optional.ofNullable(System.getenv(INSTALLED)).map(Path::of).orElse(folder);
    if (installed(named)) {
      return Optional.of(new LighthouseProgram(named));
    }
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("package.json"), "{\"private\":true}");
    List<String> install =
        List.of("npm", "install", "--no-audit", "--no-fund", "node@22", "lighthouse@" + VERSION);
    return runs(install, folder) && installed(folder)
        ? Optional.of(new LighthouseProgram(folder))
        : Optional.empty();
  }

  private static boolean installed(Path folder) throws IOException {
    Path about = folder.resolve(MODULE).resolve("package.json");
    return Files.isExecutable(folder.resolve(NODE))
        && Files.isReadable(about)
        && JSON.readTree(about.toFile()).path("version").asText().equals(VERSION);
  }

  /// @return whether it ended with status 0
  private static boolean runs(List<String> command, Path folder) throws InterruptedException {
    try {
      Process process =
          Children.start(
              new ProcessBuilder(command)
                  .directory(folder.toFile())
                  .redirectErrorStream(true)
                  .redirectOutput(folder.resolve("install.log").toFile()));
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        return false;
      }
      return process.exitValue() == 0;
    } catch (IOException e) {
      // There is no npm.
      return false;
    }
  }

  /// Looks at an address in a browser that runs, with the default throttling.
  ///
  /// @param port of the browser's debugging protocol
  /// @param out a file for the report
  /// @throws IllegalStateException when it fails
  JsonNode look(String address, int port, Path out) throws IOException, InterruptedException {
    Path log = out.resolveSibling(out.getFileName() + ".log");
    Process process =
        Children.start(
            new ProcessBuilder(
                    folder.resolve(NODE).toString(),
                    folder.resolve(MODULE).resolve("cli/index.js").toString(),
                    address,
                    "--port=" + port,
                    "--disable-storage-reset",
                    "--only-categories=performance,accessibility,best-practices",
                    "--output=json",
                    "--output-path=" + out,
                    "--quiet")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile()));
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IllegalStateException("lighthouse did not end; see " + log);
    }
    if (process.exitValue() != 0) {
      throw new IllegalStateException("lighthouse failed: " + Files.readString(log));
    }
    return JSON.readTree(out.toFile());
  }
}
