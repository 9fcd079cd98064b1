package dev.agentmemory.recall.memory;

import static dev.agentmemory.recall.memory.RecallWorld.SECRET;
import static dev.agentmemory.recall.memory.RecallWorld.SESSION;
import static dev.agentmemory.recall.memory.RecallWorld.START;
import static dev.agentmemory.recall.memory.RecallWorld.draft;
import static dev.agentmemory.recall.memory.RecallWorld.id;
import static dev.agentmemory.recall.memory.RecallWorld.tag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryRecord.EmbeddingState;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.recall.ByteQuota;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;

class RememberTest {

  private final RecallWorld world = new RecallWorld();

  private ThrowableAssertAlternative<MemoryException> refuses(
      ErrorCode code, MemoryDraft.Builder... drafts) {
    long before = stored();
    List<MemoryDraft> built = List.of(drafts).stream().map(MemoryDraft.Builder::build).toList();
    var refused =
        assertThatExceptionOfType(MemoryException.class)
            .isThrownBy(() -> world.memories.remember(built))
            .matches(e -> e.code() == code, code.name());
    assertThat(stored()).as("nothing of the call is stored").isEqualTo(before);
    return refused;
  }

  private long stored() {
    return world.memories.list(MemoryFilter.NONE, PageRequest.of(1000)).page().items().size();
  }

  private static MemoryLinks references(MemoryId... ids) {
    return MemoryLinks.NONE.withReferences(List.of(ids));
  }

  @Test
  void draft_withNothingButText_getsTheDefaults() {
    MemoryRecord memory = world.remember("We use Kafka");

    assertThat(memory.place()).isEqualTo(MemoryPlace.WORKSPACE);
    assertThat(memory.lifetime()).isEqualTo(MemoryLifetime.SHORT_TERM);
    assertThat(memory.kind()).isEqualTo(MemoryKind.OBSERVATION);
    assertThat(memory.importance()).isEqualTo(0.5);
    assertThat(memory.source()).isEqualTo("user");
    assertThat(memory.validity()).isEqualTo(Validity.since(START));
    assertThat(memory.use()).isEqualTo(MemoryUse.NEVER);
    assertThat(memory.embedding()).isEqualTo(EmbeddingState.PENDING);
    assertThat(memory.pinned()).isFalse();
    assertThat(memory.id().embeddedTime()).isEqualTo(START);
  }

  @Test
  void memories_areThereInANewProcess() {
    MemoryRecord memory =
        world.remember(
            draft("We use Kafka")
                .place(MemoryPlace.channel(new ChannelName("backend")).from(SESSION))
                .kind(MemoryKind.DECISION)
                .importance(0.25)
                .tags(Set.of(tag("a.b")))
                .source("researcher"));
    world.reopen();

    assertThat(world.memories.get(memory.id())).isEqualTo(memory);
  }

  @Test
  void drafts_ofOneCall_haveAscendingIds_inTheirOrder() {
    List<MemoryRecord> stored =
        world.memories.remember(
            IntStream.range(0, 100).mapToObj(i -> MemoryDraft.of("text " + i)).toList());

    assertThat(stored.stream().map(MemoryRecord::id)).isSorted().doesNotHaveDuplicates();
    assertThat(stored.get(7).content().text()).isEqualTo("text 7");
  }

