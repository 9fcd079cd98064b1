package dev.agentmemory.search.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import org.junit.jupiter.api.Test;

class ShownTextTest {

  @Test
  void remindersAndEmptyLines_areLeftOut_indentsStay() {
    Event said =
        TestEvents.message(
            "s",
            TestEvents.START,
            "<system-reminder>one</system-reminder><system_reminder>1</system_reminder><current_datetime>2</current_datetime>if ready:\n\n \t\n  go\n<hook_context>two");
    assertThat(ShownText.of(said)).contains("if ready:\n  go");
  }

  @Test
  void textOfTheProgram_andNothingButReminders_areNotShown() {
    assertThat(ShownText.of(system("The list of tasks is empty."))).isEmpty();
    assertThat(ShownText.of(TestEvents.end("s", TestEvents.START))).isEmpty();
    assertThat(
            ShownText.of(
                TestEvents.message("s", TestEvents.START, "<system-reminder>x</system-reminder>")))
        .isEmpty();
  }

  /// A pattern that repeats a group would need more stack than there is.
  @Test
  void countlessEmptyLinesAndReminders_areLeftOut() {
    String text = "one" + "\r\n".repeat(200_000) + "<system-reminder>" + "x\n".repeat(200_000);
    assertThat(ShownText.of(TestEvents.answer("s", TestEvents.START, text + "</system-reminder>!")))
        .contains("one\n!");
  }

  private static Event system(String text) {
    return TestEvents.event("s", TestEvents.START, EventType.USER_MESSAGE, EventRole.SYSTEM, text);
  }
}
