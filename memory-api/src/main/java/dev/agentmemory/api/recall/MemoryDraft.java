package dev.agentmemory.api.recall;

import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A memory that is to be stored.
///
/// @param id chosen by the caller, so that references among the drafts of one call and repeated
///   calls are possible; empty: the store chooses one
/// @param source who made it: free text of 1 to 128 characters such as `user` or `researcher`;
///   empty: `user`
/// @param importance 0 to 1
/// @param tags at most 64
/// @param created when it became known; empty: now. Not later than the permitted clock skew
public record MemoryDraft(
    Optional<MemoryId> id,
    MemoryPlace place,
    MemoryLifetime lifetime,
    MemoryKind kind,
    Optional<String> source,
    MemoryContent content,
    double importance,
    Set<Tag> tags,
    MemoryLinks links,
    Optional<Instant> created) {

  /// Importance of a memory whose caller names none.
  public static final double DEFAULT_IMPORTANCE = 0.5;

  /// Most drafts of one call.
  public static final int MAX_CALL = 1000;

  /// Most tags of a memory.
  public static final int MAX_TAGS = 64;

  /// Most characters of a source.
  public static final int MAX_SOURCE = 128;

  /// @throws MemoryException `INVALID_FIELD` naming `lifetime`, `source`, `importance`, `tags` or,
  ///   with scope account, what that scope does not hold
  public MemoryDraft {
    tags = Set.copyOf(tags);
    if (lifetime == MemoryLifetime.CONVERSATION && place.scope() != MemoryScope.CONVERSATION) {
      throw MemoryException.invalid(
          "lifetime",
          "is conversation, which is possible only with scope conversation; use short_term or"
              + " long_term");
    }
    source.ifPresent(MemoryDraft::checkSource);
    checkImportance(importance);
    checkTags(tags);
    if (place.scope() == MemoryScope.ACCOUNT) {
      refuse("evidence_events", links.events());
      refuse("evidence_grips", links.grips());
    }
  }

  /// A draft with the defaults: scope workspace, short-term, an observation of importance 0.5.
  public static MemoryDraft of(String text) {
    return builder(MemoryContent.of(text)).build();
  }

  /// A builder that begins with the defaults of [#of].
  public static Builder builder(MemoryContent content) {
    return new Builder(content);
  }

  static void checkImportance(double importance) {
    // NaN fails both comparisons.
    if (!(importance >= 0 && importance <= 1)) {
      throw MemoryException.invalid("importance", "is " + importance + "; expected 0 to 1");
    }
  }

  static void checkTags(Set<Tag> tags) {
    if (tags.size() > MAX_TAGS) {
      throw MemoryException.invalid(
          "tags", "has %d tags; expected at most %d".formatted(tags.size(), MAX_TAGS));
    }
  }

  private static void checkSource(String source) {
    boolean printable = source.codePoints().noneMatch(Character::isISOControl);
    if (source.isBlank() || source.length() > MAX_SOURCE || !printable) {
      throw MemoryException.invalid(
          "source", "has to be 1 to %d printable characters".formatted(MAX_SOURCE));
    }
  }

  private static void refuse(String field, List<?> links) {
    if (!links.isEmpty()) {
      throw MemoryException.invalid(
          field, "is not possible with scope account, which holds nothing of a workspace; omit it");
    }
  }

  /// Sets the parts of a draft one by one.
  public static final class Builder {

    private final MemoryContent content;
    private Optional<MemoryId> id = Optional.empty();
    private MemoryPlace place = MemoryPlace.WORKSPACE;
    private MemoryLifetime lifetime = MemoryLifetime.SHORT_TERM;
    private MemoryKind kind = MemoryKind.OBSERVATION;
    private Optional<String> source = Optional.empty();
    private double importance = DEFAULT_IMPORTANCE;
    private Set<Tag> tags = Set.of();
    private MemoryLinks links = MemoryLinks.NONE;
    private Optional<Instant> created = Optional.empty();

    private Builder(MemoryContent content) {
      this.content = content;
    }

    public Builder id(MemoryId value) {
      id = Optional.of(value);
      return this;
    }

    public Builder place(MemoryPlace value) {
      place = value;
      return this;
    }

    public Builder lifetime(MemoryLifetime value) {
      lifetime = value;
      return this;
    }

    public Builder kind(MemoryKind value) {
      kind = value;
      return this;
    }

    public Builder source(String value) {
      source = Optional.of(value);
      return this;
    }

    public Builder importance(double value) {
      importance = value;
      return this;
    }

    public Builder tags(Set<Tag> value) {
      tags = value;
      return this;
    }

    public Builder links(MemoryLinks value) {
      links = value;
      return this;
    }

    public Builder created(Instant value) {
      created = Optional.of(value);
      return this;
    }

    /// @throws MemoryException `INVALID_FIELD`
    public MemoryDraft build() {
      return new MemoryDraft(
          id, place, lifetime, kind, source, content, importance, tags, links, created);
    }
  }
}