  @Test
  void call_of1To1000_passes() {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> world.memories.remember(List.of()))
        .withMessage("memories: has 0 entries; expected 1 to 1000");
    List<MemoryDraft> most =
        IntStream.range(0, 1000).mapToObj(i -> MemoryDraft.of("text " + i)).toList();
    assertThat(world.memories.remember(most)).hasSize(1000);
    List<MemoryDraft> more = new ArrayList<>(most);
    more.add(MemoryDraft.of("one more"));
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> world.memories.remember(more))
        .withMessage("memories: has 1001 entries; expected 1 to 1000");
  }

  @Test
  void references_amongDrafts_mayFormACircle() {
    List<MemoryRecord> stored =
        world.memories.remember(
            List.of(
                draft("one").id(id(1)).links(references(id(2))).build(),
                draft("two").id(id(2)).links(references(id(1))).build()));

    assertThat(stored.getFirst().links().references()).containsExactly(id(2));
  }

  @Test
  void reference_toNothing_isRefusedByField_andNothingIsStored() {
    refuses(ErrorCode.INVALID_FIELD, draft("one"), draft("two").links(references(id(9))))
        .withMessageStartingWith("memories[1].references: names " + id(9));
  }

  @Test
  void reference_toAMemoryOfTheAccount_passes() {
    MemoryRecord ofAccount = world.remember(draft("tabs").place(MemoryPlace.account()));

    assertThat(world.remember(draft("x").links(references(ofAccount.id()))).links().references())
        .containsExactly(ofAccount.id());
  }

  @Test
  void created_upToTheSkew_passes() {
    Duration skew = Duration.ofMinutes(5);
    assertThat(world.remember(draft("soon").created(START.plus(skew))).validity().created())
        .isEqualTo(START.plus(skew));
    refuses(ErrorCode.INVALID_FIELD, draft("later").created(START.plus(skew).plusMillis(1)))
        .withMessageStartingWith("memories[0].created_ms: is 2026-01-30T14:35:00.001Z");
    refuses(ErrorCode.INVALID_FIELD, draft("early").created(Instant.ofEpochMilli(-1)))
        .withMessageStartingWith("memories[0].created_ms: is before 1970");
    world.remember(draft("first").created(Instant.EPOCH));
  }

  @Test
  void id_ofAnotherWorkspace_isRefused() {
    refuses(ErrorCode.INVALID_FIELD, draft("x").id(id(1).in(new WorkspaceName("alpha"))))
        .withMessageStartingWith("memories[0].memory_id: names a workspace");
  }

  @Test
  void id_twiceInACall_isRefused() {
    refuses(ErrorCode.INVALID_FIELD, draft("one").id(id(1)), draft("one").id(id(1)))
        .withMessage("memories[1].memory_id: is the id of memories[0], too");
  }

  @Test
  void secrets_areMaskedBeforeAnythingIsStored() {
    MemoryRecord memory =
        world.remember(
            MemoryDraft.builder(
                    new MemoryContent(
                        "it is " + SECRET,
                        Optional.of("{\"password\":\"x\",\"a\":\"" + SECRET + "\"}")))
                .source("by " + SECRET)
                .tags(Set.of(tag(SECRET))));

    assertThat(memory.content().text()).isEqualTo("it is [masked]");
    assertThat(memory.content().json()).contains("{\"a\":\"[masked]\",\"password\":\"[masked]\"}");
    assertThat(memory.source()).isEqualTo("by [masked]");
    assertThat(memory.tags()).containsExactly(tag("masked"));
    assertThat(world.store.records().records("", Optional.empty(), 100).toString())
        .doesNotContain(SECRET);
  }

  @Test
  void repeatedCall_changesNothing_alsoWhenItsSecretsWereMasked() {
    MemoryDraft.Builder same = draft("it is " + SECRET).id(id(1)).tags(Set.of(tag("a")));
    MemoryRecord first = world.remember(same);
    world.now = START.plusSeconds(60);
    List<?> rows = world.store.records().records("", Optional.empty(), 100);

    assertThat(world.remember(same)).isEqualTo(first);
    assertThat(world.store.records().records("", Optional.empty(), 100)).isEqualTo(rows);
  }

  @Test
  void repeatedCall_afterAnUpdate_changesNothing() {
    MemoryDraft.Builder same = draft("text").id(id(1));
    world.remember(same);
    world.update(id(1), update -> update.withContent(MemoryContent.of("later text")));

    assertThat(world.remember(same).content().text()).isEqualTo("later text");
  }

  @Test
  void knownId_withOtherContent_isAConflict() {
    MemoryDraft.Builder one = draft("text").id(id(1));
    world.remember(one);
    world.memories.pin(id(1), true);

    assertThat(world.remember(one).pinned()).as("a pin is no content").isTrue();
    refuses(ErrorCode.CONFLICT, draft("x"), draft("other").id(id(1)))
        .withMessageContaining("memories[1].memory_id")
        .withMessageContaining("is stored with other content");
    refuses(ErrorCode.CONFLICT, draft("text").id(id(1)).importance(0.6));
    refuses(ErrorCode.CONFLICT, draft("text").id(id(1)).kind(MemoryKind.FINDING));
    refuses(ErrorCode.CONFLICT, draft("text").id(id(1)).tags(Set.of(tag("a"))));
    refuses(ErrorCode.CONFLICT, draft("text").id(id(1)).created(START.minusSeconds(1)));
    refuses(ErrorCode.CONFLICT, draft("text").id(id(1)).source("other"));
    refuses(ErrorCode.CONFLICT, draft("text").id(id(1)).lifetime(MemoryLifetime.LONG_TERM));
    refuses(ErrorCode.CONFLICT, draft("text").id(id(1)).place(MemoryPlace.WORKSPACE.from(SESSION)));
    refuses(ErrorCode.CONFLICT, draft("text").id(id(1)).links(references(id(1))));
  }

  @Test
  void deletedId_isAConflict_anotherMemoryOfTheSameTextIsNot() {
    world.remember(draft("text").id(id(1)));
    world.memories.delete(Deletion.of(id(1)), false);

    refuses(ErrorCode.CONFLICT, draft("text").id(id(1)))
        .withMessageContaining("memories[0].memory_id: memory " + id(1) + " was deleted");
    assertThat(world.remember("text").content().text()).isEqualTo("text");
  }

  @Test
  void mergedId_sameContentAsTheSurvivor_isKnown_elseAConflict() {
    world.remember(draft("we use kafka").id(id(1)));
    MemoryRecord survivor = world.remember(draft("we use kafka, too").id(id(2)));
    world.workspace.commit(new MemoryBatch().merge(world.workspace.get(id(1)), id(2)));

    assertThat(world.remember(draft("we use kafka, too").id(id(1))).id()).isEqualTo(survivor.id());
    refuses(ErrorCode.CONFLICT, draft("we use kafka").id(id(1)))
        .withMessageContaining("was merged into " + id(2));
  }

  @Test
  void channel_ofASession_isTakenOver_unlessAnotherIsNamed() {
    world.channels.put(SESSION, new ChannelName("backend"));

    assertThat(world.remember(draft("a").place(MemoryPlace.WORKSPACE.from(SESSION))).place())
        .isEqualTo(MemoryPlace.WORKSPACE.from(SESSION).moved(new ChannelName("backend")));
    assertThat(
            world
                .remember(draft("b").place(MemoryPlace.channel(new ChannelName("x")).from(SESSION)))
                .place()
                .channel())
        .contains(new ChannelName("x"));
    assertThat(world.remember(draft("c").place(MemoryPlace.WORKSPACE)).place().channel()).isEmpty();
  }

  @Test
  void channels_ofAllDraftsOfACall_areLookedUpTogether() {
    var backend = new ChannelName("backend");
    var lookups = new AtomicInteger();
    world.existing =
        () -> {
          lookups.incrementAndGet();
          return backend::equals;
        };
    world.memories.remember(
        IntStream.range(0, 3)
            .mapToObj(i -> draft("text " + i).place(MemoryPlace.channel(backend)).build())
            .toList());
    assertThat(lookups).hasValue(1);
    refuses(
            ErrorCode.INVALID_FIELD,
            draft("a").place(MemoryPlace.channel(backend)),
            draft("b").place(MemoryPlace.channel(new ChannelName("frontend"))))
        .withMessageStartingWith("memories[1].channel: names frontend, which does not exist");
  }

  @Test
  void channel_renamedBeforeMemoriesAreLocked_isThePresentOne() {
    var backend = new ChannelName("backend");
    var server = new ChannelName("server");
    world.channels.put(SESSION, backend);
    // Runs after the draft was read, with nothing locked.
    world.compaction =
        (_, _, _) -> {
          world.renamed.put(backend, server);
          world.workspace.renameChannel(backend, server);
        };

    MemoryRecord ofSession = world.remember(draft("a").place(MemoryPlace.WORKSPACE.from(SESSION)));
    assertThat(ofSession.place().channel()).contains(server);
    world.renamed.clear();
    MemoryRecord named =
        world.remember(draft("b").place(MemoryPlace.channel(backend).from(SESSION)));
    assertThat(named.place().channel()).contains(server);
    assertThat(world.workspace.channels()).containsOnlyKeys(server);
    world.reopen();
    assertThat(world.memories.get(named.id()).place().channel()).contains(server);
  }

  @Test
  void unicode_isKept() {
    String text = "\u0000 nul, \u202e right to left, \ud83d\ude00 emoji, \u0301 accent, \uffff";
    MemoryRecord memory = world.remember(text);
    world.reopen();

    assertThat(world.memories.get(memory.id()).content().text()).isEqualTo(text);
    refuses(ErrorCode.INVALID_FIELD, draft("half \ud83d"))
        .withMessageStartingWith("memories[0].content: holds half a surrogate pair");
  }

  @Test
  void commitThatFails_storesNothing_inRowsTableOrIndex() {
    world.remember("known");
    List<MemoryId> before = world.words.ids();
    world.store.refuseCommits("the disk is gone");
    refuses(ErrorCode.STORAGE_FAILED, draft("new").id(id(1)));
    world.store.takeCommits();

    assertThat(world.words.ids()).isEqualTo(before);
    assertThat(world.workspace.has(id(1))).isFalse();
    world.remember(draft("new").id(id(1)));
  }

  @Test
  void quota_countsTheRowsOfASession_andHoldsForAWholeCall() {
    MemoryDraft.Builder one = draft("x".repeat(500)).place(MemoryPlace.WORKSPACE.from(SESSION));
    world.remember(one);
    long bytes = world.workspace.bytes(SESSION);
    assertThat(bytes)
        .isEqualTo(
            world
                .store
                .records()
                .records("memory:", Optional.empty(), 9)
                .getFirst()
                .value()
                .length());
    world.budget = new ByteQuota(3 * bytes + 40, _ -> 40);

    refuses(ErrorCode.QUOTA_EXCEEDED, one, one, one)
        .withMessageContaining(
            "session s1 uses %d of %d bytes".formatted(bytes + 40, 3 * bytes + 40))
        .withMessageContaining("the entry has " + 3 * bytes);
    world.memories.remember(List.of(one.build(), one.build()));
    refuses(ErrorCode.QUOTA_EXCEEDED, one);
    world.remember(draft("of no session"));
  }

  @Test
  void quota_isAskedAfterTheSessionWasCompacted() {
    MemoryDraft.Builder one = draft("x").place(MemoryPlace.WORKSPACE.from(SESSION));
    MemoryRecord first = world.remember(one);
    long bytes = world.workspace.bytes(SESSION);
    world.budget = new ByteQuota(bytes, _ -> 0);
    List<Long> asked = new ArrayList<>();
    world.compaction =
        (session, used, added) -> {
          assertThat(session).isEqualTo(SESSION);
          asked.addAll(List.of(used, added));
          world.workspace.commit(new MemoryBatch().drop(first.id(), START, "compaction"));
        };

    world.remember(one);
    assertThat(asked).containsExactly(bytes, bytes);
    assertThat(world.workspace.has(first.id())).isFalse();
  }

  @Test
  void cap_pinnedOnesAndPreferencesAlone_leaveNoPlace() {
    var small = RecallWorld.with(Map.of("recall.scope_cap", "2"));
    MemoryDraft.Builder preference = draft("tabs").kind(MemoryKind.PREFERENCE);
    small.memories.remember(
        List.of(draft("a").build(), draft("b").build(), draft("c").build(), preference.build()));
    small.remember("a fifth: consolidation makes place");
    small.remember(preference);

    for (MemoryDraft.Builder more : List.of(draft("x"), preference)) {
      assertThatExceptionOfType(MemoryException.class)
          .isThrownBy(() -> small.remember(more))
          .matches(refused -> refused.code() == ErrorCode.QUOTA_EXCEEDED)
          .withMessageContaining("the workspace has 2 memories that are pinned or preferences")
          .withMessageContaining("recall.scope_cap is 2");
    }
    small.remember(draft("x").place(MemoryPlace.channel(new ChannelName("a"))));
    small.remember(draft("x").place(MemoryPlace.account()));
  }

  @Test
  void cap_preferencesOfOneCall_countTogether() {
    var small = RecallWorld.with(Map.of("recall.scope_cap", "2"));
    MemoryDraft preference = draft("tabs").kind(MemoryKind.PREFERENCE).build();
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> small.memories.remember(List.of(preference, preference, preference)))
        .matches(refused -> refused.code() == ErrorCode.QUOTA_EXCEEDED);
    assertThat(small.workspace.entries()).isEmpty();
  }

  @Test
  void addMissing_textDeletedInItsChannelOrSession_staysAway_elsewhereItIsAdded() {
    var mine = MemoryPlace.WORKSPACE.from(SESSION).moved(RecallWorld.GENERAL);
    var other = MemoryPlace.WORKSPACE.from(new SessionId("s3")).moved(new ChannelName("backend"));
    for (MemoryPlace narrow :
        List.of(MemoryPlace.conversation(SESSION), MemoryPlace.channel(RecallWorld.GENERAL))) {
      String text = "We use Kafka in the " + narrow.scope();
      world.memories.delete(
          Deletion.of(world.remember(draft(text).place(narrow)).id()), /* preview= */ false);

      assertThat(world.workspace.addMissing(List.of(draft(text).place(mine).build())))
          .first()
          .isInstanceOf(AddOutcome.Gone.class);
      assertThat(world.workspace.addMissing(List.of(draft(text).place(other).build())))
          .first()
          .isInstanceOf(AddOutcome.Added.class);
    }
  }

  @Test
  void addMissing_passesOverWhatIsKnownDeletedDroppedOrRefused() {
    world.remember(draft("known").id(id(1)));
    world.remember(draft("deleted").id(id(2)));
    world.remember(draft("dropped").id(id(3)));
    world.memories.delete(Deletion.of(id(2)), false);
    world.workspace.commit(new MemoryBatch().drop(id(3), START, "pruned"));

    List<AddOutcome> outcomes =
        world.workspace.addMissing(
            List.of(
                draft("new").id(id(10)).build(),
                draft("known").id(id(1)).build(),
                draft("deleted").id(id(2)).build(),
                draft("dropped").id(id(3)).build(),
                draft("Deleted ").id(id(11)).build(),
                draft("dropped").id(id(12)).build(),
                draft("other").id(id(1)).build(),
                draft("half \ud83d").id(id(13)).build(),
                draft("x").id(id(14)).links(references(id(13))).build(),
                draft("y").id(id(15)).links(references(id(14))).build()));

    assertThat(outcomes.stream().map(outcome -> outcome.getClass().getSimpleName()))
        .containsExactly(
            "Added", "Known", "Gone", "Gone", "Gone", "Added", "Refused", "Refused", "Refused",
            "Refused");
    assertThat(outcomes.getFirst().stored().orElseThrow().id()).isEqualTo(id(10));
    assertThat(world.workspace.has(id(15))).isFalse();
  }

  @Test
  void addMissing_beyondTheQuota_storesWhatFits() {
    MemoryDraft.Builder one = draft("x").place(MemoryPlace.WORKSPACE.from(SESSION));
    world.remember(one);
    world.budget = new ByteQuota(2 * world.workspace.bytes(SESSION), _ -> 0);

    List<AddOutcome> outcomes = world.workspace.addMissing(List.of(one.build(), one.build()));
    assertThat(outcomes.getFirst()).isInstanceOf(AddOutcome.Added.class);
    assertThat(outcomes.getLast())
        .isInstanceOfSatisfying(
            AddOutcome.Refused.class,
            refused -> assertThat(refused.why().code()).isEqualTo(ErrorCode.QUOTA_EXCEEDED));
  }
}
