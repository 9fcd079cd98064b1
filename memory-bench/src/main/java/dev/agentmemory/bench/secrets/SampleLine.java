package dev.agentmemory.bench.secrets;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;

/// A line of a sample: a text with placeholders. What replaces them has to be masked if the line
/// shows a secret, and to stay if it shows a look-alike.
///
/// @param secret whether it shows a secret
/// @param shape name of the shape of a secret; empty if a look-alike has none
record SampleLine(boolean secret, String shape, String text) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String OPEN = "{{";
  private static final String CLOSE = "}}";

  /// @param name of a sample, such as `first`
  static List<SampleLine> read(String name) throws IOException {
    var lines = new ArrayList<SampleLine>();
    try (InputStream file =
            Objects.requireNonNull(
                SampleLine.class.getResourceAsStream(name + ".jsonl"), "no sample " + name);
        var reader = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        JsonNode fields = JSON.readTree(line);
        lines.add(
            new SampleLine(
                fields.path("kind").asText().equals("secret"),
                fields.path("shape").asText(),
                fields.path("text").asText()));
      }
    }
    return lines;
  }

  /// The text with generated values.
  SampleText generated(RandomGenerator random) {
    var shown = new StringBuilder();
    var rest = new StringBuilder();
    int copied = 0;
    for (int open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, copied)) {
      int close = text.indexOf(CLOSE, open);
      String value = SecretShape.generate(text.substring(open + OPEN.length(), close), random);
      shown.append(text, copied, open).append(value);
      rest.append(text, copied, open).repeat(SampleText.HIDDEN, value.length());
      copied = close + CLOSE.length();
    }
    String end = text.substring(copied);
    return new SampleText(shown.append(end).toString(), rest.append(end).toString());
  }
}
