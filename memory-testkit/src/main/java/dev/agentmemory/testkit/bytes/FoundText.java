package dev.agentmemory.testkit.bytes;

import java.nio.file.Path;

/// A text that was found in a file.
///
/// @param needle the text that was looked for
/// @param form how it was encoded, such as `utf-8` or `base64`
/// @param kind what contains it, such as `row`, `log record`, `term` or `bytes`
/// @param place where this is in the file: a key, an offset, a field
public record FoundText(String needle, String form, Path file, String kind, String place) {}
