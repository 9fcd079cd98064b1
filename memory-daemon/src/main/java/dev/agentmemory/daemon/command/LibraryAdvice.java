package dev.agentmemory.daemon.command;

import java.util.logging.Level;
import java.util.logging.Logger;

/// What libraries recommend to a programmer, which is no part of what a command says.
final class LibraryAdvice {

  /// A strong reference; a logger without one loses its level.
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private LibraryAdvice() {}

  /// To be called before a command reads a search index: Lucene, when loaded, advises a faster way
  /// to compare vectors on standard error, and a check compares none.
  static void silence() {
    LUCENE.setLevel(Level.SEVERE);
  }
}
