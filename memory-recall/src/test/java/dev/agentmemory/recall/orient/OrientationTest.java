package dev.agentmemory.recall.orient;

import static dev.agentmemory.recall.orient.OrientWorld.IN_SESSION;
import static dev.agentmemory.recall.orient.OrientWorld.SESSION;
import static dev.agentmemory.recall.orient.OrientWorld.START;
import static dev.agentmemory.recall.orient.OrientWorld.draft;
import static dev.agentmemory.recall.orient.OrientWorld.grip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.RefCode;
import dev.agentmemory.api.conversation.SessionPreferences;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch.Viewer;
import dev.agentmemory.api.upkeep.OrientationDocument;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What stands in the document, and in which order.
class OrientationTest {

  private final OrientWorld world = new OrientWorld();

  @Test
  void recordOfTheConversation_thatCannotBeRead_isSaid_andTheRestIsThere() {
    world.append(TestEvents.message("s1", START, "hello"));
    world.putRecord("conversation:s1", "no json");
    world.pinned("The release is on Friday.");
    assertThat(world.text("", 2000))
        .contains("Conversation: s1 (its record cannot be read)", "The release is on Friday.");
  }

  @Test
  void document_hasAllSections_eachLineWithItsCitation() {
    world.append(TestEvents.from(TestEvents.message("s1", START, "hello"), "claude", Map.of()));
    world.conversations.change(
        ConversationRef.of(SESSION),
        new ConversationChange(
            Optional.empty(),
            Optional.of("Ann"),
            Optional.of(
                new SessionPreferences(
                    Optional.of("en"), Optional.empty(), Map.of("tone", "dry", "area", "billing"))),
            Optional.empty()));
    RefCode code = world.conversations.conversation(ConversationRef.of(SESSION)).refCode();
    MemoryRecord pin = world.pinned("The release is on Friday.");
    MemoryRecord decision = world.remember(draft("We use Postgres.").kind(MemoryKind.DECISION));
    MemoryRecord finding =
        world.remember(draft("The login times out after 30 s.").kind(MemoryKind.FINDING));
    world.remember(draft("Nothing about it.").kind(MemoryKind.FINDING));
    var passage = world.worked("s1", "Moving", "The export takes 2 h.", "Who tests the import?");

    assertThat(world.text("login", 2000))
        .isEqualTo(
            """
            # Orientation

            ## Where

            - Workspace: alpha
            - Channel: general
            - Conversation: s1 (ref code %s)
            - Agent: claude
            - User: Ann
            - Language: en
            - Preference area: billing
            - Preference tone: dry

            ## Pinned

            - observation, 2026-01-30: The release is on Friday. [mem:%s]

            ## Preferences and decisions

            - decision, 2026-01-30: We use Postgres. [mem:%s]

            ## Last worked on

            - 2026-01-02: Moving [%s]
              - The export takes 2 h. [%s]

            ## Open threads

            - 2026-01-02: Who tests the import? [%s]

            ## Relevant memories

            - finding, 2026-01-30: The login times out after 30 s. [mem:%s]\
            """
                .formatted(
                    code,
                    pin.id(),
                    decision.id(),
                    passage.node(),
                    grip(100),
                    grip(101),
                    finding.id()));
    assertThat(world.orient("login", 2000).citations())
        .containsExactly(
            pin.id().value(),
            decision.id().value(),
            passage.node().value(),
            grip(100).value(),
            grip(101).value(),
            finding.id().value());
  }

  @Test
  void nothingKnown_isWhoAndWhere() {
    assertThat(world.text("", 1000))
        .isEqualTo(
            """
            # Orientation

            ## Where

            - Workspace: alpha
            - Channel: general
            - Conversation: s1 (new)\
            """);
  }

  @Test
  void memories_ofWiderScopes_areShown_othersAreNot() {
    world.remember(draft("of this talk").place(MemoryPlace.conversation(SESSION)));
    world.remember(draft("of that talk").place(MemoryPlace.conversation(new SessionId("s2"))));
    world.remember(draft("of this channel").place(MemoryPlace.channel(OrientWorld.GENERAL)));
    world.remember(draft("of that one").place(MemoryPlace.channel(new ChannelName("other"))));
    world.remember(draft("of the workspace"));
    world.remember(
        draft("of the account").place(MemoryPlace.account()).kind(MemoryKind.PREFERENCE));

    assertThat(world.text("", 1000))
        .contains("of this talk", "of this channel", "of the workspace", "of the account")
        .doesNotContain("of that talk", "of that one");
    assertThat(
            world
                .orientation()
                .orient(new OrientationRequest("", Viewer.WORKSPACE, 1000))
                .markdown())
        .doesNotContain("of this talk", "Conversation:");
  }

  @Test
  void supersededMemory_isNotShown() {
    MemoryRecord old = world.remember(draft("We use MySQL.").kind(MemoryKind.DECISION));
    MemoryRecord next = world.remember(draft("We use Postgres.").kind(MemoryKind.DECISION));
    world.supersede(old.id(), next.id());
    assertThat(world.text("mysql", 1000)).contains("Postgres").doesNotContain("MySQL");
  }

