package dev.agentmemory.service;

import dev.agentmemory.pipeline.Ingestor;
import dev.agentmemory.pipeline.JobStatus;
import dev.agentmemory.pipeline.Scheduler;
import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.store.SegmentReader;
import dev.agentmemory.store.SessionReader;
import dev.agentmemory.toc.ChildPlace;
import dev.agentmemory.toc.FoundNodes;
import dev.agentmemory.toc.GripContext;
import dev.agentmemory.toc.NodeMatches;
import dev.agentmemory.toc.NodeQuery;
import dev.agentmemory.toc.TocNavigator;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Everything that the handlers call.
public record Services(
    Intake intake,
    Toc toc,
    Jobs jobs,
    EventReader events,
    SessionReader sessions,
    SegmentReader segments,
    DaemonStatus status,
    StoreCheck check,
    RebuildToc rebuild) {

  /// The parts as a daemon has them.
  public static Services of(
      Ingestor ingestor,
      TocNavigator toc,
      Scheduler scheduler,
      MemoryStore store,
      DaemonStatus status,
      RebuildToc rebuild) {
    return new Services(
        new IngestorIntake(ingestor),
        new NavigatorToc(toc),
        new SchedulerJobs(scheduler),
        store,
        store,
        store,
        status,
        store::verify,
        rebuild);
  }

  private record IngestorIntake(Ingestor ingestor) implements Intake {

    @Override
    public void check(Event event) {
      ingestor.check(event);
    }

    @Override
    public CompletableFuture<List<Receipt>> accept(List<Event> events) {
      return ingestor.accept(events);
    }
  }

  private record NavigatorToc(TocNavigator navigator) implements Toc {

    @Override
    public List<TocNode> root() {
      return navigator.root();
    }

    @Override
    public Optional<TocNode> node(NodeId id) {
      return navigator.node(id);
    }

    @Override
    public List<TocNode> children(Optional<NodeId> parent, Optional<ChildPlace> after, int limit) {
      return navigator.children(parent, after, limit);
    }

    @Override
    public NodeMatches searchNode(NodeId id, NodeQuery query) {
      return navigator.searchNode(id, query);
    }

    @Override
    public FoundNodes searchChildren(
        Optional<NodeId> parent, Optional<TocLevel> level, NodeQuery query) {
      return navigator.searchChildren(parent, level, query);
    }

    @Override
    public Optional<GripContext> expand(GripId id, int before, int after) {
      return navigator.expand(id, before, after);
    }
  }

  private record SchedulerJobs(Scheduler scheduler) implements Jobs {

    @Override
    public boolean running() {
      return scheduler.running();
    }

    @Override
    public List<JobStatus> status() {
      return scheduler.status();
    }

    @Override
    public List<String> names() {
      return scheduler.names();
    }

    @Override
    public boolean pause(String job) {
      return scheduler.pause(job);
    }

    @Override
    public boolean resume(String job) {
      return scheduler.resume(job);
    }

    @Override
    public Map<String, String> runNow(String job) {
      return scheduler.runNow(job);
    }
  }
}
