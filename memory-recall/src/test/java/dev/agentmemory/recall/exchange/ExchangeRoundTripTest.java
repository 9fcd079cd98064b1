package dev.agentmemory.recall.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.conversation.SessionPreferences;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.upkeep.ExportRequest;
import dev.agentmemory.api.upkeep.ImportReport;
import dev.agentmemory.recall.memory.MemoryBatch;
import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// Export, import into an empty store, and export again.
class ExchangeRoundTripTest {

  private static final List<String> SESSIONS = List.of("s1", "s2", "\uD83D\uDE00", "\uFFFD");
  private static final List<String> CHANNELS = List.of("backend", "ops");
  private static final List<MemoryKind> KINDS = List.of(MemoryKind.values());

  private final ExchangeWorld world = new ExchangeWorld(1);

  @Seeds(40)
  @org.junit.jupiter.api.Tag("slow")
  void anyState_importedIntoAnEmptyStore_isExportedWithTheSameBytes(RandomGenerator random) {
    for (int i = 0; i < 80; i++) {
      step(random);
    }
    List<String> lines = world.export();
    assertThat(world.load(lines, 1000))
        .as("a store knows its own export")
        .isEqualTo(new ImportReport(0, lines.size(), 0, List.of()));
    assertThat(world.export()).isEqualTo(lines);
    var other = new ExchangeWorld(2);
    other.now = world.now;
    ImportReport report = other.load(lines, 1 + random.nextInt(lines.size()));

    assertThat(report.reasons()).isEmpty();
    assertThat(report).isEqualTo(new ImportReport(lines.size(), 0, 0, List.of()));
    assertThat(other.export()).isEqualTo(lines);
    assertThat(other.store.verify(10)).isEmpty();

    var before = other.rows();
    assertThat(other.load(lines, 1000)).isEqualTo(new ImportReport(0, lines.size(), 0, List.of()));
    assertThat(other.rows()).isEqualTo(before);
    // Nothing depends on the order of lines but former states, which follow their memories.
    List<String> shuffled = new ArrayList<>(lines);
    Collections.shuffle(shuffled, new Random(random.nextLong()));
    shuffled.sort((one, two) -> Boolean.compare(isLate(one), isLate(two)));
    var third = new ExchangeWorld(3);
    third.now = world.now;
    assertThat(third.load(shuffled, 7).reasons()).isEmpty();
    assertThat(third.export()).isEqualTo(lines);
  }

  private static boolean isLate(String line) {
    return line.startsWith("{\"record\":\"state\"");
  }

  private void step(RandomGenerator random) {
    // At least a second: the same text at the same time is the same event, and wakes nothing again.
    world.now = world.now.plusSeconds(random.nextInt(1, 600));
    List<MemoryRecord> all =
        world
            .memories
            .list(MemoryFilter.builder().superseded(true).build(), PageRequest.of(1000))
            .page()
            .items();
    if (all.isEmpty() || random.nextInt(3) == 0) {
      world.memories.remember(draft(random, all));
      return;
    }
    MemoryRecord one = all.get(random.nextInt(all.size()));
    MemoryRecord other = all.get(random.nextInt(all.size()));
    String session = SESSIONS.get(random.nextInt(SESSIONS.size()));
    switch (random.nextInt(12)) {
      case 0 -> world.memories.get(one.id());
      case 1 -> world.memories.pin(one.id(), random.nextBoolean());
      case 2, 3 ->
          world.memories.update(
              one.id(), MemoryUpdate.NONE.withContent(content(random)).withImportance(0.7));
      case 4 -> world.memories.delete(Deletion.of(one.id()).because("not true"), false);
      case 5 -> supersede(one, other);
      case 6 -> merge(one, other);
      case 7 -> world.append(TestEvents.message(session, world.now, "hello " + random.nextInt()));
      case 8 -> {
        world.append(TestEvents.message(session, world.now, "hello"));
        change(random, session);
      }
      case 9 ->
          world
              .conversations
              .scratchpads()
              .write(new SessionId(session), "key " + random.nextInt(5), "{\"a\" : 1.50}");
      case 10 -> {
        ChannelName name = new ChannelName(CHANNELS.get(random.nextInt(CHANNELS.size())));
        if (!world.channels.exists(name)) {
          world.channels.create(name, "what runs");
        }
        if (random.nextInt(3) == 0) {
          world.channels.makeDefault(name);
        }
      }
      default -> {
        world.append(TestEvents.message(session, world.now, "bye"));
        world.conversations.archive(ConversationRef.of(new SessionId(session)), true);
      }
    }
  }

  private void change(RandomGenerator random, String session) {
    ChannelName channel = new ChannelName(CHANNELS.getFirst());
    world.conversations.change(
        ConversationRef.of(new SessionId(session)),
        new ConversationChange(
            Optional.of(channel).filter(world.channels::exists),
            Optional.of("ann"),
            Optional.of(
                new SessionPreferences(
                    Optional.of("en"), Optional.empty(), Map.of("b", "1", "a", "2"))),
            Optional.of(
                new SessionOverrides(
                    Optional.of(random.nextBoolean()),
                    Optional.of(Duration.ofHours(2)),
                    Optional.of(0.25),
                    Optional.empty(),
                    Optional.of(0.75)))));
  }

