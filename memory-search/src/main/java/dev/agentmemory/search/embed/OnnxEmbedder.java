package dev.agentmemory.search.embed;

import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Embeds inside this process, without network: bge-small-en-v1.5, quantised. The model is loaded
/// when it is first needed, which takes the better part of a second.
///
/// One batch of documents runs at a time, on at most so many threads, the caller's among them. The
/// others have the priority of the caller that needs them first. A question runs on its caller's
/// thread and waits for no batch.
public final class OnnxEmbedder implements Embedder {

  /// What this model wants before a question, and not before an answer.
  private static final String QUERY = "Represent this sentence for searching relevant passages: ";

  /// What is read of a text, in UTF-16 units. A turn says at its beginning what it is about, and
  /// the time that embedding takes grows with the length; the rest is found by its words.
  private static final int MAX_CHARS = 500;

  private static final Duration NEVER = Duration.ofNanos(Long.MAX_VALUE);

  private final ForkJoinPool helpers;
  private final int helping;
  private final Optional<Path> libraries;
  private final Duration idle;
  private final Ticker ticker;

  private final Lock batch = new ReentrantLock(true);
  private final ReentrantReadWriteLock using = new ReentrantReadWriteLock();
  private @Nullable OnnxModel model;
  private boolean closed;
  private volatile long used;

  /// Keeps the model until it is closed.
  ///
  /// @param threads for documents, 1 and up
  public OnnxEmbedder(int threads) {
    this(threads, Optional.empty(), NEVER, () -> 0);
  }

  /// @param threads for documents, 1 and up
  /// @param libraries folder for native libraries, of this process alone; empty to leave it to the
  ///   libraries, which use the system's and the user's
  /// @param idle how long the model stays in memory unused; [#maintain] looks
  /// @param ticker a clock that only goes forward, in nanoseconds
  public OnnxEmbedder(int threads, Optional<Path> libraries, Duration idle, Ticker ticker) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads below 1: " + threads);
    }
    this.helping = threads - 1;
    this.helpers =
        new ForkJoinPool(Math.max(1, helping), OnnxEmbedder::helper, null, /* asyncMode= */ true);
    this.libraries = libraries;
    this.idle = idle;
    this.ticker = ticker;
  }

  private static ForkJoinWorkerThread helper(ForkJoinPool pool) {
    ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
    thread.setName("memory-embed-" + thread.getPoolIndex());
    return thread;
  }

  @Override
  public String model() {
    return OnnxModel.NAME;
  }

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public int dimension() {
    return OnnxModel.DIMENSION;
  }

  @Override
  public List<float[]> documents(List<String> texts) {
    try (var _ = Mutex.hold(batch)) {
      return run(loaded -> all(loaded, texts));
    }
  }

  /// Every thread takes the next text until none is left, so a long text does not delay others.
  private List<float[]> all(OnnxModel loaded, List<String> texts) {
    float[][] vectors = new float[texts.size()][];
    AtomicInteger next = new AtomicInteger();
    List<ForkJoinTask<?>> others = new ArrayList<>();
    for (int i = 0; i < Math.min(helping, texts.size() - 1); i++) {
      others.add(helpers.submit(() -> take(loaded, texts, vectors, next)));
    }
    try {
      take(loaded, texts, vectors, next);
    } finally {
      // Also when this thread failed: helpers must not use the model after this method has
      // returned.
      next.set(texts.size());
      others.forEach(ForkJoinTask::quietlyJoin);
    }
    for (ForkJoinTask<?> other : others) {
      other.join();
    }
    return List.of(vectors);
  }

  private static void take(
      OnnxModel loaded, List<String> texts, float[][] vectors, AtomicInteger next) {
    for (int i = next.getAndIncrement(); i < vectors.length; i = next.getAndIncrement()) {
      vectors[i] = loaded.embed(Beginnings.of(texts.get(i), MAX_CHARS));
    }
  }

  @Override
  public float[] query(String text) {
    return run(loaded -> loaded.embed(QUERY + Beginnings.of(text, MAX_CHARS)));
  }

  @Override
  public boolean reads(String text) {
    return run(loaded -> loaded.reads(Beginnings.of(text, MAX_CHARS)));
  }

  private <T> T run(Function<OnnxModel, T> use) {
    while (true) {
      using.readLock().lock();
      try {
        OnnxModel loaded = model;
        if (loaded != null) {
          return use.apply(loaded);
        }
      } finally {
        used = ticker.nanos();
        using.readLock().unlock();
      }
      load();
    }
  }

  private void load() {
    try (var _ = Mutex.hold(using.writeLock())) {
      if (closed) {
        throw new MemoryException(ErrorCode.CLOSED, "the embedding model is closed");
      }
      if (model == null) {
        model = OnnxModel.load(libraries);
      }
    }
  }

  /// Whether the model is in memory now.
  public boolean isLoaded() {
    try (var _ = Mutex.hold(using.readLock())) {
      return model != null;
    }
  }

  /// Unloads the model when it has been idle for long; the next use loads it again. To be called
  /// periodically; never blocks.
  @Override
  public void maintain() {
    if (using.writeLock().tryLock()) {
      try {
        if (ticker.nanos() - used >= idle.toNanos()) {
          unload();
        }
      } finally {
        using.writeLock().unlock();
      }
    }
  }

  private void unload() {
    OnnxModel loaded = model;
    if (loaded != null) {
      model = null;
      loaded.close();
    }
  }

  /// Waits for what runs and gives the memory back.
  @Override
  public void close() {
    try (var _ = Mutex.hold(using.writeLock())) {
      closed = true;
      unload();
    }
    helpers.shutdownNow();
  }
}
