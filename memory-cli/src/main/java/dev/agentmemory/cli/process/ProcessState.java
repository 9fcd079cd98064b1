package dev.agentmemory.cli.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The state of a process, as far as the system reports it. Only Linux reports more than its
/// existence.
public enum ProcessState {
  RUNNING,
  /// Stopped by a signal, such as SIGSTOP, until it is continued.
  SUSPENDED,
  /// It has ended, and is listed until its parent reads the exit status.
  ZOMBIE,
  GONE;

  public static ProcessState of(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      // The name of the program, in brackets before the state, may contain any character.
      return switch (stat.charAt(stat.lastIndexOf(')') + 2)) {
        case 'T', 't' -> SUSPENDED;
        case 'Z', 'X' -> ZOMBIE;
        default -> RUNNING;
      };
    } catch (IOException | StringIndexOutOfBoundsException e) {
      return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent() ? RUNNING : GONE;
    }
  }

  /// Its command line in full; Java truncates a very long one. Empty where the system does not
  /// report it.
  static List<String> commandLine(long pid) {
    try {
      return List.of(
          Files.readString(
                  Path.of("/proc", Long.toString(pid), "cmdline"), StandardCharsets.ISO_8859_1)
              .split("\0", -1));
    } catch (IOException e) {
      return List.of();
    }
  }

  /// Whether it has ended.
  public boolean ended() {
    return this == ZOMBIE || this == GONE;
  }
}
