package dev.agentmemory.gateway.resource;

import java.nio.charset.StandardCharsets;

/// Which field a response begins with. Responses are written without spaces, in the order of their
/// fields' numbers, and without fields that have their default value.
final class FirstField {

  private FirstField() {}

  static boolean is(String name, byte[] response) {
    byte[] start = ("{\"" + name + "\":").getBytes(StandardCharsets.UTF_8);
    if (response.length < start.length) {
      return false;
    }
    for (int i = 0; i < start.length; i++) {
      if (response[i] != start[i]) {
        return false;
      }
    }
    return true;
  }
}
