package dev.agentmemory.client.internal.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HpackTest {

  private final Hpack hpack = new Hpack();

  private List<HeaderField> decode(String hex) throws IOException {
    return hpack.decode(HexFormat.of().parseHex(hex));
  }

  @Test
  void decode_examplesOfTheStandard_areRead() throws IOException {
    // RFC 7541, C.2.1 to C.2.4, and C.4.1.
    assertThat(decode("400a637573746f6d2d6b65790d637573746f6d2d686561646572"))
        .containsExactly(new HeaderField("custom-key", "custom-header"));
    assertThat(decode("040c2f73616d706c652f70617468"))
        .containsExactly(new HeaderField(":path", "/sample/path"));
    assertThat(decode("100870617373776f726406736563726574"))
        .containsExactly(new HeaderField("password", "secret"));
    assertThat(decode("82")).containsExactly(new HeaderField(":method", "GET"));
    assertThat(decode("828684418cf1e3c2e5f23a6ba0ab90f4ff"))
        .containsExactly(
            new HeaderField(":method", "GET"),
            new HeaderField(":scheme", "http"),
            new HeaderField(":path", "/"),
            new HeaderField(":authority", "www.example.com"));
  }

  @Test
  void encode_anyLength_isReadBack() throws IOException {
    List<HeaderField> fields =
        List.of(
            new HeaderField("empty", ""),
            new HeaderField("edge", "x".repeat(127)),
            new HeaderField("long", "y".repeat(5000)));
    assertThat(hpack.decode(Hpack.encode(fields))).isEqualTo(fields);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "80",
        "be",
        "04",
        "040c2f",
        "7fffffffffffff",
        "0481ff",
        "0484ffffffff",
        "04820000"
      })
  void decode_noHeaders_isRefused(String hex) {
    assertThatThrownBy(() -> decode(hex)).isInstanceOf(IOException.class);
  }
}
