package dev.agentmemory.service.internal.intercept;

import com.google.protobuf.Message;
import io.grpc.BindableService;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// Passes a request that cannot be parsed, or would become too many objects, on as null.
/// [ErrorMapping] refuses it as an error of the caller. gRPC itself would report an error of the
/// daemon.
public final class StrictRequests {

  /// Most fields of a request. The largest that is useful, a batch of 1000 events with all their
  /// metadata, has a quarter of a million.
  static final int MOST_FIELDS = 500_000;

  /// A smaller request cannot have too many fields.
  private static final int LARGE = MOST_FIELDS * 2;

  private StrictRequests() {}

  public static ServerServiceDefinition of(BindableService service) {
    ServerServiceDefinition plain = service.bindService();
    var descriptor =
        ServiceDescriptor.newBuilder(plain.getServiceDescriptor().getName())
            .setSchemaDescriptor(plain.getServiceDescriptor().getSchemaDescriptor());
    var methods = plain.getMethods().stream().map(StrictRequests::strict).toList();
    methods.forEach(method -> descriptor.addMethod(method.getMethodDescriptor()));
    var strict = ServerServiceDefinition.builder(descriptor.build());
    methods.forEach(strict::addMethod);
    return strict.build();
  }

  private static <Q, A> ServerMethodDefinition<Q, A> strict(ServerMethodDefinition<Q, A> method) {
    MethodDescriptor<Q, A> plain = method.getMethodDescriptor();
    return ServerMethodDefinition.create(
        plain.toBuilder(new Strict<>(plain.getRequestMarshaller()), plain.getResponseMarshaller())
            .build(),
        method.getServerCallHandler());
  }

  private record Strict<Q>(MethodDescriptor.Marshaller<Q> plain)
      implements MethodDescriptor.Marshaller<Q> {

    @Override
    public InputStream stream(Q value) {
      return plain.stream(value);
    }

    /// Returns null for bytes that cannot be parsed, because an exception from here would not reach
    /// an interceptor.
    @Override
    public @Nullable Q parse(InputStream stream) {
      try {
        boolean small = stream instanceof KnownLength && stream.available() < LARGE;
        return small ? plain.parse(stream) : parseLarge(stream);
      } catch (StatusRuntimeException | IOException e) {
        return null;
      }
    }

    private @Nullable Q parseLarge(InputStream stream) throws IOException {
      byte[] message = stream.readAllBytes();
      boolean tooMany =
          plain instanceof MethodDescriptor.PrototypeMarshaller<Q> typed
              && typed.getMessagePrototype() instanceof Message prototype
              && EncodedFields.areMoreThan(MOST_FIELDS, message, prototype.getDescriptorForType());
      return tooMany ? null : plain.parse(new ByteArrayInputStream(message));
    }
  }
}
