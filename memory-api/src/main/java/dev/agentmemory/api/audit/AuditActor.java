package dev.agentmemory.api.audit;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.Role;
import java.util.Optional;

/// Who did an act.
///
/// @param name of the token of a call, or one of the constants
/// @param role of the token; empty for the constants
public record AuditActor(String name, Optional<Role> role) {

  /// Whoever ran a command that opens the data directory itself.
  public static final AuditActor CLI = new AuditActor("cli", Optional.empty());

  /// The daemon by itself, such as a scheduled backup.
  public static final AuditActor DAEMON = new AuditActor("daemon", Optional.empty());

  /// A caller of a daemon that needs no token (`auth.loopback = open`).
  public static final AuditActor ANYONE = new AuditActor("anyone", Optional.empty());

  /// Whoever sent a token.
  public static AuditActor of(Caller caller) {
    return new AuditActor(caller.token(), Optional.of(caller.role()));
  }
}
