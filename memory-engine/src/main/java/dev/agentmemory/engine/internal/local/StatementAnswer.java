package dev.agentmemory.engine.internal.local;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.recall.derive.StatementRefiner.Claim;
import dev.agentmemory.recall.extract.ExtractedStatement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// What a model answered about turns.
///
/// @param odd entries that are no claims, such as numbers of nothing
record StatementAnswer(List<Claim> claims, int odd) {

  /// Entries of a list that are read; fewer were asked for.
  private static final int MOST = 200;

  private static final String THOUGHT = "</think>";
  private static final JsonMapper JSON = new JsonMapper();

  /// Reads an answer: bare JSON, or with prose around it.
  ///
  /// @return empty when it is not of the form that was asked for
  static Optional<StatementAnswer> read(String said, StatementPrompt prompt) {
    int thought = said.lastIndexOf(THOUGHT);
    String text = thought < 0 ? said : said.substring(thought + THOUGHT.length());
    int from = text.indexOf('{');
    int to = text.lastIndexOf('}');
    if (from < 0 || to < from) {
      return Optional.empty();
    }
    try {
      JsonNode root = JSON.readTree(text.substring(from, to + 1));
      boolean known = root.path("keep").isArray() && root.path("add").isArray();
      return known ? Optional.of(of(root, prompt)) : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  private static StatementAnswer of(JsonNode root, StatementPrompt prompt) {
    var claims = new ArrayList<Claim>();
    int odd = 0;
    Set<Integer> kept = new LinkedHashSet<>();
    for (JsonNode number : head(root.path("keep"))) {
      boolean known = isNumber(number, prompt.candidates().size());
      odd += known ? 0 : 1;
      if (known && kept.add(number.intValue())) {
        claims.add(kept(prompt.candidates().get(number.intValue() - 1)));
      }
    }
    for (JsonNode one : head(root.path("add"))) {
      JsonNode turn = one.path("turn");
      if (isNumber(turn, prompt.turns().size()) && one.path("importance").isNumber()) {
        claims.add(
            new Claim(
                prompt.turns().get(turn.intValue() - 1).event(),
                one.path("quote").asText().strip(),
                one.path("kind").asText(),
                one.path("importance").doubleValue()));
      } else {
        odd++;
      }
    }
    return new StatementAnswer(claims, odd);
  }

  private static Claim kept(StatementPrompt.Candidate candidate) {
    ExtractedStatement statement = candidate.statement();
    return new Claim(
        candidate.turn().event(),
        statement.text(),
        statement.kind().name().toLowerCase(Locale.ROOT),
        statement.importance());
  }

  private static boolean isNumber(JsonNode node, int most) {
    return node.canConvertToExactIntegral()
        && node.canConvertToInt()
        && node.intValue() >= 1
        && node.intValue() <= most;
  }

  private static List<JsonNode> head(JsonNode list) {
    var head = new ArrayList<JsonNode>();
    for (JsonNode one : list) {
      if (head.size() < MOST) {
        head.add(one);
      }
    }
    return head;
  }
}
