package dev.agentmemory.daemon.resource;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.agentmemory.gateway.resource.Operation;
import dev.agentmemory.gateway.resource.Operation.Content;
import dev.agentmemory.gateway.resource.Operations;
import dev.agentmemory.gateway.resource.Parameter;
import io.grpc.ServiceDescriptor;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// The OpenAPI description of the table of operations and the messages of their calls.
final class OpenApiDocument {

  private static final String SCHEMAS = "#/components/schemas/";
  private static final String ERROR =
      """
      {"type":"object","properties":{"error":{"type":"object","properties":{"code":{"type":"string"},
      "message":{"type":"string"},"field":{"type":"string"},"status":{"type":"string"}},
      "required":["code","message"]}},"required":["error"]}
      """;
  private static final String CHANGES =
      """
      {"get":{"operationId":"changes","parameters":[
      {"name":"after","in":"query","schema":{"type":"string"}},
      {"name":"last-event-id","in":"header","schema":{"type":"string"}},
      {"$ref":"#/components/parameters/workspace"}],
      "responses":{"200":{"description":"server-sent events",
      "content":{"text/event-stream":{"schema":{"type":"string"}}}},
      "default":{"$ref":"#/components/responses/error"}}}}
      """;

  private final ObjectMapper mapper = new ObjectMapper();
  private final Map<String, ObjectNode> schemas = new TreeMap<>();

  /// The whole file.
  String text() throws JsonProcessingException, ReflectiveOperationException {
    ObjectNode root = object();
    root.put("openapi", "3.1.0");
    root.putObject("info")
        .put("title", "agent-memory")
        .put("version", "1")
        .put("description", "docs/protocol.md describes the operations and their errors.");
    root.putArray("servers").addObject().put("url", "/api/v1");
    root.putArray("security").addObject().putArray("token");
    ObjectNode paths = root.putObject("paths");
    for (Operation operation : Operations.all()) {
      place(paths, operation.path())
          .set(operation.verb().toLowerCase(Locale.ROOT), described(operation));
    }
    paths.set("/changes", mapper.readTree(CHANGES));
    ObjectNode components = root.putObject("components");
    components
        .putObject("securitySchemes")
        .putObject("token")
        .put("type", "http")
        .put("scheme", "bearer");
    ObjectNode workspace = components.putObject("parameters").putObject("workspace");
    workspace.put("name", "memory-workspace").put("in", "header");
    workspace.putObject("schema").put("type", "string");
    ObjectNode error = components.putObject("responses").putObject("error");
    error.put("description", "the request was refused, or failed");
    error.set("content", content("application/json", reference("Error")));
    schemas.put("Error", (ObjectNode) mapper.readTree(ERROR));
    components.putObject("schemas").setAll(schemas);
    var indenter = new DefaultIndenter("  ", "\n");
    return mapper
            .writer(
                new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter))
            .writeValueAsString(root)
        + "\n";
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static ObjectNode place(ObjectNode paths, String path) {
    return paths.get(path) instanceof ObjectNode known ? known : paths.putObject(path);
  }

  private ObjectNode described(Operation operation) throws ReflectiveOperationException {
    MethodDescriptor method = method(operation);
    ObjectNode described = object();
    described.put("operationId", operation.verb().toLowerCase(Locale.ROOT) + name(operation));
    described.put("summary", operation.service() + "/" + operation.method());
    ArrayNode parameters = described.putArray("parameters");
    operation
        .parameters()
        .forEach(parameter -> parameters.add(described(parameter, method.getInputType())));
    parameters.add(object().put("$ref", "#/components/parameters/workspace"));
    switch (operation.request()) {
      case NOTHING -> {}
      case MESSAGE ->
          described.set(
              "requestBody",
              object().set("content", content("application/json", schema(method.getInputType()))));
      case LINES -> described.set("requestBody", object().set("content", lines()));
    }
    ObjectNode responses = described.putObject("responses");
    ObjectNode ok = responses.putObject("200").put("description", "done");
    ok.set(
        "content",
        operation.answer() == Content.LINES
            ? lines()
            : content("application/json", schema(method.getOutputType())));
    responses.putObject("default").put("$ref", "#/components/responses/error");
    return described;
  }

