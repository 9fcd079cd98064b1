package dev.agentmemory.api.recall;

import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/// What a memory must be. All parts hold together.
///
/// @param scopes empty: any
/// @param kinds empty: any
/// @param lifetimes empty: any
/// @param sources who made it, exact; empty: any
/// @param session the session that it comes from; empty: any
/// @param channel empty: any
/// @param after made then or later
/// @param before made earlier
/// @param minImportance 0 to 1
/// @param near memories that are reached from others by references
/// @param pinned only pinned ones
/// @param superseded whether memories that later ones have replaced are included
public record MemoryFilter(
    Set<MemoryScope> scopes,
    Set<MemoryKind> kinds,
    Set<MemoryLifetime> lifetimes,
    Set<String> sources,
    Optional<SessionId> session,
    Optional<ChannelName> channel,
    TagFilter tags,
    Optional<Instant> after,
    Optional<Instant> before,
    double minImportance,
    Optional<Neighbourhood> near,
    boolean pinned,
    boolean superseded) {

  /// Everything that is current.
  public static final MemoryFilter NONE = builder().build();

  /// @throws MemoryException `INVALID_FIELD` naming `min_importance`, or `after` when no time lies
  ///   between both
  public MemoryFilter {
    scopes = Set.copyOf(scopes);
    kinds = Set.copyOf(kinds);
    lifetimes = Set.copyOf(lifetimes);
    sources = Set.copyOf(sources);
    if (!(minImportance >= 0 && minImportance <= 1)) {
      throw MemoryException.invalid("min_importance", "is " + minImportance + "; expected 0 to 1");
    }
    if (after.isPresent() && before.isPresent() && !after.get().isBefore(before.get())) {
      throw MemoryException.invalid(
          "after", "is %s, not before `before`, %s".formatted(after.get(), before.get()));
    }
  }

  /// The memories that others refer to.
  ///
  /// @param roots where the references begin; the roots themselves do not match
  /// @param depth how many references are followed, 1 to [#MAX_DEPTH]
  public record Neighbourhood(Set<MemoryId> roots, int depth) {

    public static final int MAX_DEPTH = 8;

    /// @throws MemoryException `INVALID_FIELD` naming `references` or `max_depth`
    public Neighbourhood {
      roots = Set.copyOf(roots);
      if (roots.isEmpty()) {
        throw MemoryException.invalid("references", "is empty; name at least one memory");
      }
      if (depth < 1 || depth > MAX_DEPTH) {
        throw MemoryException.invalid(
            "max_depth", "is %d; expected 1 to %d".formatted(depth, MAX_DEPTH));
      }
    }
  }

  /// A builder of a filter that passes everything that is current.
  public static Builder builder() {
    return new Builder();
  }

  /// Sets the parts of a filter one by one.
  public static final class Builder {

    private Set<MemoryScope> scopes = Set.of();
    private Set<MemoryKind> kinds = Set.of();
    private Set<MemoryLifetime> lifetimes = Set.of();
    private Set<String> sources = Set.of();
    private Optional<SessionId> session = Optional.empty();
    private Optional<ChannelName> channel = Optional.empty();
    private TagFilter tags = TagFilter.NONE;
    private Optional<Instant> after = Optional.empty();
    private Optional<Instant> before = Optional.empty();
    private double minImportance;
    private Optional<Neighbourhood> near = Optional.empty();
    private boolean pinned;
    private boolean superseded;

    private Builder() {}

    public Builder scopes(Set<MemoryScope> value) {
      scopes = value;
      return this;
    }

    public Builder kinds(Set<MemoryKind> value) {
      kinds = value;
      return this;
    }

    public Builder lifetimes(Set<MemoryLifetime> value) {
      lifetimes = value;
      return this;
    }

    public Builder sources(Set<String> value) {
      sources = value;
      return this;
    }

    public Builder session(SessionId value) {
      session = Optional.of(value);
      return this;
    }

    public Builder channel(ChannelName value) {
      channel = Optional.of(value);
      return this;
    }

    public Builder tags(TagFilter value) {
      tags = value;
      return this;
    }

    public Builder after(Instant value) {
      after = Optional.of(value);
      return this;
    }

    public Builder before(Instant value) {
      before = Optional.of(value);
      return this;
    }

    public Builder minImportance(double value) {
      minImportance = value;
      return this;
    }

    public Builder near(Neighbourhood value) {
      near = Optional.of(value);
      return this;
    }

    public Builder pinned(boolean value) {
      pinned = value;
      return this;
    }

    public Builder superseded(boolean value) {
      superseded = value;
      return this;
    }

    /// @throws MemoryException `INVALID_FIELD`
    public MemoryFilter build() {
      return new MemoryFilter(
          scopes,
          kinds,
          lifetimes,
          sources,
          session,
          channel,
          tags,
          after,
          before,
          minImportance,
          near,
          pinned,
          superseded);
    }
  }
}
