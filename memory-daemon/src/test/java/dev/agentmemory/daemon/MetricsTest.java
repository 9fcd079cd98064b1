package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.client.DaemonFile;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.daemon.agent.RawHttp;
import dev.agentmemory.daemon.config.ConfigLoader;
import dev.agentmemory.daemon.config.SettingSource;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a real daemon answers to `GET /metrics`, and that docs/metrics.md says the same.
@Tag("slow")
class MetricsTest {

  private static final Path PAGE = Path.of("../docs/metrics.md");

  /// Name, Prometheus name, type, unit, labels, meaning, source.
  private static final Pattern ROW =
      Pattern.compile(
          "^\\| `([^`]+)` \\| `([^`]+)` \\| (\\w+) \\| [^|]* \\| ([^|]*) \\| ([^|]+) \\| [^|]+ \\|$",
          Pattern.MULTILINE);

  private static final Pattern HELP = Pattern.compile("^# HELP (\\S+) (.*)$", Pattern.MULTILINE);
  private static final Pattern TYPE = Pattern.compile("^# TYPE (\\S+) (\\w+)$", Pattern.MULTILINE);
  private static final Pattern SAMPLE =
      Pattern.compile("^([a-z_]+)(?:\\{(.*)})? \\S+$", Pattern.MULTILINE);
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

  @TempDir private Path data;

  /// What is said of a metric.
  private record Described(String type, Set<String> labels, String meaning) {}

  private Daemon start(String... settings) {
    return Daemon.start(
        ConfigLoader.load(
            data,
            List.of(
                SettingSource.flags(List.of("grpc_port=0", "search.embeddings=none")),
                SettingSource.flags(List.of(settings)))));
  }

  /// A few events, memories, searches and jobs.
  private void use(Optional<WorkspaceName> workspace) {
    try (var client = MemoryClient.connect(Endpoint.find(data).withWorkspace(workspace));
        var all = MemoryClient.connect(Endpoint.find(data))) {
      TestEvents.messages("s", 5).forEach(event -> client.ingest().append(event));
      client.recall().memories().remember(MemoryDraft.of("Retry with jitter."));
      client.recall().memories().search(MemorySearch.of("jitter"));
      client.search().search(SearchRequest.of("message", 5, TestEvents.START));
      all.jobs().run("compaction");
      Await.until("the contents", () -> all.admin().status().tocComplete());
    }
  }

  private String get(String line, String headers) throws IOException {
    DaemonFile file = DaemonFile.read(data);
    return RawHttp.exchange(RawHttp.port(file.httpPort()), line, headers, "");
  }

  private String host() throws IOException {
    return "host: 127.0.0.1:" + DaemonFile.read(data).httpPort() + "\r\n";
  }

  private String bearer() throws IOException {
    return "authorization: Bearer " + Files.readString(data.resolve("token")).strip() + "\r\n";
  }

  private String scrape() throws IOException {
    String answer = get("GET /metrics", host() + bearer());
    assertThat(answer)
        .startsWith("HTTP/1.1 200 ")
        .containsIgnoringCase("content-type: text/plain; version=0.0.4");
    return answer.substring(answer.indexOf("\r\n\r\n") + 4);
  }

  private static Map<String, Described> described(String text) {
    Map<String, String> types = new TreeMap<>();
    TYPE.matcher(text).results().forEach(type -> types.put(type.group(1), type.group(2)));
    Map<String, Set<String>> labels = new TreeMap<>();
    for (Matcher sample = SAMPLE.matcher(text); sample.find(); ) {
      String name = sample.group(1);
      String family = types.containsKey(name) ? name : name.replaceFirst("_[a-z]+$", "");
      Set<String> names = labels.computeIfAbsent(family, _ -> new TreeSet<>());
      Optional.ofNullable(sample.group(2))
          .ifPresent(all -> LABEL.matcher(all).results().forEach(one -> names.add(one.group(1))));
      names.remove("le");
    }
    Map<String, Described> described = new TreeMap<>();
    HELP.matcher(text)
        .results()
        .forEach(help -> {
          String name = help.group(1);
          described.put(
              name,
              new Described(
                  types.getOrDefault(name, ""),
                  labels.getOrDefault(name, Set.of()),
                  help.group(2)));
        });
    return described;
  }

