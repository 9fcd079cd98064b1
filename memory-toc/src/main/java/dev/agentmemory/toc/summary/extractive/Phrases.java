package dev.agentmemory.toc.summary.extractive;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/// Turns of phrase from `phrases.txt`, one a line, by section.
final class Phrases {

  private static final String RESOURCE = "phrases.txt";

  private Phrases() {}

  static List<String> section(String name) {
    try (InputStream in = Phrases.class.getResourceAsStream(RESOURCE)) {
      Objects.requireNonNull(in, RESOURCE);
      var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).lines();
      List<String> phrases =
          lines
              .dropWhile(line -> !line.equals("[" + name + "]"))
              .skip(1)
              .takeWhile(line -> !line.startsWith("["))
              .filter(line -> !line.isEmpty())
              .toList();
      if (phrases.isEmpty()) {
        throw new AssertionError("no phrases in section " + name);
      }
      return phrases;
    } catch (IOException e) {
      throw new UncheckedIOException(RESOURCE, e);
    }
  }
}
