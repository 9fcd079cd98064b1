package dev.agentmemory.bench.daemon;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The heap of a daemon.
public final class JavaHeap {

  private static final double BYTES_IN_MIB = 1 << 20;

  /// The last line of a histogram: number of objects, bytes.
  private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)\\s*$");

  private JavaHeap() {}

  /// MiB of the objects that a full collection leaves, which it makes.
  ///
  /// @param scratch prefix of temporary files
  /// @throws IllegalStateException when the JDK's `jcmd` does not work here
  public static double liveMiB(BenchDaemon daemon, Path scratch)
      throws IOException, InterruptedException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Commands.Ran ran =
        Commands.run(jcmd, scratch, Long.toString(daemon.pid()), "GC.class_histogram");
    Matcher total = TOTAL.matcher(ran.printed());
    if (!total.find()) {
      throw new IllegalStateException("jcmd gave no total: " + ran.errors());
    }
    return Long.parseLong(total.group(1)) / BYTES_IN_MIB;
  }
}
