package dev.agentmemory.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a declaration accepts, as text and as a value. The declared settings are tested in
/// memory-daemon.
class SettingTest {

  enum Colour {
    RED,
    GREEN,
    BLUE
  }

  @Test
  void check_valueOutsideTheRange_isRefusedNamingTheKey() {
    Setting<Long> size = Setting.size("some.size", "2MiB", "1MiB to 1GiB");

    size.check(1L << 20);
    size.check(1L << 30);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> size.check((1L << 20) - 1))
        .withMessage("some.size: 1048575: is outside 1MiB to 1GiB");
    assertThatIllegalArgumentException().isThrownBy(() -> size.check((1L << 30) + 1));
  }

  @Test
  void whole_moreThanAnInt_isOutsideTheRange() {
    Setting<Integer> whole = Setting.whole("number", 1, "0 to 2147483647");

    assertThat(whole.parse(" 2147483647 ")).isEqualTo(Integer.MAX_VALUE);
    for (String more : new String[] {"2147483648", "4294967297"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> whole.parse(more))
          .withMessage("is outside 0 to 2147483647");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> whole.parse("-1"))
        .withMessage("expected a whole number, 0 to 2147483647");
  }

  @Test
  void decimal_numbersOfAFileAndOfText_haveTheRange() {
    Setting<Double> decimal = Setting.decimal("number", "0.5", "0 to 1");

    assertThat(decimal.parse(decimal.defaultText())).isEqualTo(0.5);
    assertThat(decimal.parse("1.0E-4")).isEqualTo(0.0001);
    assertThat(decimal.form().fits(0.25)).isTrue();
    assertThat(decimal.form().fits(1L)).isTrue();
    assertThat(decimal.form().fits("0.25")).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> decimal.parse("1.001"))
        .withMessage("is outside 0 to 1");
    for (String other : new String[] {"-0.1", "NaN", "half", ".5", ""}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> decimal.parse(other))
          .withMessage("expected a number, 0 to 1");
    }
  }

  @Test
  void wholeOrNone_none_isEmpty_andNumbersHaveTheRange() {
    Setting<Optional<Integer>> setting = Setting.wholeOrNone("number", "1 to 9, or none");

    assertThat(setting.parse(setting.defaultText())).isEmpty();
    assertThat(setting.parse("9")).contains(9);
    setting.check(Optional.empty());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> setting.parse("10"))
        .withMessage("is outside 1 to 9, or none");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> setting.check(Optional.of(0)))
        .withMessageContaining("is outside 1 to 9, or none");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> setting.parse("x"))
        .withMessage("expected a whole number, 1 to 9, or none");
  }

  @Test
  void durationOrNever_zero_isTaken_andLessThanTheLeastIsNot() {
    Setting<Duration> setting = Setting.durationOrNever("period", "7d", "1h to 365d");

    assertThat(setting.range()).isEqualTo("0s, or 1h to 365d");
    assertThat(setting.parse("0s")).isZero();
    assertThat(setting.parse("1h")).isEqualTo(Duration.ofHours(1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> setting.parse("59m"))
        .withMessage("is outside 1h to 365d");
  }

  @ParameterizedTest
  @CsvSource({"red, RED", "GREEN, GREEN", "Blue, BLUE", "rot, RED"})
  void oneOf_wordsInAnyCaseAndAliases_areTheirValues(String text, Colour colour) {
    assertThat(Setting.oneOf("colour", Colour.GREEN, Map.of("rot", Colour.RED)).parse(text))
        .isEqualTo(colour);
  }

  /// The order of a map of the library is another one in each process.
  @Test
  void oneOf_severalAliases_areListedByTheAlphabet() {
    Map<String, Colour> aliases =
        Map.of("rot", Colour.RED, "blau", Colour.BLUE, "verde", Colour.GREEN, "azur", Colour.BLUE);

    assertThat(Setting.oneOf("colour", Colour.GREEN, aliases).range())
        .isEqualTo("red, green, blue, azur, blau, rot or verde");
  }

  @Test
  void oneOf_nameOfTwoWords_isWrittenWithAHyphen() {
    assertThat(Setting.oneOf("thread", Thread.State.TIMED_WAITING).defaultText())
        .isEqualTo("timed-waiting");
  }

  @Test
  void oneOf_anotherWord_isRefusedNamingAllWords() {
    Setting<Colour> setting = Setting.oneOf("colour", Colour.GREEN);

    assertThat(setting.defaultText()).isEqualTo("green");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> setting.parse("rot"))
        .withMessage("expected red, green or blue");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "7, 7",
    "7b, 7",
    "2kb, 2000",
    "2KiB, 2048",
    "3 MB, 3000000",
    "3MiB, 3145728",
    "1gb, 1000000000",
    "1GiB, 1073741824",
    "999999999999GiB, 9223372036854775807"
  })
  void size_ofEachUnit_isItsBytes(String text, long bytes) {
    assertThat(ValueParser.size(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"5ms, PT0.005S", "4s, PT4S", "3m, PT3M", "1h30m, PT1H30M", "2d, PT48H"})
  void duration_ofEachUnit_isItsLength(String text, Duration length) {
    assertThat(ValueParser.duration(text)).isEqualTo(length);
  }

  @Test
  void reader_givesWhatIsSet_orElseTheDefault() {
    Setting<Integer> setting = Setting.whole("number", 7, "1 to 9");

    assertThat(SettingReader.DEFAULTS.read(setting)).isEqualTo(7);
    assertThat(SettingReader.DEFAULTS.find(setting)).isEmpty();
    assertThat(SettingReader.of(Map.of("number", "8")).read(setting)).isEqualTo(8);
  }
}
