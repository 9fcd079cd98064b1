package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TenuredGenerationTest {

  private static final int ARRAYS = 12;
  private static final int ARRAY_BYTES = 8 << 20;

  /// In a JVM of its own, because the collector of the tests' JVM is another one.
  @Test
  void used_ofTheSerialCollector_grows_andFallsWithACollection() throws Exception {
    String[] used = run("-XX:+UseSerialGC").split(" ", 3);
    long before = Long.parseLong(used[0]);
    long filled = Long.parseLong(used[1]);
    long collected = Long.parseLong(used[2]);

    assertThat(filled - before).isGreaterThanOrEqualTo(ARRAYS * (long) ARRAY_BYTES);
    assertThat(collected).isLessThan(filled - (ARRAYS - 1) * (long) ARRAY_BYTES);
  }

  @Test
  void used_ofAnotherCollector_isNone() throws Exception {
    assertThat(run("-XX:+UseG1GC")).isEqualTo("0 0 0");
  }

  private static String run(String collector) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                collector,
                "-Xmx256m",
                "-Xmn4m",
                "-cp",
                System.getProperty("java.class.path"),
                Filling.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said.strip();
  }

  /// Fills the old generation: arrays that are larger than the young one are allocated there.
  static final class Filling {

    private Filling() {}

    public static void main(String[] args) {
      var old = new TenuredGeneration();
      long before = old.used();
      List<byte[]> arrays = new ArrayList<>();
      while (arrays.size() < ARRAYS) {
        arrays.add(new byte[ARRAY_BYTES]);
      }
      long filled = old.used();
      arrays.clear();
      old.collect();
      System.out.println(before + " " + filled + " " + old.used());
    }
  }
}
