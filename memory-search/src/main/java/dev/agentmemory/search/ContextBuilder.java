package dev.agentmemory.search;

import dev.agentmemory.api.search.Context;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.Said;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.internal.query.FilterMerge;
import dev.agentmemory.search.internal.query.QueryReader;
import dev.agentmemory.search.internal.query.ReadQuery;
import dev.agentmemory.search.internal.rank.Diversity;
import dev.agentmemory.search.internal.rank.Evidence;
import dev.agentmemory.search.internal.rank.Likeness;
import dev.agentmemory.search.internal.text.Analysis;
import dev.agentmemory.search.internal.text.ShownText;
import dev.agentmemory.search.internal.text.Snippets;
import dev.agentmemory.search.internal.text.Traits;
import dev.agentmemory.search.memory.FoundMemory;
import dev.agentmemory.search.memory.MemoryMatches;
import dev.agentmemory.text.EnvelopeTokens;
import dev.agentmemory.text.Speakers;
import dev.agentmemory.text.StatementIdentity;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.GripId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/// Puts the best evidence for a question together, as text inside a budget of tokens. Any thread
/// may call it; disks are read.
///
/// Memories that match the question come first, inside a part of the budget. Hits are added in the
/// order of [Diversity] until the budget is used, a long turn only around its match; then the
/// questions that they answer. [ContextPage] formats them.
public final class ContextBuilder {

  /// Maximum length of a turn in UTF-16 units, and the shorter lengths that are tried near the end
  /// of the budget. A turn that does not fit with the last one is omitted.
  private static final int[] LENGTHS = {1200, 600, 300, 150};

  /// From this length on there are no tokens left for grips.
  private static final int BARE = 300;

  /// Maximum number of grips per hit.
  private static final int GRIPS = 2;

  /// Tokens that a turn with its citation takes at least: so many hits are looked at.
  private static final int TURN_TOKENS = 25;

  private static final int LEAST_HITS = 10;

  /// Tokens for empty lines around a turn, without their marks.
  private static final int SLACK = 2;

  /// The part of the budget for memories where there is other evidence, too: one in so many tokens.
  private static final int MEMORY_SHARE = 3;

  private final Searcher searcher;
  private final Sources sources;
  private final ToIntFunction<String> counter;
  private final Analysis analysis = new Analysis();

  /// @param counter counts the tokens of a text as the budget counts them
  public ContextBuilder(Searcher searcher, Sources sources, ToIntFunction<String> counter) {
    this.searcher = searcher;
    this.sources = sources;
    this.counter = counter;
  }

  /// Finds evidence. Its Markdown never has more tokens than the budget.
  ///
  /// @throws dev.agentmemory.types.MemoryException `STORAGE_FAILED` when the index cannot be read
  public Context build(ContextRequest request) {
    SearchRequest search = search(request);
    ReadQuery read = QueryReader.read(request.query(), sources.zone(), request.now());
    Filters filters = FilterMerge.of(request.filters(), read.filters());
    MemoryMatches matches = new ContextMemories(searcher, analysis).find(search, read, filters);
    List<FoundMemory> memories = matches.memories();
    SearchAnswer answer = searcher.answer(search);
    Optional<String> degraded = matches.degraded(answer.degraded());
    List<Hit> hits = answer.hits().stream().filter(hit -> hit.memory().isEmpty()).toList();
    var tokens = new EnvelopeTokens(counter, request.enveloped());
    if (hits.isEmpty() && memories.isEmpty()) {
      return context(ContextPage.Text.NONE, tokens, 0, degraded, nothing(answer));
    }
    Filling filling = new Filling(request, tokens, new Snippets(analysis, read.text()));
    filling.takeMemories(
        memories, hits.isEmpty() ? request.budget() : request.budget() / MEMORY_SHARE);
    int found = memories.size() + filling.take(new Diversity(evidence(hits, filling.snippets)));
    if (isOpen(request, read)) {
      filling.takeQuestions();
    }
    ContextPage.Text text = filling.text();
    int omitted = found - filling.hits() - text.memories().size();
    Optional<String> nothing =
        text.markdown().isEmpty()
            ? Optional.of(
                "no hit fits into " + request.budget() + " tokens; ask for a larger budget")
            : Optional.empty();
    searcher.accessed(text.memories());
    return context(text, tokens, omitted, degraded, nothing);
  }

