package dev.agentmemory.daemon.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/// The version that the package says.
final class Version implements IVersionProvider {

  static String text() {
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
        .orElse("unpackaged");
  }

  @Override
  public String[] getVersion() {
    return new String[] {"agent-memory " + text(), "Java " + Runtime.version()};
  }
}
