package dev.agentmemory.daemon.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/// The packaged program under another version number.
final class OtherVersion {

  private static final String VERSIONED = "memory-api-";

  private OtherVersion() {}

  /// Makes one.
  ///
  /// @param program the folder of the packaged program
  /// @param folder that of the other one; must not exist
  static void copy(Path program, Path folder, String version) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(program)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      Path target = folder.resolve(program.relativize(file).toString());
      Files.createDirectories(target.getParent());
      String name = file.getFileName().toString();
      if (name.startsWith(VERSIONED)) {
        rewrite(file, target, version);
      } else if (!name.endsWith(".aot")) {
        // A cache belongs to the files that it was recorded with.
        Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  private static void rewrite(Path jar, Path target, String version) throws IOException {
    try (var from = new JarFile(jar.toFile())) {
      Manifest manifest = from.getManifest();
      manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
      try (var to = new JarOutputStream(Files.newOutputStream(target), manifest)) {
        Enumeration<JarEntry> entries = from.entries();
        while (entries.hasMoreElements()) {
          JarEntry entry = entries.nextElement();
          if (!entry.getName().equals(JarFile.MANIFEST_NAME)) {
            to.putNextEntry(new JarEntry(entry.getName()));
            try (InputStream in = from.getInputStream(entry)) {
              in.transferTo(to);
            }
            to.closeEntry();
          }
        }
      }
    }
  }
}
