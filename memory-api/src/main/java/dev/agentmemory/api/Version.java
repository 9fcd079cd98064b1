package dev.agentmemory.api;

import java.util.Optional;

/// The version of the program.
public final class Version {

  private Version() {}

  /// As written into the package; `unpackaged` when the classes do not come from one.
  public static String current() {
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
        .orElse("unpackaged");
  }
}
