package dev.agentmemory.engine.internal.erase;

import dev.agentmemory.api.forget.ForgetPreview;
import dev.agentmemory.api.forget.ForgetPreview.Sample;
import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.engine.internal.recall.StoreRecall;
import dev.agentmemory.search.Sources;
import dev.agentmemory.search.workspace.WorkspaceSearch;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.toc.shared.WorkspaceView;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import dev.agentmemory.types.WorkspaceName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Counts and shows what a selected erasure would do. Changes nothing.
record ErasurePreview(MemoryStore store, WorkspaceSearch search, StoreRecall recall) {

  /// Events that are looked at for samples: many have no text.
  private static final int LOOKED_AT = 200;

  private static final int STEP = 20;

  /// The words of a tag: its last level.
  static String words(String tag) {
    return tag.substring(tag.lastIndexOf('.') + 1).replace('-', ' ').replace('_', ' ');
  }

  /// @param plan with the nodes that it affects
  /// @param mention words that are looked for in what stays
  ForgetPreview of(ErasurePlan plan, Optional<String> mention) {
    Set<EventId> erased = new HashSet<>();
    plan.events().values().forEach(keys -> keys.forEach(key -> erased.add(key.id())));
    var preview = new Samples(plan, erased);
    preview.addEvents();
    preview.addMemories();
    preview.addNodes();
    mention.filter(words -> !words.isBlank()).ifPresent(preview::addMentions);
    return preview.made();
  }

  /// What is found for one preview.
  private final class Samples {

    private final ErasurePlan plan;
    private final Set<EventId> erased;
    private final List<Sample> all = new ArrayList<>();
    private long nodes;
    private long bullets;
    private long mentions;
    private boolean moreMentions;

    Samples(ErasurePlan plan, Set<EventId> erased) {
      this.plan = plan;
      this.erased = erased;
    }

    private void add(Sample.Kind kind, String id, long time, String text) {
      long known = all.stream().filter(sample -> sample.kind() == kind).count();
      String plain = text.strip();
      if (known < ForgetPreview.SAMPLES && !plain.isEmpty()) {
        all.add(new Sample(kind, id, time, beginning(plain)));
      }
    }

    private static String beginning(String text) {
      int end = Math.min(text.length(), Sample.MOST_CHARS);
      boolean half = end < text.length() && Character.isHighSurrogate(text.charAt(end - 1));
      return text.substring(0, half ? end - 1 : end);
    }

    /// The first ones with a text.
    void addEvents() {
      List<EventKey> keys =
          plan.events().values().stream().flatMap(Set::stream).sorted().limit(LOOKED_AT).toList();
      for (int from = 0; from < keys.size(); from += STEP) {
        List<EventKey> step = keys.subList(from, Math.min(keys.size(), from + STEP));
        for (Event event : store.events().events(step)) {
          add(Sample.Kind.EVENT, shown(event.id()), event.timestamp().toEpochMilli(), event.text());
        }
      }
    }

    private String shown(EventId id) {
      return plan.owner().isPresent() ? id.plain().value() : id.value();
    }

    private String shown(NodeId id) {
      return plan.owner().isPresent() ? id.plain().value() : id.value();
    }

    void addMemories() {
      List<MemoryId> some = plan.memories().stream().sorted().limit(ForgetPreview.SAMPLES).toList();
      for (MemoryRecord memory : recall.readable(plan.owner(), some)) {
        add(
            Sample.Kind.MEMORY,
            memory.id().value(),
            memory.validity().created().toEpochMilli(),
            memory.content().text());
      }
    }

    /// Nodes that are there, and their statements that rest on an erased event.
    void addNodes() {
      for (NodeId id : plan.nodes()) {
        store.toc().node(id).ifPresent(this::add);
      }
    }

    private void add(TocNode node) {
      nodes++;
      long time = node.span().start().toEpochMilli();
      add(Sample.Kind.NODE, shown(node.id()), time, node.title());
      for (Bullet bullet : node.bullets()) {
        if (bullet.grips().stream().anyMatch(this::restsOnErased)) {
          bullets++;
          add(Sample.Kind.BULLET, shown(node.id()), time, bullet.text());
        }
      }
    }

    private boolean restsOnErased(GripId id) {
      Optional<Grip> grip = store.grips().grip(id);
      return grip.filter(one -> erased.contains(one.first()) || erased.contains(one.last()))
          .isPresent();
    }

    /// Events with the words as they stand, of which the erased ones are left out.
    void addMentions(String words) {
      String phrase = "+\"" + words.replace('"', ' ').strip() + '"';
      for (int offset = 0;
          offset < ForgetPreview.MOST_MENTIONS;
          offset += SearchRequest.MAX_LIMIT) {
        SearchAnswer answer = search(phrase, offset);
        answer.hits().forEach(this::addMention);
        moreMentions = answer.more();
        if (answer.hits().size() < SearchRequest.MAX_LIMIT) {
          moreMentions = false;
          return;
        }
      }
    }

    private SearchAnswer search(String phrase, int offset) {
      SearchRequest request =
          SearchRequest.of(phrase, SearchRequest.MAX_LIMIT, plan.receipt().time())
              .withMode(SearchMode.LEXICAL)
              .withFilters(Filters.NONE.withKinds(Set.of(HitKind.EVENT)))
              .withOffset(offset);
      return plan.owner()
          .map(owner -> search.searcher(owner, sources(owner)).search(request))
          .orElseGet(() -> search.search(request));
    }

    private Sources sources(WorkspaceName owner) {
      return Sources.of(new WorkspaceView(store, owner), store);
    }

    private void addMention(Hit hit) {
      hit.event()
          .map(key -> plan.owner().map(key.id()::in).orElse(key.id()))
          .filter(id -> !erased.contains(id))
          .ifPresent(id -> {
            mentions++;
            add(Sample.Kind.MENTION, shown(id), hit.time().toEpochMilli(), hit.snippet().text());
          });
    }

    ForgetPreview made() {
      ForgetReceipt receipt = plan.receipt().withNodes(nodes);
      return new ForgetPreview(
          receipt,
          bullets,
          receipt.events() + nodes + receipt.memories(),
          all,
          mentions,
          moreMentions);
    }
  }
}
