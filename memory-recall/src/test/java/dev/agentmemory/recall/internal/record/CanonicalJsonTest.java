package dev.agentmemory.recall.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The examples of RFC 8785 and its appendix B.
class CanonicalJsonTest {

  private static String of(String json) {
    return CanonicalJson.of(RecordJson.parse(json));
  }

  @Test
  void object_isSortedAtEveryLevel_withoutSpaces() {
    assertThat(of("{ \"b\" : [ {\"z\":1, \"y\":null} , true ], \"a\" : {} }"))
        .isEqualTo("{\"a\":{},\"b\":[{\"y\":null,\"z\":1},true]}");
  }

  @Test
  void keys_areSortedByTheirUtf16Units() {
    String json =
        "{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":6,"
            + "\"\\u00f6\":7}";
    assertThat(of(json))
        .isEqualTo(
            "{\"\\r\":2,\"1\":4,\"\u0080\":6,\"\u00f6\":7,\"\u20ac\":1,\"\ud83d\ude00\":5,"
                + "\"\ufb33\":3}");
  }

  @Test
  void text_isEscapedOnlyWhereJsonRequiresIt() {
    assertThat(of("{\"a\":\"\\u20ac$\\u000F\\nA'\\u0042\\u0022\\\\\\\"\\/\"}"))
        .isEqualTo("{\"a\":\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\"/\"}");
    assertThat(of("{\"a\":\"\\b\\f\\r\\t\"}")).isEqualTo("{\"a\":\"\\b\\f\\r\\t\"}");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, 0",
    "1, 1",
    "1.0, 1",
    "1e0, 1",
    "-1.50, -1.5",
    "0.5, 0.5",
    "1.0E-5, 0.00001",
    "0.000001, 0.000001",
    "0.0000001, 1e-7",
    "1e21, 1e+21",
    "1e20, 100000000000000000000",
    "4.50, 4.5",
    "2e-3, 0.002",
    "0.000000000000000000000000001, 1e-27",
    "333333333.33333329, 333333333.3333333",
    "5e-324, 5e-324",
    "1.7976931348623157e308, 1.7976931348623157e+308",
    "-1764399600000, -1764399600000",
    "9007199254740992, 9007199254740992",
    "9007199254740993, 9007199254740992",
    "-9223372036854775808, -9223372036854776000",
    "295147905179352830000, 295147905179352830000",
    "1424953923781206.2, 1424953923781206.2",
    "-123.456e-10, -1.23456e-8"
  })
  void number_hasTheFormOfEcmaScript(String written, String canonical) {
    assertThat(of("{\"a\":" + written + "}")).isEqualTo("{\"a\":" + canonical + "}");
  }

  @Test
  void number_beyondADouble_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> of("{\"a\":1e400}"));
    assertThatIllegalArgumentException().isThrownBy(() -> of("{\"a\":1" + "0".repeat(400) + "}"));
  }
}
