package dev.agentmemory.bench.damage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Digests of all files below a directory, by path.
record FileDigests(Map<Path, String> digests) {

  FileDigests {
    digests = Map.copyOf(digests);
  }

  /// @param counts selects files by their path below the directory
  static FileDigests of(Path directory, Predicate<Path> counts) {
    var digests = new TreeMap<Path, String>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path path = directory.relativize(file);
        if (counts.test(path)) {
          digests.put(path, digest(Files.readAllBytes(file)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + directory, e);
    }
    return new FileDigests(digests);
  }

  /// Paths of files that differ, are new, or were deleted.
  List<Path> changed(FileDigests later) {
    var paths = new TreeSet<>(digests.keySet());
    paths.addAll(later.digests.keySet());
    return paths.stream()
        .filter(path -> !Objects.equals(digests.get(path), later.digests.get(path)))
        .toList();
  }

  /// Only the files below one of the folders.
  FileDigests below(List<Path> folders) {
    var below = new TreeMap<Path, String>();
    digests.forEach((path, digest) -> {
      if (folders.stream().anyMatch(path::startsWith)) {
        below.put(path, digest);
      }
    });
    return new FileDigests(below);
  }

  private static String digest(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
