package dev.agentmemory.client.internal.http2;

import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// The gRPC part of HTTP/2 headers.
final class GrpcHeaders {

  private static final int REFUSED = 7;
  private static final int CANCELLED = 8;
  private static final int CALM = 11;
  private static final long MOST_MILLIS = 99_999_999;

  private GrpcHeaders() {}

  static List<HeaderField> opening(
      String authority, MethodDescriptor<?, ?> method, Deadline deadline) {
    long millis = Math.clamp(deadline.timeRemaining(TimeUnit.MILLISECONDS), 1, MOST_MILLIS);
    return List.of(
        new HeaderField(":method", "POST"),
        new HeaderField(":scheme", "http"),
        new HeaderField(":path", "/" + method.getFullMethodName()),
        new HeaderField(":authority", authority),
        new HeaderField("content-type", "application/grpc"),
        new HeaderField("te", "trailers"),
        new HeaderField("grpc-timeout", millis + "m"));
  }

  static List<HeaderField> of(Metadata metadata) {
    var fields = new ArrayList<HeaderField>();
    for (String name : metadata.keys()) {
      if (isBinary(name)) {
        Iterable<byte[]> values = metadata.getAll(binary(name));
        if (values != null) {
          values.forEach(value ->
              fields.add(new HeaderField(name, Base64.getEncoder().encodeToString(value))));
        }
      } else {
        Iterable<String> values = metadata.getAll(text(name));
        if (values != null) {
          values.forEach(value -> fields.add(new HeaderField(name, value)));
        }
      }
    }
    return fields;
  }

  static Metadata metadata(List<HeaderField> fields) {
    var metadata = new Metadata();
    for (HeaderField field : fields) {
      if (field.name().startsWith(":")) {
        continue;
      }
      if (isBinary(field.name())) {
        // Padding is optional, and the JDK's decoder takes both.
        metadata.put(binary(field.name()), Base64.getDecoder().decode(field.value()));
      } else {
        metadata.put(text(field.name()), field.value());
      }
    }
    return metadata;
  }

  /// How the call ended, according to the other side or else to the connection.
  static Status status(Http2Link.Reply reply) {
    Optional<String> code = last(reply, "grpc-status");
    if (code.isPresent()) {
      Status status = Status.fromCodeValue(Integer.parseInt(code.get()));
      return last(reply, "grpc-message")
          .map(message -> status.withDescription(unescaped(message)))
          .orElse(status);
    }
    if (reply.reset().isPresent()) {
      int reason = reply.reset().getAsInt();
      Status status =
          reason == REFUSED
              ? Status.UNAVAILABLE
              : reason == CANCELLED
                  ? Status.CANCELLED
                  : reason == CALM ? Status.RESOURCE_EXHAUSTED : Status.INTERNAL;
      return status.withDescription("stream reset with error code " + reason);
    }
    return Status.UNKNOWN.withDescription(
        "HTTP status " + last(reply, ":status").orElse("missing") + " is not a gRPC response");
  }

  private static Optional<String> last(Http2Link.Reply reply, String name) {
    return reply.fields().reversed().stream()
        .filter(field -> field.name().equals(name))
        .map(HeaderField::value)
        .findFirst();
  }

  /// Bytes outside plain ASCII are sent as `%C3`; other text is returned unchanged.
  private static String unescaped(String text) {
    var bytes = new byte[text.length()];
    int length = 0;
    for (int i = 0; i < text.length(); i++) {
      int code = text.charAt(i) == '%' ? hex(text, i + 1) : -1;
      bytes[length++] = (byte) (code < 0 ? text.charAt(i) : code);
      i += code < 0 ? 0 : 2;
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  private static int hex(String text, int at) {
    if (at + 2 > text.length()) {
      return -1;
    }
    int high = Character.digit(text.charAt(at), 16);
    int low = Character.digit(text.charAt(at + 1), 16);
    return high < 0 || low < 0 ? -1 : (high << 4) | low;
  }

  private static boolean isBinary(String name) {
    return name.endsWith(Metadata.BINARY_HEADER_SUFFIX);
  }

  private static Metadata.Key<byte[]> binary(String name) {
    return Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER);
  }

  private static Metadata.Key<String> text(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }
}
