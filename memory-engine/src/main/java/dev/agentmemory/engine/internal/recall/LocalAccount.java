package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.recall.MemoryEmbedder;
import dev.agentmemory.recall.MemoryPorts;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.SessionPorts;
import dev.agentmemory.recall.memory.AccountMemories;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.toc.ParallelMapper;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The memories of the account, which all workspaces of an engine read.
///
/// Memories of workspaces can be used while those of the account cannot be read; [#problem] tells
/// it.
public final class LocalAccount implements AccountMemories, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LocalAccount.class);

  private final RecallServices services;
  private final BooleanSupplier isThere;
  private final Supplier<? extends MemoryStore> store;
  private final LuceneWords words;
  private final FlushLoop flushing;
  private final Mutex opening = new Mutex();
  private volatile @Nullable MemoryCollection memories;
  private volatile Optional<String> problem = Optional.empty();

  /// @param isThere whether the account has a store
  /// @param store opens it, and makes it if need be; it stays open when this is closed
  /// @param index folder of its index
  public LocalAccount(
      RecallServices services,
      BooleanSupplier isThere,
      Supplier<? extends MemoryStore> store,
      Path index,
      ParallelMapper mapper) {
    this.services = services;
    this.isThere = isThere;
    this.store = store;
    this.words = new LuceneWords(index, mapper);
    this.flushing = new FlushLoop(services.config().accessFlush(), this::flush);
  }

  @Override
  public Optional<MemoryCollection> existing() {
    try {
      return memories != null || isThere.getAsBoolean() ? writable() : Optional.empty();
    } catch (MemoryException e) {
      String why = "the memories of the account cannot be read: " + e.getMessage();
      if (!problem.equals(Optional.of(why))) {
        LOG.error("{}", why);
      }
      problem = Optional.of(why);
      return Optional.empty();
    }
  }

  @Override
  public Optional<MemoryCollection> writable() {
    MemoryCollection there = memories;
    if (there != null) {
      return Optional.of(there);
    }
    try (var _ = opening.hold()) {
      there = memories;
      if (there == null) {
        there =
            MemoryCollection.ofAccount(
                services,
                store.get(),
                new MemoryPorts(words, MemoryEmbedder.NONE, SessionPorts.NONE));
        there.whenUnflushed(flushing::request);
        memories = there;
        problem = Optional.empty();
      }
      return Optional.of(there);
    }
  }

  @Override
  public Optional<String> problem() {
    MemoryCollection there = memories;
    return problem.or(() ->
        there == null
            ? Optional.empty()
            : MemoryCollection.runProblem(there.unreadableRuns()).map("account: "::concat));
  }

  /// How many memories there are; 0 before they are asked for.
  public long size() {
    MemoryCollection there = memories;
    return there == null ? 0 : there.size();
  }

  private void flush() {
    MemoryCollection there = memories;
    if (there != null) {
      there.flush();
    }
  }

  @Override
  public void close() {
    flushing.close();
    MemoryCollection there = memories;
    if (there == null) {
      words.close();
    } else {
      there.close();
    }
  }
}
