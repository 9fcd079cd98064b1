package dev.agentmemory.daemon;

import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.EventIds;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/// A process with a client that writes memories of one session, one after the other. It notes the
/// id of each one that was acknowledged. A call that failed is made again with the same id, until a
/// daemon answers.
final class WritingProcess implements AutoCloseable {

  static final SessionId SESSION = new SessionId("written-by-two");

  private static final Instant MADE = Instant.parse("2026-01-30T14:30:00Z");
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(50);

  /// A daemon that was killed, is being started, or went away while it answered.
  private static final Set<ErrorCode> PASSING =
      Set.of(ErrorCode.UNREACHABLE, ErrorCode.CLOSED, ErrorCode.UNAUTHENTICATED);

  private final Process process;
  private final Path acknowledged;

  private WritingProcess(Process process, Path acknowledged) {
    this.process = process;
    this.acknowledged = acknowledged;
  }

  /// @param acknowledged the file of the ids, one a line
  static WritingProcess start(Path data, String writer, int count, Path acknowledged)
      throws IOException {
    Files.createFile(acknowledged);
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    WritingProcess.class.getName(),
                    data.toString(),
                    writer,
                    Integer.toString(count),
                    acknowledged.toString()))
            .inheritIO()
            .start();
    return new WritingProcess(process, acknowledged);
  }

  /// The ids of the memories of a writer are known, so that a call can be repeated.
  static MemoryDraft draft(String writer, int number) {
    String text = "The writer %s stored its memory number %d.".formatted(writer, number);
    return MemoryDraft.builder(MemoryContent.of(text))
        .id(
            new MemoryId(
                EventIds.derive(
                    SESSION,
                    MADE,
                    EventType.USER_MESSAGE,
                    EventRole.USER,
                    text,
                    Map.of(),
                    Optional.empty())))
        .place(MemoryPlace.WORKSPACE.from(SESSION))
        .created(MADE)
        .build();
  }

  /// @param args data directory, name of the writer, how many memories, file of the ids
  public static void main(String[] args) throws IOException {
    Path data = Path.of(args[0]);
    int count = Integer.parseInt(args[2]);
    try (Writer ids = Files.newBufferedWriter(Path.of(args[3]), StandardCharsets.US_ASCII)) {
      MemoryClient client = connect(data);
      for (int i = 0; i < count; i++) {
        MemoryDraft draft = draft(args[1], i);
        while (!isStored(client.recall().memories(), draft)) {
          client.close();
          LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
          client = connect(data);
        }
        ids.write(draft.id().orElseThrow() + "\n");
        // What is acknowledged must be in the file when this process sees the next answer.
        ids.flush();
      }
      client.close();
    }
  }

  private static boolean isStored(Memories memories, MemoryDraft draft) {
    try {
      return memories.remember(draft).id().equals(draft.id().orElseThrow());
    } catch (MemoryException e) {
      if (!PASSING.contains(e.code())) {
        throw e;
      }
      return false;
    }
  }

  /// Waits for a daemon, which has another port after a restart.
  private static MemoryClient connect(Path data) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        MemoryClient client = MemoryClient.connect(Endpoint.find(data));
        if (client.serving()) {
          return client;
        }
        client.close();
      } catch (MemoryException e) {
        e.rethrowUnless(ErrorCode.UNREACHABLE);
      }
      if (System.nanoTime() > end) {
        throw new IllegalStateException("no daemon on " + data);
      }
      LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
    }
  }

  /// The ids that were acknowledged up to now.
  List<MemoryId> acknowledged() {
    try {
      String text = Files.readString(acknowledged);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().map(MemoryId::of).toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /// Waits for its end.
  ///
  /// @return its exit status
  int await() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