  /// The path in one word.
  private static String name(Operation operation) {
    var name = new StringBuilder();
    for (String part : operation.path().split("[^A-Za-z]+", -1)) {
      if (!part.isEmpty()) {
        name.append(Character.toUpperCase(part.charAt(0))).append(part.substring(1));
      }
    }
    return name.toString();
  }

  private static ObjectNode content(String type, JsonNode schema) {
    ObjectNode content = object();
    content.putObject(type).set("schema", schema);
    return content;
  }

  private static ObjectNode lines() {
    return content("application/jsonl", object().put("type", "string"));
  }

  private ObjectNode described(Parameter parameter, Descriptor request) {
    boolean inPath = parameter.place() == Parameter.Place.PATH;
    FieldDescriptor field = field(request, parameter.field());
    ObjectNode described = object();
    described.put("name", parameter.name());
    described.put("in", inPath ? "path" : "query");
    if (inPath) {
      described.put("required", true);
    }
    if (field.isRepeated() && !inPath) {
      described.put("style", "form").put("explode", false);
      described.putObject("schema").put("type", "array").set("items", single(field));
    } else {
      described.set("schema", single(field));
    }
    return described;
  }

  private static FieldDescriptor field(Descriptor type, String path) {
    String[] names = path.split("\\.", 2);
    FieldDescriptor found =
        type.getFields().stream()
            .filter(field -> field.getJsonName().equals(names[0]))
            .findAny()
            .orElseThrow();
    return names.length == 1 ? found : field(found.getMessageType(), names[1]);
  }

  private ObjectNode schema(Descriptor message) {
    String name = message.getName();
    if (!schemas.containsKey(name)) {
      ObjectNode schema = object().put("type", "object");
      schemas.put(name, schema);
      ObjectNode properties = schema.putObject("properties");
      message.getFields().forEach(field -> properties.set(field.getJsonName(), property(field)));
    }
    return reference(name);
  }

  private static ObjectNode reference(String schema) {
    return object().put("$ref", SCHEMAS + schema);
  }

  private ObjectNode property(FieldDescriptor field) {
    if (field.isMapField()) {
      ObjectNode map = object().put("type", "object");
      map.set("additionalProperties", single(field.getMessageType().findFieldByName("value")));
      return map;
    }
    if (field.isRepeated()) {
      ObjectNode list = object().put("type", "array");
      list.set("items", single(field));
      return list;
    }
    return single(field);
  }

  /// JSON has numbers of 53 bits, so those of 64 are texts.
  private ObjectNode single(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case STRING -> object().put("type", "string");
      case INT -> object().put("type", "integer").put("format", "int32");
      case LONG -> object().put("type", "string").put("format", "int64");
      case FLOAT, DOUBLE -> object().put("type", "number");
      case BOOLEAN -> object().put("type", "boolean");
      case BYTE_STRING -> object().put("type", "string").put("contentEncoding", "base64");
      case ENUM -> {
        ObjectNode choice = object().put("type", "string");
        ArrayNode names = choice.putArray("enum");
        field.getEnumType().getValues().forEach(value -> names.add(value.getName()));
        yield choice;
      }
      case MESSAGE -> schema(field.getMessageType());
    };
  }

  private static MethodDescriptor method(Operation operation) throws ReflectiveOperationException {
    String service = operation.service().substring("memory.".length());
    var described =
        (ServiceDescriptor)
            Objects.requireNonNull(
                Class.forName("dev.agentmemory.proto." + service + "Grpc")
                    .getMethod("getServiceDescriptor")
                    .invoke(null));
    return described.getMethods().stream()
        .filter(method -> operation.method().equals(method.getBareMethodName()))
        .map(method -> (ProtoMethodDescriptorSupplier) method.getSchemaDescriptor())
        .map(proto -> Objects.requireNonNull(proto).getMethodDescriptor())
        .findAny()
        .orElseThrow();
  }
}
