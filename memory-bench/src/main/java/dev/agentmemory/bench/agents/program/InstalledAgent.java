package dev.agentmemory.bench.agents.program;

import dev.agentmemory.bench.daemon.Children;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// An agent that was found on this machine.
///
/// @param version as the program says it
public record InstalledAgent(AgentProgram program, Path executable, String version) {

  private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\.\\d+(-[\\w.]+)?");

  /// The program in a folder, in its `bin` or its `node_modules/.bin`, else on the path. Empty when
  /// there is none that says a version.
  public static Optional<InstalledAgent> find(AgentProgram program, Optional<Path> folder)
      throws IOException, InterruptedException {
    List<Path> places = new ArrayList<>();
    folder.ifPresent(at -> {
      places.add(at);
      places.add(at.resolve("bin"));
      places.add(at.resolve("node_modules").resolve(".bin"));
    });
    Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .filter(part -> !part.isEmpty())
        .map(Path::of)
        .forEach(places::add);
    for (Path place : places) {
      Path file = place.resolve(program.command());
      if (Files.isExecutable(file)) {
        Optional<String> version = version(file);
        if (version.isPresent()) {
          return Optional.of(
              new InstalledAgent(program, file.toAbsolutePath().normalize(), version.get()));
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> version(Path file) throws IOException, InterruptedException {
    Path home = Files.createTempDirectory("agent-version");
    Path out = home.resolve("out");
    var builder =
        new ProcessBuilder(file.toString(), "--version")
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().put("HOME", home.toString());
    Process process = Children.start(builder);
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly().waitFor();
      return Optional.empty();
    }
    Matcher version = VERSION.matcher(Files.readString(out, StandardCharsets.UTF_8));
    return process.exitValue() == 0 && version.find()
        ? Optional.of(version.group())
        : Optional.empty();
  }
}
