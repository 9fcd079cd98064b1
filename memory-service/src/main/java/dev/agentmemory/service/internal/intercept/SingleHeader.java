package dev.agentmemory.service.internal.intercept;

import io.grpc.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/// A header that a call may send once. Of several, programs on the way could go by another one than
/// the daemon does.
public final class SingleHeader {

  private SingleHeader() {}

  /// @param refusal of a call that sends it several times
  public static Optional<String> of(
      Metadata headers, Metadata.Key<String> key, IntFunction<RuntimeException> refusal) {
    Iterable<String> all = headers.getAll(key);
    if (all == null) {
      return Optional.empty();
    }
    List<String> values = new ArrayList<>();
    all.forEach(values::add);
    if (values.size() > 1) {
      throw refusal.apply(values.size());
    }
    return values.stream().findFirst();
  }
}
