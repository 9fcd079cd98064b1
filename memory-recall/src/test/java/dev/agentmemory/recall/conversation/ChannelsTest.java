package dev.agentmemory.recall.conversation;

import static dev.agentmemory.recall.conversation.ConversationWorld.channel;
import static dev.agentmemory.recall.conversation.ConversationWorld.ref;
import static dev.agentmemory.recall.conversation.ConversationWorld.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.ChannelChange;
import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.recall.ChannelAlias;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.testkit.store.InterceptedStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Channels, and which conversations belong to them.
class ChannelsTest {

  private final ConversationWorld world = new ConversationWorld();
  private final ConversationWorld.Caller caller = world.caller();
  private final RecordedChannels channels = caller.channels();

  private List<String> names() {
    return channels.list().stream().map(one -> one.name().value()).toList();
  }

  private String channelOf(String session) {
    return caller.view(session).channel().value();
  }

  private Channel rename(String from, String to) {
    return channels.change(channel(from), ChannelChange.rename(channel(to)));
  }

  @Test
  void list_newWorkspace_hasTheDefaultOneOnly() {
    var general = new Channel(channel("general"), "", true, world.now);
    assertThat(channels.list()).containsExactly(general);
    world.pass(Duration.ofDays(1));
    assertThat(channels.list()).containsExactly(general);
  }

  @Test
  void create_channel_isListedByName() {
    channels.create(channel("ops"), "what runs");
    channels.create(channel("api"), "");
    assertThat(names()).containsExactly("api", "general", "ops");
    assertThat(channels.list().getLast())
        .isEqualTo(new Channel(channel("ops"), "what runs", false, world.now));
  }

  @Test
  void create_nameInUse_isAConflict() {
    channels.create(channel("ops"), "what runs");
    for (String taken : List.of("ops", "general")) {
      refused(ErrorCode.CONFLICT, () -> channels.create(channel(taken), ""), taken);
    }
    assertThat(channels.list().getLast().description()).isEqualTo("what runs");
  }

