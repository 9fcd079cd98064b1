package dev.agentmemory.api.access;

import java.util.Locale;

/// What a token allows. Each role allows all that the one before it does.
public enum Role {
  /// Reads what is stored.
  READER,
  /// Adds events and memories, and changes memories.
  WRITER,
  /// Everything: runs jobs, makes backups, deletes workspaces.
  ADMIN;

  boolean covers(Role needed) {
    return compareTo(needed) >= 0;
  }

  /// As commands and messages write it.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
