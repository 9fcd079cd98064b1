package dev.agentmemory.daemon.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.agents.project.ProjectWorkspaces;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.daemon.PackagedDaemon;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Spools that were filled while no daemon ran, and the packaged daemon that starts then.
class SpooledHooksIT {

  private static final Instant BEGIN = Instant.parse("2026-03-01T10:00:00Z");
  private static final Instant END = Instant.parse("2200-01-01T00:00:00Z");

  @TempDir private Path folder;

  private Path data;
  private Path spool;
  private Path project;

  @BeforeEach
  void create() throws IOException {
    data = folder.resolve("data");
    spool = data.resolve("spool");
    project = Files.createDirectories(folder.resolve("project"));
    Files.createDirectories(spool);
  }

  @Test
  @Tag("long")
  void entries_ofALongStop_areStoredOnceEach_inTheOrderOfTheAgentsClock() throws Exception {
    int count = 10_000;
    List<Integer> names = new ArrayList<>(IntStream.range(0, count).boxed().toList());
    Collections.shuffle(names, new Random(7));
    for (int i = 0; i < count; i++) {
      Instant time = BEGIN.plusMillis(10L * i);
      String name = "n%05d".formatted(names.get(i));
      if (i % 2 == 0) {
        // The agent says when it was; the file was written later.
        spool(name, "copilot", "userPromptSubmitted", time.plusSeconds(20), copilot(i, time));
      } else {
        spool(name, "claude-code", "UserPromptSubmit", time, claude(i));
      }
    }
    try (PackagedDaemon daemon = PackagedDaemon.start(data, "search.embeddings=none")) {
      awaitEmptySpool();
      assertThat(daemon.client().serving()).isTrue();
      assertThat(events())
          .extracting(Event::text)
          .containsExactlyElementsOf(
              IntStream.range(0, count).mapToObj(i -> "prompt " + i).toList());
    }
  }

  @Test
  void entry_ofTheLargestSize_isStored_andALargerOneRejected() throws Exception {
    spool("n1", "claude-code", "Stop", BEGIN, answer("a", 30 << 20));
    spool("n2", "claude-code", "Stop", BEGIN, answer("b", 80 << 20));
    spool("n3", "claude-code", "Stop", BEGIN, answer("c", 10));
    try (PackagedDaemon daemon = PackagedDaemon.start(data, "search.embeddings=none")) {
      awaitEmptySpool();
      assertThat(daemon.client().serving()).isTrue();
      assertThat(number()).isEqualTo(2);
      assertThat(spool.resolve("rejected").toFile().list()).containsExactly("n2.hook");
    }
  }

  private String claude(int i) {
    return "{\"session_id\":\"s\",\"prompt_id\":\"p%d\",\"cwd\":\"%s\",\"prompt\":\"prompt %d\"}"
        .formatted(i, project, i);
  }

  private String copilot(int i, Instant time) {
    return "{\"sessionId\":\"s\",\"timestamp\":%d,\"cwd\":\"%s\",\"prompt\":\"prompt %d\"}"
        .formatted(time.toEpochMilli(), project, i);
  }

  private String answer(String turn, int size) {
    return "{\"session_id\":\"s\",\"prompt_id\":\"%s\",\"cwd\":\"%s\",\"last_assistant_message\":\"%s\"}"
        .formatted(turn, project, "x".repeat(size));
  }

  private void spool(String name, String agent, String event, Instant written, String body)
      throws IOException {
    Path file = spool.resolve(name + ".hook");
    Files.writeString(file, "memory-hook 1\nagent=" + agent + "\nevent=" + event + "\n\n" + body);
    Files.setLastModifiedTime(file, FileTime.from(written));
  }

  private void awaitEmptySpool() {
    Await.until(
        "the spool is empty",
        () -> {
          try (Stream<Path> files = Files.list(spool)) {
            return files.noneMatch(file -> file.toString().endsWith(".hook"));
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  private MemoryClient client() {
    return MemoryClient.connect(
        Endpoint.find(data).withWorkspace(Optional.of(ProjectWorkspaces.DEFAULT.of(project))));
  }

  private long number() {
    try (MemoryClient client = client()) {
      return client.admin().status().store().events();
    }
  }

  private List<Event> events() {
    try (MemoryClient client = client()) {
      return Page.stream(
              PageRequest.of(1000), page -> client.events().between(Instant.EPOCH, END, page))
          .toList();
    }
  }
}
