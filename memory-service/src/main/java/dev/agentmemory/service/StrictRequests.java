package dev.agentmemory.service;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;

/// Says what is wrong when the bytes of a request are no message of its type. gRPC itself would
/// call that an internal error of the daemon.
final class StrictRequests {

  private StrictRequests() {}

  static ServerServiceDefinition of(BindableService service) {
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

    @Override
    public Q parse(InputStream stream) {
      try {
        return plain.parse(stream);
      } catch (StatusRuntimeException e) {
        throw Status.INVALID_ARGUMENT
            .withDescription("the request is no valid message; is its text UTF-8?")
            .withCause(e)
            .asRuntimeException();
      }
    }
  }
}
