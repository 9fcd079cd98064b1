package dev.agentmemory.gateway.resource;

import dev.agentmemory.api.encoded.RequestField;
import dev.agentmemory.api.encoded.RequestFields;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.resource.Operation.Content;
import dev.agentmemory.gateway.resource.Parameter.Place;
import dev.agentmemory.types.MemoryException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/// Makes the requests of an operation's call out of path, query and body.
final class OperationRequests {

  private final Operation operation;
  private final Map<Parameter, RequestField> fields = new HashMap<>();
  private final Set<String> names;

  /// @throws IllegalArgumentException if a parameter gives a field that does not exist
  OperationRequests(Operation operation, RequestFields described) {
    this.operation = operation;
    operation.parameters().forEach(parameter -> fields.put(parameter, field(parameter, described)));
    this.names =
        operation.parameters(Place.QUERY).stream()
            .map(Parameter::name)
            .collect(Collectors.toUnmodifiableSet());
  }

  private RequestField field(Parameter parameter, RequestFields described) {
    return described
        .find(operation.service(), operation.method(), parameter.field())
        .orElseThrow(() ->
            new IllegalArgumentException(
                "%s %s: %s has no field %s"
                    .formatted(
                        operation.verb(),
                        operation.path(),
                        operation.method(),
                        parameter.field())));
  }

  /// The only request, or each of a stream.
  ///
  /// @param path the values of the parameters of the path, in their order
  /// @throws MemoryException `INVALID_FIELD` naming the parameter
  List<byte[]> requests(HttpCall call, List<String> path) {
    checkNames(call);
    if (operation.request() == Content.NOTHING && call.body().length > 0) {
      throw MemoryException.invalid("body", "is not taken by this operation");
    }
    var message = new RequestMessage();
    List<Parameter> inPath = operation.parameters(Place.PATH);
    for (int i = 0; i < inPath.size(); i++) {
      message.put(inPath.get(i).field(), value(inPath.get(i)).jsonOfOne(path.get(i)));
    }
    operation
        .parameters(Place.QUERY)
        .forEach(parameter -> {
          String text = call.query().get(parameter.name());
          if (text != null) {
            message.put(parameter.field(), value(parameter).json(text));
          }
        });
    return operation.request() == Content.LINES
        ? LineMessages.messages(call.body())
        : List.of(message.with(call.body()));
  }

  private ParameterValue value(Parameter parameter) {
    return new ParameterValue(parameter.name(), Objects.requireNonNull(fields.get(parameter)));
  }

  private void checkNames(HttpCall call) {
    call.query()
        .keySet()
        .forEach(name -> {
          if (!names.contains(name)) {
            throw MemoryException.invalid(name, "is no parameter of this operation; " + known());
          }
        });
  }

  private String known() {
    return names.isEmpty()
        ? "it has none"
        : "it has "
            + operation.parameters(Place.QUERY).stream()
                .map(Parameter::name)
                .collect(Collectors.joining(", "));
  }
}
