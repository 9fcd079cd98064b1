package dev.agentmemory.daemon.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.agentmemory.engine.WorkspaceScope;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.event.KeyValuePair;

/// What is known about a line of the log besides its message: from the pairs that it was written
/// with, else from the thread's context (MDC), else from the scope that the thread was started in.
///
/// @param component the module that speaks, or the logger's name where it is a library
/// @param workspace whose store it is about
/// @param sessionId which session it is about
/// @param metadata everything else
record LogFacts(
    String component,
    Optional<String> workspace,
    Optional<String> sessionId,
    Map<String, String> metadata) {

  static final String COMPONENT = "component";
  static final String WORKSPACE = "workspace";
  static final String SESSION = "session_id";

  private static final String PACKAGE = "dev.agentmemory.";

  static LogFacts of(ILoggingEvent event) {
    Map<String, String> facts = new TreeMap<>(event.getMDCPropertyMap());
    if (event.getKeyValuePairs() != null) {
      for (KeyValuePair pair : event.getKeyValuePairs()) {
        facts.put(pair.key, String.valueOf(pair.value));
      }
    }
    String component =
        Optional.ofNullable(facts.remove(COMPONENT)).orElseGet(() -> word(event.getLoggerName()));
    return new LogFacts(
        component,
        Optional.ofNullable(facts.remove(WORKSPACE)).or(WorkspaceScope::current),
        Optional.ofNullable(facts.remove(SESSION)),
        facts);
  }

  /// `dev.agentmemory.toc.summary.extractive.Scoring` is of `toc`.
  private static String word(String logger) {
    if (!logger.startsWith(PACKAGE)) {
      return logger;
    }
    int end = logger.indexOf('.', PACKAGE.length());
    return end < 0 ? logger.substring(PACKAGE.length()) : logger.substring(PACKAGE.length(), end);
  }
}
