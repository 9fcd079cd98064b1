package dev.agentmemory.recall.orient;

import dev.agentmemory.api.upkeep.OrientationDocument;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.recall.memory.CuratedMemories;
import dev.agentmemory.recall.memory.MemorySelection;
import dev.agentmemory.text.EnvelopeTokens;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/// Makes the document that an agent begins with ([OrientPage] shows its form).
///
/// The same state gives the same bytes on the same day: relevance is computed for the end of the
/// day in the store's zone, which decides what is shown, and nothing in the text depends on the
/// time. Words alone decide what a query finds, so no model is asked. It counts no access. With a
/// refiner a model is asked, and what it chooses may differ from call to call.
///
/// A request says whether the document has the envelope of recalled text, which then counts towards
/// the budget. An adapter that puts a plain one into a conversation wraps it in `RecalledText`.
///
/// Any thread may call it.
public final class Orientation {

  /// A token of text has fewer characters than that, nearly always; no more are read of a memory.
  private static final int CHARS_PER_TOKEN = 8;

  private final InstantSource clock;
  private final CuratedMemories memories;
  private final OrientationPorts ports;

  public Orientation(InstantSource clock, CuratedMemories memories, OrientationPorts ports) {
    this.clock = clock;
    this.memories = memories;
    this.ports = ports;
  }

  /// What an agent has to know when it begins. The document has at most as many tokens as the
  /// request allows.
  public OrientationDocument orient(OrientationRequest request) {
    MemorySelection selection = memories.selection();
    OrientLayout layout = layout(request, selection);
    var tokens = new EnvelopeTokens(ports.tokens(), request.enveloped());
    BudgetFill plain = layout.fill(tokens, request.budgetTokens());
    Optional<BudgetFill> refined =
        ports.refiner().equals(OrientationRefiner.NONE)
            ? Optional.empty()
            : refined(request, tokens, plain, layout);
    OrientPage page = refined.orElse(plain).page();
    String markdown = page.markdown();
    return new OrientationDocument(
        tokens.handedOut(markdown),
        tokens.whole(markdown),
        page.citations(),
        refined.isPresent(),
        selection.skipped());
  }

  private OrientLayout layout(OrientationRequest request, MemorySelection selection) {
    var found =
        new OrientedMemories(
            selection, request, endOfDay(), ports.zone(), request.budgetTokens() * CHARS_PER_TOKEN);
    OrientedWork work = OrientedWork.of(ports.work());
    return new OrientLayout(
        OrientedPlace.of(ports, request.viewer()),
        found.pinned(),
        found.standing(),
        LineQueue.of(work.work()),
        LineQueue.of(work.threads()),
        found.relevant(),
        !request.query().isBlank());
  }

  /// The end, not the beginning: a memory of today has to be there, and is as fresh as it can be.
  private Instant endOfDay() {
    return LocalDate.ofInstant(clock.instant(), ports.zone())
        .plusDays(1)
        .atStartOfDay(ports.zone())
        .toInstant();
  }

  private Optional<BudgetFill> refined(
      OrientationRequest request, EnvelopeTokens tokens, BudgetFill plain, OrientLayout layout) {
    OrientRevision revision = OrientRevision.of(plain, layout);
    if (revision.choices().isEmpty()) {
      return Optional.empty();
    }
    var draft =
        new OrientationRefiner.Draft(request.query(), plain.page().markdown(), revision.texts());
    return ports
        .refiner()
        .choose(draft)
        .flatMap(revision::chosen)
        .map(chosen -> {
          var fill = new BudgetFill(tokens, request.budgetTokens());
          return revised(fill, revision.fixed(), chosen, request.budgetTokens());
        });
  }

  private static BudgetFill revised(
      BudgetFill fill, List<OrientLine> fixed, List<OrientLine> chosen, int budget) {
    fill.addAll(LineQueue.of(fixed), budget);
    OrientLayout.fillUp(fill, List.of(LineQueue.of(chosen)));
    return fill;
  }
}
