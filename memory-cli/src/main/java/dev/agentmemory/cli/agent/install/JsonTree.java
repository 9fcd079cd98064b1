package dev.agentmemory.cli.agent.install;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A JSON value with its place in the text that it was read from. Comments and a comma after the
/// last entry are allowed, as agents allow them in their settings.
///
/// @param start its first character
/// @param end after its last character
/// @param entries those of an object or array; empty for other values
record JsonTree(Kind kind, int start, int end, List<Entry> entries) {

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
          .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
          .build();

  /// What a value is.
  enum Kind {
    OBJECT,
    ARRAY,
    OTHER
  }

  /// A member of an object or an element of an array.
  ///
  /// @param name empty for an element
  /// @param start the first character of the name, or of the element
  record Entry(String name, int start, JsonTree value) {

    int end() {
      return value.end;
    }
  }

  /// @throws IOException when the text is not one JSON value
  static JsonTree read(String text) throws IOException {
    try (JsonParser parser = JSON.createParser(text)) {
      if (parser.nextToken() == null) {
        throw new JsonParseException(parser, "the file is empty");
      }
      JsonTree tree = value(parser);
      if (parser.nextToken() != null) {
        throw new JsonParseException(parser, "there is something behind the end");
      }
      return tree;
    }
  }

  private static JsonTree value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    int start = at(parser);
    List<Entry> entries = new ArrayList<>();
    if (token == JsonToken.START_OBJECT) {
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        int first = at(parser);
        parser.nextToken();
        entries.add(new Entry(name, first, value(parser)));
      }
      return new JsonTree(Kind.OBJECT, start, at(parser) + 1, List.copyOf(entries));
    }
    if (token == JsonToken.START_ARRAY) {
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        entries.add(new Entry("", at(parser), value(parser)));
      }
      return new JsonTree(Kind.ARRAY, start, at(parser) + 1, List.copyOf(entries));
    }
    // The parser reads a string to its end only when it is asked for its content.
    parser.getText();
    int end = (int) parser.currentLocation().getCharOffset();
    return new JsonTree(Kind.OTHER, start, end, List.of());
  }

  private static int at(JsonParser parser) {
    return (int) parser.currentTokenLocation().getCharOffset();
  }

  Optional<Entry> member(String name) {
    return entries.stream().filter(entry -> entry.name.equals(name)).findFirst();
  }

  /// The value below names of members; empty when one of them is missing.
  Optional<JsonTree> at(List<String> path) {
    Optional<JsonTree> found = Optional.of(this);
    for (String name : path) {
      found = found.flatMap(tree -> tree.member(name)).map(Entry::value);
    }
    return found;
  }

  String in(String text) {
    return text.substring(start, end);
  }
}
