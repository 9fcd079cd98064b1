package dev.agentmemory.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.postgres.config.PostgresAddress;
import dev.agentmemory.postgres.config.PostgresConfig;
import dev.agentmemory.testkit.postgres.PgServer;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers and addresses that are refused.
class ServerRequirementsTest {

  private static void assertRefused(PgServer server, String why) {
    PostgresConfig config =
        PostgresStoreTest.config(server, PgServer.newSchema()).withStandby(true);
    assertThatThrownBy(() -> PostgresStoreTest.connect(config))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILED))
        .hasMessageContaining(why);
  }

  @Test
  void serverThatDoesNotSync_isRefused_whereAStandbyIsDemanded() {
    assertRefused(PgServer.shared(), "turn fsync and full_page_writes on");
  }

  @Test
  void serverWithoutAStandby_isRefused_whereOneIsDemanded() throws Exception {
    try (PgServer server = PgServer.start("fsync=on", "full_page_writes=on")) {
      assertRefused(server, "set synchronous_standby_names");
    }
  }

  @Test
  void serverThatDoesNotWait_isRefused_whereAStandbyIsDemanded() throws Exception {
    try (PgServer server =
        PgServer.start("fsync=on", "full_page_writes=on", "synchronous_commit=local")) {
      assertRefused(server, "set synchronous_commit to on or remote_apply");
    }
  }

  @Test
  void address_isReadAndShownAsItIs() {
    PostgresAddress address = PostgresAddress.of("postgres://db1,[::1]:6432/memory");
    assertThat(address.hosts()).isEqualTo(List.of("db1", "[::1]:6432"));
    assertThat(address.jdbcUrl()).isEqualTo("jdbc:postgresql://db1,[::1]:6432/memory");
    assertThat(PostgresAddress.of(address.jdbcUrl())).isEqualTo(address);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "db1/memory",
        "postgresql://db1",
        "postgresql://db1/",
        "postgresql:///memory",
        "postgresql://me:word@db1/memory",
        "postgresql://db1/memory?user=me",
        "postgresql://db1,/memory",
        "postgresql://db1:port/memory",
        "mysql://db1/memory"
      })
  void addressOfAnotherForm_isRefused(String url) {
    assertThatThrownBy(() -> PostgresAddress.of(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("expected ");
  }
}
