package dev.agentmemory.recall.injection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedRunsTest {

  private static final String TOLD = "One writer thread can share the fsync among all commits";

  private static List<String> shared(String told, String answer) {
    var runs = new SharedRuns();
    runs.add(3, told);
    List<String> found = new ArrayList<>();
    runs.find(answer, (number, words) -> found.add(number + " " + words));
    return found;
  }

  @Test
  void eightWordsInARow_areFound_asTheAnswerWritesThem() {
    assertThat(shared(TOLD, "Yes: one WRITER thread can share, the fsync among others."))
        .containsExactly("3 one WRITER thread can share, the fsync among");
  }

  @Test
  void sevenWordsInARow_areNotEnough() {
    assertThat(shared(TOLD, "one writer thread can share the fsync, and among all commits"))
        .isEmpty();
  }

  @Test
  void run_doesNotCrossALineNorACitation() {
    assertThat(shared("one writer thread can\nshare the fsync among", TOLD)).isEmpty();
    assertThat(
            shared("one writer thread can [evt:01KG7ZNH6000000000000000AB] share the fsync", TOLD))
        .isEmpty();
  }

  @Test
  void partsOfIdentifiers_areNoWordsOfTheirOwn() {
    assertThat(
            shared(
                "memory-storage memory-search memory-recall memory-engine",
                "memory storage memory search memory recall memory engine"))
        .isEmpty();
  }

  @Test
  void otherScripts_haveRuns() {
    assertThat(
            shared(
                "Мы выбрали базу данных потому что запись одна",
                "да, мы выбрали базу данных потому что запись одна"))
        .isNotEmpty();
  }

  @Test
  void textWithoutWords_hasNone() {
    assertThat(shared("", "")).isEmpty();
    assertThat(shared("...", TOLD)).isEmpty();
  }
}
