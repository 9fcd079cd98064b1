package dev.agentmemory.cli.recall;

import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.types.MemoryException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/// The structured part of a memory's content.
final class ContentOptions {

  private static final String JSON_CONTENT = "--json-content";

  @Option(
      names = JSON_CONTENT,
      paramLabel = "FILE",
      description =
          "File with a JSON object that belongs to the text, such as the rationale and the"
              + " alternatives of a decision; - reads standard input.")
  private Optional<Path> json = Optional.empty();

  boolean isGiven() {
    return json.isPresent();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the argument or option
  MemoryContent content(List<String> words, InputStream input) {
    if (words.equals(List.of(TextInput.INPUT))
        && json.map(Path::toString).filter(TextInput.INPUT::equals).isPresent()) {
      throw MemoryException.invalid(
          JSON_CONTENT, "is -, and so is TEXT; only one of them can be the standard input");
    }
    String text = TextInput.of("TEXT", words, input, MemoryContent.MAX_BYTES);
    return new MemoryContent(text, json.map(file -> object(file, input)));
  }

  private static String object(Path file, InputStream input) {
    String text = TextInput.file(JSON_CONTENT, file, input, MemoryContent.MAX_BYTES).strip();
    if (!text.startsWith("{") || !JsonWriter.isJson(text)) {
      throw MemoryException.invalid(JSON_CONTENT, "has no JSON object; give a file with one");
    }
    return text;
  }
}
