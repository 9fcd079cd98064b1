package dev.agentmemory.bench.digest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.bench.digest.JunkRules.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JunkRulesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "program | <system-reminder>Do not mention this</system-reminder>",
        "json | {\"name\": \"x\", \"value\": 3}",
        "tool | Bash: go test ./...",
        "tool | git commit -m 'Fix it'",
        "code | result, err := store.Read(ctx)",
        "code | 12:30:01 server started and listens",
        "path | internal/store/a.go internal/store/b.go",
        "short | Two tests fail",
        "announcement | Let me look at the retry policy first",
        "request | Should the retry policy stay?",
        "fragment | The retry policy is made of the"
      })
  void reason_ofAWorthlessBullet_isNamed(String reason, String line) {
    assertThat(JunkRules.reason(Place.BULLET, line, "")).contains(reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "The daemon retries four times with full jitter.",
        "Fixed `CondenseSessionByID`, which set the wrong field."
      })
  void reason_ofAStatement_isNone(String line) {
    assertThat(JunkRules.reason(Place.BULLET, line, "")).isEmpty();
  }

  @Test
  void reason_ofWhatThePersonAskedFor_isARequest() {
    String line = "Add a retry policy to the client.";

    assertThat(JunkRules.reason(Place.BULLET, line, "")).isEmpty();
    assertThat(JunkRules.reason(Place.BULLET, line, JunkRules.plain("Hi! " + line)))
        .contains("request");
    assertThat(JunkRules.reason(Place.BULLET, "User: " + line, "")).contains("request");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Commit and push", "January 12, 2026 at 10:30"})
  void reason_ofATitleWithoutSubject_isEmpty(String line) {
    assertThat(JunkRules.reason(Place.TITLE, line, "")).contains("empty");
  }
}
