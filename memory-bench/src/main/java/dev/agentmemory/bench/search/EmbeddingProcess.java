package dev.agentmemory.bench.search;

import dev.agentmemory.bench.daemon.AnonymousMemory;
import dev.agentmemory.bench.daemon.Children;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.search.embed.OnnxEmbedder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A process that only loads the model, or does nothing. The memory of the model is the difference.
final class EmbeddingProcess {

  private static final String WITH = "with";
  private static final String WITHOUT = "without";
  private static final int TEXTS = 200;
  private static final int THREADS = 2;

  private EmbeddingProcess() {}

  /// Anonymous memory of the model, in MiB.
  static double modelMiB(Site site) throws IOException, InterruptedException {
    return mib(site, WITH) - mib(site, WITHOUT);
  }

  private static double mib(Site site, String what) throws IOException, InterruptedException {
    var builder =
        new ProcessBuilder(
                site.java(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                EmbeddingProcess.class.getName(),
                what)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    Process process = Children.start(builder);
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("the process " + what + " the model failed: " + printed);
    }
    return Double.parseDouble(printed.strip());
  }

  /// @param args `with` or `without`
  public static void main(String[] args) {
    List<String> texts = Talk.texts(TEXTS);
    // Creating it loads nothing, so the processes differ only in the model and its work.
    try (var embedder = new OnnxEmbedder(THREADS)) {
      if (args[0].equals(WITH)) {
        Embedding.embed(embedder, texts);
      }
      System.gc();
      System.out.println(AnonymousMemory.mib(ProcessHandle.current().pid()));
    }
  }
}