  @Test
  void equalStatements_areShownOnce() {
    world.pinned("We use Postgres.");
    world.remember(draft("We use Postgres.").kind(MemoryKind.DECISION));
    world.remember(draft("We use Postgres."));
    assertThat(world.text("postgres", 1000)).containsOnlyOnce("Postgres");
  }

  @Test
  void damagedMemory_isLeftOutAndCounted() {
    MemoryRecord damaged = world.remember(draft("damaged"));
    world.remember(draft("sound"));
    world.damage(damaged.id());
    for (boolean loaded : List.of(true, false)) {
      if (!loaded) {
        world.reopen();
      }
      OrientationDocument document = world.orient("", 1000);
      assertThat(document.markdown()).contains("sound").doesNotContain("damaged");
      assertThat(document.skipped()).isEqualTo(1);
    }
  }

  @Test
  void orient_doesNotCountAsAccess() {
    MemoryRecord memory = world.remember(draft("fact"));
    world.orient("fact", 1000);
    assertThat(world.workspace.get(memory.id()).use().count()).isZero();
  }

  @Test
  void document_ofOneDay_staysTheSame_whileTimePasses() {
    world.append(TestEvents.message("s1", START, "hello"));
    for (int i = 0; i < 300; i++) {
      world.now = START.minus(Duration.ofHours(i));
      world.remember(
          draft("statement number " + i)
              .kind(i % 3 == 0 ? MemoryKind.DECISION : MemoryKind.FINDING));
    }
    world.now = START;
    String first = world.text("statement", 600);
    // From 14:30 to the last minute of the day.
    for (int hours : List.of(1, 5, 9)) {
      world.now = START.plus(Duration.ofHours(hours));
      assertThat(world.text("statement", 600)).isEqualTo(first);
    }
    world.reopen();
    assertThat(world.text("statement", 600)).isEqualTo(first);
  }

  @Test
  void newMemory_isAddedBehindThoseOfItsSection() {
    world.remember(draft("first").kind(MemoryKind.PREFERENCE).importance(0.1));
    String before = world.text("", 1000);
    world.now = START.plusSeconds(60);
    world.remember(draft("second").kind(MemoryKind.PREFERENCE).importance(0.9));
    assertThat(world.text("", 1000)).startsWith(before);
  }

  @Test
  void memory_withMarkdownAndCitations_staysOneLine() {
    MemoryRecord memory =
        world.remember(
            draft("# Heading\n\n```\ncode\n```\r\n- item\u2028[mem:01KG7Z5P0X0000000000000001]"));
    assertThat(world.text("", 1000).lines())
        .contains(
            "- observation, 2026-01-30: # Heading ``` code ``` - item"
                + " [mem\\:01KG7Z5P0X0000000000000001] [mem:"
                + memory.id()
                + "]")
        .filteredOn(line -> line.startsWith("#"))
        .containsExactly("# Orientation", "## Where", "## Relevant memories");
  }

  @Test
  void channel_thatDoesNotExist_isMarked() {
    assertThat(where(Optional.of(new ChannelName("typo"))))
        .contains("- Channel: typo (does not exist)");
    assertThat(where(Optional.of(new ChannelName("general")))).contains("- Channel: general");
    assertThat(where(Optional.empty())).contains("- Channel: general");
  }

  private List<String> where(Optional<ChannelName> channel) {
    var viewer = new Viewer(Optional.empty(), channel);
    return world
        .orientation()
        .orient(new OrientationRequest("", viewer, 1000))
        .markdown()
        .lines()
        .toList();
  }

  @Test
  void session_withMarkdown_staysOneLine() {
    var viewer = new Viewer(Optional.of(new SessionId("a\u2028## b [mem:x]")), Optional.empty());
    assertThat(world.orientation().orient(new OrientationRequest("", viewer, 1000)).markdown())
        .endsWith("- Conversation: a ## b [mem\\:x] (new)");
  }

  @Test
  void pins_areFirst_whenNothingElseFits() {
    for (int i = 0; i < 200; i++) {
      world.pinned("This fact is pinned, and has the number " + i);
      world.remember(draft("A preference of number " + i).kind(MemoryKind.PREFERENCE));
    }
    OrientationDocument document = world.orient("preference", 1000);
    assertThat(document.markdown()).contains("## Pinned").doesNotContain("## Preferences");
    assertThat(document.tokens()).isBetween(850, 1000);
  }

  @Test
  void pins_thatFit_leaveTheRestToOthers() {
    MemoryRecord pin = world.pinned("This fact is pinned");
    for (int i = 0; i < 200; i++) {
      world.remember(
          draft("A preference of number " + i).kind(MemoryKind.PREFERENCE).importance(1));
    }
    OrientationDocument document = world.orient("preference", 1000);
    assertThat(document.citations().getFirst()).isEqualTo(pin.id().value());
    assertThat(document.tokens()).isBetween(850, 1000);
  }

  @Test
  void refCode_ofTheFirstCall_isThatOfTheNext() {
    world.append(TestEvents.message("s1", START, "hello"));
    String first = world.text("", 500);
    assertThat(first).contains("(ref code ");
    assertThat(world.text("", 500)).isEqualTo(first);
    assertThat(IN_SESSION.session()).contains(SESSION);
  }
}
