package dev.agentmemory.api.injection;

import java.util.List;

/// Something that a session was told, with the signs that it was used.
///
/// @param uses the first ones, [#MOST_USES] at most. None does not mean that it was not used: an
///   answer can follow from it in other words
/// @param eventsLookedAt later events of the session that were looked through
/// @param complete whether all later events were looked through
public record UsedInjection(
    Injection injection, List<InjectionUse> uses, long eventsLookedAt, boolean complete) {

  public static final int MOST_USES = 10;

  public UsedInjection {
    uses = List.copyOf(uses);
  }

  /// Whether there is a sign that it was used.
  public boolean isUsed() {
    return !uses.isEmpty();
  }
}
