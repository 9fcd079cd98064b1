package dev.agentmemory.recall.orient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.recall.orient.RecentWork.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenThreadsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Who tests the import?",
        "Ann asked: \"who tests it?\"",
        "誰がテストしますか？",
        "TODO: the import",
        "The import is not yet tested.",
        "Next steps: the import, then the tests"
      })
  void questionAndRemainingWork_areOpen(String text) {
    assertThat(OpenThreads.isOpen(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"The import is tested.", "Why? Because it failed.", "Added the todos page"})
  void otherStatements_areNot(String text) {
    assertThat(OpenThreads.isOpen(text)).isFalse();
  }

  @Test
  void questionOfAnEarlierSegment_ofTheSameSession_isNoThread() {
    var world = new OrientWorld();
    var _ = world.worked("s1", "Earlier", "Which database?");
    var _ = world.worked("s2", "Other", "Which region?");
    var _ = world.worked("s1", "Later", "Which version?");
    var threads = new OpenThreads();
    assertThat(world.work.stream().flatMap(one -> threads.of(one).stream()).map(Statement::text))
        .containsExactly("Which version?", "Which region?");
  }

  @Test
  void questionAsTheTitle_ofASegmentWithoutStatements_isAThreadAndNoWork() {
    var world = new OrientWorld();
    var passage = world.worked("s1", "Which database do we use?");
    assertThat(world.text("", 1000))
        .endsWith(
            "## Open threads\n\n- 2026-01-02: Which database do we use? [" + passage.node() + "]")
        .doesNotContain("## Last worked on");
  }
}
