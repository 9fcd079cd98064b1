package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.upkeep.ScrubReport;
import dev.agentmemory.engine.internal.scrub.SecretScrub;
import dev.agentmemory.pipeline.ingest.IngestLimits;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.testkit.store.InterceptedStore;
import dev.agentmemory.text.secret.SecretRules;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Masking of what a workspace has stored, by a rule that is new.
class SecretScrubTest {

  private static final String SECRET = "zorp_4f7q9z2k8m1x";

  @TempDir private Path data;

  private ErasureFixture fixture;

  @BeforeEach
  void fixture() {
    fixture = new ErasureFixture(data);
  }

  private IngestLimits limits(boolean masks, SecretRules rules) {
    IngestLimits plain = IngestLimits.DEFAULT;
    return new IngestLimits(
        plain.maxClockSkew(),
        plain.maxTextBytes(),
        plain.maxMetadataEntries(),
        plain.maxMetadataKeyBytes(),
        plain.maxMetadataValueBytes(),
        masks,
        rules);
  }

  private IngestLimits withRule() throws IOException {
    Path file =
        Files.writeString(
            data.resolve("rules.txt"), "[formats]\nzorp_key zorp 'zorp_' lowdig:12\n");
    return limits(/* masks= */ true, SecretRules.read(file));
  }

  private OpenWorkspace open(MemoryStore store, IngestLimits limits) {
    return fixture.open(store, Optional.of(new WorkspaceName("default")), limits);
  }

  private static List<Event> events() {
    List<Event> events = new ArrayList<>();
    Instant at = TestEvents.START;
    for (int i = 0; i < 6; i++) {
      at = at.plusSeconds(60);
      events.add(
          TestEvents.message("s", at, "The gateway " + i + " failed without " + SECRET + " set."));
      events.add(TestEvents.answer("s", at.plusSeconds(5), "I decided to rotate key " + i + "."));
    }
    events.add(TestEvents.end("s", at.plusSeconds(60)));
    return events;
  }

  /// A store of a time in which the rule did not exist.
  private HeapStore filled() {
    var store = new HeapStore(ZoneOffset.UTC);
    try (var workspace = open(store, limits(/* masks= */ true, SecretRules.BUILT_IN))) {
      var _ = workspace.memory().ingest().append(events()).join();
      var _ =
          workspace.memory().recall().memories().remember(MemoryDraft.of("Use " + SECRET + "."));
      Await.until("the table of contents", () -> workspace.memory().admin().status().tocComplete());
    }
    assertThat(ErasureFixture.said(store)).contains(SECRET);
    return store;
  }

  private static void assertClean(HeapStore store) {
    assertThat(ErasureFixture.said(store))
        .contains("[masked:zorp_key]")
        .doesNotContain(SECRET.substring(5));
    assertThat(store.verify(10)).isEmpty();
  }

  @Test
  void storedSecrets_areCounted_thenMasked_thenThereAreNone() throws IOException {
    HeapStore store = filled();
    try (var workspace = open(store, withRule())) {
      var admin = workspace.memory().admin();
      String before = ErasureFixture.said(store);
      ScrubReport planned = admin.scrub(/* dryRun= */ true);
      assertThat(planned.events()).isEqualTo(6);
      assertThat(planned.digests()).isPositive();
      assertThat(planned.memories()).isPositive();
      assertThat(planned.kinds()).extracting(ScrubReport.Kind::name).containsExactly("zorp_key");
      assertThat(ErasureFixture.said(store)).isEqualTo(before);

      assertThat(admin.scrub(/* dryRun= */ false)).isEqualTo(planned);

      assertClean(store);
      assertThat(admin.scrub(/* dryRun= */ false).isEmpty()).isTrue();
      assertThat(admin.status().problems()).isEmpty();
    }
  }

  @Test
  void run_cutOffAtAnyCommit_isFinishedByTheNext() throws IOException {
    boolean completed = false;
    for (int commits = 0; !completed; commits++) {
      HeapStore store = filled();
      completed = scrubUntil(store, commits);
      try (var workspace = open(store, withRule())) {
        var admin = workspace.memory().admin();
        boolean begun = !completed && commits > 0;
        assertThat(admin.status().problems().stream().anyMatch(why -> why.contains("scrub")))
            .isEqualTo(begun);
        var _ = admin.scrub(/* dryRun= */ false);
        assertClean(store);
        assertThat(admin.status().problems()).isEmpty();
        assertThat(admin.scrub(/* dryRun= */ false).isEmpty()).isTrue();
      }
    }
  }

  /// @param commits of the masking that succeed
  /// @return whether it needed no more
  private boolean scrubUntil(HeapStore store, int commits) throws IOException {
    var made = new AtomicInteger();
    MemoryStore failing =
        InterceptedStore.of(
            store,
            (method, arguments, call) -> {
              if (method.equals("commit")
                  && arguments[0] instanceof Commit commit
                  && commit.checkpoint().map(Checkpoint::name).equals(Optional.of(SecretScrub.JOB))
                  && made.incrementAndGet() > commits) {
                throw new MemoryException(ErrorCode.STORAGE_FAILED, "the disk is gone");
              }
              return call.make();
            });
    try (var workspace = open(failing, withRule())) {
      var _ = workspace.memory().admin().scrub(/* dryRun= */ false);
      return true;
    } catch (MemoryException e) {
      assertThat(e).hasMessageContaining("the disk is gone");
      return false;
    }
  }

  @Test
  void maskingDisabled_isRefused() {
    try (var workspace =
        open(new HeapStore(ZoneOffset.UTC), limits(/* masks= */ false, SecretRules.BUILT_IN))) {
      assertThatThrownBy(() -> workspace.memory().admin().scrub(/* dryRun= */ true))
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT))
          .hasMessageContaining("ingest.mask_secrets");
    }
  }
}
