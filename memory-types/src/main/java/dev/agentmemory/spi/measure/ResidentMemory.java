package dev.agentmemory.spi.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/// Reads what Linux tells of the memory of this process.
public final class ResidentMemory {

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String ANONYMOUS = "RssAnon:";
  private static final int BYTES_OF_A_KILOBYTE = 1024;

  private ResidentMemory() {}

  /// Bytes of the resident memory that belongs to no file; empty on other systems.
  public static OptionalLong anonymousBytes() {
    try {
      return anonymousBytes(Files.readAllLines(STATUS));
    } catch (IOException e) {
      // There is no such file.
      return OptionalLong.empty();
    }
  }

  static OptionalLong anonymousBytes(List<String> status) {
    return status.stream()
        .filter(line -> line.startsWith(ANONYMOUS))
        .map(line -> line.replaceAll("\\D", ""))
        .filter(digits -> !digits.isEmpty())
        .mapToLong(digits -> Long.parseLong(digits) * BYTES_OF_A_KILOBYTE)
        .findFirst();
  }
}
