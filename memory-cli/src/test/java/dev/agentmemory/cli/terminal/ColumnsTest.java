package dev.agentmemory.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ColumnsTest {

  @Test
  void width_wideAndCombiningCharacters_areCountedAsShown() {
    assertThat(Columns.width("abc")).isEqualTo(3);
    assertThat(Columns.width("日本語")).isEqualTo(6);
    assertThat(Columns.width("e\u0301")).isEqualTo(1);
    assertThat(Columns.width("🎿")).isEqualTo(2);
  }

  @Test
  void wrap_words_breaksAtSpaces() {
    assertThat(Columns.wrap("one two three four", 10)).containsExactly("one two", "three four");
  }

  @Test
  void wrap_textWithoutSpaces_breaksBetweenCharacters() {
    assertThat(Columns.wrap("日本円には小数点以下がない", 12))
        .allSatisfy(line -> assertThat(Columns.width(line)).isLessThanOrEqualTo(12));
  }

  @Test
  void wrap_wordLongerThanTheLine_isCut() {
    assertThat(Columns.wrap("aaaaaaaaaaaaaaa b", 10)).containsExactly("aaaaaaaaaa", "aaaaa b");
  }

  @Test
  void wrap_escapeSequences_cannotDriveTheTerminal() {
    assertThat(Columns.wrap("a\u001b[31mb\tc", 80)).containsExactly("a [31mb c");
  }

  @Test
  void cut_tooLong_endsWithEllipsisInsideTheRoom() {
    assertThat(Columns.cut("日本円には小数点", 9)).isEqualTo("日本円に…");
    assertThat(Columns.cut("two\nlines", 20)).isEqualTo("two lines");
  }

  @Test
  void cut_familyEmoji_isNotTornApart() {
    String family = "👨‍👩‍👧‍👦";

    assertThat(Columns.cut("abcdef" + family + "xyz", 9)).isEqualTo("abcdef…");
  }

  @Test
  void wrap_idsAndPaths_staysWholeWhereTheyFit() {
    assertThat(Columns.wrap("backup 000001-20261122T170233Z is at /tmp/junit-16/backups", 24))
        .containsExactly("backup", "000001-20261122T170233Z", "is at", "/tmp/junit-16/backups");
    assertThat(Columns.wrap("at /a-path-wider-than-a-line/of-it", 12))
        .allMatch(line -> Columns.width(line) <= 12);
  }
}
