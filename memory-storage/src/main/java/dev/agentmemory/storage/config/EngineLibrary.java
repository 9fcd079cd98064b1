package dev.agentmemory.storage.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdb.NativeLibraryLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The engine's native library, which comes in its jar. Left alone, the engine unpacks it among the
/// system's temporary files under a new name each time, and a process that is killed leaves it
/// there.
public final class EngineLibrary {

  private static final Logger LOG = LoggerFactory.getLogger(EngineLibrary.class);

  private EngineLibrary() {}

  /// Loads it by way of a folder that belongs to this process alone and holds one copy at most. To
  /// be called before a store is opened. Where the folder cannot be written, on a full disk for
  /// example, the engine goes its own way.
  public static void loadFrom(Path folder) {
    try {
      Files.createDirectories(folder);
      NativeLibraryLoader.getInstance().loadLibrary(folder.toString());
    } catch (IOException | RuntimeException | UnsatisfiedLinkError e) {
      LOG.warn("the engine's library cannot be unpacked into {}: {}", folder, e.getMessage());
    }
  }
}
