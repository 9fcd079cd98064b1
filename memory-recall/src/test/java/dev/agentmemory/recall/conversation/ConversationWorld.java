package dev.agentmemory.recall.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.Ingest;
import dev.agentmemory.api.conversation.CompactionReport;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.recall.SessionUsage;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// A store with conversations on it, whose clock is moved by hand.
final class ConversationWorld {

  /// Masks words that begin with `secret-`, and all that is named `password`.
  static final SecretMasks MASKS =
      new SecretMasks(
          ConversationWorld::masked,
          (name, value) -> name.equals("password") ? "[masked:password]" : masked(value));

  private static final int FINDINGS = 10;

  final MemoryStore store;
  final Mutex mutex = new Mutex();
  final ConversationCaches caches = new ConversationCaches();
  volatile Instant now = TestEvents.START;

  /// The memories of the test, as far as conversations ask for them.
  final Map<ChannelName, Instant> memoryChannels = new HashMap<>();

  final List<String> moved = new ArrayList<>();

  /// What the quota was told before something was locked, and asked under the lock.
  final List<Long> announced = Collections.synchronizedList(new ArrayList<>());

  final List<Long> added = new ArrayList<>();
  long quota = 10_000_000;
  SessionUsage counts = SessionUsage.NONE;

  ConversationWorld() {
    this(new HeapStore(ZoneOffset.UTC));
  }

  ConversationWorld(MemoryStore store) {
    this.store = store;
  }

  /// Conversations as one caller sees them.
  record Caller(
      ConversationContext context,
      ConversationIndex index,
      ScratchpadRows pads,
      RecordedChannels channels,
      DerivedConversations conversations,
      RecordedScratchpads scratchpads) {

    ConversationView view(String session) {
      return conversations.conversation(ref(session));
    }
  }

  /// The only workspace of the store.
  Caller caller() {
    return caller(ingest());
  }

  Caller caller(Ingest ingest) {
    return caller(RecordOwner.only(), store, ingest, RefCodes::derived);
  }

  Caller caller(RecordOwner owner, StoreReader reader, Ingest ingest, RefCodes.Choices choices) {
    return caller(
        new ConversationContext(SystemServices.of(() -> now), store, reader, owner, mutex, caches),
        ingest,
        choices);
  }

  /// The same workspace, whose store is seen through another one.
  Caller through(MemoryStore watched) {
    return caller(
        new ConversationContext(
            SystemServices.of(() -> now), watched, watched, RecordOwner.only(), mutex, caches),
        events -> watched.submit(Commit.append(events)),
        RefCodes::derived);
  }

  private Caller caller(ConversationContext context, Ingest ingest, RefCodes.Choices choices) {
    var index = new ConversationIndex(context, Duration.ofHours(24), choices);
    var pads = new ScratchpadRows(context);
    var ports = ports(ingest, new MovedMemories());
    var channels = new RecordedChannels(context, index, ports);
    var conversations = new DerivedConversations(context, index, pads, channels, ports);
    return new Caller(
        context,
        index,
        pads,
        channels,
        conversations,
        new RecordedScratchpads(context, pads, ports));
  }

  /// The channels of a caller with other memories.
  RecordedChannels channels(Caller caller, ChannelUsers users) {
    return new RecordedChannels(caller.context(), caller.index(), ports(ingest(), users));
  }

  private ConversationPorts ports(Ingest ingest, ChannelUsers users) {
    return new ConversationPorts(
        ingest,
        MASKS,
        users,
        _ -> counts,
        new FixedQuota(),
        _ -> new CompactionReport(2, 1, 20, 10, Duration.ZERO));
  }

  /// Notes what is moved.
  private final class MovedMemories implements ChannelUsers {

    @Override
    public Map<ChannelName, Instant> channels() {
      return Map.copyOf(memoryChannels);
    }

    @Override
    public void rename(ChannelName from, ChannelName to) {
      moved.add(from + " to " + to);
      Optional.ofNullable(memoryChannels.remove(from))
          .ifPresent(time -> memoryChannels.put(to, time));
    }
  }

  /// Refuses what is larger than the quota, and notes each question.
  private final class FixedQuota implements SessionQuota {

    @Override
    public void beforeWrite(SessionId session, long addedBytes) {
      announced.add(addedBytes);
    }

    @Override
    public void check(SessionId session, long addedBytes) {
      added.add(addedBytes);
      if (addedBytes > quota) {
        throw new MemoryException(ErrorCode.QUOTA_EXCEEDED, "too large for the test");
      }
    }

    @Override
    public long limitBytes() {
      return quota;
    }
  }

  /// Stores events as they are.
  Ingest ingest() {
    return events -> store.submit(Commit.append(events));
  }

  void append(Event... events) {
    assertThat(store.commit(Commit.append(List.of(events)))).allMatch(receipt -> receipt.stored());
  }

  /// A message of now.
  void say(String session, String text) {
    append(TestEvents.message(session, now, text));
  }

  /// A SESSION_START of now that names a channel.
  void startIn(String channel, String session) {
    Event plain = TestEvents.event(session, now, EventType.SESSION_START, EventRole.SYSTEM, "");
    append(TestEvents.from(plain, "agent", Map.of("channel", channel)));
  }

  /// A SESSION_END, a millisecond later: events of one millisecond have no order here.
  void end(String session) {
    pass(Duration.ofMillis(1));
    append(TestEvents.end(session, now));
  }

  void pass(Duration time) {
    now = now.plus(time);
  }

  /// The types of a session's events, in their order.
  List<EventType> types(String session) {
    return store
        .events()
        .events(store.sessions().eventsAfter(new SessionId(session), Optional.empty(), 1000))
        .stream()
        .map(Event::type)
        .toList();
  }

  void putRecord(String key, String value) {
    var _ = store.commit(Commit.of(new Change.PutRecord(new StoredRecord(key, value))));
  }

  /// Refuses every commit until [#takeCommits].
  void refuseCommits() {
    ((HeapStore) store).refuseCommits("the disk has failed");
  }

  void takeCommits() {
    ((HeapStore) store).takeCommits();
  }

  void verify() {
    assertThat(store.verify(FINDINGS)).isEmpty();
  }

  static ConversationRef ref(String session) {
    return ConversationRef.of(new SessionId(session));
  }

  static ChannelName channel(String name) {
    return new ChannelName(name);
  }

  /// Demands that a call fails.
  ///
  /// @param parts of the message
  static void refused(ErrorCode code, ThrowingCallable call, String... parts) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code))
        .hasMessageContainingAll(parts);
  }

  private static String masked(String text) {
    return text.replaceAll("secret-\\w+", "[masked:token]");
  }
}
