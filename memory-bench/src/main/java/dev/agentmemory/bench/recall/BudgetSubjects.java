package dev.agentmemory.bench.recall;

import dev.agentmemory.api.Recall;
import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.upkeep.OrientationDocument;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.bench.data.GeneratedMemories;
import dev.agentmemory.toc.segment.TokenCounter;
import dev.agentmemory.types.MemoryId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Subjects about which there are findings of three times a token budget. One finding in ten is
/// pinned.
final class BudgetSubjects {

  static final String DESCRIPTION =
      "twelve subjects, budgets of 500 to 4,000 tokens; the texts of the memories with the subject's"
          + " word have three times as many, those of pinned ones a third of the budget";

  private static final List<Integer> BUDGETS = List.of(500, 1000, 2000, 4000);
  private static final int OF_EACH_BUDGET = 3;
  private static final int TIMES = 3;
  private static final int PINNED = 10;
  private static final int TEXT_LENGTH = 150;
  private static final int IN_CALL = 500;

  /// Texts of numbers that no other memory has.
  private static final int FIRST_NUMBER = 1_000_000;

  /// A subject.
  ///
  /// @param word is in the text of each of its memories, and in no other text
  private record Subject(String word, int budget, List<String> texts) {}

  /// What a document used of its budget.
  ///
  /// @param share tokens / budget
  /// @param pinsBehind pinned memories of the subject that the document omits, or cites after one
  ///   that is not pinned, while it cites one that is not pinned
  record Used(double share, long pinsBehind) {}

  private final TokenCounter tokens;
  private final List<Subject> subjects = new ArrayList<>();
  private final List<Set<MemoryId>> pinned = new ArrayList<>();
  private final List<Set<MemoryId>> others = new ArrayList<>();

  BudgetSubjects(TokenCounter tokens) {
    this.tokens = tokens;
    var source = new GeneratedMemories(Instant.EPOCH.plus(GeneratedMemories.SPAN));
    int number = FIRST_NUMBER;
    for (int budget : BUDGETS) {
      for (int i = 0; i < OF_EACH_BUDGET; i++) {
        String word = "quorndale" + (char) ('a' + subjects.size()) + "x";
        List<String> texts = new ArrayList<>();
        for (int sum = 0; sum < TIMES * budget; number++) {
          String text =
              "About %s: %s".formatted(word, source.draft(number, TEXT_LENGTH).content().text());
          texts.add(text);
          sum += tokens.count(text);
        }
        subjects.add(new Subject(word, budget, List.copyOf(texts)));
      }
    }
  }

  /// How many memories there are of all subjects.
  int size() {
    return subjects.stream().mapToInt(subject -> subject.texts().size()).sum();
  }

  /// Stores and pins them.
  void store(Memories memories, Instant until) {
    for (Subject subject : subjects) {
      Set<MemoryId> pins = new HashSet<>();
      Set<MemoryId> rest = new HashSet<>();
      List<MemoryId> ids = stored(memories, subject, until);
      for (int i = 0; i < ids.size(); i++) {
        if (i % PINNED == PINNED / 2) {
          pins.add(memories.pin(ids.get(i), /* pinned= */ true).id());
        } else {
          rest.add(ids.get(i));
        }
      }
      pinned.add(pins);
      others.add(rest);
    }
  }

  private static List<MemoryId> stored(Memories memories, Subject subject, Instant until) {
    List<MemoryDraft> drafts = new ArrayList<>();
    for (int i = 0; i < subject.texts().size(); i++) {
      drafts.add(
          MemoryDraft.builder(MemoryContent.of(subject.texts().get(i)))
              .kind(MemoryKind.FINDING)
              .importance(0.5 + i % 5 / 10.0)
              .created(until.minus(Duration.ofHours(i + 1L)))
              .build());
    }
    List<MemoryId> ids = new ArrayList<>();
    for (int from = 0; from < drafts.size(); from += IN_CALL) {
      memories.remember(drafts.subList(from, Math.min(drafts.size(), from + IN_CALL))).stream()
          .map(MemoryRecord::id)
          .forEach(ids::add);
    }
    return ids;
  }

  /// Asks about each subject with its budget.
  List<Used> used(Recall recall) {
    List<Used> used = new ArrayList<>();
    for (int i = 0; i < subjects.size(); i++) {
      Subject subject = subjects.get(i);
      OrientationDocument document =
          recall.orient(OrientationRequest.of(subject.word()).withBudgetTokens(subject.budget()));
      double share = (double) tokens.count(document.markdown()) / subject.budget();
      used.add(new Used(share, behind(document, pinned.get(i), others.get(i))));
    }
    return used;
  }

  private static long behind(
      OrientationDocument document, Set<MemoryId> pins, Set<MemoryId> others) {
    List<String> cited = document.citations();
    int firstOther = cited.size();
    for (MemoryId other : others) {
      int place = cited.indexOf(other.value());
      firstOther = place < 0 ? firstOther : Math.min(firstOther, place);
    }
    int end = firstOther;
    return end == cited.size()
        ? 0
        : pins.stream()
            .mapToInt(pin -> cited.indexOf(pin.value()))
            .filter(place -> place < 0 || place > end)
            .count();
  }
}
