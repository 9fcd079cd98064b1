package dev.agentmemory.api.injection;

import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Something that a session was told.
///
/// @param id a ULID
/// @param tokens of the text
/// @param text as it was given, without the envelope; empty when something that it rests on was
///   erased, or is not stored any more
/// @param citations what it cites, as `mem:`, `evt:`, `grip:` or `toc:` ids, in the order of the
///   text, each once; empty when the text is
public record Injection(
    String id,
    SessionId session,
    Instant time,
    InjectionMoment moment,
    InjectionSource source,
    int tokens,
    Optional<String> text,
    List<String> citations) {

  public Injection {
    citations = List.copyOf(citations);
  }

  /// The same without what it said.
  public Injection withoutText() {
    return new Injection(id, session, time, moment, source, tokens, Optional.empty(), List.of());
  }
}