  private void supersede(MemoryRecord old, MemoryRecord by) {
    boolean possible = !isOfAccount(old) && !isOfAccount(by) && !old.equals(by);
    if (possible) {
      MemoryRecord former = world.workspace.get(old.id());
      world.workspace.commit(
          new MemoryBatch()
              .change(
                  former,
                  former.withValidity(former.validity().superseded(world.now, by.id())),
                  world.now,
                  "supersession"));
    }
  }

  private void merge(MemoryRecord one, MemoryRecord into) {
    if (isOfAccount(one) == isOfAccount(into) && !one.equals(into)) {
      (isOfAccount(one) ? world.account : world.workspace)
          .commit(
              new MemoryBatch().merge(one, into.id()).use(into.id(), into.use().plus(one.use())));
    }
  }

  private static boolean isOfAccount(MemoryRecord memory) {
    return memory.place().scope() == MemoryScope.ACCOUNT;
  }

  private static MemoryContent content(RandomGenerator random) {
    String text = "text \u2028 \"\\ \uD83D\uDE00 \u0000 \n " + random.nextInt(1000);
    return random.nextBoolean()
        ? MemoryContent.of(text)
        : new MemoryContent(text, Optional.of("{\"b\":[1.0,2e5,null],\"a\":{\"\u00e4\":true}}"));
  }

  private MemoryDraft draft(RandomGenerator random, List<MemoryRecord> all) {
    SessionId session = new SessionId(SESSIONS.get(random.nextInt(SESSIONS.size())));
    MemoryPlace place =
        switch (random.nextInt(5)) {
          case 0 -> MemoryPlace.WORKSPACE;
          case 1 -> MemoryPlace.WORKSPACE.from(session);
          case 2 -> MemoryPlace.conversation(session);
          case 3 -> MemoryPlace.channel(new ChannelName("backend"));
          default -> MemoryPlace.account();
        };
    boolean ofAccount = place.scope() == MemoryScope.ACCOUNT;
    var links =
        new MemoryLinks(
            all.stream()
                .filter(memory -> !ofAccount || isOfAccount(memory))
                .limit(2)
                .map(MemoryRecord::id)
                .toList(),
            ofAccount ? List.of() : List.of(new EventId("01KG7Z5P0X0000000000000001")),
            List.of());
    MemoryDraft.Builder draft =
        MemoryDraft.builder(content(random))
            .place(place)
            .kind(KINDS.get(random.nextInt(KINDS.size())))
            .importance(random.nextInt(11) / 10.0)
            .tags(Set.of(new Tag("a.b"), new Tag("c" + random.nextInt(3))))
            .links(links);
    return (random.nextBoolean() ? draft.source("researcher") : draft).build();
  }

  @Test
  void export_ofASession_hasOnlyWhatComesFromIt() {
    MemoryRecord wanted = remember("a", MemoryPlace.WORKSPACE.from(new SessionId("s1")));
    remember("b", MemoryPlace.WORKSPACE.from(new SessionId("s2")));
    remember("c", MemoryPlace.account());
    remember("d", MemoryPlace.channel(new ChannelName("ops")));
    world.append(TestEvents.message("s1", world.now, "hello"));
    world.append(TestEvents.message("s2", world.now, "hello"));
    world.conversations.scratchpads().write(new SessionId("s1"), "key", "1");
    world.conversations.scratchpads().write(new SessionId("s2"), "key", "2");

    List<String> lines =
        world.export(new ExportRequest(Optional.of(new SessionId("s1")), Optional.empty(), false));
    assertThat(lines).hasSize(4);
    assertThat(lines.get(0)).contains("\"record\":\"channel\"", "\"name\":\"general\"");
    assertThat(lines.get(1)).contains("\"record\":\"conversation\"", "\"session_id\":\"s1\"");
    assertThat(lines.get(2)).contains("\"record\":\"memory\"", wanted.id().value());
    assertThat(lines.get(3)).contains("\"record\":\"scratchpad\"", "\"session_id\":\"s1\"");
  }

  @Test
  void export_ofAScope_hasItsMemoriesAndWhatTheyName() {
    MemoryRecord wanted = remember("d", MemoryPlace.channel(new ChannelName("ops")));
    remember("b", MemoryPlace.WORKSPACE);
    MemoryRecord ofAccount = remember("c", MemoryPlace.account());
    world.append(TestEvents.message("s1", world.now, "hello"));

    assertThat(world.export(scope(MemoryScope.CHANNEL)))
        .satisfiesExactly(
            line -> assertThat(line).contains("\"record\":\"channel\"", "\"name\":\"ops\""),
            line -> assertThat(line).contains(wanted.id().value()));
    assertThat(world.export(scope(MemoryScope.ACCOUNT)))
        .satisfiesExactly(line -> assertThat(line).contains(ofAccount.id().value()));
    assertThat(world.export(scope(MemoryScope.WORKSPACE))).hasSize(1);
    assertThat(world.export(scope(MemoryScope.CONVERSATION)))
        .anyMatch(line -> line.contains("\"record\":\"conversation\""));
  }

