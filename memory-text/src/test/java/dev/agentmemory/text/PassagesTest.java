package dev.agentmemory.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PassagesTest {

  private static final Map<PassageKind, List<String>> LINES = lines();

  @Test
  void kind_ofEachLine_isTheOneItStandsUnder() {
    var wrong = new ArrayList<String>();
    LINES.forEach((kind, lines) ->
        lines.stream()
            .filter(line -> Passages.kind(line) != kind)
            .forEach(line -> wrong.add(kind + " is " + Passages.kind(line) + ": " + line)));
    assertThat(wrong).isEmpty();
  }

  @Test
  void lines_exist_forEveryKind() {
    assertThat(LINES).containsOnlyKeys(PassageKind.values());
  }

  @Test
  void kind_ofNothing_isAFragment() {
    assertThat(Passages.kind(" \n ")).isEqualTo(PassageKind.FRAGMENT);
  }

  @Test
  void kind_ofAResultThatBeginsLikeAnAnnouncement_isProse() {
    assertThat(Passages.kind("Now all 63 tests of the importer pass."))
        .isEqualTo(PassageKind.PROSE);
    assertThat(Passages.kind("I have moved the table to the new schema."))
        .isEqualTo(PassageKind.PROSE);
  }

  private static Map<PassageKind, List<String>> lines() {
    var lines = new EnumMap<PassageKind, List<String>>(PassageKind.class);
    var kind = PassageKind.PROSE;
    for (String line :
        TextResource.beside(PassagesTest.class, "passage-lines.txt").lines().toList()) {
      if (line.matches("\\[[A-Z]+]")) {
        kind = PassageKind.valueOf(line.substring(1, line.length() - 1));
      } else if (!line.isBlank() && !line.startsWith("# ")) {
        lines.computeIfAbsent(kind, _ -> new ArrayList<>()).add(line);
      }
    }
    return lines;
  }
}
