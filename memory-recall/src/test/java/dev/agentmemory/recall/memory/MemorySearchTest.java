package dev.agentmemory.recall.memory;

import static dev.agentmemory.recall.memory.RecallWorld.OTHER_SESSION;
import static dev.agentmemory.recall.memory.RecallWorld.SESSION;
import static dev.agentmemory.recall.memory.RecallWorld.START;
import static dev.agentmemory.recall.memory.RecallWorld.draft;
import static dev.agentmemory.recall.memory.RecallWorld.id;
import static dev.agentmemory.recall.memory.RecallWorld.tag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryAnswer;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemorySearch.Order;
import dev.agentmemory.api.recall.MemorySearch.Viewer;
import dev.agentmemory.api.recall.TagFilter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MemorySearchTest {

  private static final ChannelName BACKEND = new ChannelName("backend");
  private static final ChannelName FRONTEND = new ChannelName("frontend");

  private final RecallWorld world = new RecallWorld();

  private static MemorySearch all() {
    return MemorySearch.of("");
  }

  private static Viewer viewer(Optional<ChannelName> channel) {
    return new Viewer(Optional.of(SESSION), channel);
  }

  private List<String> filtered(UnaryOperator<MemoryFilter.Builder> filter) {
    MemoryFilter built = filter.apply(MemoryFilter.builder()).build();
    return world.texts(all().withFilter(built).withViewer(viewer(Optional.empty())));
  }

  @Test
  void viewer_widensFromItsConversationToTheAccount_andSeesNoOther() {
    world.remember(draft("mine").place(MemoryPlace.conversation(SESSION)));
    world.remember(draft("other's").place(MemoryPlace.conversation(OTHER_SESSION)));
    world.remember(draft("backend").place(MemoryPlace.channel(BACKEND)));
    world.remember(draft("frontend").place(MemoryPlace.channel(FRONTEND)));
    world.remember(draft("general").place(MemoryPlace.channel(RecallWorld.GENERAL)));
    world.remember(draft("workspace"));
    world.remember(draft("account").place(MemoryPlace.account()));

    assertThat(world.texts(all())).containsExactlyInAnyOrder("general", "workspace", "account");
    assertThat(world.texts(all().withViewer(viewer(Optional.of(BACKEND)))))
        .containsExactlyInAnyOrder("mine", "backend", "workspace", "account");
    assertThat(world.texts(all().withViewer(viewer(Optional.empty()))))
        .containsExactlyInAnyOrder("mine", "general", "workspace", "account");
    world.channels.put(SESSION, FRONTEND);
    assertThat(world.texts(all().withViewer(viewer(Optional.empty()))))
        .containsExactlyInAnyOrder("mine", "frontend", "workspace", "account");
  }

  @Test
  void equalRelevance_isOrderedFromTheNarrowestScope_thenTheLatest() {
    world.remember(draft("account").place(MemoryPlace.account()));
    world.remember(draft("workspace 1").id(id(1)));
    world.remember(draft("workspace 2").id(id(2)));
    world.remember(draft("channel").place(MemoryPlace.channel(BACKEND)));
    world.remember(draft("conversation").place(MemoryPlace.conversation(SESSION)));

    assertThat(world.texts(all().withViewer(viewer(Optional.of(BACKEND)))))
        .containsExactly("conversation", "channel", "workspace 2", "workspace 1", "account");
  }

  @Test
  void filterByKindLifetimeSourceScopeSessionChannelPinAndImportance() {
    MemoryRecord pinned =
        world.remember(
            draft("decision")
                .kind(MemoryKind.DECISION)
                .lifetime(MemoryLifetime.LONG_TERM)
                .source("researcher")
                .place(MemoryPlace.WORKSPACE.from(SESSION))
                .importance(0.9));
    world.memories.pin(pinned.id(), true);
    world.remember(
        draft("finding").kind(MemoryKind.FINDING).place(MemoryPlace.channel(RecallWorld.GENERAL)));
    world.remember(draft("observation").importance(0.1));

    assertThat(filtered(f -> f.kinds(Set.of(MemoryKind.DECISION)))).containsExactly("decision");
    assertThat(filtered(f -> f.kinds(Set.of(MemoryKind.DECISION, MemoryKind.FINDING))))
        .containsExactlyInAnyOrder("decision", "finding");
    assertThat(filtered(f -> f.lifetimes(Set.of(MemoryLifetime.LONG_TERM))))
        .containsExactly("decision");
    assertThat(filtered(f -> f.sources(Set.of("researcher")))).containsExactly("decision");
    assertThat(filtered(f -> f.scopes(Set.of(MemoryScope.CHANNEL)))).containsExactly("finding");
    assertThat(filtered(f -> f.session(SESSION))).containsExactly("decision");
    assertThat(filtered(f -> f.channel(RecallWorld.GENERAL))).containsExactly("finding");
    assertThat(filtered(f -> f.pinned(true))).containsExactly("decision");
    assertThat(filtered(f -> f.minImportance(0.5))).containsExactly("decision", "finding");
    assertThat(filtered(f -> f.kinds(Set.of(MemoryKind.PREFERENCE)))).isEmpty();
  }

  @Test
  void filterByTags_withAndOrWithoutAndLevels() {
    world.remember(draft("auth").tags(Set.of(tag("security.authentication"), tag("web"))));
    world.remember(draft("tls").tags(Set.of(tag("security.tls"))));
    world.remember(draft("css").tags(Set.of(tag("web"))));

    assertThat(filtered(f -> f.tags(TagFilter.any(tag("security")))))
        .containsExactlyInAnyOrder("auth", "tls");
    assertThat(filtered(f -> f.tags(TagFilter.all(tag("security"), tag("web")))))
        .containsExactly("auth");
    assertThat(filtered(f -> f.tags(TagFilter.any(tag("security"), tag("web"))))).hasSize(3);
    assertThat(
            filtered(
                f -> f.tags(TagFilter.any(tag("web")).without(tag("security.authentication")))))
        .containsExactly("css");
  }

  @Test
  void filterByTime_includesTheBeginningOnly() {
    for (int hours = 0; hours < 4; hours++) {
      world.remember(draft("h" + hours).created(START.minus(Duration.ofHours(hours))));
    }
    assertThat(filtered(f -> f.after(START.minus(Duration.ofHours(2))).before(START)))
        .containsExactlyInAnyOrder("h2", "h1");
  }

  @Test
  void filterByReferences_followsThemToADepth() {
    MemoryRecord third = world.remember("third");
    MemoryRecord second =
        world.remember(draft("second").links(MemoryLinks.NONE.withReferences(List.of(third.id()))));
    MemoryRecord first =
        world.remember(draft("first").links(MemoryLinks.NONE.withReferences(List.of(second.id()))));
    world.remember("unrelated");

    assertThat(filtered(f -> f.near(near(first, 1)))).containsExactly("second");
    assertThat(filtered(f -> f.near(near(first, 2)))).containsExactlyInAnyOrder("second", "third");
    assertThat(filtered(f -> f.near(near(third, 8)))).isEmpty();
  }

  private static MemoryFilter.Neighbourhood near(MemoryRecord root, int depth) {
    return new MemoryFilter.Neighbourhood(Set.of(root.id()), depth);
  }

  @Test
  void anyMixOfQueryFilterOrderAndLimit_holdsTogether() {
    for (int i = 0; i < 10; i++) {
      world.remember(
          draft("oauth note " + i)
              .kind(i % 2 == 0 ? MemoryKind.DECISION : MemoryKind.FINDING)
              .importance(i / 10.0)
              .tags(Set.of(tag(i < 8 ? "security.oauth" : "deprecated")))
              .created(START.minusSeconds(i)));
    }
    world.remember(draft("nothing of it").kind(MemoryKind.DECISION).importance(1));
    MemorySearch search =
        MemorySearch.of("oauth")
            .withFilter(
                MemoryFilter.builder()
                    .kinds(Set.of(MemoryKind.DECISION))
                    .tags(TagFilter.any(tag("security")).without(tag("deprecated")))
                    .minImportance(0.2)
                    .build())
            .withLimit(2);

    assertThat(world.texts(search.withOrder(Order.IMPORTANCE)))
        .containsExactly("oauth note 6", "oauth note 4");
    assertThat(world.texts(search.withOrder(Order.TIME)))
        .containsExactly("oauth note 2", "oauth note 4");
    assertThat(world.texts(search.withOrder(Order.RELEVANCE)).getFirst()).isEqualTo("oauth note 6");
  }

  @Test
  void query_byWords_withWildcards() {
    world.remember("authentication by token");
    world.remember("authorization by role");
    world.remember("a colour");

    assertThat(world.texts("TOKEN")).containsExactly("authentication by token");
    assertThat(world.texts("auth*"))
        .containsExactlyInAnyOrder("authentication by token", "authorization by role");
    assertThat(world.texts("colo?r")).containsExactly("a colour");
    assertThat(world.texts("nothing")).isEmpty();
  }

  @Test
  void query_findsWordsOfTheStructure() {
    world.remember(
        MemoryDraft.builder(
            new MemoryContent(
                "a decision", Optional.of("{\"alternatives\":[\"implicit flow\"]}"))));
    assertThat(world.texts("implicit")).containsExactly("a decision");
  }

  @Test
  void why_ofAFilterAlone_hasMatchOne() {
    world.remember(draft("text").importance(0.4));
    MemoryHit hit = world.search(all()).getFirst();

    assertThat(hit.why().match()).isEqualTo(1);
    assertThat(hit.relevance()).isEqualTo(hit.why().product()).isEqualTo(0.4 * 1.5, within(1e-9));
    assertThat(hit.why().scope()).isEqualTo(MemoryScope.WORKSPACE);
  }

  @Test
  void match_byWordsAlone_isTheShareOfTheBest() {
    world.remember("kafka and redis");
    world.remember("kafka");
    MemoryAnswer answer = world.memories.search(MemorySearch.of("kafka redis"));

    assertThat(answer.textOnly()).isTrue();
    assertThat(answer.hits().getFirst().why().match()).isEqualTo(1, within(1e-9));
    assertThat(answer.hits().get(1).why().match()).isEqualTo(61.0 / 62, within(1e-9));
  }

  @Test
  void match_byWordsAndVectors_combinesTheRanks() {
    world.embedder.point("which broker", 1);
    world.embedder.point("kafka is the broker", 0.95);
    world.embedder.point("messages go through kafka", 0.99);
    world.embedder.point("lunch is at noon", -0.5);
    world.remember("kafka is the broker");
    world.remember("messages go through kafka");
    world.remember("lunch is at noon");
    world.embedAll();
    MemoryAnswer answer = world.memories.search(MemorySearch.of("which broker"));

    assertThat(answer.textOnly()).isFalse();
    assertThat(answer.hits().stream().map(hit -> hit.memory().content().text()))
        .as("by both lists, by meaning; what points elsewhere does not match")
        .containsExactly("kafka is the broker", "messages go through kafka");
    assertThat(answer.hits().getFirst().why().match())
        .isEqualTo((1.0 / 61 + 1.0 / 62) / (2.0 / 61), within(1e-9));
    assertThat(answer.hits().get(1).why().match()).isEqualTo(0.5, within(1e-9));
  }

  @Test
  void match_ofAMemoryWithoutVector_isNotHalved() {
    world.remember("kafka is a broker");
    world.embedAll();
    world.remember("redis is a cache");
    MemoryHit hit = world.search(MemorySearch.of("cache")).getFirst();

    assertThat(hit.memory().content().text()).isEqualTo("redis is a cache");
    assertThat(hit.why().match()).isEqualTo(1, within(1e-9));
  }

  @Test
  void search_modelUnavailable_goesByWords() {
    world.remember("kafka");
    world.embedAll();
    world.embedder.fail(true);
    MemoryAnswer answer = world.memories.search(MemorySearch.of("kafka"));

    assertThat(answer.hits()).hasSize(1);
    assertThat(answer.textOnly()).isTrue();
  }

  @Test
  void search_withWildcards_doesNotAskTheModel() {
    world.remember("kafka");
    world.embedAll();
    world.embedder.fail(false);
    assertThat(world.memories.search(MemorySearch.of("kaf*")).textOnly()).isTrue();
    assertThat(world.memories.search(MemorySearch.of("k?fka")).textOnly()).isTrue();
    assertThat(world.memories.search(MemorySearch.of("is it kafka?")).textOnly()).isFalse();
  }

  @Test
  void orderByTime_words_decideWhatMatches() {
    world.embedder.point("about kafka", 1);
    world.embedder.point("kafka one", 0.9);
    world.embedder.point("kafka two", 0.8);
    world.embedder.point("lunch", 0.7);
    world.remember(draft("kafka one").created(START.minusSeconds(3)));
    world.remember(draft("kafka two").created(START.minusSeconds(2)));
    world.remember(draft("lunch").created(START.minusSeconds(1)));
    world.embedAll();

    assertThat(world.texts(MemorySearch.of("about kafka").withOrder(Order.TIME)))
        .containsExactly("kafka two", "kafka one");
    world.embedder.point("brokers", 1);
    assertThat(world.texts(MemorySearch.of("brokers").withOrder(Order.TIME).withLimit(2)))
        .as("where words find nothing, the best by meaning")
        .containsExactly("kafka two", "kafka one");
  }

  @Test
  void duplicates_nearVectors_oneIsShown() {
    world.embedder.point("We decided to use Kafka", 1);
    world.embedder.point("Let's use Kafka", 0.95);
    world.embedder.point("We use Kafka now", 0.95);
    MemoryRecord first = world.remember(draft("We decided to use Kafka").importance(0.9));
    MemoryRecord second = world.remember(draft("Let's use Kafka").importance(0.6));
    world.remember(draft("We use Kafka now").importance(0.3));
    world.embedAll();
    List<MemoryHit> hits = world.search(MemorySearch.of("kafka").withLimit(2));

    assertThat(hits.stream().map(hit -> hit.memory().content().text()))
        .containsExactly("We decided to use Kafka", "We use Kafka now");
    assertThat(hits.getFirst().memory().id()).isEqualTo(first.id());
    assertThat(hits.getFirst().duplicates()).containsExactly(second.id());
  }

  @Test
  void duplicates_equalTexts_oneIsShownWithoutVectors() {
    world.remember(draft("We use Kafka 3.").importance(0.9));
    world.remember(draft("we use Kafka 3").importance(0.6));
    world.remember(draft("we use Kafka 4").importance(0.3));

    assertThat(world.texts("kafka")).containsExactly("We use Kafka 3.", "we use Kafka 4");
    assertThat(world.texts(all())).containsExactly("We use Kafka 3.", "we use Kafka 4");
  }

  @Test
  void duplicates_moreThanAreCombined_hideNothingElse() {
    world.remember(draft("Kafka carries the events of the billing service.").importance(0.1));
    for (int i = 0; i < 1000; i++) {
      world.remember("kafka");
    }

    assertThat(world.texts(MemorySearch.of("kafka").withLimit(2)))
        .containsExactly("kafka", "Kafka carries the events of the billing service.");
  }

  @Test
  void duplicates_nearVectorsThatDifferInANumber_areBothShown() {
    world.embedder.point("The port is 8080", 1);
    world.embedder.point("The port is 8081", 0.999);
    world.remember("The port is 8080");
    world.remember("The port is 8081");
    world.embedAll();

    assertThat(world.texts("port")).hasSize(2);
  }

  @Test
  void duplicates_behindTheLimit_areNamed() {
    world.remember(draft("same").importance(0.9));
    world.remember(draft("other").importance(0.8));
    MemoryRecord last = world.remember(draft("Same.").importance(0.1));
    MemoryHit hit = world.search(all().withLimit(1)).getFirst();

    assertThat(hit.memory().content().text()).isEqualTo("same");
    assertThat(hit.duplicates()).containsExactly(last.id());
  }

  @Test
  void relevance_fallsWithTime_andRisesWithAccess() {
    MemoryRecord old = world.remember("old");
    world.now = START.plus(Duration.ofDays(10));
    world.remember("new");
    assertThat(world.texts(all().explained())).containsExactly("new", "old");
    for (int i = 0; i < 50; i++) {
      world.memories.get(old.id());
    }
    assertThat(world.texts(all().explained())).containsExactly("old", "new");
  }

  @Test
  void limit_isHonoured() {
    for (int i = 0; i < 30; i++) {
      world.remember("text number " + i);
    }
    assertThat(world.texts(all())).hasSize(MemorySearch.DEFAULT_LIMIT);
    assertThat(world.texts(all().withLimit(25))).hasSize(25);
    assertThat(world.texts(MemorySearch.of("text").withLimit(1000))).hasSize(30);
  }

  @Test
  void overridesOfASession_changeTheDecayOfItsMemories() {
    world.overrides.put(
        SESSION,
        new SessionOverrides(
            Optional.of(false),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
    world.remember(draft("of the session").place(MemoryPlace.WORKSPACE.from(SESSION)));
    world.remember("of none");
    world.now = START.plus(Duration.ofDays(7));
    Map<String, Double> decays =
        world.search(all()).stream()
            .collect(
                Collectors.toMap(hit -> hit.memory().content().text(), hit -> hit.why().decay()));

    assertThat(decays.get("of the session")).isEqualTo(1);
    assertThat(decays.get("of none")).isEqualTo(0.431, within(0.0005));
  }

  @Test
  void indexThatFails_isBuiltAgainBeforeItAnswers() {
    world.remember("kafka");
    world.words.fail(true);
    world.remember("redis");
    world.words.fail(false);

    assertThat(world.texts("redis")).containsExactly("redis");
    assertThat(world.words.ids()).hasSize(2);
  }

  /// It may still have what was to be removed.
  @Test
  void indexThatFails_isNotPurged_beforeItIsBuiltAgain() {
    world.remember("kafka");
    assertThat(world.texts("kafka")).hasSize(1);
    world.words.fail(true);
    assertThat(world.workspace.purgeWords()).isFalse();
    world.words.fail(false);
    int before = world.words.rebuilds;

    assertThat(world.workspace.purgeWords()).isTrue();

    assertThat(world.words.rebuilds).isEqualTo(before + 1);
    assertThat(world.words.ids()).hasSize(1);
  }

  @Test
  void index_ofAnotherRevision_isBuiltAgainOnce() {
    world.remember("kafka");
    world.workspace.flush();
    world.workspace.flush();
    world.reopen();
    int before = world.words.rebuilds;
    assertThat(world.texts("kafka")).hasSize(1);
    assertThat(world.words.rebuilds).as("in step after a flush").isEqualTo(before);

    world.remember("redis");
    world.words.remove(world.words.ids());
    world.reopen();
    assertThat(world.texts("redis")).hasSize(1);
    assertThat(world.texts("kafka")).hasSize(1);
    assertThat(world.words.rebuilds).isEqualTo(before + 1);
    world.reopen();
    assertThat(world.texts("redis")).hasSize(1);
    assertThat(world.words.rebuilds).isEqualTo(before + 1);
  }

  @Test
  void rebuildIndex_countsAllMemories() {
    world.remember("kafka");
    world.remember(draft("tabs").place(MemoryPlace.account()));
    assertThat(world.texts("kafka")).hasSize(1);
    world.words.clear();
    assertThat(world.texts("kafka")).isEmpty();

    assertThat(world.memories.rebuildIndex()).isEqualTo(2);
    assertThat(world.texts("kafka")).hasSize(1);
    assertThat(world.texts("tabs")).hasSize(1);
  }
}
