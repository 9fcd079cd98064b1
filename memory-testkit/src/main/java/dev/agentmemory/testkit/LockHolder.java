package dev.agentmemory.testkit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// A process that holds the lock of a file until its input ends.
public final class LockHolder implements AutoCloseable {

  private final Process process;

  private LockHolder(Process process) {
    this.process = process;
  }

  /// @param args the file, whether the lock is shared, and anything else
  public static void main(String[] args) throws IOException {
    boolean shared = Boolean.parseBoolean(args[1]);
    OpenOption[] options = {shared ? StandardOpenOption.READ : StandardOpenOption.WRITE};
    try (FileChannel channel = FileChannel.open(Path.of(args[0]), options);
        var _ = channel.lock(0, Long.MAX_VALUE, shared)) {
      System.out.write('+');
      System.out.flush();
      System.in.readAllBytes();
    }
  }

  /// With a shared lock.
  public static LockHolder of(Path file) throws IOException {
    return start(List.of(file.toString(), "true"));
  }

  /// With an exclusive lock.
  ///
  /// @param more further arguments of the command line
  public static LockHolder alone(Path file, String more) throws IOException {
    return start(List.of(file.toString(), "false", more));
  }

  private static LockHolder start(List<String> args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(LockHolder.class.getName());
    command.addAll(args);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    if (process.getInputStream().read() != '+') {
      throw new AssertionError("the process did not get the lock");
    }
    return new LockHolder(process);
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().join();
  }
}
