package dev.agentmemory.api.encoded;

import java.util.Optional;

/// Describes the requests of [EncodedCalls].
@FunctionalInterface
public interface RequestFields {

  /// @param service its full name
  /// @param path the names of fields in JSON, from the request down, with dots between them
  /// @return empty if there is no such call, or no such field with a single value or a list of such
  Optional<RequestField> find(String service, String method, String path);
}
