package dev.agentmemory.agents.transcript;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Transcripts that were looked for.
///
/// @param files in a stable order: by their paths
/// @param unreadable folders and files that could not be listed; what is in them is not among the
///   files
public record FoundTranscripts(List<Path> files, List<Path> unreadable) {

  /// Folders deeper below a given one are not searched.
  private static final int DEPTH = 12;

  public FoundTranscripts {
    files = files.stream().sorted().toList();
    unreadable = unreadable.stream().sorted().toList();
  }

  /// The transcripts of a given file or folder. A file is taken whatever its name is.
  public static FoundTranscripts of(Path place) {
    return Files.isRegularFile(place)
        ? new FoundTranscripts(List.of(place), List.of())
        : below(List.of(place), DEPTH, FoundTranscripts::hasName);
  }

  private static boolean hasName(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.endsWith(".jsonl") || (name.endsWith(".json") && !name.endsWith(".meta.json"));
  }

  /// The regular files below some folders. Links are not followed.
  static FoundTranscripts below(List<Path> folders, int depth, Predicate<Path> wanted) {
    var search = new TranscriptSearch(wanted);
    for (Path folder : folders) {
      try {
        Files.walkFileTree(folder, EnumSet.noneOf(FileVisitOption.class), depth, search);
      } catch (IOException e) {
        search.unreadable.add(folder);
      }
    }
    return new FoundTranscripts(search.files, search.unreadable);
  }

  /// Goes on where something cannot be read.
  static final class TranscriptSearch extends SimpleFileVisitor<Path> {

    private final Predicate<Path> wanted;
    private final List<Path> files = new ArrayList<>();
    final List<Path> unreadable = new ArrayList<>();

    TranscriptSearch(Predicate<Path> wanted) {
      this.wanted = wanted;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (attributes.isRegularFile() && wanted.test(file)) {
        files.add(file);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException error) {
      unreadable.add(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException error) {
      if (error != null) {
        unreadable.add(folder);
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
