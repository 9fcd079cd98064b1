package dev.agentmemory.bench.hook;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The processes that work for a data directory: they name it in an argument or in their
/// environment, which the processes that they start inherit. Linux only.
final class SiteProcesses {

  private static final Path PROC = Path.of("/proc");

  private final String data;
  private final long daemon;

  /// @param daemon the process that is not counted
  SiteProcesses(Path data, long daemon) {
    this.data = data.toString();
    this.daemon = daemon;
  }

  /// Their ids and what they run.
  List<String> running() {
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      return all.filter(process -> process.pid() != daemon)
          .filter(process ->
              isOfDaemon(process) || names(process, "cmdline") || names(process, "environ"))
          .map(process -> process.pid() + " " + process.info().command().orElse("?"))
          .toList();
    }
  }

  private boolean isOfDaemon(ProcessHandle process) {
    return process.parent().map(parent -> parent.pid() == daemon).orElse(false);
  }

  /// A process that has ended, or is another user's, names nothing.
  private boolean names(ProcessHandle process, String file) {
    try {
      Path path = PROC.resolve(Long.toString(process.pid())).resolve(file);
      return new String(Files.readAllBytes(path), StandardCharsets.UTF_8).contains(data);
    } catch (IOException e) {
      return false;
    }
  }
}
