package dev.agentmemory.gateway.resource;

import dev.agentmemory.gateway.resource.Parameter.Place;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Which call answers the requests with a method and a path.
///
/// @param verb the method of HTTP
/// @param path below `/api/v1`, with `{name}` for each parameter in it
/// @param parameters those of the path in their order, then those of the query
/// @param service of the call
/// @param method of the call
/// @param request what the body of the request is
/// @param answer what the body of the answer is
/// @param found the first field of a response that is about something; without it there is no such
///   thing, and the status is 404
public record Operation(
    String verb,
    String path,
    List<Parameter> parameters,
    String service,
    String method,
    Content request,
    Content answer,
    Optional<String> found) {

  /// What a body is.
  public enum Content {
    NOTHING,
    /// A message of the call, in JSON. Of a request, the fields that the path gives are left out.
    MESSAGE,
    /// One JSON object a line: the `lines` of the messages of a stream.
    LINES
  }

  public Operation {
    parameters = List.copyOf(parameters);
  }

  /// An operation that takes no body, or a message unless its method is GET or DELETE.
  ///
  /// @param address the method, then the path with `{name=field}` for each parameter in it, then
  ///   `?` and the parameters of the query with `&` between them
  /// @param call the service without its package, a dot, the method
  static Operation of(String address, String call) {
    String[] parts = address.split("[ ?]", 3);
    String[] names = call.split("\\.", 2);
    List<Parameter> inPath =
        segments(parts[1]).stream()
            .filter(Operation::isParameter)
            .map(part -> Parameter.of(part.substring(1, part.length() - 1), Place.PATH))
            .toList();
    Stream<Parameter> inQuery =
        parts.length < 3
            ? Stream.of()
            : Arrays.stream(parts[2].split("&")).map(part -> Parameter.of(part, Place.QUERY));
    return new Operation(
        parts[0],
        parts[1].replaceAll("=[^}]*}", "}"),
        Stream.concat(inPath.stream(), inQuery).toList(),
        "memory." + names[0],
        names[1],
        parts[0].equals("GET") || parts[0].equals("DELETE") ? Content.NOTHING : Content.MESSAGE,
        Content.MESSAGE,
        Optional.empty());
  }

  /// The same, whose response without its first field means that there is no such thing.
  Operation orMissing(String field) {
    return new Operation(
        verb, path, parameters, service, method, request, answer, Optional.of(field));
  }

  /// The same with other bodies.
  Operation with(Content newRequest, Content newAnswer) {
    return new Operation(verb, path, parameters, service, method, newRequest, newAnswer, found);
  }

  static boolean isParameter(String segment) {
    return segment.startsWith("{");
  }

  /// The parts of the path.
  static List<String> segments(String path) {
    return List.of(path.substring(1).split("/", -1));
  }

  List<Parameter> parameters(Place place) {
    return parameters.stream().filter(parameter -> parameter.place() == place).toList();
  }
}
