package dev.agentmemory.bench.mcp;

import dev.agentmemory.gateway.mcp.protocol.Json;
import java.util.List;
import java.util.Map;

/// The schema of arguments that the suite wants to see again, keyword by keyword.
final class SuiteSchema {

  private static final Map<String, Object> TEXT = Json.object("type", "string");

  static final Map<String, Object> SCHEMA =
      Json.object(
          "$schema", "https://json-schema.org/draft/2020-12/schema",
          "type", "object",
          "$defs",
              Json.object(
                  "address",
                  Json.object(
                      "$anchor", "addressDef",
                      "type", "object",
                      "properties", Json.object("street", TEXT, "city", TEXT))),
          "properties",
              Json.object(
                  "name", TEXT,
                  "address", Json.object("$ref", "#/$defs/address"),
                  "contactMethod", Json.object("type", "string", "enum", List.of("phone", "email")),
                  "phone", TEXT,
                  "email", TEXT),
          "allOf", List.of(Json.object("anyOf", List.of(required("phone"), required("email")))),
          "if",
              Json.object(
                  "properties", Json.object("contactMethod", Json.object("const", "phone")),
                  "required", List.of("contactMethod")),
          "then", required("phone"),
          "else", required("email"),
          "additionalProperties", false);

  private SuiteSchema() {}

  private static Map<String, Object> required(String name) {
    return Json.object("required", List.of(name));
  }
}
