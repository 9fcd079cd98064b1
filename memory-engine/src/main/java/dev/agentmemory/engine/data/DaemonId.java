package dev.agentmemory.engine.data;

import dev.agentmemory.storage.file.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a daemon is called among those that share a database, in a file of its data directory. The
/// lock of the directory says that no other process has it.
public final class DaemonId {

  /// Its name in the data directory.
  public static final String FILE = "daemon.id";

  private static final Logger LOG = LoggerFactory.getLogger(DaemonId.class);
  private static final int BYTES = 8;
  private static final int MOST_BYTES = 256;
  private static final Pattern FORM = Pattern.compile("[0-9a-f]{16}");

  private DaemonId() {}

  /// The id of a directory; drawn with the first call.
  ///
  /// @throws dev.agentmemory.types.MemoryException `STORAGE_FAILED` when the file can neither be
  ///   read nor written
  public static String of(Path directory, RandomGenerator random) {
    Path file = directory.resolve(FILE);
    try {
      String found =
          new String(DurableFile.read(file, MOST_BYTES), StandardCharsets.ISO_8859_1).strip();
      if (FORM.matcher(found).matches()) {
        return found;
      }
      LOG.warn("the file {} is damaged and is made anew", file);
      return drawn(directory, random);
    } catch (NoSuchFileException e) {
      return drawn(directory, random);
    } catch (IOException e) {
      throw OwnDirectory.unusable(directory, e);
    }
  }

  private static String drawn(Path directory, RandomGenerator random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    String id = HexFormat.of().formatHex(bytes);
    try {
      DurableFile.write(directory.resolve(FILE), id + "\n");
    } catch (IOException e) {
      throw OwnDirectory.unusable(directory, e);
    }
    return id;
  }
}
