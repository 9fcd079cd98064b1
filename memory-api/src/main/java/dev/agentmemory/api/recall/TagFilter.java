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
    boolean excluded = exclude.stream().anyMatch(one -> has(tags, one));
    boolean included =
        include.isEmpty()
            || (all
                ? include.stream().allMatch(one -> has(tags, one))
                : include.stream().anyMatch(one -> has(tags, one)));
    return included && !excluded;
  }

  private static boolean has(Set<Tag> tags, Tag wanted) {
    return tags.stream().anyMatch(tag -> tag.isWithin(wanted));
  }
}
