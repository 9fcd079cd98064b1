package dev.agentmemory.cli;

import dev.agentmemory.api.Version;
import picocli.CommandLine.IVersionProvider;

/// What `memory --version` says.
final class VersionLines implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {"agent-memory " + Version.current(), "Java " + Runtime.version()};
  }
}
