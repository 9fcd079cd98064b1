package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.agents.project.ProjectWorkspaces;
import dev.agentmemory.daemon.Daemon;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `status` tells about hooks and HTTP requests that were passed over.
class HookStatusTest {

  private static final String PROMPT =
      "{\"session_id\":\"s1\",\"prompt_id\":\"p1\",\"cwd\":\"/project\",\"prompt\":\"%s\"}";

  @TempDir private Path folder;

  @Test
  void status_tellsOutcomesOfHooks_refusedRequests_andWhatIsNotRecorded() throws Exception {
    var cli = new Cli(folder);
    try (Daemon daemon =
        cli.daemon("search.embeddings=none", "agents.excluded=/secret", "agents.context=false")) {
      assertThat(post(daemon, "", PROMPT.formatted("hello"))).isEqualTo(401);
      assertThat(post(daemon, token(cli), PROMPT.formatted("#private"))).isEqualTo(200);
      assertThat(post(daemon, token(cli), "not json")).isEqualTo(200);

      JsonNode status = json(cli, "status");
      assertThat(status.path("hooks"))
          .isEqualTo(new JsonMapper().readTree("{\"not_recorded\":1,\"unreadable\":1}"));
      assertThat(status.path("refused_requests"))
          .isEqualTo(new JsonMapper().readTree("{\"token\":1}"));
      assertThat(status.path("spool_waiting").asInt(-1)).isZero();
      assertThat(status.path("spool_rejected").asInt(-1)).isZero();
      assertThat(status.path("excluded_projects").path(0).asText()).isEqualTo("/secret");
      assertThat(status.path("private_word").asText()).isEqualTo("#private");
      assertThat(status.path("private_sessions").asInt()).isOne();
      assertThat(cli.run("status").out())
          .contains("not recorded       /secret")
          .contains("private            1 session, by the word #private")
          .contains("hooks              1 not recorded, 1 unreadable since the start")
          .contains("http refused       1 token since the start");
    }
  }

  @Test
  void status_whileTheSwitchOfCaptureCannotBeRead_saysSo_andTellsWhatWasNotRecorded()
      throws Exception {
    var cli = new Cli(folder);
    try (Daemon daemon = cli.daemon("search.embeddings=none", "agents.context=false")) {
      Files.writeString(cli.data().resolve("capture.json"), "torn");
      assertThat(post(daemon, token(cli), PROMPT.formatted("hello"))).isEqualTo(200);

      JsonNode status = json(cli, "status");
      assertThat(status.path("hooks"))
          .isEqualTo(new JsonMapper().readTree("{\"capture_unreadable\":1,\"not_recorded\":1}"));
      assertThat(status.path("capture").asText()).startsWith("off");
      assertThat(status.path("problems").path(0).asText())
          .contains("capture.json")
          .contains("memory capture on");
      assertThat(cli.run("status").out())
          .contains("%-19soff, because capture.json cannot be read".formatted("capture"))
          .contains("%-19scannot read".formatted("problem"));
    }
  }

  @Test
  void status_ofOneWorkspaceOfASharedStore_tellsNothingOfOthers() throws Exception {
    var cli = new Cli(folder);
    try (Daemon daemon = cli.daemon("search.embeddings=none", "multi_agent_mode=unified")) {
      post(daemon, token(cli), PROMPT.formatted("hello"));
      post(daemon, token(cli), "not json");
      String workspace = ProjectWorkspaces.DEFAULT.of(Path.of("/project")).value();

      assertThat(json(cli, "status").path("hooks").path("unreadable").asInt()).isOne();
      assertThat(json(cli, "status", "--workspace", workspace).path("hooks")).isEmpty();
    }
  }

  private static String token(Cli cli) throws IOException {
    return "Bearer " + Files.readString(cli.data().resolve("token")).strip();
  }

  private static int post(Daemon daemon, String authorization, String body) throws Exception {
    URI uri =
        URI.create(
            "http://127.0.0.1:%d/hooks/claude-code/UserPromptSubmit".formatted(daemon.httpPort()));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofString(body));
    if (!authorization.isEmpty()) {
      request.header("authorization", authorization);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), BodyHandlers.discarding()).statusCode();
    }
  }

  private static JsonNode json(Cli cli, String... words) throws IOException {
    String[] line = Arrays.copyOf(words, words.length + 1);
    line[words.length] = "--json";
    Cli.Said said = cli.run(line);
    assertThat(said.code()).as(said.err()).isZero();
    return new JsonMapper().readTree(said.out());
  }
}
