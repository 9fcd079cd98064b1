package dev.agentmemory.bench.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.bench.daemon.Children;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The conformance suite of the protocol's makers, in a version. It is installed below `target`
/// with npm where no installed copy is named; it needs Node of at least version 22, which npm
/// installs beside it.
final class ConformanceSuite {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PACKAGE = "@modelcontextprotocol/conformance";
  private static final int LEAST_NODE = 22;
  private static final int MINUTES = 10;

  /// Names a folder with `node_modules` of a copy that is installed already.
  private static final String INSTALLED = "MCP_CONFORMANCE";

  private final Path node;
  private final Path program;
  private final String version;

  private ConformanceSuite(Path node, Path program, String version) {
    this.node = node;
    this.program = program;
    this.version = version;
  }

  /// @param folder for what is installed
  /// @throws IllegalStateException when there is no Node, or the suite cannot be installed
  static ConformanceSuite find(Path folder, String version)
      throws IOException, InterruptedException {
    List<Path> places = new ArrayList<>();
    Optional.ofNullable(System.getenv(INSTALLED)).map(Path::of).ifPresent(places::add);
    places.add(folder.resolve(version));
    Optional<ConformanceSuite> there = installed(places, version);
    if (there.isPresent()) {
      return there.get();
    }
    install(folder.resolve(version), version);
    return installed(places, version)
        .orElseThrow(() ->
            new IllegalStateException(
                "no Node of version 22 or later, or no suite " + version + ", in " + places));
  }

  private static Optional<ConformanceSuite> installed(List<Path> places, String version)
      throws IOException, InterruptedException {
    for (Path place : places) {
      Path suite = place.resolve("node_modules").resolve(PACKAGE);
      Path about = suite.resolve("package.json");
      if (Files.isReadable(about)
          && JSON.readTree(about.toFile()).path("version").asText().equals(version)) {
        for (String node :
            List.of(place.resolve("node_modules/node/bin/node").toString(), "node")) {
          if (nodeVersion(node) >= LEAST_NODE) {
            return Optional.of(
                new ConformanceSuite(Path.of(node), suite.resolve("dist/index.js"), version));
          }
        }
      }
    }
    return Optional.empty();
  }

  /// @return 0 when it cannot be run
  private static int nodeVersion(String node) throws IOException, InterruptedException {
    try {
      Process process = Children.start(new ProcessBuilder(node, "--version"));
      String printed =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      process.waitFor();
      return printed.startsWith("v")
          ? Integer.parseInt(printed.substring(1).split("\\.", 2)[0])
          : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  private static void install(Path folder, String version)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("package.json"), "{\"private\":true}");
    Process process;
    try {
      process =
          Children.start(
              new ProcessBuilder(
                      "npm",
                      "install",
                      "--no-audit",
                      "--no-fund",
                      "node@" + LEAST_NODE,
                      PACKAGE + "@" + version)
                  .directory(folder.toFile())
                  .redirectErrorStream(true)
                  .redirectOutput(folder.resolve("install.log").toFile()));
    } catch (IOException e) {
      throw new IllegalStateException("there is no npm to install the suite with", e);
    }
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IllegalStateException(
          "npm could not install the suite; see " + folder.resolve("install.log"));
    }
  }

  String version() {
    return version;
  }

  /// Runs scenarios.
  ///
  /// @param scenario empty for all of the revision
  /// @param out a folder for its findings, which does not exist
  /// @return by scenario: empty when it passed, else its first failed check
  Map<String, String> run(String url, String revision, Optional<String> scenario, Path out)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                node.toString(),
                program.toString(),
                "server",
                "--url",
                url,
                "--spec-version",
                revision,
                "-o",
                out.toString()));
    command.addAll(
        scenario.map(one -> List.of("--scenario", one)).orElse(List.of("--suite", "all")));
    Files.createDirectories(out);
    Process process =
        Children.start(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.resolve("output.log").toFile()));
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IllegalStateException("the suite did not end; see " + out);
    }
    return findings(out);
  }

  private static Map<String, String> findings(Path out) throws IOException {
    var findings = new TreeMap<String, String>();
    try (Stream<Path> folders = Files.list(out)) {
      for (Path folder : folders.filter(Files::isDirectory).toList()) {
        Path checks = folder.resolve("checks.json");
        if (Files.isReadable(checks)) {
          // The name is `server-`, the scenario, and the time.
          String name =
              folder
                  .getFileName()
                  .toString()
                  .replaceFirst("^server-", "")
                  .replaceFirst("-\\d{4}-\\d\\d-\\d\\dT.*$", "");
          findings.put(name, failure(JSON.readTree(checks.toFile())));
        }
      }
    }
    return findings;
  }

  private static String failure(JsonNode checks) {
    for (JsonNode check : checks) {
      if (check.path("status").asText().equals("FAILURE")) {
        return check.path("id").asText() + ": " + check.path("errorMessage").asText("failed");
      }
    }
    return "";
  }
}
