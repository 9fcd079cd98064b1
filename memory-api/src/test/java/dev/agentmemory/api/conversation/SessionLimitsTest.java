package dev.agentmemory.api.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// The limits of a session's preferences and settings.
class SessionLimitsTest {

  private static void refused(String field, String expected, ThrowingCallable call) {
    MemoryException refusal = catchThrowableOfType(MemoryException.class, call);
    assertThat(refusal).as(field).isNotNull();
    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(refusal.field()).hasValue(field);
    assertThat(refusal).hasMessageContaining(expected);
  }

  private static SessionPreferences words(String language, String verbosity) {
    return new SessionPreferences(Optional.of(language), Optional.of(verbosity), Map.of());
  }

  private static SessionPreferences custom(Map<String, String> entries) {
    return new SessionPreferences(Optional.empty(), Optional.empty(), entries);
  }

  private static Map<String, String> entries(int count) {
    return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "k" + i, i -> "v"));
  }

  @Test
  void preferences_atTheirLimits_pass_oneMoreIsRefused() {
    String word = "x".repeat(64);
    assertThat(words(word, word).language()).hasValue(word);
    refused("preferences.language", "at most 64 characters", () -> words(word + "x", ""));
    refused("preferences.verbosity", "at most 64 characters", () -> words("", word + "x"));
    assertThat(custom(entries(100)).custom()).hasSize(100);
    refused("preferences.custom", "100 custom entries", () -> custom(entries(101)));
    String key = "k".repeat(128);
    String value = "v".repeat(1000);
    assertThat(custom(Map.of(key, value)).custom()).containsEntry(key, value);
    refused("preferences.custom", "1 to 128", () -> custom(Map.of(key + "k", "v")));
    refused("preferences.custom", "1 to 128", () -> custom(Map.of("", "v")));
    refused("preferences.custom", "at most 1000", () -> custom(Map.of("k", value + "v")));
  }

  private static SessionOverrides halfLife(Duration time) {
    return new SessionOverrides(
        Optional.empty(), Optional.of(time), Optional.empty(), Optional.empty(), Optional.empty());
  }

  private static SessionOverrides shares(double floor, double compactAt) {
    return new SessionOverrides(
        Optional.empty(),
        Optional.empty(),
        Optional.of(floor),
        Optional.empty(),
        Optional.of(compactAt));
  }

  @Test
  void overrides_outsideTheirRanges_areRefused() {
    for (Duration allowed : new Duration[] {Duration.ofHours(1), Duration.ofDays(3650)}) {
      assertThat(halfLife(allowed).halfLife()).hasValue(allowed);
    }
    for (Duration wrong :
        new Duration[] {Duration.ofMinutes(59), Duration.ofDays(3650).plusMillis(1)}) {
      refused("overrides.half_life", "1 hour to 10 years", () -> halfLife(wrong));
    }
    assertThat(shares(0, 0.5).compactAt()).hasValue(0.5);
    assertThat(shares(1, 1).floor()).hasValue(1.0);
    for (double wrong : new double[] {-0.01, 1.01, Double.NaN}) {
      refused("overrides.floor", "expected 0.0 to 1", () -> shares(wrong, 1));
    }
    for (double wrong : new double[] {0.49, 1.01, Double.NaN}) {
      refused("overrides.compact_at", "expected 0.5 to 1", () -> shares(0, wrong));
    }
  }

  @Test
  void user_isAtMost256PrintableCharacters() {
    assertThat(ConversationChange.ofUser("u".repeat(256)).user()).isPresent();
    for (String wrong : new String[] {"u".repeat(257), "a\nb"}) {
      refused("user", "256 printable characters", () -> ConversationChange.ofUser(wrong));
    }
  }
}
