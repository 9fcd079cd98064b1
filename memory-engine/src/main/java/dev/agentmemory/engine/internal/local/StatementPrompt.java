package dev.agentmemory.engine.internal.local;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.model.Prompt;
import dev.agentmemory.model.Window;
import dev.agentmemory.recall.derive.StatementRefiner.Turn;
import dev.agentmemory.recall.extract.ExtractedStatement;
import dev.agentmemory.text.Graphemes;
import dev.agentmemory.text.TextResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/// A question about turns: those that a model's window has room for, and the statements of the
/// rules in them, both numbered from 1. The texts are JSON strings, so nothing in them can end its
/// string and pass for a part of the question.
final class StatementPrompt {

  private static final String SYSTEM =
      TextResource.beside(StatementPrompt.class, "extraction-prompt.txt").strip();

  private static final JsonMapper JSON = new JsonMapper();

  /// UTF-16 units of a turn that are sent; statements are seldom behind that.
  private static final int TURN_CHARS = 6000;

  private final Window window;
  private final UnaryOperator<String> mask;
  private final List<Turn> turns = new ArrayList<>();
  private final List<Candidate> candidates = new ArrayList<>();
  private final ArrayNode shownTurns = JSON.createArrayNode();
  private final ArrayNode shownCandidates = JSON.createArrayNode();
  private int left;

  /// A statement of the rules.
  record Candidate(Turn turn, ExtractedStatement statement) {}

  StatementPrompt(Window window, UnaryOperator<String> mask, List<Turn> all) {
    this.window = window;
    this.mask = mask;
    this.left = window.room(SYSTEM);
    all.forEach(this::add);
  }

  /// Adds a turn if there is room.
  private void add(Turn turn) {
    int number = turns.size() + 1;
    ObjectNode shown =
        JSON.createObjectNode()
            .put("turn", number)
            .put("by", turn.person() ? "user" : "assistant")
            .put("text", Graphemes.head(mask.apply(turn.text()), TURN_CHARS));
    List<ObjectNode> stated = new ArrayList<>();
    for (ExtractedStatement statement : turn.statements()) {
      stated.add(
          JSON.createObjectNode()
              .put("number", candidates.size() + stated.size() + 1)
              .put("turn", number)
              .put("kind", statement.kind().name().toLowerCase(Locale.ROOT))
              .put("text", mask.apply(statement.text())));
    }
    int cost = window.count(shown + ",") + stated.stream().mapToInt(this::cost).sum();
    if (cost <= left) {
      left -= cost;
      turns.add(turn);
      turn.statements().forEach(statement -> candidates.add(new Candidate(turn, statement)));
      shownTurns.add(shown);
      shownCandidates.addAll(stated);
    }
  }

  private int cost(ObjectNode node) {
    return window.count(node + ",");
  }

  /// The turns that are shown, in order.
  List<Turn> turns() {
    return turns;
  }

  /// The statements of the rules in them, in order.
  List<Candidate> candidates() {
    return candidates;
  }

  Prompt prompt() {
    ObjectNode all = JSON.createObjectNode();
    all.set("turns", shownTurns);
    all.set("candidates", shownCandidates);
    return new Prompt(SYSTEM, all.toString());
  }
}
