package dev.agentmemory.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Directories of killed runs, and the daemons that still use them. The name of a directory
/// contains the id of its process.
public final class Leftovers {

  private static final Pattern NAME = Pattern.compile("(?:run|stock)-(\\d+)-.*");

  private Leftovers() {}

  /// Creates a directory for this process.
  ///
  /// @param kind `run` or `stock`
  static Path directory(Path parent, String kind) throws IOException {
    Files.createDirectories(parent);
    return Files.createTempDirectory(
        parent, "%s-%d-".formatted(kind, ProcessHandle.current().pid()));
  }

  /// Ends the daemons and deletes the directories of processes that do not exist any more.
  public static void remove(Path parent) throws IOException {
    if (!Files.isDirectory(parent)) {
      return;
    }
    List<Path> directories;
    try (Stream<Path> files = Files.list(parent)) {
      directories = files.filter(Files::isDirectory).filter(Leftovers::isOver).toList();
    }
    for (Path directory : directories) {
      ProcessHandle.allProcesses()
          .filter(process -> worksIn(process, directory))
          .forEach(ProcessHandle::destroyForcibly);
      Trees.deleteAgain(directory);
    }
  }

  private static boolean isOver(Path directory) {
    Matcher name = NAME.matcher(directory.getFileName().toString());
    return name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty();
  }

  private static boolean worksIn(ProcessHandle process, Path directory) {
    Optional<String[]> arguments = process.info().arguments();
    return arguments.isPresent()
        && Stream.of(arguments.get()).anyMatch(one -> one.startsWith(directory + "/"));
  }
}
