package dev.agentmemory.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// The files of the web console, as the build has bundled them. Their names are listed in one of
/// them, so that nothing else of the class path can be asked for.
public record ConsoleAssets(List<String> names) {

  private static final String FOLDER = "web/";
  private static final String LIST = "names.txt";
  private static final String COMPRESSED = ".gz";

  public ConsoleAssets {
    names = List.copyOf(names);
  }

  /// Those of this build.
  public static ConsoleAssets load() {
    return new ConsoleAssets(new String(read(LIST), StandardCharsets.UTF_8).lines().toList());
  }

  /// The content of a file.
  ///
  /// @return empty for a name that is not listed
  public Optional<byte[]> content(String name) {
    return names.contains(name) ? Optional.of(read(name)) : Optional.empty();
  }

  /// The same, compressed with gzip.
  public Optional<byte[]> compressed(String name) {
    return names.contains(name) ? Optional.of(read(name + COMPRESSED)) : Optional.empty();
  }

  private static byte[] read(String name) {
    try (InputStream file = ConsoleAssets.class.getResourceAsStream(FOLDER + name)) {
      if (file == null) {
        throw new IllegalStateException("the build has no file " + name + " of the console");
      }
      return file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
