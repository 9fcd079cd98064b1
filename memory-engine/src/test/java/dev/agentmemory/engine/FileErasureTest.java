package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.Admin;
import dev.agentmemory.api.forget.ConversationFiles;
import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.toc.summary.extractive.ExtractiveSummarizer;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is asked of files outside the store when something has to be forgotten.
@Tag("slow")
class FileErasureTest {

  private static final WorkspaceName DEFAULT = new WorkspaceName("default");
  private static final SessionId GONE = new SessionId("gone");

  @TempDir private Path data;
  private final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private final Outside outside = new Outside();

  /// Files that say what they were asked.
  private static final class Outside implements ConversationFiles {

    private Runnable takeIn = () -> {};
    private List<String> unstored = List.of();
    private Removed removed = new Removed(0, List.of());
    private Optional<RuntimeException> failure = Optional.empty();
    private final List<Erased> asked = new ArrayList<>();
    private final List<List<String>> words = new ArrayList<>();
    private final Set<SessionId> sessions = new HashSet<>();
    private final List<Boolean> dryRuns = new ArrayList<>();

    @Override
    public List<String> takeIn() {
      takeIn.run();
      return unstored;
    }

    @Override
    public Removed remove(Erased what, boolean dryRun) {
      failure.ifPresent(e -> {
        throw e;
      });
      asked.add(what);
      dryRuns.add(dryRun);
      // Twice, as it may be.
      for (int i = 0; i < 2; i++) {
        try (Stream<ErasedWords> events = what.events().get()) {
          List<ErasedWords> all = events.toList();
          words.add(all.stream().map(ErasedWords::text).toList());
          all.forEach(said -> sessions.add(said.session()));
        }
      }
      return removed;
    }
  }

  private ErasureFixture fixture;

  @BeforeEach
  void fixture() {
    fixture = new ErasureFixture(data, outside);
  }

  private OpenWorkspace open() {
    return fixture.open(store, Optional.of(DEFAULT));
  }

  private static List<Event> gone() {
    return ErasureFixture.session(GONE.value(), TestEvents.START, "zanzibar");
  }

  private static ForgetReceipt forget(Admin admin, Forgetting what) {
    return admin.forget(what, /* dryRun= */ false, /* wait= */ true);
  }

  @Test
  void whatWaits_isStoredBeforeEventsAreChosen() {
    try (var workspace = open()) {
      outside.takeIn =
          () -> {
            var _ = workspace.memory().ingest().append(gone()).join();
          };

      ForgetReceipt receipt = forget(workspace.memory().admin(), Forgetting.of(GONE));

      assertThat(receipt.events()).isEqualTo(gone().size());
      assertThat(ErasureFixture.said(store)).doesNotContain("zanzibar");
    }
  }

  @Test
  void files_areToldOfTheSessionsAndWords_beforeTheyAreErased() {
    try (var workspace = open()) {
      var _ = workspace.memory().ingest().append(gone()).join();
      Admin admin = workspace.memory().admin();
      Event one = gone().getFirst();

      var _ = forget(admin, Forgetting.of(one.id()));
      var _ = forget(admin, Forgetting.of(GONE));

      ConversationFiles.Erased ofEvent = outside.asked.getFirst();
      assertThat(ofEvent.workspace()).isEqualTo(DEFAULT);
      assertThat(ofEvent.sessions()).isEmpty();
      assertThat(ofEvent.touched()).containsExactly(GONE);
      assertThat(outside.words.subList(0, 2)).containsOnly(List.of(one.text()));
      ConversationFiles.Erased ofSession = outside.asked.getLast();
      assertThat(ofSession.all()).isFalse();
      assertThat(ofSession.sessions()).containsExactly(GONE);
      assertThat(outside.words.getLast()).hasSize(gone().size() - 1);
      assertThat(outside.dryRuns).containsOnly(false);
    }
  }

  @Test
  void sharedStore_namesTheWorkspace_andTheIdsThatAgentsGave() {
    try (var whole = fixture.open(store, Optional.empty())) {
      var shop = new WorkspaceName("shop");
      var memory =
          new SharedMemory(whole, String::length, new ExtractiveSummarizer(), DEFAULT).of(shop);
      var _ = memory.ingest().append(gone()).join();

      var _ = forget(memory.admin(), Forgetting.of(GONE));

      ConversationFiles.Erased asked = outside.asked.getFirst();
      assertThat(asked.workspace()).isEqualTo(shop);
      assertThat(asked.sessions()).containsExactly(GONE);
      assertThat(asked.touched()).containsExactly(GONE);
      assertThat(outside.sessions).containsExactly(GONE);
    }
  }

  @Test
  void receipt_countsFiles_andSaysWhatIsLeft_alsoOfADryRun() {
    outside.unstored = List.of("a hook waits");
    outside.removed = new ConversationFiles.Removed(3, List.of("a file is left"));
    try (var workspace = open()) {
      var _ = workspace.memory().ingest().append(gone()).join();
      Admin admin = workspace.memory().admin();

      ForgetReceipt planned = admin.forget(Forgetting.of(GONE), /* dryRun= */ true, false);
      ForgetReceipt receipt = forget(admin, Forgetting.of(GONE));

      assertThat(outside.dryRuns).containsExactly(true, false);
      for (ForgetReceipt each : List.of(planned, receipt)) {
        assertThat(each.files()).isEqualTo(3);
        assertThat(each.left()).containsExactly("a hook waits", "a file is left");
      }
      assertThat(receipt.pending()).isFalse();
    }
  }

  @Test
  void filesOnly_haveAReceipt_andNothingIsLeftToDo() {
    outside.removed = new ConversationFiles.Removed(2, List.of());
    try (var workspace = open()) {
      Admin admin = workspace.memory().admin();

      ForgetReceipt receipt = forget(admin, Forgetting.everything());

      assertThat(receipt.id()).isNotEmpty();
      assertThat(receipt.isEmpty()).isFalse();
      assertThat(receipt.pending()).isFalse();
      assertThat(store.records().record("erasure:done:" + receipt.id()))
          .hasValueSatisfying(row -> assertThat(row).contains("\"files\":2"));
      assertThat(store.records().record("erasure:plan")).isEmpty();
      assertThat(admin.status().problems()).isEmpty();
    }
  }

  @Test
  void filesThatFail_keepTheStoreFromBeingErased() {
    outside.failure = Optional.of(new IllegalStateException("no disk"));
    try (var workspace = open()) {
      var _ = workspace.memory().ingest().append(gone()).join();
      Admin admin = workspace.memory().admin();

      assertThatThrownBy(() -> forget(admin, Forgetting.of(GONE))).hasMessage("no disk");

      assertThat(ErasureFixture.said(store)).contains("zanzibar");
      assertThat(store.records().record("erasure:plan")).isEmpty();
    }
  }

  @Test
  void storeThatRecoveryReplaced_isLeft_andNamed() throws IOException {
    Path kept = Files.createDirectories(data.resolve("damaged/default-20260130-120000"));
    Path account = Files.createDirectories(data.resolve("damaged/@account-20260130-120000"));
    Files.createDirectories(data.resolve("damaged/default-other-20260130-120000"));
    try (var workspace = open()) {
      ForgetReceipt receipt = forget(workspace.memory().admin(), Forgetting.of(GONE));

      assertThat(receipt.left())
          .satisfiesExactly(
              left -> assertThat(left).startsWith(account + ", which"),
              left -> assertThat(left).startsWith(kept + ", which").endsWith("not need it"));
    }
  }
}
