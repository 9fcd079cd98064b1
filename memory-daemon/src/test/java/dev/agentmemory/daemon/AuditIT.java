package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The audit log of a packaged daemon and of commands beside it.
class AuditIT {

  private static final String WORDS = "the gateway of zanzibar";
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  private String run(Path data, String... arguments) throws IOException, InterruptedException {
    PackagedDaemon.Run run = PackagedDaemon.run(data, arguments);
    assertThat(run.exit()).as(run.output()).isZero();
    return run.output();
  }

  private JsonNode audit(Path data) throws IOException, InterruptedException {
    return JSON.readTree(run(data, "audit", "--json", "--limit", "1000"));
  }

  /// Act, actor, workspace and outcome of each entry, in order.
  private static List<String> acts(JsonNode audit) {
    List<String> acts = new ArrayList<>();
    audit
        .path("entries")
        .forEach(one ->
            acts.add(
                String.join(
                    " ",
                    one.path("act").asText(),
                    one.path("actor").asText(),
                    one.path("workspace").asText("-").replace("null", "-"),
                    one.path("outcome").asText())));
    return acts;
  }

  @Test
  void acts_ofCallsAndCommands_areListed_alsoWithoutTheDaemon() throws Exception {
    Path data = folder.resolve("data");
    Path backups = folder.resolve("backups");
    try (PackagedDaemon daemon = PackagedDaemon.start(data, "search.embeddings=none")) {
      var _ = daemon.client.recall().memories().remember(MemoryDraft.of(WORDS));
      String token = run(data, "token", "create", "ops", "--role", "admin").strip();
      Endpoint own = Endpoint.find(data);
      try (MemoryClient ops =
          MemoryClient.connect(new Endpoint(own.host(), own.port(), Optional.of(token)))) {
        daemon.await("the daemon knows the token", ops::serving);
        daemon.await("the token is taken", () -> isTaken(ops));
        assertThat(ops.workspaces().create(new WorkspaceName("shop"))).isTrue();
      }
      assertThat(run(data, "memories", "export")).contains(WORDS);
      run(data, "scrub");
      run(data, "scrub", "--dry-run");
      run(data, "backup", backups.toString());
      run(data, "workspaces", "delete", "shop", "--yes");
      assertThat(PackagedDaemon.run(data, "workspaces", "delete", "shop", "--yes").exit())
          .isNotZero();
      run(data, "token", "revoke", "ops");

      JsonNode online = audit(data);
      assertThat(acts(online))
          .containsExactly(
              "configuration_change daemon - ok",
              "token_create cli - ok",
              "workspace_create ops shop ok",
              "export owner - ok",
              "scrub owner default ok",
              "scrub owner shop ok",
              "backup_create owner - ok",
              "workspace_delete owner shop ok",
              "workspace_delete owner shop failed",
              "token_revoke cli - ok");
      assertThat(online.at("/entries/8/error").asText()).isEqualTo("NOT_FOUND");
      assertThat(online.at("/entries/0/details/settings").asText())
          .contains("search.embeddings")
          .doesNotContain("none");
      assertThat(run(data, "audit", "--workspace", "shop", "--limit", "1"))
          .contains("workspace_delete", "NOT_FOUND")
          .doesNotContain("workspace_create", "token");
    }
    assertThat(acts(audit(data))).hasSize(10).endsWith("token_revoke cli - ok");
    Path file = data.resolve("audit.jsonl");
    assertThat(Files.readString(file)).doesNotContain(WORDS);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");

    Path restored = folder.resolve("restored");
    run(data, "restore", backups.toString(), "--to", restored.toString());
    run(restored, "recover");
    assertThat(acts(audit(restored))).containsExactly("restore cli - ok", "recover cli - ok");

    try (PackagedDaemon daemon =
        PackagedDaemon.start(data, "search.embeddings=none", "log_level=warn")) {
      JsonNode entries = audit(data).path("entries");
      assertThat(entries.size()).as(daemon.data.toString()).isEqualTo(11);
      assertThat(entries.get(10).at("/details/settings").asText()).isEqualTo("log_level");
    }
  }

  private static boolean isTaken(MemoryClient client) {
    try {
      client.ping();
      return true;
    } catch (MemoryException e) {
      return false;
    }
  }

  @Test
  void logThatCannotBeWritten_refusesActs_andIsAProblemOfTheStart() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    try (PackagedDaemon _ = PackagedDaemon.start(data, "search.embeddings=none")) {
      assertThat(acts(audit(data))).containsExactly("configuration_change daemon - ok");
    }
    Files.move(data.resolve("audit.jsonl"), folder.resolve("kept"));
    Files.createSymbolicLink(data.resolve("audit.jsonl"), folder.resolve("kept"));

    assertRefused(PackagedDaemon.run(data, "token", "create", "ops", "--role", "admin"));
    assertThat(run(data, "token", "list")).doesNotContain("ops");
    try (PackagedDaemon daemon =
        PackagedDaemon.start(data, "search.embeddings=none", "log_level=warn")) {
      assertThat(daemon.client.admin().status().problems())
          .anyMatch(problem -> problem.startsWith("a change of settings is not recorded"));
      assertRefused(PackagedDaemon.run(data, "workspaces", "create", "shop"));
      assertThat(run(data, "workspaces")).doesNotContain("shop");
    }
  }

  private static void assertRefused(PackagedDaemon.Run run) {
    assertThat(run.exit()).isNotZero();
    assertThat(run.output().replaceAll("\\s+", " "))
        .contains("audit.jsonl", "an act that cannot be recorded is not done");
  }
}
