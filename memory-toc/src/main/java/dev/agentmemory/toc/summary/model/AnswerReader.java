package dev.agentmemory.toc.summary.model;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.model.ChatReply;
import dev.agentmemory.toc.internal.check.Answer;
import dev.agentmemory.toc.internal.check.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds the JSON in what a model said: bare, fenced, or with prose around it. What is bent is made
/// out as far as it can be; what has no bullets at all is malformed.
final class AnswerReader {

  /// More statements than that are not read; five were asked for.
  static final int MOST_CLAIMS = 12;

  private static final int MOST_KEYWORDS = 24;
  private static final int MOST_EVENTS = 16;
  private static final int MOST_STARTS = 8;
  private static final int MOST_CHARS = 2000;
  private static final Pattern NUMBER = Pattern.compile("\\d{1,6}");
  private static final String THOUGHT = "</think>";

  private static final ObjectMapper JSON =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(30).build())
              .build());

  private AnswerReader() {}

  /// What was read, or what is wrong with it, as a clause that a model can act on.
  record Read(Optional<Answer> answer, String wrong) {}

  static Read read(ChatReply reply) {
    Optional<JsonNode> root = find(reply.text());
    if (root.isEmpty()) {
      return wrong(
          reply.cut()
              ? "it was longer than the limit and broke off; be shorter"
              : "there was no complete JSON object in it");
    }
    JsonNode bullets = root.get().path("bullets");
    if (!bullets.isArray()) {
      return wrong("\"bullets\" was not an array");
    }
    var claims = new ArrayList<Claim>();
    int odd = 0;
    for (JsonNode bullet : bullets) {
      Optional<Claim> claim = claim(bullet);
      claim.ifPresent(claims::add);
      odd += claim.isPresent() ? 0 : 1;
      if (claims.size() == MOST_CLAIMS) {
        break;
      }
    }
    return new Read(
        Optional.of(
            new Answer(
                text(root.get().path("title")),
                text(root.get().path("summary")),
                claims,
                keywords(root.get().path("keywords")),
                odd)),
        "");
  }

  private static Read wrong(String what) {
    return new Read(Optional.empty(), what);
  }

  private static Optional<JsonNode> find(String said) {
    int thought = said.lastIndexOf(THOUGHT);
    String text = thought < 0 ? said : said.substring(thought + THOUGHT.length());
    int at = text.indexOf('{');
    for (int start = 0; at >= 0 && start < MOST_STARTS; start++) {
      try {
        JsonNode node = JSON.readTree(text.substring(at));
        if (node != null && node.isObject() && node.has("bullets")) {
          return Optional.of(node);
        }
      } catch (JacksonException e) {
        // Braces of prose, or a broken object; the next one may be whole.
      }
      at = text.indexOf('{', at + 1);
    }
    return Optional.empty();
  }

  private static Optional<Claim> claim(JsonNode bullet) {
    String text = text(bullet.path("text"));
    String quote = text(bullet.path("quote"));
    return text.isBlank() || quote.isBlank()
        ? Optional.empty()
        : Optional.of(new Claim(text, events(bullet.path("events")), quote));
  }

  /// Numbers, also as texts such as `"3"` or `"[3]"`, and one alone without an array.
  private static List<Integer> events(JsonNode cited) {
    var events = new ArrayList<Integer>();
    for (JsonNode one : cited.isArray() ? cited : List.of(cited)) {
      if (events.size() == MOST_EVENTS) {
        break;
      }
      if (one.isInt()) {
        events.add(one.intValue());
      } else if (one.isTextual()) {
        Matcher number = NUMBER.matcher(one.textValue());
        if (number.find()) {
          events.add(Integer.parseInt(number.group()));
        }
      }
    }
    return events;
  }

  private static List<String> keywords(JsonNode node) {
    var keywords = new ArrayList<String>();
    for (JsonNode keyword : node) {
      if (keyword.isTextual() && keywords.size() < MOST_KEYWORDS) {
        keywords.add(text(keyword));
      }
    }
    return keywords;
  }

  private static String text(JsonNode node) {
    if (!node.isTextual()) {
      return "";
    }
    String text = node.textValue();
    return text.length() > MOST_CHARS ? text.substring(0, MOST_CHARS) : text;
  }
}
