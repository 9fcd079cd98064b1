package dev.agentmemory.recall.injection;

import static dev.agentmemory.testkit.TestEvents.START;
import static dev.agentmemory.testkit.TestEvents.answer;
import static dev.agentmemory.testkit.TestEvents.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentmemory.api.injection.Injection;
import dev.agentmemory.api.injection.InjectionMoment;
import dev.agentmemory.api.injection.InjectionSource;
import dev.agentmemory.api.injection.InjectionUse;
import dev.agentmemory.api.injection.InjectionUse.Sign;
import dev.agentmemory.api.injection.Injections;
import dev.agentmemory.api.injection.NewInjection;
import dev.agentmemory.api.injection.UsedInjection;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.recall.TextMask;
import dev.agentmemory.recall.conversation.ConversationCaches;
import dev.agentmemory.recall.conversation.ConversationContext;
import dev.agentmemory.recall.conversation.RecordOwner;
import dev.agentmemory.recall.masking.RecordErasure;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecordedInjectionsTest {

  private static final SessionId SESSION = new SessionId("s");
  private static final Event CITED = message("earlier", START.minusSeconds(60), "we took RocksDB");
  private static final String CITATION = "[evt:" + CITED.id() + "]";
  private static final String TOLD =
      "one writer thread can share the fsync among all commits " + CITATION;
  private static final MemoryId OWN = MemoryId.of("01KG7ZNH6000000000000000AB");
  private static final MemoryId OF_ACCOUNT = MemoryId.of("01KG7ZNH6000000000000000CD");

  private final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private final Mutex mutex = new Mutex();
  private final Set<MemoryId> own = new HashSet<>(Set.of(OWN));
  private Instant now = START;

  private RecordedInjections injections(RecordOwner owner, TextMask mask) {
    return new RecordedInjections(
        new ConversationContext(
            SystemServices.of(() -> now), store, store, owner, mutex, new ConversationCaches()),
        store,
        new RecordedInjections.CitedMemories(
            id -> own.contains(id) || id.equals(OF_ACCOUNT), OF_ACCOUNT::equals),
        mask,
        text -> text.split(" ", -1).length);
  }

  private RecordedInjections injections() {
    return injections(RecordOwner.only(), TextMask.NONE);
  }

  private static NewInjection evidence(String text) {
    return new NewInjection(SESSION, InjectionMoment.PROMPT, InjectionSource.EVIDENCE, text);
  }

  private static List<UsedInjection> list(Injections injections) {
    return injections.list(SESSION, PageRequest.first()).items();
  }

  private UsedInjection only() {
    List<UsedInjection> all = list(injections());
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  private void say(Event... events) {
    store.commit(Commit.append(List.of(events)));
  }

  private static Event tool(Instant at, String name, String input) {
    Event event = TestEvents.event("s", at, EventType.TOOL_RESULT, EventRole.TOOL, "a result");
    return TestEvents.from(event, "claude", Map.of("tool", name, "tool_input", input));
  }

  @Test
  void record_keepsWhatWasTold_withItsTokensAndCitations() {
    say(CITED);
    Injection stored = injections().record(evidence(TOLD));
    assertThat(stored)
        .isEqualTo(
            new Injection(
                stored.id(),
                SESSION,
                START,
                InjectionMoment.PROMPT,
                InjectionSource.EVIDENCE,
                11,
                Optional.of(TOLD),
                List.of("evt:" + CITED.id())));
    assertThat(only()).isEqualTo(new UsedInjection(stored, List.of(), 0, true));
  }

  @Test
  void list_isInTimeOrder_pageByPage_andOfOneSession() {
    for (int i = 0; i < 5; i++) {
      now = START.plusSeconds(i);
      var _ = injections().record(evidence("text " + i));
    }
    var _ =
        injections()
            .record(
                new NewInjection(
                    new SessionId("s2"),
                    InjectionMoment.SESSION_START,
                    InjectionSource.ORIENTATION,
                    "of another"));
    List<String> texts =
        Page.stream(PageRequest.of(2), page -> injections().list(SESSION, page))
            .map(one -> one.injection().text().orElseThrow())
            .toList();
    assertThat(texts).containsExactly("text 0", "text 1", "text 2", "text 3", "text 4");
    assertThat(injections().list(new SessionId("unknown"), PageRequest.first()).items()).isEmpty();
  }

  @Test
  void token_ofAnotherSession_isRefused() {
    var _ = injections().record(evidence("one"));
    now = now.plusSeconds(1);
    var _ = injections().record(evidence("two"));
    String token = injections().list(SESSION, PageRequest.of(1)).token();
    assertThatThrownBy(() -> injections().list(new SessionId("s2"), new PageRequest(token, 1)))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_TOKEN));
  }

  @Test
  void oldest_isDroppedForOneMoreThanAreKept() {
    for (int i = 0; i <= Injections.MOST_OF_A_SESSION; i++) {
      now = START.plusMillis(i);
      var _ = injections().record(evidence("text " + i));
    }
    List<StoredRecord> rows = store.records().records("injection:", Optional.empty(), 1000);
    assertThat(rows).hasSize(Injections.MOST_OF_A_SESSION);
    assertThat(list(injections()).getFirst().injection().text()).contains("text 1");
  }

  @Test
  void laterAnswer_thatCitesExpandsOrRepeats_showsUse() {
    say(CITED);
    var _ = injections().record(evidence(TOLD));
    Event cites = answer("s", START.plusSeconds(1), "as said in " + CITED.id());
    Event expands =
        tool(
            START.plusSeconds(2),
            "mcp__agent-memory__memory_expand",
            "{\"id\":\"evt:%s\"}".formatted(CITED.id()));
    Event repeats =
        answer("s", START.plusSeconds(3), "One writer thread can share the fsync among them");
    say(cites, expands, repeats);
    UsedInjection used = only();
    assertThat(used.isUsed()).isTrue();
    assertThat(used.eventsLookedAt()).isEqualTo(3);
    assertThat(used.uses())
        .extracting(InjectionUse::event, InjectionUse::sign, InjectionUse::what)
        .containsExactly(
            tuple(cites.id(), Sign.CITATION, "evt:" + CITED.id()),
            tuple(expands.id(), Sign.EXPANSION, "evt:" + CITED.id()),
            tuple(repeats.id(), Sign.WORDS, "One writer thread can share the fsync among"));
  }

  @Test
  void earlierAnswer_promptOrOtherTool_showsNoUse() {
    say(CITED);
    say(answer("s", START.minusSeconds(1), TOLD));
    var _ = injections().record(evidence(TOLD));
    say(
        message("s", START.plusSeconds(1), TOLD),
        tool(START.plusSeconds(2), "Bash", "{\"command\":\"echo %s\"}".formatted(CITED.id())),
        answer("other", START.plusSeconds(3), TOLD));
    assertThat(only().uses()).isEmpty();
    assertThat(only().eventsLookedAt()).isEqualTo(2);
  }

  @Test
  void secret_isMasked() {
    injections(RecordOwner.only(), text -> text.replace("hunter2", "[masked]"))
        .record(evidence("the password is hunter2"));
    assertThat(only().injection().text()).contains("the password is [masked]");
  }

  @Test
  void memoryOfTheAccount_isCitedOnly() {
    String text =
        "decision, 2026-01-30: use RocksDB [mem:%s]\n\npreference: answer\n> in German [mem:%s]"
            .formatted(OWN, OF_ACCOUNT);
    var _ = injections().record(evidence(text));
    assertThat(only().injection().text())
        .contains(
            "decision, 2026-01-30: use RocksDB [mem:%s]\n\n[mem:%s]".formatted(OWN, OF_ACCOUNT));
  }

  @Test
  void memoryOfTheAccount_inAnOrientation_isALine() {
    var _ =
        injections()
            .record(
                new NewInjection(
                    SESSION,
                    InjectionMoment.SESSION_START,
                    InjectionSource.ORIENTATION,
                    "## Preferences\n- in German [mem:%s]\n- use RocksDB [mem:%s]"
                        .formatted(OF_ACCOUNT, OWN)));
    assertThat(only().injection().text())
        .contains("## Preferences\n[mem:%s]\n- use RocksDB [mem:%s]".formatted(OF_ACCOUNT, OWN));
  }

  @Test
  void text_isNotShown_onceACitedEventOrMemoryIsGone() {
    say(CITED);
    var _ = injections().record(evidence(TOLD));
    now = now.plusSeconds(1);
    var _ = injections().record(evidence("use RocksDB [mem:%s]".formatted(OWN)));
    assertThat(list(injections())).allMatch(one -> one.injection().text().isPresent());
    store.commit(
        Commit.of(new Change.EraseEvent(CITED.session(), CITED.key(), /* barred= */ false)));
    own.clear();
    assertThat(list(injections()))
        .allMatch(one -> one.injection().text().isEmpty())
        .allMatch(one -> one.injection().citations().isEmpty());
  }

  @Test
  void erasure_takesTextsOutOfRows_thatCiteWhatIsErased() {
    say(CITED);
    var _ = injections().record(evidence(TOLD));
    now = now.plusSeconds(1);
    var _ = injections().record(evidence("of something else"));
    var erasure = new RecordErasure(store, mutex::hold, "");
    erasure.eraseInjections(citation -> citation.equals("evt:" + CITED.id()));
    assertThat(erasure.rows()).isEqualTo(1);
    String rows = store.records().records("injection:", Optional.empty(), 10).toString();
    assertThat(rows).doesNotContain("fsync").contains("of something else");
    assertThat(list(injections()))
        .extracting(one -> one.injection().text())
        .containsExactly(Optional.empty(), Optional.of("of something else"));
  }

  @Test
  void erasureOfASession_dropsItsRowsAlone() {
    var _ = injections().record(evidence("one"));
    var _ =
        injections()
            .record(
                new NewInjection(
                    new SessionId("s2"), InjectionMoment.OTHER, InjectionSource.OTHER, "two"));
    new RecordErasure(store, mutex::hold, "").eraseSessions(Set.of(SESSION));
    assertThat(list(injections())).isEmpty();
    assertThat(injections().list(new SessionId("s2"), PageRequest.first()).items()).hasSize(1);
  }

  @Test
  void workspaces_thatShareAStore_haveTheirOwn() {
    WorkspaceName alpha = WorkspaceName.of("alpha").orElseThrow();
    WorkspaceName beta = WorkspaceName.of("beta").orElseThrow();
    var _ = injections(RecordOwner.of(alpha), TextMask.NONE).record(evidence("of alpha"));
    assertThat(list(injections(RecordOwner.of(beta), TextMask.NONE))).isEmpty();
    assertThat(list(injections(RecordOwner.of(alpha), TextMask.NONE))).hasSize(1);
    RecordedInjections all = injections(RecordOwner.ofAll(), TextMask.NONE);
    assertThat(all.list(SESSION.in(alpha), PageRequest.first()).items()).hasSize(1);
    assertThatThrownBy(() -> all.record(evidence("of nobody")))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.field()).hasValue("memory-workspace"));
  }

  @Test
  void row_thatCannotBeRead_isLeftOut() {
    var _ = injections().record(evidence("one"));
    store.commit(
        Commit.of(
            new Change.PutRecord(
                new StoredRecord("injection:s\0" + "9".repeat(13) + ":x", "no JSON"))));
    assertThat(list(injections())).hasSize(1);
  }
}
