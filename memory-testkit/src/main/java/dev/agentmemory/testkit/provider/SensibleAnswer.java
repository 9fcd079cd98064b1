package dev.agentmemory.testkit.provider;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A model's answer that quotes the longest of the prompt's numbered lines, `[7 user] text` or `[7]
/// text`, verbatim. Equal prompts get equal answers.
final class SensibleAnswer {

  private static final Pattern LINE = Pattern.compile("(?m)^\\[(\\d+)(?: [^\\]\\n]*)?\\] (.+)$");
  private static final Pattern WORD = Pattern.compile("\\p{L}{6,20}");
  private static final int BULLETS = 4;
  private static final int LONGEST = 110;

  private SensibleAnswer() {}

  private record Line(int number, String text) {}

  static String to(String prompt) {
    List<Line> chosen = chosen(prompt);
    ObjectNode root = Formats.object();
    root.put("title", chosen.isEmpty() ? "" : head(chosen.getFirst().text(), 50));
    root.put("summary", chosen.isEmpty() ? "" : chosen.getFirst().text());
    ArrayNode bullets = root.putArray("bullets");
    Set<String> words = new LinkedHashSet<>();
    for (Line line : chosen) {
      ObjectNode bullet = bullets.addObject().put("text", line.text());
      bullet.putArray("events").add(line.number());
      bullet.put("quote", line.text());
      Matcher word = WORD.matcher(line.text());
      while (word.find()) {
        words.add(word.group());
      }
    }
    ArrayNode keywords = root.putArray("keywords");
    words.stream().limit(5).forEach(keywords::add);
    return root.toString();
  }

  private static List<Line> chosen(String prompt) {
    var lines = new ArrayList<Line>();
    Matcher line = LINE.matcher(prompt);
    while (line.find()) {
      lines.add(new Line(Integer.parseInt(line.group(1)), head(line.group(2), LONGEST)));
    }
    lines.sort(Comparator.comparingInt((Line one) -> -one.text().length()));
    return lines.stream().limit(BULLETS).toList();
  }

  /// The first sentence, or the first words of it.
  private static String head(String text, int most) {
    int stop = text.indexOf(". ");
    String sentence = stop < 0 ? text : text.substring(0, stop + 1);
    if (sentence.length() <= most) {
      return sentence.strip();
    }
    int space = sentence.lastIndexOf(' ', most);
    return sentence.substring(0, space > 0 ? space : most).strip();
  }
}
