package dev.agentmemory.daemon;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A process that has a file locked, shared with others, until its input ends.
final class LockHolder implements AutoCloseable {

  private final Process process;

  private LockHolder(Process process) {
    this.process = process;
  }

  public static void main(String[] file) throws IOException {
    try (FileChannel channel = FileChannel.open(Path.of(file[0]), StandardOpenOption.READ);
        var _ = channel.lock(0, Long.MAX_VALUE, /* shared= */ true)) {
      System.out.write('+');
      System.out.flush();
      System.in.readAllBytes();
    }
  }

  static LockHolder of(Path file) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                LockHolder.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (process.getInputStream().read() != '+') {
      throw new AssertionError("the process did not get the lock");
    }
    return new LockHolder(process);
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().join();
  }
}
