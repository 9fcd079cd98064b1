package dev.agentmemory.recall.derive;

import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.recall.MemoryEmbedder;
import dev.agentmemory.recall.MemoryPorts;
import dev.agentmemory.recall.RecallConfig;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.SessionChannels;
import dev.agentmemory.recall.SessionCompaction;
import dev.agentmemory.recall.SessionDecay;
import dev.agentmemory.recall.SessionPorts;
import dev.agentmemory.recall.TextMask;
import dev.agentmemory.recall.memory.HeapWords;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestSegments;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// Events, segments and the memories that are extracted from them, in a store in the heap.
final class ExtractionWorld {

  static final ChannelName BACKEND = new ChannelName("backend");

  final HeapStore heap = new HeapStore(ZoneOffset.UTC);
  MemoryStore store = heap;
  StatementRefiner refiner = StatementRefiner.NONE;

  /// Of the memories of a session together.
  long mostBytes = Long.MAX_VALUE;

  MemoryCollection memories;
  MemoryExtraction extraction;

  ExtractionWorld() {
    memories = collection();
    extraction = open();
  }

  /// Begins with what is in the store, as a new process does.
  void reopen() {
    memories = collection();
    extraction = open();
  }

  private MemoryExtraction open() {
    return new MemoryExtraction(store, store.records(), memories, refiner);
  }

  private MemoryCollection collection() {
    var random = new Random(1);
    var system =
        new SystemServices(
            () -> TestEvents.START.plus(Duration.ofDays(400)), System::nanoTime, _ -> {}, random);
    var services =
        new RecallServices(
            system, random, RecallConfig.DEFAULT, Duration.ofMinutes(5), TextMask.NONE);
    var sessions =
        new SessionPorts(
            new Channels(), this::checkBytes, SessionDecay.NONE, SessionCompaction.NONE);
    return MemoryCollection.ofWorkspace(
        services,
        store,
        "",
        new Mutex(),
        new MemoryPorts(new HeapWords(), MemoryEmbedder.NONE, sessions));
  }

  private void checkBytes(SessionId session, long used, long added) {
    if (used + added > mostBytes) {
      throw new MemoryException(ErrorCode.QUOTA_EXCEEDED, session.value() + " is full");
    }
  }

  private static final class Channels implements SessionChannels {

    @Override
    public Optional<ChannelName> channel(SessionId session) {
      return Optional.of(BACKEND);
    }

    @Override
    public ChannelName defaultChannel() {
      return BACKEND;
    }
  }

  static Event says(String session, int minute, String text) {
    return TestEvents.message(session, at(minute), text);
  }

  static Instant at(int minute) {
    return TestEvents.START.plus(Duration.ofMinutes(minute));
  }

  void append(Event... events) {
    heap.commit(Commit.of(List.of(events).stream().<Change>map(Change.AppendEvent::new).toList()));
  }

  /// Appends events and writes them as a segment.
  Segment segment(Boundary boundary, Event... events) {
    append(events);
    return cut(boundary, events);
  }

  /// Writes a segment of events that are there.
  Segment cut(Boundary boundary, Event... events) {
    Segment segment = TestSegments.segment(boundary, List.of(events));
    heap.commit(Commit.of(new Change.PutSegment(segment)));
    extraction.segmentChanged(segment.id());
    return segment;
  }

  void retire(Segment segment) {
    heap.commit(Commit.of(new Change.DropSegment(segment.id())));
    extraction.segmentChanged(segment.id());
  }

  /// Extracts until nothing is left.
  ///
  /// @return how many memories are new
  long extractAll() {
    long added = 0;
    MemoryExtraction.Step step;
    do {
      step = extraction.step(2);
      added += step.memories();
    } while (step.segments() > 0);
    return added;
  }

  /// All memories, the earliest first.
  List<MemoryRecord> all() {
    return memories.entries().reversed().stream().map(entry -> memories.get(entry.id())).toList();
  }

  List<String> texts() {
    return all().stream().map(memory -> memory.content().text()).toList();
  }

  /// The texts that are current.
  List<String> current() {
    return all().stream()
        .filter(memory -> memory.validity().supersededBy().isEmpty())
        .map(memory -> memory.content().text())
        .toList();
  }
}
