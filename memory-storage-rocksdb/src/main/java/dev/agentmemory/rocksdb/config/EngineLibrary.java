package dev.agentmemory.rocksdb.config;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.zip.CRC32;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Loads the engine's native library, which is part of its jar.
///
/// By default the engine unpacks the library into the system's temporary folder under a new name at
/// each start, and a killed process leaves the file behind.
public final class EngineLibrary {

  private static final Logger LOG = LoggerFactory.getLogger(EngineLibrary.class);

  /// [RocksDB#loadLibrary(List)] asks for the library by this name, not by that of the file in the
  /// jar.
  private static final String LOADED_AS = Environment.getJniLibraryFileName("rocksdbjni");

  /// What the names of the library have in common, in all versions and on all platforms.
  private static final String ANY = "librocksdb*";

  private static boolean loaded;

  private EngineLibrary() {}

  /// Loads the library from a folder that belongs to this process alone and keeps one copy of it,
  /// which later starts use. Call this before a store is opened. When the folder cannot be written,
  /// for example on a full disk, the engine unpacks the library itself.
  public static synchronized void loadFrom(Path folder) {
    if (loaded) {
      return;
    }
    try {
      Files.createDirectories(folder);
      unpack(folder);
      RocksDB.loadLibrary(List.of(folder.toString()));
      loaded = true;
    } catch (IOException | RuntimeException | UnsatisfiedLinkError e) {
      LOG.warn("the engine's library cannot be unpacked into {}: {}", folder, e.getMessage());
    }
  }

  /// Unpacks the library, unless the folder has a copy of the same length with the checksum that
  /// the jar tells. Unpacking takes a tenth of a second. Copies that another version or another
  /// platform has left, and drafts, are removed before that.
  static Path unpack(Path folder) throws IOException {
    Path copy = folder.resolve(LOADED_AS);
    removeOthers(folder, copy);
    URL library = inJar();
    if (library.openConnection() instanceof JarURLConnection jar
        && isCopy(jar.getJarEntry(), copy)) {
      return copy;
    }
    Path draft = folder.resolve(LOADED_AS + ".new");
    try (InputStream in = library.openStream()) {
      Files.copy(in, draft, StandardCopyOption.REPLACE_EXISTING);
      return Files.move(draft, copy, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /// One that cannot be removed takes space, but keeps nothing from working.
  private static void removeOthers(Path folder, Path copy) {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, ANY)) {
      for (Path file : found) {
        if (!file.equals(copy)) {
          remove(file);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.warn("former libraries in {} cannot be listed: {}", folder, e.getMessage());
    }
  }

  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("the former library {} cannot be removed: {}", file, e.getMessage());
    }
  }

  private static URL inJar() throws IOException {
    ClassLoader loader = RocksDB.class.getClassLoader();
    URL found = loader.getResource(Environment.getJniLibraryFileName("rocksdb"));
    String other = Environment.getFallbackJniLibraryFileName("rocksdb");
    if (found == null && other != null) {
      found = loader.getResource(other);
    }
    if (found == null) {
      throw new IOException("the jar has no library for this platform");
    }
    return found;
  }

  private static boolean isCopy(JarEntry entry, Path copy) throws IOException {
    if (!Files.isRegularFile(copy) || Files.size(copy) != entry.getSize()) {
      return false;
    }
    var sum = new CRC32();
    try (var file = FileChannel.open(copy)) {
      sum.update(file.map(MapMode.READ_ONLY, 0, file.size()));
    }
    return sum.getValue() == entry.getCrc();
  }
}
