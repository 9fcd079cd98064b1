package dev.agentmemory.cli.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.cli.ingest.LineReader.Line;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LineReaderTest {

  @Test
  void next_lineSeparatorsOfUnicode_stayInTheLine() throws IOException {
    assertThat(texts("a\u2028b\u2029c\u0085d\u000Be\rf\ng"))
        .containsExactly("a\u2028b\u2029c\u0085d\u000Be\rf", "g");
  }

  @Test
  void next_carriageReturnBeforeTheEnd_isDropped() throws IOException {
    assertThat(texts("a\r\nb\r\n")).containsExactly("a", "b");
  }

  @Test
  void next_emptyLines_areCounted() throws IOException {
    assertThat(read("a\n\nb".getBytes(StandardCharsets.UTF_8)))
        .containsExactly(new Line.Text(1, "a"), new Line.Text(2, ""), new Line.Text(3, "b"));
  }

  @Test
  void next_noInput_isTheEnd() throws IOException {
    assertThat(texts("")).isEmpty();
  }

  @Test
  void next_byteOrderMark_isDroppedAtTheStartOnly() throws IOException {
    assertThat(texts("\uFEFFa\n\uFEFFb")).containsExactly("a", "\uFEFFb");
  }

  @Test
  void next_linesAcrossBuffers_areWhole() throws IOException {
    String one = "é".repeat(50_000);
    String two = "🎿".repeat(40_000);

    assertThat(texts(one + "\n" + two + "\nend")).containsExactly(one, two, "end");
  }

  @Test
  void next_notUtf8_isToldAndReadingGoesOn() throws IOException {
    byte[] bytes = {'a', (byte) 0xC3, '\n', 'b', '\n'};

    assertThat(read(bytes))
        .containsExactly(
            new Line.Unreadable(1, "is not UTF-8; convert the input to it"), new Line.Text(2, "b"));
  }

  @Test
  void next_atTheBound_isRead_oneMoreIsNot() throws IOException {
    String most = "x".repeat(LineReader.MOST_BYTES);

    List<Line> lines = read((most + "\n" + most + "x\nb").getBytes(StandardCharsets.UTF_8));

    assertThat(lines.get(0)).isEqualTo(new Line.Text(1, most));
    assertThat(lines.get(1)).isInstanceOf(Line.Unreadable.class);
    assertThat(lines.get(2)).isEqualTo(new Line.Text(3, "b"));
  }

  private static List<String> texts(String input) throws IOException {
    return read(input.getBytes(StandardCharsets.UTF_8)).stream()
        .map(line -> line instanceof Line.Text text ? text.text() : line.toString())
        .toList();
  }

  private static List<Line> read(byte[] input) throws IOException {
    var reader = new LineReader(new ByteArrayInputStream(input));
    List<Line> lines = new ArrayList<>();
    for (Optional<Line> line = reader.next(); line.isPresent(); line = reader.next()) {
      lines.add(line.get());
    }
    return lines;
  }
}
