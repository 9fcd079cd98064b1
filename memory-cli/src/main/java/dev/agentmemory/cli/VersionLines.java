package dev.agentmemory.cli;

import dev.agentmemory.api.Version;
import picocli.CommandLine.IVersionProvider;

/// The output of `memory --version`.
final class VersionLines implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {"agent-memory " + Version.current(), "Java " + Runtime.version()};
  }
}
