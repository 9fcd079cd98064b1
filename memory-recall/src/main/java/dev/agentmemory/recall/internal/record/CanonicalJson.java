package dev.agentmemory.recall.internal.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/// JSON as RFC 8785 (JSON Canonicalization Scheme) writes it: keys sorted at every level by their
/// UTF-16 units, no white space, numbers in the shortest form of a double, and escapes only where
/// JSON requires them. So every program that has a library for it computes the same checksum,
/// however a tool such as `jq` has written the object.
final class CanonicalJson {

  private static final int LARGEST_PLAIN = 21;

  /// Up to here each whole number is a double.
  private static final long LARGEST_EXACT = 1L << 53;

  private static final int SMALLEST_PLAIN = -6;
  private static final String HEX = "0123456789abcdef";

  private final StringBuilder out = new StringBuilder(512);

  private CanonicalJson() {}

  /// @throws IllegalArgumentException when a number is larger than a double can be
  static String of(JsonNode node) {
    var json = new CanonicalJson();
    json.write(node);
    return json.out.toString();
  }

  private void write(JsonNode node) {
    if (node.isObject()) {
      writeObject(node);
    } else if (node.isArray()) {
      writeArray(node);
    } else if (node.isTextual()) {
      writeText(node.textValue());
    } else if (node.isNumber()) {
      out.append(number(node));
    } else {
      out.append(node.asText());
    }
  }

  private void writeObject(JsonNode node) {
    Map<String, JsonNode> sorted = new TreeMap<>();
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      sorted.put(field.getKey(), field.getValue());
    }
    out.append('{');
    boolean first = true;
    for (Map.Entry<String, JsonNode> field : sorted.entrySet()) {
      if (!first) {
        out.append(',');
      }
      first = false;
      writeText(field.getKey());
      out.append(':');
      write(field.getValue());
    }
    out.append('}');
  }

  private void writeArray(JsonNode node) {
    out.append('[');
    Iterator<JsonNode> elements = node.elements();
    while (elements.hasNext()) {
      write(elements.next());
      if (elements.hasNext()) {
        out.append(',');
      }
    }
    out.append(']');
  }

  private void writeText(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < ' ') {
            out.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  private static String number(JsonNode node) {
    if (node.isInt() || (node.isLong() && isExact(node.longValue()))) {
      return Long.toString(node.longValue());
    }
    double value = node.doubleValue();
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      throw new IllegalArgumentException("a number is larger than a double can be");
    }
    return number(value);
  }

  private static boolean isExact(long value) {
    return value >= -LARGEST_EXACT && value <= LARGEST_EXACT;
  }

  /// The form that ECMAScript gives a number, which RFC 8785 requires.
  private static String number(double value) {
    if (value == 0) {
      return "0";
    }
    BigDecimal shortest = shortest(Math.abs(value));
    String digits = shortest.unscaledValue().toString();
    // The decimal point stands before the digit with this index.
    int point = digits.length() - shortest.scale();
    return (value < 0 ? "-" : "") + placed(digits, point);
  }

  /// Java writes two digits at least, also where one is enough: 4.9E-324.
  private static BigDecimal shortest(double value) {
    BigDecimal written = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    BigDecimal oneDigit = written.round(new MathContext(1));
    return oneDigit.doubleValue() == value ? oneDigit : written;
  }

  private static String placed(String digits, int point) {
    int count = digits.length();
    if (point > LARGEST_PLAIN || point <= SMALLEST_PLAIN) {
      String rest = count == 1 ? "" : "." + digits.substring(1);
      int exponent = point - 1;
      return digits.charAt(0) + rest + "e" + (exponent < 0 ? "" : "+") + exponent;
    }
    if (point <= 0) {
      return "0." + "0".repeat(-point) + digits;
    }
    return count <= point
        ? digits + "0".repeat(point - count)
        : digits.substring(0, point) + "." + digits.substring(point);
  }
}
