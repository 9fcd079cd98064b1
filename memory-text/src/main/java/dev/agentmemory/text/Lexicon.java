package dev.agentmemory.text;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/// A list of words by section, read from a resource: `[section]` opens one, `#` starts a comment,
/// words are separated by white space. The first section that names a word keeps it.
public final class Lexicon {

  /// Never changed once it is filled. `Map.copyOf` would make it twice as slow to ask.
  private final Map<String, String> sections;

  private Lexicon(Map<String, String> sections) {
    this.sections = sections;
  }

  /// Reads a list that stands beside a class.
  public static Lexicon beside(Class<?> owner, String resource) {
    try (InputStream in = owner.getResourceAsStream(resource)) {
      Objects.requireNonNull(in, resource);
      return read(new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(resource, e);
    }
  }

  private static Lexicon read(BufferedReader lines) throws IOException {
    var sections = new HashMap<String, String>();
    String section = "";
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("[")) {
        section = line.substring(1, line.indexOf(']'));
      } else if (!line.startsWith("#")) {
        for (String word : line.trim().split("\\s+", -1)) {
          sections.putIfAbsent(word, section);
        }
      }
    }
    sections.remove("");
    return new Lexicon(sections);
  }

  /// @param word in lower case
  /// @return the section of the word, empty when the list does not know it
  public String section(String word) {
    return sections.getOrDefault(word, "");
  }
}
