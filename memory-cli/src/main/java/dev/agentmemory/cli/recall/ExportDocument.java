package dev.agentmemory.cli.recall;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;

/// An export that is one JSON document: an object with an array `entries`.
final class ExportDocument {

  private static final String ENTRIES = "entries";

  private ExportDocument() {}

  /// Takes the entries of a document.
  interface Entries {

    /// @param number 1 and up
    void take(long number, String entry);
  }

  /// Whether the first line of a file begins a document, and is not a line of JSON Lines.
  static boolean isStart(String line) {
    String text = line.strip();
    return text.startsWith("{") && (!JsonWriter.isJson(text) || hasEntries(text));
  }

  /// Whether an object has the array.
  private static boolean hasEntries(String text) {
    try (JsonParser in = new JsonFactory().createParser(text)) {
      return isAtEntries(in);
    } catch (IOException e) {
      return false;
    }
  }

  /// Moves behind the begin of the array.
  private static boolean isAtEntries(JsonParser in) throws IOException {
    if (in.nextToken() != JsonToken.START_OBJECT) {
      return false;
    }
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      boolean entries = in.currentName().equals(ENTRIES);
      JsonToken value = in.nextToken();
      if (entries && value == JsonToken.START_ARRAY) {
        return true;
      }
      in.skipChildren();
    }
    return false;
  }

  /// Reads a document entry by entry.
  ///
  /// @throws MemoryException `INVALID_FIELD` when it is not one; the entries before were taken
  static void read(InputStream document, Entries entries) throws IOException {
    try (JsonParser in = new JsonFactory().createParser(document)) {
      if (!isAtEntries(in)) {
        throw MemoryException.invalid(
            "FILE", "is one JSON document without an array `entries`; give an export");
      }
      for (long number = 1; in.nextToken() != JsonToken.END_ARRAY; number++) {
        entries.take(number, line(in));
      }
    } catch (JsonProcessingException e) {
      throw new MemoryException(
          ErrorCode.INVALID_FIELD,
          "FILE: is not JSON in line %d: %s"
              .formatted(e.getLocation().getLineNr(), e.getOriginalMessage()),
          e);
    }
  }

  private static String line(JsonParser in) throws IOException {
    var text = new StringWriter();
    try (JsonGenerator out = new JsonFactory().createGenerator(text)) {
      out.copyCurrentStructure(in);
    }
    return text.toString();
  }
}
