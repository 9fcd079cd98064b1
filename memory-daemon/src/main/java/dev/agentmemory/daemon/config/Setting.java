package dev.agentmemory.daemon.config;

import java.util.Locale;
import java.util.function.Function;

/// One thing that can be set.
///
/// @param key its name in flags and files, such as `toc.zone`
/// @param form what its value is in a file
/// @param defaultText the value when nobody sets it, as a person would write it
/// @param range which values are possible, in readable form
/// @param meaning what it does, one sentence
/// @param parser reads a value; throws `IllegalArgumentException` saying what would be right
record Setting<T>(
    String key,
    Form form,
    String defaultText,
    String range,
    String meaning,
    Function<String, T> parser) {

  /// What a value is in a file, where text and numbers are not the same.
  enum Form {
    TEXT("text in quotes"),
    SWITCH("true or false without quotes"),
    WHOLE("a whole number without quotes"),
    WHOLE_OR_NONE("a whole number without quotes, or \"none\""),
    SIZE("a size in quotes such as \"64MiB\", or a whole number of bytes");

    static final String STRING = "text";
    static final String NUMBER = "a whole number";
    static final String BOOLEAN = "true or false";

    private final String inFile;

    Form(String inFile) {
      this.inFile = inFile;
    }

    String inFile() {
      return inFile;
    }

    /// @param found what is there
    boolean fits(String found) {
      return switch (this) {
        case TEXT -> found.equals(STRING);
        case SWITCH -> found.equals(BOOLEAN) || found.equals(STRING);
        case WHOLE -> found.equals(NUMBER);
        case SIZE, WHOLE_OR_NONE -> found.equals(STRING) || found.equals(NUMBER);
      };
    }
  }

  /// A setting whose value is text.
  Setting(
      String key, String defaultText, String range, String meaning, Function<String, T> parser) {
    this(key, Form.TEXT, defaultText, range, meaning, parser);
  }

  /// The environment variable that sets it: `toc.zone` is `MEMORY_TOC_ZONE`.
  String variable() {
    return "MEMORY_" + key.toUpperCase(Locale.ROOT).replace('.', '_');
  }

  T parse(String text) {
    return parser.apply(text.strip());
  }
}
