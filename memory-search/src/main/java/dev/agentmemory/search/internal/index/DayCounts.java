package dev.agentmemory.search.internal.index;

import dev.agentmemory.api.search.Activity;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.FixedBitSet;

/// Counts the events of an index by day and sender, in one pass over columns and lists of documents
/// that the index has for searches. Reads no text. Memory is bounded: some bytes for each document
/// of the largest file, and [#MOST_TALLIES] tallies. To be used once.
public final class DayCounts {

  /// Senders that are counted one by one before the largest are chosen.
  private static final int MOST_TALLIES = 2000;

  private final int year;
  private final ZoneId zone;
  private final Optional<WorkspaceName> owner;
  private final YearDays days;
  private final TermNumbers agents = new TermNumbers(Fields.AGENT);
  private final TermNumbers owners = new TermNumbers(Fields.OWNER);
  private final Map<Integer, Tally> tallies = new HashMap<>();
  private final Tally rest;
  private long earliest = Long.MAX_VALUE;
  private long latest = Long.MIN_VALUE;

  /// @param owner the only workspace whose events count, and which is not named then; empty: all
  public DayCounts(int year, ZoneId zone, Optional<WorkspaceName> owner) {
    this.year = year;
    this.zone = zone;
    this.owner = owner;
    days = new YearDays(year, zone);
    rest = new Tally(0, 0);
  }

  /// What a sender has sent.
  private final class Tally {

    private final int workspace;
    private final int agent;
    private final long[] events = new long[days.size()];
    private final long[] messages = new long[days.size()];

    /// @param workspace its number, 0 for none
    /// @param agent its number, 0 for none
    Tally(int workspace, int agent) {
      this.workspace = workspace;
      this.agent = agent;
    }

    void add(int day, boolean message) {
      events[day]++;
      messages[day] += message ? 1 : 0;
    }

    void add(Tally other) {
      for (int day = 0; day < events.length; day++) {
        events[day] += other.events[day];
        messages[day] += other.messages[day];
      }
    }

    long sum() {
      return Arrays.stream(events).sum();
    }
  }

  /// Counts what a searcher sees.
  public DayCounts of(IndexSearcher searcher) throws IOException {
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      count(leaf.reader());
    }
    return this;
  }

  private void count(LeafReader leaf) throws IOException {
    PostingsEnum events = events(leaf);
    NumericDocValues times = leaf.getNumericDocValues(Fields.TIME);
    if (events == null || times == null) {
      return;
    }
    Bits live = leaf.getLiveDocs();
    FixedBitSet messages = messages(leaf);
    FixedBitSet own = owner.isEmpty() ? null : documents(leaf, Fields.OWNER, owner.get().value());
    short[] workspaces = owner.isEmpty() ? owners.of(leaf) : new short[0];
    short[] senders = agents.of(leaf);
    for (int doc = events.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = events.nextDoc()) {
      if ((live == null || live.get(doc))
          && (own == null || own.get(doc))
          && times.advanceExact(doc)) {
        long time = times.longValue();
        earliest = Math.min(earliest, time);
        latest = Math.max(latest, time);
        int day = days.of(time);
        if (day >= 0) {
          int workspace = workspaces.length == 0 ? 0 : workspaces[doc];
          tally(workspace, senders[doc]).add(day, messages.get(doc));
        }
      }
    }
  }

  private static PostingsEnum events(LeafReader leaf) throws IOException {
    return leaf.postings(new Term(Fields.KIND, EventDocuments.KIND), PostingsEnum.NONE);
  }

  /// Words of persons and assistants.
  private static FixedBitSet messages(LeafReader leaf) throws IOException {
    FixedBitSet found = documents(leaf, Fields.ROLE, EventDocuments.role(EventRole.USER));
    found.or(documents(leaf, Fields.ROLE, EventDocuments.role(EventRole.ASSISTANT)));
    found.and(documents(leaf, Fields.SPOKEN, EventDocuments.SPOKEN));
    return found;
  }

  private static FixedBitSet documents(LeafReader leaf, String field, String value)
      throws IOException {
    FixedBitSet found = new FixedBitSet(leaf.maxDoc());
    PostingsEnum docs = leaf.postings(new Term(field, value), PostingsEnum.NONE);
    if (docs != null) {
      found.or(docs);
    }
    return found;
  }

  private Tally tally(int workspace, int agent) {
    if (workspace == TermNumbers.OTHER || agent == TermNumbers.OTHER) {
      return rest;
    }
    int key = workspace << Short.SIZE | agent;
    Tally known = tallies.get(key);
    if (known == null) {
      if (tallies.size() == MOST_TALLIES) {
        return rest;
      }
      known = new Tally(workspace, agent);
      tallies.put(key, known);
    }
    return known;
  }

  /// What was counted.
  ///
  /// @param complete whether the index has the whole log
  public Activity activity(boolean complete) {
    List<Tally> order =
        tallies.values().stream()
            .sorted(
                Comparator.comparingLong(Tally::sum)
                    .reversed()
                    .thenComparingInt(tally -> tally.workspace)
                    .thenComparingInt(tally -> tally.agent))
            .toList();
    int most = Math.min(order.size(), Activity.MOST_SENDERS);
    order.subList(most, order.size()).forEach(rest::add);
    List<Activity.Day> found = new ArrayList<>();
    for (int day = 0; day < days.size(); day++) {
      List<Activity.Part> parts = parts(order.subList(0, most), day);
      if (!parts.isEmpty()) {
        found.add(new Activity.Day(days.date(day), parts));
      }
    }
    return new Activity(year, zone, years(), found, complete, /* behind= */ 0);
  }

  private Optional<Activity.Years> years() {
    return earliest > latest
        ? Optional.empty()
        : Optional.of(
            new Activity.Years(YearDays.year(earliest, zone), YearDays.year(latest, zone)));
  }

  private List<Activity.Part> parts(List<Tally> order, int day) {
    List<Activity.Part> parts = new ArrayList<>();
    for (Tally tally : order) {
      if (tally.events[day] > 0) {
        parts.add(
            new Activity.Part(
                tally.workspace == 0
                    ? Optional.empty()
                    : WorkspaceName.of(owners.value(tally.workspace)),
                tally.agent == 0 ? Optional.empty() : Optional.of(agents.value(tally.agent)),
                /* rest= */ false,
                count(tally, day)));
      }
    }
    if (rest.events[day] > 0) {
      parts.add(
          new Activity.Part(
              Optional.empty(), Optional.empty(), /* rest= */ true, count(rest, day)));
    }
    return parts;
  }

  private static Activity.Count count(Tally tally, int day) {
    return new Activity.Count(tally.events[day], tally.messages[day]);
  }
}
