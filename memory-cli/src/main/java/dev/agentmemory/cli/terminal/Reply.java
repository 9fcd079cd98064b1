package dev.agentmemory.cli.terminal;

/// The output of a command, as text for a person and as JSON.
public interface Reply {

  /// Prints it as text.
  void print(Terminal screen);

  /// Writes it as the fields of one JSON object. Every field is always present, with null for no
  /// value.
  void write(JsonWriter json);
}