  @Test
  void name_withPathCharacters_isRefused() {
    for (String name :
        List.of(
            "..",
            "a/b",
            "a\\b",
            "../x",
            "a..b",
            ".hidden",
            "",
            "Ops",
            "a b",
            "ops\n",
            "a".repeat(65))) {
      refused(ErrorCode.INVALID_FIELD, () -> ChannelName.parse("channel", name), "channel");
      assertThatThrownBy(() -> new ChannelName(name)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(ChannelName.parse("channel", "a".repeat(64)).value()).hasSize(64);
  }

  @Test
  void start_eventNamesNoValidChannel_isInTheDefaultOne() {
    world.startIn("../../etc", "s");
    world.startIn("", "t");
    assertThat(channelOf("s")).isEqualTo("general");
    assertThat(channelOf("t")).isEqualTo("general");
    assertThat(names()).containsExactly("general");
  }

  @Test
  void start_eventNamesAChannel_isThereWithoutBeingCreated() {
    world.pass(Duration.ofHours(1));
    world.startIn("ops", "late");
    var start =
        TestEvents.event("early", TestEvents.START, EventType.SESSION_START, EventRole.SYSTEM, "");
    world.append(TestEvents.from(start, "agent", Map.of("channel", "ops")));
    assertThat(channelOf("late")).isEqualTo("ops");
    assertThat(channels.exists(channel("ops"))).isTrue();
    assertThat(channels.list().getLast())
        .isEqualTo(new Channel(channel("ops"), "", false, TestEvents.START));
    Channel described = channels.create(channel("ops"), "what runs");
    assertThat(channels.list()).contains(described);
  }

  @Test
  void start_eventIsNotTheFirst_countsIfItIsAmongTheFirst() {
    world.say("s", "hello");
    assertThat(channelOf("s")).isEqualTo("general");
    world.pass(Duration.ofMillis(1));
    world.startIn("ops", "s");
    assertThat(channelOf("s")).isEqualTo("ops");
    // A start that comes late but happened before is the first event.
    var start =
        TestEvents.event(
            "s", TestEvents.START.minusMillis(1), EventType.SESSION_START, EventRole.SYSTEM, "");
    world.append(TestEvents.from(start, "agent", Map.of("channel", "api")));
    assertThat(channelOf("s")).isEqualTo("api");
  }

  @Test
  void start_earlierOneComesLate_counts() {
    world.startIn("ops", "s");
    assertThat(channelOf("s")).isEqualTo("ops");
    var start =
        TestEvents.event(
            "s", TestEvents.START.minusMillis(1), EventType.SESSION_START, EventRole.SYSTEM, "");
    world.append(TestEvents.from(start, "agent", Map.of("channel", "api")));
    assertThat(channelOf("s")).isEqualTo("api");
  }

  @Test
  void start_eventFarBehind_isAResumptionAndNamesNoChannel() {
    for (int i = 0; i < 8; i++) {
      world.say("s", "message " + i);
      world.pass(Duration.ofMillis(1));
    }
    world.startIn("ops", "s");
    assertThat(channelOf("s")).isEqualTo("general");
  }

  @Test
  void memories_inAChannel_makeItThere() {
    world.memoryChannels.put(channel("ops"), TestEvents.START);
    world.pass(Duration.ofHours(1));
    assertThat(channels.list()).contains(new Channel(channel("ops"), "", false, TestEvents.START));
    assertThat(channels.exists(channel("ops"))).isTrue();
    assertThat(channels.exists(channel("api"))).isFalse();
  }

  @Test
  void existingChannels_askedForMany_readTheSessionsOnce() {
    for (int i = 0; i < 300; i++) {
      world.pass(Duration.ofMillis(1));
      world.startIn("c" + i % 3, "s" + i);
    }
    var pages = new AtomicInteger();
    Predicate<ChannelName> existing =
        world
            .through(
                InterceptedStore.of(
                    world.store,
                    (method, _, call) -> {
                      if (method.equals("sessions")) {
                        pages.incrementAndGet();
                      }
                      return call.make();
                    }))
            .index()
            .existingChannels();
    assertThat(existing.test(channel("general"))).isTrue();
    assertThat(pages).as("the default channel needs no sessions").hasValue(0);
    assertThat(existing.test(channel("c2"))).isTrue();
    assertThat(pages).as("the first page has one of it").hasValue(1);
    assertThat(IntStream.range(0, 100).mapToObj(i -> channel("missing" + i))).noneMatch(existing);
    assertThat(existing.test(channel("c1"))).isTrue();
    assertThat(pages).as("two pages, and none behind them").hasValue(3);
  }

  @Test
  void change_description_replacesIt() {
    channels.create(channel("ops"), "what runs");
    Channel changed = channels.change(channel("ops"), ChannelChange.describe("token secret-1"));
    assertThat(changed.description()).isEqualTo("token [masked:token]");
    assertThat(channels.list()).contains(changed);
    assertThat(channels.create(channel("api"), "secret-2").description())
        .isEqualTo("[masked:token]");
  }

  @Test
  void description_overTheLimit_isRefused() {
    String longest = "d".repeat(Channel.MAX_DESCRIPTION);
    channels.create(channel("ops"), longest);
    refused(
        ErrorCode.INVALID_FIELD,
        () -> channels.create(channel("api"), longest + "d"),
        "description");
    refused(
        ErrorCode.INVALID_FIELD,
        () -> channels.change(channel("ops"), ChannelChange.describe(longest + "d")),
        "description");
    assertThat(names()).containsExactly("general", "ops");
  }

  @Test
  void change_unknownChannel_isNotFound() {
    refused(ErrorCode.NOT_FOUND, () -> rename("ops", "infra"), "no channel ops");
    refused(ErrorCode.NOT_FOUND, () -> channels.makeDefault(channel("ops")), "no channel ops");
    assertThat(names()).containsExactly("general");
  }

  @Test
  void rename_channel_takesItsConversationsAndMemoriesAlong() {
    world.startIn("ops", "s");
    world.say("t", "hello");
    channels.create(channel("api"), "");
    caller
        .conversations()
        .change(
            ref("t"),
            new ConversationChange(
                Optional.of(channel("ops")), Optional.empty(), Optional.empty(), Optional.empty()));
    world.memoryChannels.put(channel("ops"), world.now);
    Channel ops = channels.create(channel("ops"), "what runs");

    Channel infra = rename("ops", "infra");

    assertThat(infra).isEqualTo(new Channel(channel("infra"), "what runs", false, ops.created()));
    assertThat(names()).containsExactly("api", "general", "infra");
    assertThat(channelOf("s")).isEqualTo("infra");
    assertThat(channelOf("t")).isEqualTo("infra");
    assertThat(world.moved).containsExactly("ops to infra");
    refused(ErrorCode.NOT_FOUND, () -> rename("ops", "x"), "renamed to infra");
    assertThat(caller.index().presentName(channel("ops"))).isEqualTo(channel("infra"));
  }

  @Test
  void rename_agentThatStillNamesTheOldOne_isInTheNewOne() {
    channels.create(channel("ops"), "");
    rename("ops", "infra");
    world.pass(Duration.ofHours(1));
    world.startIn("ops", "s");
    assertThat(channelOf("s")).isEqualTo("infra");
    assertThat(names()).containsExactly("general", "infra");
  }

  @Test
  void rename_oldNameIsCreatedAgain_splitsByTheStart() {
    world.startIn("ops", "before");
    channels.create(channel("ops"), "");
    rename("ops", "infra");
    world.pass(Duration.ofHours(1));
    channels.create(channel("ops"), "another one");
    world.startIn("ops", "after");
    assertThat(channelOf("before")).isEqualTo("infra");
    assertThat(channelOf("after")).isEqualTo("ops");
    rename("infra", "platform");
    assertThat(channelOf("before")).isEqualTo("platform");
    assertThat(channelOf("after")).isEqualTo("ops");
    world.pass(Duration.ofHours(1));
    rename("ops", "infra");
    world.startIn("infra", "last");
    assertThat(channelOf("before")).isEqualTo("platform");
    assertThat(channelOf("after")).isEqualTo("infra");
    assertThat(channelOf("last")).isEqualTo("infra");
    assertThat(caller.index().allNames(channel("infra")))
        .containsExactlyInAnyOrder(
            ChannelAlias.present(channel("infra")), ChannelAlias.present(channel("ops")));
    assertThat(caller.index().allNames(channel("platform")))
        .containsExactlyInAnyOrder(
            ChannelAlias.present(channel("platform")),
            new ChannelAlias(channel("ops"), Optional.of(world.now.minus(Duration.ofHours(1)))),
            new ChannelAlias(channel("infra"), Optional.of(world.now)));
  }

  @Test
  void rename_toAndBack_changesNothing() {
    world.startIn("ops", "s");
    rename("ops", "infra");
    world.pass(Duration.ofHours(1));
    rename("infra", "ops");
    assertThat(channelOf("s")).isEqualTo("ops");
    assertThat(names()).containsExactly("general", "ops");
    world.startIn("ops", "t");
    world.startIn("infra", "u");
    assertThat(channelOf("t")).isEqualTo("ops");
    assertThat(channelOf("u")).isEqualTo("ops");
  }

  @Test
  void rename_toANameInUse_isAConflict() {
    world.startIn("ops", "s");
    world.startIn("infra", "t");
    channels.create(channel("api"), "");
    for (String taken : List.of("infra", "api", "general")) {
      refused(ErrorCode.CONFLICT, () -> rename("ops", taken), taken);
    }
    assertThat(channelOf("s")).isEqualTo("ops");
  }

  @Test
  void rename_toItself_changesTheDescriptionOnly() {
    channels.create(channel("ops"), "");
    channels.change(
        channel("ops"), new ChannelChange(Optional.of(channel("ops")), Optional.of("what runs")));
    assertThat(channels.list().getLast().description()).isEqualTo("what runs");
    assertThat(world.moved).isEmpty();
  }

  @Test
  void rename_ofTheDefault_staysTheDefault() {
    world.say("s", "hello");
    rename("general", "main");
    assertThat(channelOf("s")).isEqualTo("main");
    assertThat(channels.list()).singleElement().matches(Channel::isDefault);
    assertThat(caller.index().defaultChannel()).isEqualTo(channel("main"));
  }

  @Test
  void rename_processEndsBeforeMemoriesAreMoved_isFinishedByTheNextCall() {
    channels.create(channel("ops"), "");
    var broken = new AtomicBoolean(true);
    var failing = failing(broken);
    assertThatThrownBy(() -> failing.change(channel("ops"), ChannelChange.rename(channel("infra"))))
        .hasMessage("killed");
    assertThat(world.moved).isEmpty();
    broken.set(false);
    assertThat(failing.list()).extracting(Channel::name).contains(channel("infra"));
    assertThat(world.moved).containsExactly("ops to infra");
    assertThat(failing.list()).hasSize(2);
    assertThat(world.moved).hasSize(1);
  }

  /// Channels whose memories cannot be moved at first.
  private RecordedChannels failing(AtomicBoolean broken) {
    var users =
        new ChannelUsers() {
          @Override
          public Map<ChannelName, Instant> channels() {
            return Map.of();
          }

          @Override
          public void rename(ChannelName from, ChannelName to) {
            if (broken.get()) {
              throw new IllegalStateException("killed");
            }
            world.moved.add(from + " to " + to);
          }
        };
    return world.channels(caller, users);
  }

  @Test
  void makeDefault_otherChannel_appliesToSessionsThatStartFromNowOn() {
    world.say("before", "hello");
    channels.create(channel("ops"), "");
    world.pass(Duration.ofMillis(1));
    assertThat(channels.makeDefault(channel("ops")).isDefault()).isTrue();
    world.say("after", "hello");
    assertThat(channelOf("before")).isEqualTo("general");
    assertThat(channelOf("after")).isEqualTo("ops");
    assertThat(channels.list()).filteredOn(Channel::isDefault).hasSize(1);
    assertThat(caller.index().defaultChannel()).isEqualTo(channel("ops"));
    // Twice is once.
    channels.makeDefault(channel("ops"));
    world.pass(Duration.ofMillis(1));
    channels.makeDefault(channel("general"));
    world.say("last", "hello");
    assertThat(channelOf("last")).isEqualTo("general");
    assertThat(channelOf("after")).isEqualTo("ops");
  }

  @Test
  void create_overTheLimit_isRefusedWithTheFigure() {
    IntStream.range(0, 999).forEach(i -> channels.create(channel("c" + i), ""));
    refused(ErrorCode.QUOTA_EXCEEDED, () -> channels.create(channel("ops"), ""), "1000 channels");
    world.startIn("aaa", "s");
    assertThat(channels.list()).hasSize(1000).anyMatch(Channel::isDefault);
    assertThat(channelOf("s")).isEqualTo("aaa");
  }

  @Tag("slow")
  @Test
  void rename_overTheLimit_isRefused() {
    channels.create(channel("c0"), "");
    IntStream.range(0, ChannelHistory.MOST).forEach(i -> rename("c" + i, "c" + (i + 1)));
    refused(
        ErrorCode.QUOTA_EXCEEDED,
        () -> rename("c" + ChannelHistory.MOST, "x"),
        "renamed 1000 times");
    world.startIn("c0", "s");
    assertThat(channelOf("s")).isEqualTo("c" + ChannelHistory.MOST);
  }

  @Test
  void history_moreDefaultsThanTheLimit_keepsTheLatest() {
    ChannelHistory history = ChannelHistory.START;
    for (int i = 1; i <= ChannelHistory.MOST + 5; i++) {
      history = history.withDefault(channel("c" + i % 2), Instant.ofEpochMilli(i));
    }
    assertThat(history.defaults()).hasSize(ChannelHistory.MOST);
    assertThat(history.presentDefault()).isEqualTo(channel("c1"));
    assertThat(history.defaultAt(Instant.EPOCH)).isEqualTo(history.defaults().getFirst().name());
  }

  @Test
  void list_recordThatCannotBeRead_isLeftOut() {
    channels.create(channel("ops"), "");
    world.putRecord("channel:broken", "no json");
    world.putRecord("channel:NoName", "{\"schema_version\":1,\"created_ms\":0}");
    assertThat(names()).containsExactly("general", "ops");
  }

  @Test
  void list_againAndAgain_isNotWritten() {
    channels.list();
    var commits = new AtomicBoolean();
    var watched =
        new ConversationWorld(
            InterceptedStore.of(
                world.store,
                (method, arguments, call) -> {
                  commits.compareAndSet(false, method.equals("commit"));
                  return call.make();
                }));
    assertThat(watched.caller().channels().list()).hasSize(1);
    assertThat(commits).isFalse();
  }

  @Test
  void restore_channel_keepsItsTimeAndTwiceIsOnce() {
    Channel exported = channels.create(channel("ops"), "what runs");
    var other = new ConversationWorld(new HeapStore(ZoneOffset.UTC));
    other.pass(Duration.ofDays(1));
    RecordedChannels importing = other.caller().channels();
    assertThat(importing.restore(exported)).isTrue();
    assertThat(importing.restore(exported)).isFalse();
    assertThat(importing.list()).contains(exported);
  }
}
