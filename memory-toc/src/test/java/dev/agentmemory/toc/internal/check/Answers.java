package dev.agentmemory.toc.internal.check;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// Writes answers as a model would.
public final class Answers {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ObjectNode root = JSON.createObjectNode();
  private final ArrayNode bullets;

  public Answers(String title, String prose) {
    root.put("title", title).put("summary", prose);
    bullets = root.putArray("bullets");
    root.putArray("keywords");
  }

  public Answers() {
    this("", "");
  }

  public Answers bullet(String text, String quote, int... events) {
    ObjectNode bullet = bullets.addObject().put("text", text).put("quote", quote);
    ArrayNode cited = bullet.putArray("events");
    for (int event : events) {
      cited.add(event);
    }
    return this;
  }

  public Answers keywords(String... keywords) {
    ArrayNode array = root.putArray("keywords");
    for (String keyword : keywords) {
      array.add(keyword);
    }
    return this;
  }

  public String json() {
    return root.toString();
  }

  /// A good answer about [PassageTurns#move].
  public static String move() {
    return new Answers(
            "Moving the billing service to Frankfurt",
            "The billing service was moved to Frankfurt. The cause of the timeouts was a missing"
                + " index.")
        .bullet(
            "The timeouts came from a missing index on orders.customer_id",
            "cause of the timeouts was a missing index on orders.customer_id",
            2)
        .bullet(
            "The billing service runs in Frankfurt with 3 replicas",
            "The billing service runs in Frankfurt now, with 3 replicas",
            5)
        .keywords("billing service", "Frankfurt", "orders.customer_id")
        .json();
  }
}