  private static Optional<String> nothing(SearchAnswer answer) {
    return answer
        .nothingBecause()
        .map(why ->
            answer.near().stream()
                .findFirst()
                .map(near -> why + "; closest match: " + near.snippet().text().strip())
                .orElse(why));
  }

  private static SearchRequest search(ContextRequest request) {
    int hits = Math.clamp(request.budget() / TURN_TOKENS, LEAST_HITS, SearchRequest.MAX_LIMIT);
    return SearchRequest.of(request.query(), hits, request.now())
        .withFilters(request.filters())
        .withThreshold(request.threshold());
  }

  private static Context context(
      ContextPage.Text text,
      EnvelopeTokens tokens,
      int omitted,
      Optional<String> degraded,
      Optional<String> nothing) {
    return new Context(
        tokens.handedOut(text.markdown()),
        tokens.whole(text.markdown()),
        text.events(),
        text.grips(),
        text.memories(),
        omitted,
        degraded,
        nothing);
  }

  /// Whether what was not found may be shown beside what was: filters were checked of hits only.
  private static boolean isOpen(ContextRequest request, ReadQuery read) {
    Filters given = request.filters();
    return given.equals(given.notSession().map(Filters.NONE::withNotSession).orElse(Filters.NONE))
        && read.filters().equals(Filters.NONE)
        && read.hardTime().isEmpty()
        && read.required().isEmpty()
        && read.excluded().isEmpty();
  }

  private List<Evidence> evidence(List<Hit> hits, Snippets snippets) {
    Map<EventId, float[]> vectors =
        searcher.vectors(
            hits.stream().flatMap(hit -> hit.event().stream()).map(EventKey::id).toList());
    List<Evidence> found = new ArrayList<>();
    for (Hit hit : hits) {
      List<GripId> grips = hit.grips().stream().limit(GRIPS).toList();
      if (hit.event().isEmpty()) {
        found.add(summary(hit, grips));
      } else {
        // One at a time: each may be long, and little of it is kept.
        sources
            .events()
            .event(hit.event().get().id())
            .flatMap(event ->
                evidence(
                    event,
                    grips,
                    hit.score(),
                    hit.said(),
                    Optional.ofNullable(vectors.get(event.id())),
                    snippets))
            .ifPresent(found::add);
      }
    }
    return found;
  }

  private Evidence summary(Hit hit, List<GripId> grips) {
    String text = hit.snippet().text();
    return new Evidence(
        hit.time(),
        Optional.empty(),
        hit.session(),
        "summary of " + hit.title().orElse(""),
        text,
        grips,
        hit.score(),
        likeness(text, text, Optional.empty()),
        hit.said());
  }

  /// @return empty when nothing of the event may be shown
  private Optional<Evidence> evidence(
      Event event,
      List<GripId> grips,
      double score,
      Said said,
      Optional<float[]> vector,
      Snippets snippets) {
    return ShownText.of(event)
        .map(whole -> evidence(event, whole, grips, score, said, vector, snippets));
  }

  private Evidence evidence(
      Event event,
      String whole,
      List<GripId> grips,
      double score,
      Said said,
      Optional<float[]> vector,
      Snippets snippets) {
    String text = snippets.of(whole, LENGTHS[0]).text();
    String role = event.role().name().toLowerCase(Locale.ROOT);
    return new Evidence(
        event.timestamp(),
        Optional.of(event.key()),
        Optional.of(event.session()),
        Speakers.isNamed(event) ? role + '/' + Speakers.of(event) : role,
        text,
        grips,
        score,
        likeness(whole, text, vector),
        said);
  }

  /// @param shown what is shown of it
  private Likeness likeness(String text, String shown, Optional<float[]> vector) {
    return new Likeness(
        vector, new HashSet<>(Analysis.terms(analysis.words(), shown)), StatementIdentity.of(text));
  }

  /// One context while it is put together.
  private final class Filling {
    private final int budget;
    private final EnvelopeTokens tokens;
    private final Snippets snippets;
    private final ContextPage page;
    private final List<Evidence> chosen = new ArrayList<>();
    private final List<ContextPage.ShownMemory> memories = new ArrayList<>();

