package dev.agentmemory.service.internal.encoded;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.agentmemory.api.encoded.EncodedCall.Format;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Translates between the format of a call and the binary format of protobuf.
sealed interface MessageFormat {

  /// @throws MemoryException `INVALID_FIELD` when it is not a request in the format
  byte[] request(byte[] message);

  byte[] response(byte[] message);

  static MessageFormat of(Format format, io.grpc.MethodDescriptor<?, ?> method) {
    return switch (format) {
      case PROTOBUF -> new Binary();
      case JSON -> {
        if (!(method.getSchemaDescriptor() instanceof ProtoMethodDescriptorSupplier supplier)) {
          throw new IllegalArgumentException("a method without a description: " + method);
        }
        MethodDescriptor described = supplier.getMethodDescriptor();
        yield new Json(described.getInputType(), described.getOutputType());
      }
    };
  }

  /// The binary format. Bytes that are no message are refused by the interceptors of all calls.
  record Binary() implements MessageFormat {

    @Override
    public byte[] request(byte[] message) {
      return message;
    }

    @Override
    public byte[] response(byte[] message) {
      return message;
    }
  }

  /// The canonical JSON of protobuf. Fields that have their default value are left out.
  record Json(Descriptor input, Descriptor output) implements MessageFormat {

    private static final JsonFormat.Parser PARSER = JsonFormat.parser();
    private static final JsonFormat.Printer PRINTER =
        JsonFormat.printer().omittingInsignificantWhitespace();

    /// The library's messages may repeat the value.
    private static final int MOST_CHARS = 200;

    private static final Pattern UNKNOWN = Pattern.compile("Cannot find field: (\\S+) in message");

    @Override
    public byte[] request(byte[] message) {
      String json = StrictJson.text(message);
      DynamicMessage.Builder builder = DynamicMessage.newBuilder(input);
      try {
        PARSER.merge(json, builder);
      } catch (InvalidProtocolBufferException e) {
        throw refused(e);
      }
      return builder.build().toByteArray();
    }

    private MemoryException refused(InvalidProtocolBufferException failure) {
      String message = String.valueOf(failure.getMessage());
      Matcher unknown = UNKNOWN.matcher(message);
      if (unknown.find()) {
        return MemoryException.invalid(
            unknown.group(1), "is not a field of the request " + input.getFullName());
      }
      // A cause is an exception of the JSON library, whose message names classes.
      String reason =
          failure.getCause() == null
              ? ": " + message.substring(0, Math.min(MOST_CHARS, message.length()))
              : "";
      return new MemoryException(
          ErrorCode.INVALID_FIELD,
          "the body is not a request " + input.getFullName() + " in JSON" + reason);
    }

    @Override
    public byte[] response(byte[] message) {
      try {
        return (PRINTER.print(DynamicMessage.parseFrom(output, message)) + "\n")
            .getBytes(StandardCharsets.UTF_8);
      } catch (InvalidProtocolBufferException e) {
        throw new IllegalStateException("a response cannot be written as JSON", e);
      }
    }
  }
}
