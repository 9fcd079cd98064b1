package dev.agentmemory.gateway.resource;

import java.util.Objects;

/// A part of an address that gives a field of the request.
///
/// @param name as the address has it
/// @param place where it is
/// @param field the names of fields in JSON, from the request down, with dots between them
public record Parameter(String name, Place place, String field) {

  /// Where a parameter is.
  public enum Place {
    /// One part of the path. Always there.
    PATH,
    /// A parameter of the query. May be absent.
    QUERY
  }

  public Parameter {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(place, "place");
    Objects.requireNonNull(field, "field");
  }

  /// @param text `name=field`, or a name that is that of the field, too
  static Parameter of(String text, Place place) {
    String[] parts = text.split("=", 2);
    return new Parameter(parts[0], place, parts[parts.length - 1]);
  }
}
