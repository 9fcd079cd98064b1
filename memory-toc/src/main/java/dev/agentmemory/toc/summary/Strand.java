package dev.agentmemory.toc.summary;

import java.util.function.Supplier;

/// A piece of work that a period tells of: a session with its subagents.
public final class Strand {

  private final String id;
  private final Supplier<String> title;

  /// @param id the same for all parts of the work
  /// @param title what it is about; empty when that is not known
  public Strand(String id, String title) {
    this(id, () -> title);
  }

  /// @param title called when the text of a period names the work, which is so for few strands
  public Strand(String id, Supplier<String> title) {
    this.id = id;
    this.title = title;
  }

  public String id() {
    return id;
  }

  public String title() {
    return title.get();
  }
}