    /// Tokens for empty lines around a turn.
    private final int slack;

    private int hits;
    private int used;

    private Filling(ContextRequest request, EnvelopeTokens tokens, Snippets snippets) {
      this.budget = request.budget();
      this.tokens = tokens;
      this.slack = tokens.enveloped() ? SLACK + tokens.lines("") : SLACK;
      this.used = tokens.frame();
      this.snippets = snippets;
      this.page = new ContextPage(sources, budget);
    }

    /// Adds memories as long as they fit.
    ///
    /// @param share tokens for all of them
    private void takeMemories(List<FoundMemory> found, int share) {
      used += tokens.lines(ContextPage.MEMORIES) + slack;
      for (FoundMemory memory : found) {
        addMemory(memory, share);
      }
      if (memories.isEmpty()) {
        used = tokens.frame();
      }
    }

    private void addMemory(FoundMemory memory, int share) {
      for (int length : LENGTHS) {
        var shown = new ContextPage.ShownMemory(memory, snippets.of(memory.text(), length).text());
        int cost = tokens.lines(page.memory(shown)) + slack;
        if (used + cost <= share) {
          memories.add(shown);
          used += cost;
          return;
        }
      }
    }

    /// @return how many were handed out
    private int take(Diversity hitsLeft) {
      int handed = 0;
      for (Optional<Evidence> next = hitsLeft.next(); next.isPresent(); next = hitsLeft.next()) {
        handed++;
        if (add(next.get(), LENGTHS[0])) {
          hitsLeft.keep(next.get());
        }
      }
      hits = chosen.size();
      return handed;
    }

    private void takeQuestions() {
      for (Evidence answer : List.copyOf(chosen)) {
        questionBefore(answer)
            .filter(question ->
                chosen.stream()
                    .noneMatch(one ->
                        one.event().equals(question.event())
                            || one.likeness().isSame(question.likeness())))
            .ifPresent(question -> add(question, BARE));
      }
    }

    private Optional<Evidence> questionBefore(Evidence answer) {
      if (answer.event().isEmpty()) {
        return Optional.empty();
      }
      return sources
          .sessions()
          .eventsBefore(answer.session().orElseThrow(), answer.event().get(), 1)
          .stream()
          .flatMap(key -> sources.events().event(key.id()).stream())
          .filter(
              event -> Traits.of(Speakers.isNamed(event), event.role(), event.text()).question())
          .flatMap(event ->
              evidence(
                  event, List.of(), 0, Said.once(event.timestamp()), Optional.empty(), snippets)
                  .stream())
          .filter(question -> !question.speaker().equals(answer.speaker()))
          .findFirst();
    }

    /// Adds as much of it as the budget allows.
    ///
    /// @param most of its text, in UTF-16 units
    private boolean add(Evidence whole, int most) {
      String heading = page.heading(whole);
      boolean known = chosen.stream().anyMatch(one -> page.heading(one).equals(heading));
      int above = known ? 0 : tokens.lines(heading) + slack;
      for (int length : LENGTHS) {
        if (length <= most) {
          List<GripId> grips = length <= BARE ? List.of() : whole.grips();
          String text =
              length == LENGTHS[0] ? whole.text() : snippets.of(whole.text(), length).text();
          Evidence shown = whole.with(text, grips);
          int cost = tokens.lines(page.turn(shown)) + slack + above;
          if (used + cost <= budget) {
            chosen.add(shown);
            used += cost;
            return true;
          }
        }
      }
      return false;
    }

    /// How many hits are shown.
    private int hits() {
      return Math.min(hits, chosen.size());
    }

    /// A text may have more tokens than its parts, so what was taken last may have to go again.
    private ContextPage.Text text() {
      ContextPage.Text text = page.of(memories, chosen);
      while (!text.markdown().isEmpty() && tokens.whole(text.markdown()) > budget) {
        if (chosen.isEmpty()) {
          memories.removeLast();
        } else {
          chosen.removeLast();
        }
        text = page.of(memories, chosen);
      }
      return text;
    }
  }
}
