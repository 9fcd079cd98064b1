package dev.agentmemory.daemon.config;

import java.util.Locale;
import java.util.function.Function;

/// One thing that can be set.
///
/// @param key its name in flags and, later, in a file, such as `toc.zone`
/// @param defaultText the value when nobody sets it, as a person would write it
/// @param range which values are possible, in readable form
/// @param meaning what it does, one sentence
/// @param parser reads a value; throws `IllegalArgumentException` saying what would be right
record Setting<T>(
    String key, String defaultText, String range, String meaning, Function<String, T> parser) {

  /// The environment variable that sets it: `toc.zone` is `MEMORY_TOC_ZONE`.
  String variable() {
    return "MEMORY_" + key.toUpperCase(Locale.ROOT).replace('.', '_');
  }

  T parse(String text) {
    return parser.apply(text.strip());
  }
}
