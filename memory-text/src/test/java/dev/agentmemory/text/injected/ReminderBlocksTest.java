package dev.agentmemory.text.injected;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.text.Prose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReminderBlocksTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "system-reminder",
        "system_reminder",
        "hook_context",
        "current_datetime",
        "local-command-caveat"
      })
  void closedBlock_isTakenOut_withTheSpaceBehindItOnlyWhereTheWholeTextIsThere(String tag) {
    String block = "<%1$s>\nnot said\n</%1$s>".formatted(tag);
    assertThat(ReminderBlocks.strip(block + "\n  Yes, " + block + " do it."))
        .isEqualTo("Yes, do it.");
    assertThat(ReminderBlocks.stripAnywhere("Yes:" + block + "\n  do it."))
        .isEqualTo("Yes:\n  do it.");
    assertThat(ReminderBlocks.strip("<%1$ss>one</%1$ss>".formatted(tag))).contains("one");
  }

  @ParameterizedTest
  @ValueSource(strings = {"system-reminder", "system_reminder", "hook_context"})
  void longBlockWithoutItsEnd_goesOnToTheEndOfTheText(String tag) {
    String block = "<%s>\nThe secret garden is locked.\n\nIt is locked at night.".formatted(tag);
    assertThat(ReminderBlocks.strip("\n" + block)).isEmpty();
    assertThat(ReminderBlocks.strip("What is " + block)).isEqualTo("What is " + block);
    assertThat(ReminderBlocks.stripAnywhere("What is " + block)).isEqualTo("What is ");
    assertThat(Prose.of("Open the gate.\n" + block)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"current_datetime", "local-command-caveat", "system-reminders"})
  void tagThatNothingEnds_ofAnotherName_isText(String tag) {
    String text = "<%s> is a tag. The gate is open.".formatted(tag);
    assertThat(ReminderBlocks.strip(text)).isEqualTo(text);
    assertThat(ReminderBlocks.stripAnywhere(text)).isEqualTo(text);
    assertThat(Prose.of("<%s>\nThe gate is open.".formatted(tag))).hasSize(1);
  }

  /// A pattern that repeats a group would need more stack than there is.
  @Test
  void longTexts_areRead() {
    String lines = "x\n".repeat(200_000);
    String closed = "<system-reminder>" + lines + "</system-reminder>";
    assertThat(ReminderBlocks.strip(closed + "one")).isEqualTo("one");
    assertThat(ReminderBlocks.stripAnywhere("one" + closed + "<hook_context>" + lines))
        .isEqualTo("one");
  }
}
