package dev.agentmemory.recall.memory;

import dev.agentmemory.recall.WordIndex;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A word index in the heap: the more words of a query a memory has, the better; then the larger
/// id. Public for the tests of what derives memories.
public final class HeapWords implements WordIndex {

  private final Map<MemoryId, List<String>> words = new ConcurrentHashMap<>();
  private long revision;
  private boolean failing;
  private Runnable whileChanging = () -> {};
  private Runnable whileMatching = () -> {};
  int rebuilds;
  int commits;

  void fail(boolean fails) {
    failing = fails;
  }

  /// Sets what [#match] runs first.
  void whileMatching(Runnable action) {
    whileMatching = action;
  }

  /// Sets what the next [#put] or [#commit] runs before it changes anything.
  void whileChanging(Runnable action) {
    whileChanging = action;
  }

  private void changing() {
    Runnable action = whileChanging;
    whileChanging = () -> {};
    action.run();
  }

  private void check() {
    if (failing) {
      throw new MemoryException(ErrorCode.STORAGE_FAILED, "the index fails as it was told to");
    }
  }

  @Override
  public List<MemoryId> match(String query, Predicate<MemoryId> allowed, int limit) {
    check();
    whileMatching.run();
    List<Pattern> wanted = words(query).map(HeapWords::pattern).toList();
    Map<MemoryId, Long> scores = new HashMap<>();
    words.forEach((id, said) -> {
      long score =
          wanted.stream().filter(word -> said.stream().anyMatch(word.asMatchPredicate())).count();
      if (score > 0 && allowed.test(id)) {
        scores.put(id, score);
      }
    });
    return scores.entrySet().stream()
        .sorted(
            Map.Entry.<MemoryId, Long>comparingByValue()
                .thenComparing(Map.Entry.comparingByKey())
                .reversed())
        .limit(limit)
        .map(Map.Entry::getKey)
        .toList();
  }

  private static Stream<String> words(String text) {
    return Pattern.compile("[^\\p{L}\\p{N}*?]+")
        .splitAsStream(text.toLowerCase(Locale.ROOT))
        .filter(word -> !word.isEmpty());
  }

  private static Pattern pattern(String word) {
    return Pattern.compile(word.replace("*", ".*").replace("?", ".?"));
  }

  @Override
  public void put(List<Doc> docs) {
    check();
    changing();
    docs.forEach(doc -> words.put(doc.id(), words(doc.text()).toList()));
  }

  @Override
  public void remove(Collection<MemoryId> ids) {
    check();
    ids.forEach(words::remove);
  }

  @Override
  public void clear() {
    check();
    rebuilds++;
    revision = 0;
    words.clear();
  }

  @Override
  public long revision() {
    return revision;
  }

  @Override
  public void commit(long made) {
    check();
    changing();
    commits++;
    revision = made;
  }

  List<MemoryId> ids() {
    return words.keySet().stream().sorted(Comparator.naturalOrder()).toList();
  }

  @Override
  public void close() {}
}
