package dev.agentmemory.cli.terminal;

import java.util.function.Consumer;

/// The output of a command, as text for a person and as JSON.
public interface Reply {
  /// A reply that is one line of text.
  static Reply line(String text, Consumer<JsonWriter> fields) {
    return new Reply() {
      @Override
      public void print(Terminal screen) {
        screen.line(text);
      }

      @Override
      public void write(JsonWriter json) {
        fields.accept(json);
      }
    };
  }

  /// Prints it as text.
  void print(Terminal screen);

  /// Writes it as the fields of one JSON object. Every field is always present, with null for no
  /// value.
  void write(JsonWriter json);
}
