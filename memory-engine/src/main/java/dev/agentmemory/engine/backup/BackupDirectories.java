package dev.agentmemory.engine.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.rocksdb.backup.BackupDirectory;
import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The directories that a daemon has backed up into: `backup.directory`, those of backups before
/// upgrades, and those that requests have named. Of the last ones a file of the data directory has
/// the paths, each as a JSON string in a line of its own.
final class BackupDirectories {

  private static final String NOTED = "backup-directories";

  /// Where stores of former formats go when no directory is configured.
  private static final String OWN = "backups";

  private static final JsonMapper JSON = new JsonMapper();

  private final Path data;
  private final Optional<Path> configured;

  BackupDirectories(Path data, Optional<Path> configured) {
    this.data = data;
    this.configured = configured;
  }

  /// Where backups may be in the data directory.
  Path own() {
    return data.resolve(OWN);
  }

  /// All of them that can be read now.
  List<Path> present() {
    return all().stream().filter(BackupDirectory::isOne).toList();
  }

  /// Those that were named in requests and cannot be read now: deleted, or on a disk that is not
  /// there.
  List<Path> absent() {
    return noted().stream().filter(path -> !BackupDirectory.isOne(path)).toList();
  }

  private Set<Path> all() {
    var found = new LinkedHashSet<Path>();
    configured.ifPresent(found::add);
    if (Files.isDirectory(own())) {
      try (Stream<Path> below = Files.list(own())) {
        below.sorted().forEach(found::add);
      } catch (IOException e) {
        throw new MemoryException(
            ErrorCode.STORAGE_FAILED,
            "cannot list %s (%s); check its permissions".formatted(own(), e.getMessage()),
            e);
      }
    }
    found.addAll(noted());
    return found;
  }

  /// Notes a directory before something is backed up into it.
  synchronized void note(Path directory) {
    Path path = directory.toAbsolutePath().normalize();
    if (all().contains(path)) {
      return;
    }
    List<String> lines = new ArrayList<>();
    try {
      for (Path known : noted()) {
        lines.add(JSON.writeValueAsString(known.toString()));
      }
      lines.add(JSON.writeValueAsString(path.toString()));
      DurableFile.write(data.resolve(NOTED), String.join("\n", lines) + "\n");
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "cannot write %s (%s); check the disk and its permissions"
              .formatted(data.resolve(NOTED), e.getMessage()),
          e);
    }
  }

  private Set<Path> noted() {
    Path file = data.resolve(NOTED);
    var found = new LinkedHashSet<Path>();
    if (!Files.exists(file)) {
      return found;
    }
    try {
      for (String line : Files.readAllLines(file)) {
        found.add(Path.of(JSON.readValue(line, String.class)));
      }
      return found;
    } catch (JsonProcessingException | InvalidPathException e) {
      throw new MemoryException(
          ErrorCode.CORRUPT_RECORD,
          "%s is damaged: each line has to be a path in quotation marks; correct it, or delete it"
                  .formatted(file)
              + " and make a backup into each directory that has backups",
          e);
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "cannot read %s (%s); check its permissions".formatted(file, e.getMessage()),
          e);
    }
  }
}
