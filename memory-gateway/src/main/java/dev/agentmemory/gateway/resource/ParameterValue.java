package dev.agentmemory.gateway.resource;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.agentmemory.api.encoded.RequestField;
import dev.agentmemory.types.MemoryException;
import java.util.Arrays;
import java.util.stream.Collectors;

/// The text of a parameter as the JSON of a field.
///
/// @param name of the parameter, for refusals
record ParameterValue(String name, RequestField field) {

  /// @param text of a list, its values with commas between them
  /// @throws MemoryException `INVALID_FIELD` if it is no value of the field
  String json(String text) {
    return field.isList()
        ? Arrays.stream(text.split(",", -1))
            .map(this::single)
            .collect(Collectors.joining(",", "[", "]"))
        : single(text);
  }

  /// The same, for a part of a path, which is one value also of a list.
  String jsonOfOne(String text) {
    return field.isList() ? "[" + single(text) + "]" : single(text);
  }

  private String single(String text) {
    return switch (field.kind()) {
      case TEXT -> quoted(text);
      case CHOICE -> {
        if (!field.choices().contains(text)) {
          throw invalid("is not one of " + String.join(", ", field.choices()));
        }
        yield quoted(text);
      }
      case BOOLEAN -> {
        if (!text.equals("true") && !text.equals("false")) {
          throw invalid("is neither true nor false");
        }
        yield text;
      }
      case INT -> number(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case LONG -> number(text, Long.MIN_VALUE, Long.MAX_VALUE);
      case DOUBLE -> decimal(text);
    };
  }

  private String number(String text, long least, long most) {
    try {
      long value = Long.parseLong(text);
      if (value >= least && value <= most) {
        return Long.toString(value);
      }
    } catch (NumberFormatException e) {
      // Refused below.
    }
    throw invalid("is not a whole number from " + least + " to " + most);
  }

  private String decimal(String text) {
    try {
      double value = Double.parseDouble(text);
      if (Double.isFinite(value)) {
        return Double.toString(value);
      }
    } catch (NumberFormatException e) {
      // Refused below.
    }
    throw invalid("is not a number");
  }

  private MemoryException invalid(String what) {
    return MemoryException.invalid(name, what);
  }

  private static String quoted(String text) {
    return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
