package dev.agentmemory.daemon.config;

/// How much a daemon's log says; each level holds the ones before it. docs/operating.md says what
/// is told on which.
public enum LogLevel {
  ERROR,
  WARN,
  INFO,
  DEBUG,
  TRACE
}