  private static Map<String, Described> documented() throws IOException {
    Map<String, Described> documented = new TreeMap<>();
    for (Matcher row = ROW.matcher(Files.readString(PAGE)); row.find(); ) {
      Set<String> labels = new TreeSet<>();
      Pattern.compile("`(\\w+)`")
          .matcher(row.group(4))
          .results()
          .forEach(label -> labels.add(label.group(1)));
      documented.put(row.group(2), new Described(row.group(3), labels, row.group(5).strip()));
    }
    return documented;
  }

  @Test
  void metricsOfADaemon_areThoseOfTheDocumentation() throws IOException {
    try (var _ = start()) {
      use(Optional.of(new WorkspaceName("alpha")));
      assertThat(described(scrape())).isEqualTo(documented()).hasSizeGreaterThan(40);
    }
  }

  @Test
  void metricsOfAStoreThatWorkspacesShare_areTheSame() throws IOException {
    try (var _ = start("multi_agent_mode=unified")) {
      use(Optional.of(new WorkspaceName("alpha")));
      String text = scrape();
      assertThat(described(text)).isEqualTo(documented());
      assertThat(text)
          .contains("memory_events{workspace=\"@unified\"} 5.0\n")
          .doesNotContain("alpha");
    }
  }

  @Test
  void values_areThoseOfWhatWasDone() throws IOException {
    try (var _ = start()) {
      use(Optional.empty());
      assertThat(scrape())
          .contains(
              "memory_events{workspace=\"default\"} 5.0\n",
              "memory_entries{workspace=\"default\"} 1.0\n",
              "memory_sessions_active{workspace=\"default\"} 1.0\n",
              "memory_ingest_events_total{outcome=\"stored\"} 5.0\n",
              "memory_operations_query_duration_ms_count 2\n",
              "memory_jobs_runs_total{job=\"compaction\",outcome=\"succeeded\"} 1.0\n",
              "memory_outbox_lag{consumer=\"toc\",workspace=\"default\"} 0.0\n",
              "memory_toc_freshness_seconds{workspace=\"default\"} 0.0\n",
              "memory_workspaces_failing 0.0\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "authorization: Bearer wrong\r\n"})
  void requestWithoutTheToken_isRefused(String authorization) throws IOException {
    try (var _ = start()) {
      assertThat(get("GET /metrics", host() + authorization))
          .startsWith("HTTP/1.1 401 ")
          .doesNotContain("memory_");
      assertThat(scrape()).contains("memory_http_refused_total{outcome=\"token\"} 1.0\n");
    }
  }

  @Test
  void requestOfAForeignPage_isRefused_alsoWithTheToken() throws IOException {
    try (var _ = start()) {
      assertThat(get("GET /metrics", "host: example.com\r\n" + bearer()))
          .startsWith("HTTP/1.1 403 ");
      assertThat(get("GET /metrics", host() + bearer() + "origin: http://example.com\r\n"))
          .startsWith("HTTP/1.1 403 ");
      assertThat(get("POST /metrics", host() + bearer())).startsWith("HTTP/1.1 405 ");
    }
  }

  @Test
  void workspaceThatCannotBeOpened_isCounted_andTheOthersAreMeasured() throws IOException {
    try (var _ = start()) {
      use(Optional.of(new WorkspaceName("alpha")));
    }
    Files.delete(data.resolve("db/alpha/rocksdb/CURRENT"));
    try (var _ = start()) {
      assertThatThrownBy(() -> use(Optional.of(new WorkspaceName("alpha"))))
          .hasMessageContaining("CURRENT");
      assertThat(scrape())
          .contains("\nmemory_workspaces_failing 1.0\n")
          .contains("memory_events{workspace=\"default\"} 0.0\n")
          .doesNotContain("workspace=\"alpha\"");
    }
  }
}
