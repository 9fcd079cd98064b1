package dev.agentmemory.engine;

import dev.agentmemory.api.forget.ConversationFiles;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.internal.recall.LocalAccount;
import dev.agentmemory.engine.internal.recall.SharedRecall;
import dev.agentmemory.pipeline.ingest.ImportDeferral;
import dev.agentmemory.pipeline.ingest.IngestLimits;
import dev.agentmemory.recall.memory.AccountMemories;
import dev.agentmemory.search.embed.EmbeddingThread;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.registry.Ownership;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.testkit.store.InterceptedStore;
import dev.agentmemory.toc.ParallelMapper;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// Workspaces for tests of what is masked and forgotten, and what can be read of their stores.
final class ErasureFixture {

  private final Path data;
  private final ConversationFiles files;
  private final AtomicInteger opened = new AtomicInteger();
  private AccountMemories account = AccountMemories.NONE;

  ErasureFixture(Path data) {
    this(data, ConversationFiles.NONE);
  }

  /// @param files outside the stores
  ErasureFixture(Path data, ConversationFiles files) {
    this.data = data;
    this.files = files;
  }

  /// Lets workspaces that are opened from now on share an account.
  LocalAccount share(HeapStore store) {
    var shared =
        new LocalAccount(
            SharedRecall.services(SystemServices.ofMachine(), EngineConfig.defaults(data)),
            () -> true,
            () -> store,
            data.resolve("account-" + opened.incrementAndGet()),
            ParallelMapper.ALONE);
    account = shared;
    return shared;
  }

  /// The store stays open after the workspace.
  ///
  /// @param only empty for a store that workspaces share
  OpenWorkspace open(MemoryStore store, Optional<WorkspaceName> only) {
    return open(store, only, IngestLimits.DEFAULT);
  }

  OpenWorkspace open(MemoryStore store, Optional<WorkspaceName> only, IngestLimits limits) {
    EngineConfig defaults = EngineConfig.defaults(data);
    var config =
        new EngineConfig(
            defaults.data(),
            defaults.db(),
            defaults.segmentation(),
            Duration.ofMillis(10),
            limits,
            defaults.storage(),
            defaults.database(),
            defaults.workspaces(),
            defaults.summarizer(),
            defaults.embedding(),
            defaults.jobs(),
            defaults.backup(),
            defaults.retention(),
            defaults.recall());
    var embedding = new EmbeddingThread(System::nanoTime, Optional.empty());
    MemoryStore kept =
        InterceptedStore.of(
            store, (method, _, call) -> method.equals("close") ? List.of() : call.make());
    return new OpenWorkspace(
        SystemServices.ofMachine(),
        kept,
        data.resolve("index-" + opened.incrementAndGet()),
        TestConfig.context(
            config, embedding, data, new ImportDeferral.Activity(System::nanoTime), account, files),
        only,
        Ownership.EXCLUSIVE,
        Optional.empty(),
        _ -> {});
  }

  /// Questions and answers about a word, with a preference at the end.
  static List<Event> session(String name, Instant start, String word) {
    List<Event> events = new ArrayList<>();
    Instant at = start;
    for (int i = 0; i < 6; i++) {
      at = at.plusSeconds(60);
      events.add(
          TestEvents.message(
              name, at, "Please look why the " + word + " gateway " + i + " fails at night."));
      events.add(
          TestEvents.answer(
              name,
              at.plusSeconds(5),
              "I decided to retry the " + word + " gateway " + i + " with exponential backoff."));
    }
    events.add(
        TestEvents.message(
            name,
            at.plusSeconds(30),
            "I prefer exponential backoff for the " + word + " gateway."));
    events.add(TestEvents.end(name, at.plusSeconds(60)));
    return events;
  }

  static void await(OpenWorkspace workspace) {
    Await.until("the table of contents", () -> workspace.memory().admin().status().tocComplete());
    Await.until("the index", () -> workspace.memory().search().status().behind() == 0);
  }

  /// Everything that can be read of a store, in small letters.
  static String said(HeapStore store) {
    var said = new StringBuilder();
    Instant end = Instant.ofEpochMilli(Long.MAX_VALUE);
    said.append(store.events().events(Instant.EPOCH, end, Optional.empty(), 1000));
    said.append(store.sessions().sessions(Optional.empty(), 1000));
    said.append(store.derived().nodeVersions(Optional.empty(), 1000));
    said.append(store.derived().grips(Optional.empty(), 1000));
    store.records().records("", Optional.empty(), 1000).forEach(said::append);
    return said.toString().toLowerCase(Locale.ROOT);
  }
}
