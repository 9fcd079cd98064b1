package dev.agentmemory.bench.daemon;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Runs commands of the packaged launcher.
public final class Commands {

  private static final int TIMEOUT_SECONDS = 120;

  private Commands() {}

  /// Result of a command.
  ///
  /// @param status its exit status
  /// @param printed its standard output
  /// @param errors its standard error output
  public record Ran(int status, String printed, String errors) {}

  /// @param scratch prefix of the temporary files for its output
  /// @throws IllegalStateException when it does not end
  public static Ran run(String launcher, Path scratch, String... args)
      throws IOException, InterruptedException {
    return run(Map.of(), launcher, scratch, args);
  }

  /// Like the method above, with further variables in its environment.
  public static Ran run(
      Map<String, String> environment, String launcher, Path scratch, String... args)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(launcher);
    command.addAll(List.of(args));
    Path printed = Files.createTempFile(scratch.getParent(), scratch.getFileName() + "-", ".out");
    Path errors = Files.createTempFile(scratch.getParent(), scratch.getFileName() + "-", ".err");
    var builder =
        new ProcessBuilder(command).redirectOutput(printed.toFile()).redirectError(errors.toFile());
    builder.environment().putAll(environment);
    Process process = Children.start(builder);
    process.getOutputStream().close();
    if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new IllegalStateException(command + " did not end in " + TIMEOUT_SECONDS + " s");
    }
    var ran = new Ran(process.exitValue(), text(printed), text(errors));
    Files.delete(printed);
    Files.delete(errors);
    return ran;
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
