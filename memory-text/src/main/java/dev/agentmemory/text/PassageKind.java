package dev.agentmemory.text;

/// What a sentence, a heading or a line of a transcript is. [Passages#kind] finds it out.
public enum PassageKind {
  /// A sentence that says something alone.
  PROSE,
  QUESTION,
  /// It names what follows it.
  LABEL,
  /// An agent says what it does next, or talks to whom it works for.
  ANNOUNCEMENT,
  /// Too short to say something, or a piece of a sentence.
  FRAGMENT,
  CODE,
  /// Names of files, functions or options with nothing said of them.
  PATHS,
  /// What was typed into a shell.
  COMMAND,
  /// A line of a log, or the report of a tool.
  LOG,
  /// Text of the program that runs an agent.
  PROGRAM
}
