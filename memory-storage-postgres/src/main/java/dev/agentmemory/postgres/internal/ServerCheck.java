package dev.agentmemory.postgres.internal;

import dev.agentmemory.postgres.config.PostgresConfig;

/// What a server has to be, asked by each new connection with its first statement: after a failover
/// it may be another server, or one with other settings.
///
/// @param durable whether commits have to be on disk, and on that of a standby
record ServerCheck(boolean durable) {

  private static final int OLDEST = 150_000;

  static ServerCheck of(PostgresConfig config) {
    return new ServerCheck(config.requireStandby());
  }

  /// A statement that fails with what is wrong.
  String sql() {
    return "do $$ begin "
        + refuse(
            "current_setting('server_version_num')::int < " + OLDEST,
            "the server is older than PostgreSQL 15; upgrade it")
        + refuse(
            "pg_is_in_recovery()",
            "the server is a standby; name the primary in postgres.url, or promote this one")
        + refuse(
            "current_setting('synchronous_commit') = 'off'",
            "commits are acknowledged before they are on disk; turn synchronous_commit on for the"
                + " role")
        + (durable ? durability() : "")
        + "end $$";
  }

  private static String durability() {
    return refuse(
            "current_setting('fsync') <> 'on' or current_setting('full_page_writes') <> 'on'",
            "the server does not keep what it has acknowledged; turn fsync and full_page_writes on")
        + refuse(
            "current_setting('synchronous_commit') not in ('on', 'remote_apply')",
            "commits do not wait for a standby; set synchronous_commit to on or remote_apply")
        + refuse(
            "current_setting('synchronous_standby_names') = ''",
            "the server has no standby to wait for; set synchronous_standby_names, or"
                + " postgres.require_standby = false");
  }

  private static String refuse(String condition, String why) {
    return "if %s then raise exception '%s'; end if; ".formatted(condition, why);
  }
}
