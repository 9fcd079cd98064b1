package dev.agentmemory.agents.spool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class RepeatedWordsTest {

  private static final String SAID =
      "Please find out why the zanzibar gateway closes its connections at night, every time.";

  private static Set<String> repeating(String said, boolean sameSession, String... texts) {
    var index = new RepeatedWords<String>();
    for (String text : texts) {
      index.add(text, text);
    }
    index.build();
    return index.repeating(said, _ -> sameSession);
  }

  private static boolean isRepeated(String said, boolean sameSession, String text) {
    return !repeating(said, sameSession, text).isEmpty();
  }

  @Test
  void run_of24Characters_isEnoughInTheSameSession_andNotInAnother() {
    int from = SAID.indexOf("zanzibar");
    String enough = "so: " + SAID.substring(from, from + 24) + "!";
    String less = "so: " + SAID.substring(from, from + 23) + "!";

    assertThat(isRepeated(SAID, true, enough)).isTrue();
    assertThat(isRepeated(SAID, true, less)).isFalse();
    assertThat(isRepeated(SAID, false, enough)).isFalse();
  }

  @Test
  void run_of64Characters_isEnoughInAnySession() {
    assertThat(isRepeated(SAID, false, "so: " + SAID.substring(7, 71) + "!")).isTrue();
    assertThat(isRepeated(SAID, false, "so: " + SAID.substring(7, 70) + "!")).isFalse();
  }

  @Test
  void textOf24To63Characters_isRepeatedInAnotherSession_asAWhole() {
    String said = "zanzibar gateway closes it all";

    assertThat(isRepeated(said, false, "they said " + said + " again")).isTrue();
    assertThat(isRepeated(said, false, "they said zanzibar gateway closes it a")).isFalse();
  }

  @Test
  void shortText_isRepeatedAsAWholeValue_inItsSession() {
    assertThat(isRepeated("continue", true, "{\"prompt\":\"Continue\",")).isTrue();
    assertThat(isRepeated("continue", true, "{\"prompt\":\"continue")).isTrue();
    assertThat(isRepeated("continue", true, "{\"prompt\":\"continue with it\"")).isFalse();
    assertThat(isRepeated("continue", true, "{\"prompt\":\"so continue\"")).isFalse();
    assertThat(isRepeated("continue", false, "{\"prompt\":\"continue\"")).isFalse();
    assertThat(isRepeated("go ahead", true, "{\"prompt\":\"go ahead\"")).isTrue();
    assertThat(isRepeated("go on ok", true, "{\"prompt\":\"go on ok\"")).isTrue();
    assertThat(isRepeated("go on..", true, "{\"prompt\":\"go on..\"")).isFalse();
  }

  @Test
  void formOfWords_makesNoDifference() {
    assertThat(isRepeated(SAID, true, "THE  ZANZIBAR\n gateway closes its connections")).isTrue();
  }

  @Test
  void path_isNoRepetition() {
    String said = "Look at /home/developer/projects/zanzibar/gateway first.";

    assertThat(isRepeated(said, true, "{\"cwd\":\"/home/developer/projects/zanzibar/gateway\""))
        .isFalse();
    assertThat(isRepeated(said, true, "look at /home/developer/projects")).isTrue();
  }

  @Test
  void repeating_namesTheTextsThatDo_andNoRunCrossesTwo() {
    String one = "the zanzibar gateway closes its connections";
    String other = "nothing of it";

    assertThat(repeating(SAID, true, other, one, "x " + other)).containsExactly(one);
    assertThat(repeating(SAID, true, "why the zanzibar", "gateway closes its")).isEmpty();
  }
}
