package dev.agentmemory.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestToc;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.testkit.store.InterceptedStore;
import dev.agentmemory.types.NodeId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchIndexPurgeTest {

  private static final List<NodeId> NODES =
      IntStream.rangeClosed(1, 400).mapToObj(NodeId::year).toList();

  @TempDir Path folder;

  private final HeapStore store = new HeapStore(ZoneOffset.UTC);

  private void write(SearchIndex index, List<NodeId> nodes, int version) {
    store.commit(
        Commit.of(
            nodes.stream()
                .<Change>map(id -> new Change.PutNode(TestToc.node(id, version, List.of())))
                .toList()));
    index.nodesChanged(nodes);
  }

  /// Documents in files that were replaced since.
  private int replaced() throws IOException {
    try (var files = FSDirectory.open(folder.resolve("1"));
        DirectoryReader reader = DirectoryReader.open(files)) {
      return reader.numDeletedDocs();
    }
  }

  /// A file of which much is replaced when it is written is merged at once, on another thread.
  @Test
  void purgeOfDocumentsThatWereReplacedBeforeTheyWereInFiles_leavesNone() throws IOException {
    try (var index = SearchIndex.open(folder, Sources.of(store), () -> 0)) {
      for (int version = 1; version < 4; version++) {
        write(index, NODES, version);
        index.followSummaries(1000);
      }
      index.purge(List.of());
      assertThat(replaced()).isZero();
    }
  }

  /// A thread that has taken changed nodes, but not indexed them yet, would replace documents after
  /// the files were written anew.
  @Test
  void purgeWhileAnotherThreadFollowsNodes_waitsForIt() throws Exception {
    NodeId first = NODES.getFirst();
    var reading = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    MemoryStore slow =
        InterceptedStore.of(
            store,
            (method, arguments, call) -> {
              if (method.equals("node") && arguments[0].equals(first)) {
                reading.countDown();
                goOn.await();
              }
              return call.make();
            });
    try (var index = SearchIndex.open(folder, Sources.of(slow), () -> 0)) {
      List<NodeId> others = NODES.subList(1, NODES.size());
      index.followSummaries(1000);
      write(index, others, 1);
      index.followSummaries(1000);
      index.commit();
      write(index, List.of(first), 1);
      var purging = CompletableFuture.runAsync(() -> index.purge(List.of()));
      reading.await();
      // A file of which many documents are replaced is merged at once.
      write(index, others.subList(0, 10), 2);
      var following = new Thread(() -> index.followSummaries(1000));
      following.start();
      Await.until("the other thread waits", () -> following.getState() == Thread.State.WAITING);
      goOn.countDown();
      purging.join();
      following.join();
      index.refresh();
      int replaced = index.view().read(searcher -> searcher.getIndexReader().numDeletedDocs());
      assertThat(replaced).isZero();
    }
  }

  @Test
  void searchThatReadsFormerFiles_isKnown_untilItEnds() {
    try (var index = SearchIndex.open(folder, Sources.of(store), () -> 0)) {
      write(index, NODES, 1);
      index.followSummaries(1000);
      index.commit();
      index.refresh();
      write(index, NODES, 2);
      boolean during =
          index
              .view()
              .read(_ -> {
                index.purge(List.of());
                return index.hasFormerFiles();
              });
      assertThat(during).isTrue();
      // Readers of what is written from then on do not matter.
      write(index, NODES, 3);
      index.followSummaries(1000);
      index.commit();
      assertThat(index.hasFormerFiles()).isFalse();
    }
  }
}
