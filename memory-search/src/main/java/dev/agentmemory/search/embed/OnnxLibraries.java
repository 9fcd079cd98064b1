package dev.agentmemory.search.embed;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The native libraries of the model's runtime and of its tokenizer, which come in their jars. Left
/// alone, the one is unpacked among the system's temporary files under a new name each time, where
/// a process that is killed leaves 16 MB behind; the other in the user's home, and it fetches a
/// variant of itself where it sees a graphics card. They take no other way to be told than
/// properties of the process.
final class OnnxLibraries {

  private static final String RUNTIME_PATH = "onnxruntime.native.path";
  private static final List<String> RUNTIME = List.of("onnxruntime", "onnxruntime4j_jni");

  private static final Logger LOG = LoggerFactory.getLogger(OnnxLibraries.class);

  private OnnxLibraries() {}

  /// To be called before either is used for the first time. Where the folder cannot be written, on
  /// a full disk for example, the runtime goes its own way.
  ///
  /// @param folder belongs to this process alone; holds one copy of each at most
  static void unpackInto(Path folder) {
    if (folder.toString().equals(System.getProperty(RUNTIME_PATH))) {
      // They are loaded from there already.
      return;
    }
    System.setProperty("DJL_CACHE_DIR", folder.toString());
    System.setProperty("ai.djl.offline", "true");
    try {
      if (unpacked(folder)) {
        System.setProperty(RUNTIME_PATH, folder.toString());
      }
    } catch (IOException e) {
      LOG.warn(
          "the embedding model's library cannot be unpacked into {}: {}", folder, e.getMessage());
    }
  }

  private static boolean unpacked(Path folder) throws IOException {
    Files.createDirectories(folder);
    for (String name : RUNTIME) {
      if (!unpacked(System.mapLibraryName(name), folder)) {
        return false;
      }
    }
    return true;
  }

  /// @return false when there is none for this machine where it was expected; the runtime then says
  ///   what it misses
  private static boolean unpacked(String file, Path folder) throws IOException {
    String resource = "ai/onnxruntime/native/" + platform() + "/" + file;
    try (InputStream library = OnnxLibraries.class.getClassLoader().getResourceAsStream(resource)) {
      if (library == null) {
        return false;
      }
      Files.copy(library, folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
      return true;
    }
  }

  private static String platform() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String name = system.contains("mac") ? "osx" : system.contains("win") ? "win" : "linux";
    String processor = System.getProperty("os.arch");
    return name
        + "-"
        + (processor.equals("amd64") || processor.equals("x86_64") ? "x64" : processor);
  }
}
