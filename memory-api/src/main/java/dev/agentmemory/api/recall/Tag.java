package dev.agentmemory.api.recall;

import dev.agentmemory.types.MemoryException;
import java.util.Locale;
import java.util.regex.Pattern;

/// A tag of a memory: 1 to 8 levels separated by dots, such as `security.authentication`. A level
/// has 1 to 32 of `a-z 0-9 _ -`; capitals are made small.
public record Tag(String value) implements Comparable<Tag> {

  /// Most levels of a tag.
  public static final int MAX_LEVELS = 8;

  /// Most characters of a level.
  public static final int MAX_LEVEL_LENGTH = 32;

  private static final Pattern LEVEL = Pattern.compile("[a-z0-9_-]{1,32}");

  /// @throws IllegalArgumentException when the text is no tag in its canonical form
  public Tag {
    String problem = problem(value);
    if (!problem.isEmpty()) {
      throw new IllegalArgumentException(value + ": " + problem);
    }
  }

  /// Reads a tag from a request.
  ///
  /// @param field the field to name when the text is refused
  /// @throws MemoryException `INVALID_FIELD`
  public static Tag parse(String field, String text) {
    String canonical = text.strip().toLowerCase(Locale.ROOT);
    String problem = problem(canonical);
    if (!problem.isEmpty()) {
      throw MemoryException.invalid(field, problem);
    }
    return new Tag(canonical);
  }

  /// Whether this is another tag or one of the levels below it: `a.b` is within `a`.
  public boolean isWithin(Tag other) {
    int length = other.value.length();
    return value.startsWith(other.value)
        && (value.length() == length || value.charAt(length) == '.');
  }

  private static String problem(String text) {
    if (text.isEmpty()) {
      return "is empty; use levels of a-z, 0-9, '_' and '-', separated by dots";
    }
    String[] levels = text.split("\\.", -1);
    if (levels.length > MAX_LEVELS) {
      return "has %d levels; expected at most %d".formatted(levels.length, MAX_LEVELS);
    }
    for (String level : levels) {
      if (level.isEmpty()) {
        return "has an empty level; use levels of a-z, 0-9, '_' and '-', separated by single dots";
      }
      if (level.length() > MAX_LEVEL_LENGTH) {
        return "has a level of %d characters; expected at most %d"
            .formatted(level.length(), MAX_LEVEL_LENGTH);
      }
      if (!LEVEL.matcher(level).matches()) {
        return "has a level with a character other than a-z, 0-9, '_' and '-'";
      }
    }
    return "";
  }

  @Override
  public int compareTo(Tag other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
