package dev.agentmemory.daemon.command;

import java.util.logging.Level;
import java.util.logging.Logger;

/// What libraries recommend to a programmer, which is no part of what a command says.
final class LibraryAdvice {

  /// Held here, since a logger that nobody holds loses its level.
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private LibraryAdvice() {}

  /// To be called before a command reads a search index: whoever loads Lucene is told on the
  /// standard error of a faster way to compare vectors, and a check compares none.
  static void silence() {
    LUCENE.setLevel(Level.SEVERE);
  }
}
