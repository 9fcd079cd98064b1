package dev.agentmemory.agents.spool;

import dev.agentmemory.store.erased.ErasedContent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Texts, and which of them repeat what was said. Words are compared in the normal form of
/// [ErasedContent], and by its measures: 24 characters of what was said in the same session, 64 of
/// what was said in another one, or all of it if it is shorter. What has less than 24 characters
/// has to be a whole value, of 8 or more. Paths are left out, since everything in a project names
/// them.
///
/// @param <T> what a text belongs to
public final class RepeatedWords<T> {

  /// Characters that are indexed together, at most.
  public static final int MOST = 1 << 20;

  private static final int SHORTEST = 8;
  private static final int LONG = 24;
  private static final int UNIQUE = 64;

  /// Between two texts; in the normal form of none.
  private static final char BORDER = '\0';

  private final StringBuilder all = new StringBuilder();
  private final List<T> owners = new ArrayList<>();

  /// Where the text of each owner ends.
  private final List<Integer> ends = new ArrayList<>();

  /// Hashes of the runs of characters that begin with a word, each with its place; in order.
  private long[] shorts = {};

  private long[] longs = {};

  /// What tells whether a text is of the session in which something was said, or may be.
  ///
  /// @param <T> what a text belongs to
  public interface Relation<T> {
    boolean mayBeOfSession(T owner);
  }

  public boolean isEmpty() {
    return owners.isEmpty();
  }

  public boolean isFull() {
    return all.length() >= MOST;
  }

  /// Adds a text, or a part of one.
  public void add(T owner, String text) {
    all.append(ErasedContent.normalised(text)).append(BORDER);
    owners.add(owner);
    ends.add(all.length());
  }

  /// Is to be called when all texts were added, and before [#repeating].
  public void build() {
    shorts = hashes(SHORTEST);
    longs = hashes(LONG);
  }

  private long[] hashes(int length) {
    var found = new long[all.length()];
    int count = 0;
    for (int at = 0; at + length <= all.length(); at++) {
      if (isStart(all, at)) {
        found[count++] = hash(all, at, length) << Integer.SIZE | at;
      }
    }
    long[] sorted = Arrays.copyOf(found, count);
    Arrays.sort(sorted);
    return sorted;
  }

  private static boolean isStart(CharSequence text, int at) {
    return Character.isLetterOrDigit(text.charAt(at))
        && (at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1)));
  }

  private static long hash(CharSequence text, int from, int length) {
    int hash = 0;
    for (int i = from; i < from + length; i++) {
      hash = 31 * hash + text.charAt(i);
    }
    return hash;
  }

  /// The owners of the texts that repeat what was said.
  public Set<T> repeating(String said, Relation<T> relation) {
    Set<T> found = new HashSet<>();
    String words = ErasedContent.normalised(said);
    if (words.length() < SHORTEST) {
      return found;
    }
    if (words.length() < LONG) {
      for (int at : places(shorts, words, 0, SHORTEST)) {
        if (isAt(at, words, 0, words.length())
            && isValue(at, at + words.length())
            && relation.mayBeOfSession(owner(at))) {
          found.add(owner(at));
        }
      }
      return found;
    }
    for (int from = 0; from + LONG <= words.length(); from++) {
      if (isStart(words, from) && !isPath(words, from)) {
        for (int at : places(longs, words, from, LONG)) {
          T owner = owner(at);
          int least = relation.mayBeOfSession(owner) ? LONG : Math.min(UNIQUE, words.length());
          if (isAt(at, words, from, least)) {
            found.add(owner);
          }
        }
      }
    }
    return found;
  }

  /// Whether it is all of a text in JSON, which may be cut off: a short one is part of many others.
  private boolean isValue(int from, int to) {
    char after = all.charAt(to);
    return from > 0 && all.charAt(from - 1) == '"' && (after == '"' || after == BORDER);
  }

  private static boolean isPath(String words, int from) {
    String run = words.substring(from, from + LONG);
    return run.indexOf(' ') < 0 && (run.indexOf('/') >= 0 || run.indexOf('\\') >= 0);
  }

  private boolean isAt(int at, String words, int from, int length) {
    if (from + length > words.length() || at + length > all.length()) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (all.charAt(at + i) != words.charAt(from + i)) {
        return false;
      }
    }
    return true;
  }

  private static int[] places(long[] hashes, String words, int from, int length) {
    long hash = hash(words, from, length) << Integer.SIZE;
    int first = Arrays.binarySearch(hashes, hash);
    int start = first < 0 ? -first - 1 : first;
    int end = start;
    while (end < hashes.length && (hashes[end] ^ hash) >>> Integer.SIZE == 0) {
      end++;
    }
    var places = new int[end - start];
    for (int i = 0; i < places.length; i++) {
      places[i] = (int) hashes[start + i];
    }
    return places;
  }

  private T owner(int at) {
    int low = 0;
    int high = ends.size() - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends.get(middle) > at) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return owners.get(low);
  }
}
