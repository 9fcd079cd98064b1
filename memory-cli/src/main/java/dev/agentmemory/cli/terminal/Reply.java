package dev.agentmemory.cli.terminal;

/// What a command has to say: the same value can be shown to a person and written as JSON.
public interface Reply {

  /// Shows it to a person.
  void print(Terminal screen);

  /// Writes the fields of the one object that it is in JSON. All fields are always there, null
  /// where there is nothing.
  void write(JsonWriter json);
}
