package dev.agentmemory.bench.hook;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Processes as agents start them for their hooks.
final class HookProcess {

  private final Path script;
  private final Path data;

  /// @param launcher the packaged launcher; the script lies beside it
  HookProcess(Path launcher, Path data) {
    this.script = launcher.resolveSibling("memory-hook");
    this.data = data;
  }

  List<String> command(String event) {
    return List.of(script.toString(), "claude-code", event);
  }

  /// Runs a command with a file on its standard input.
  ///
  /// @return milliseconds
  double timed(List<String> command, Path input) throws IOException, InterruptedException {
    long start = System.nanoTime();
    Process process =
        builder(command)
            .redirectInput(input.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    int code = process.waitFor();
    double millis = (System.nanoTime() - start) / 1e6;
    if (code != 0) {
      throw new IllegalStateException(command + " ended with " + code);
    }
    return millis;
  }

  /// Writes a payload to a hook and waits for its end.
  ///
  /// @param killed whether it is killed when half of the payload is written
  void send(HookPost post, boolean killed) {
    try {
      Process process = builder(command(post.event())).start();
      byte[] bytes = post.bytes();
      try (OutputStream in = process.getOutputStream()) {
        in.write(bytes, 0, bytes.length / 2);
        in.flush();
        if (killed) {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly();
        } else {
          in.write(bytes, bytes.length / 2, bytes.length - bytes.length / 2);
        }
      } catch (IOException e) {
        if (!killed) {
          throw e;
        }
      }
      int code = process.waitFor();
      if (!killed && code != 0) {
        throw new IllegalStateException("a hook ended with " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private ProcessBuilder builder(List<String> command) {
    var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("MEMORY_DATA", data.toString());
    builder.environment().remove("XDG_RUNTIME_DIR");
    return builder;
  }

  /// The files with a name in the spool.
  long waiting() {
    Path spool = data.resolve("spool");
    if (!Files.isDirectory(spool)) {
      return 0;
    }
    try (var files = Files.list(spool)) {
      return files.filter(file -> file.toString().endsWith(".hook")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