  private static ExportRequest scope(MemoryScope scope) {
    return new ExportRequest(Optional.empty(), Optional.of(scope), false);
  }

  private MemoryRecord remember(String text, MemoryPlace place) {
    return world.memories.remember(
        MemoryDraft.builder(MemoryContent.of(text)).place(place).build());
  }

  @Test
  void export_doesNotCountAsAccess() {
    MemoryRecord memory = remember("a", MemoryPlace.WORKSPACE);
    world.export();

    assertThat(world.workspace.get(memory.id()).use().count()).isZero();
  }

  @Test
  void export_whatCannotBeRead_isSaidInTheLastLine_andReportedByAnImport() {
    MemoryRecord damaged = remember("a", MemoryPlace.WORKSPACE);
    MemoryRecord other = remember("b", MemoryPlace.WORKSPACE);
    world.damage("memory:" + damaged.id(), row -> row.replace("\"a\"", "\"x\""));
    world.append(TestEvents.message("s1", world.now, "hello"));
    world.conversations.conversation(ConversationRef.of(new SessionId("s1")));
    world.damage("conversation:s1", _ -> "{");
    List<String> lines = world.export();

    assertThat(lines.getLast())
        .isEqualTo(
            "{\"record\":\"unreadable\",\"schema_version\":1,\"count\":2,"
                + "\"first\":[\"conversation s1\",\"memory %s\"]}".formatted(damaged.id()));
    assertThat(lines).anyMatch(line -> line.contains(other.id().value()));
    ImportReport report = new ExchangeWorld(2).load(lines, 1000);
    assertThat(report.reasons())
        .containsExactly(
            "line %d: the exporting store could not read 2 of its rows; see its log"
                .formatted(lines.size()));
  }

  @Test
  void import_ofAnEarlierExport_mendsWhatCannotBeRead() {
    MemoryRecord damaged = remember("a", MemoryPlace.WORKSPACE);
    List<String> lines = world.export();
    world.damage("memory:" + damaged.id(), row -> row.replace("\"a\"", "\"x\""));
    assertThat(world.export()).hasSameSizeAs(lines);
    assertThat(world.export().getLast()).contains("unreadable");

    assertThat(world.load(lines, 1000).imported()).isEqualTo(1);
    assertThat(world.export()).isEqualTo(lines);
  }

  @Test
  void sharedStore_exportNamesTheWorkspaces_andEachImportsItsOwn() {
    var alpha = new ExchangeWorld(world.store, world.accountStore, "alpha");
    var beta = new ExchangeWorld(world.store, world.accountStore, "beta");
    alpha.memories.remember(MemoryDraft.of("alpha's"));
    beta.memories.remember(MemoryDraft.of("beta's"));
    List<String> lines = ExchangeWorld.export(alpha.joint(beta), ExchangeWorld.ALL);

    assertThat(lines)
        .anyMatch(line -> line.contains("\"workspace\":\"alpha\"") && line.contains("alpha's"))
        .anyMatch(line -> line.contains("\"workspace\":\"beta\"") && line.contains("beta's"));
    var fresh = new ExchangeWorld(new ExchangeWorld().store, world.accountStore, "alpha");
    ImportReport report = fresh.load(lines, 1000);
    assertThat(report.skipped()).isPositive();
    assertThat(report.reasons())
        .allMatch(reason -> reason.contains("is of another workspace; import it there"));
    assertThat(fresh.export()).isEqualTo(alpha.export());
    assertThat(fresh.workspace.entries()).hasSize(1);
  }

  @Test
  void sharedStore_exportOfASession_isOfTheWorkspaceThatItsIdNames() {
    var alpha = new ExchangeWorld(world.store, world.accountStore, "alpha");
    var beta = new ExchangeWorld(world.store, world.accountStore, "beta");
    for (ExchangeWorld one : List.of(alpha, beta)) {
      one.conversations.scratchpads().write(new SessionId("s1"), "key", "1");
    }
    var request =
        new ExportRequest(Optional.of(new SessionId("@beta/s1")), Optional.empty(), false);

    assertThat(ExchangeWorld.export(alpha.joint(beta), request))
        .satisfiesExactly(
            line -> assertThat(line).contains("\"workspace\":\"beta\"", "\"session_id\":\"s1\""));
  }

  @Test
  void sharedStore_callerWithoutAWorkspace_importsNothing() {
    var alpha = new ExchangeWorld(world.store, world.accountStore, "alpha");
    MemoryExchange joint = alpha.joint(alpha);
    assertThat(catchThrowable(() -> joint.importLines(1, alpha.export())))
        .hasMessageContaining("memory-workspace");
  }
}
