package dev.agentmemory.api.recall;

import java.util.Set;

/// Which tags a memory must have. A tag is also matched by the levels below it: `security` is
/// matched by `security.authentication`.
///
/// @param include what must match; empty: anything
/// @param all whether all of them must match, else one is enough
/// @param exclude what must not match
public record TagFilter(Set<Tag> include, boolean all, Set<Tag> exclude) {

  public static final TagFilter NONE = new TagFilter(Set.of(), false, Set.of());

  public TagFilter {
    include = Set.copyOf(include);
    exclude = Set.copyOf(exclude);
  }

  public static TagFilter any(Tag... tags) {
    return new TagFilter(Set.of(tags), /* all= */ false, Set.of());
  }

  public static TagFilter all(Tag... tags) {
    return new TagFilter(Set.of(tags), /* all= */ true, Set.of());
  }

  public TagFilter without(Tag... tags) {
    return new TagFilter(include, all, Set.of(tags));
  }

  public boolean matches(Set<Tag> tags) {
    for (Tag excluded : exclude) {
      if (has(tags, excluded)) {
        return false;
      }
    }
    for (Tag wanted : include) {
      if (has(tags, wanted) != all) {
        return !all;
      }
    }
    return all || include.isEmpty();
  }

  // No stream: a search asks this of every memory.
  private static boolean has(Set<Tag> tags, Tag wanted) {
    for (Tag tag : tags) {
      if (tag.isWithin(wanted)) {
        return true;
      }
    }
    return false;
  }
}
