package dev.agentmemory.service.internal.encoded;

import dev.agentmemory.api.encoded.EncodedAnswer;
import dev.agentmemory.api.encoded.EncodedApi;
import dev.agentmemory.api.encoded.EncodedCall;
import dev.agentmemory.api.encoded.RequestField;
import dev.agentmemory.service.internal.connection.HttpClients;
import dev.agentmemory.types.MemoryException;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.inprocess.AnonymousInProcessSocketAddress;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Makes encoded calls on a second server, without a port, that has the services and interceptors
/// of the first one. The bytes of a message are passed on as they are; JSON is translated before.
public final class EncodedServer implements EncodedApi, AutoCloseable {

  /// Of a call that names none. The longest calls read a whole store.
  private static final Duration LONGEST = Duration.ofHours(1);

  private final HttpClients clients = new HttpClients();
  private final Server server;
  private final ManagedChannel channel;
  private final Map<String, MethodDescriptor<?, ?>> methods;

  private EncodedServer(Server server, ManagedChannel channel) {
    this.server = server;
    this.channel = channel;
    this.methods =
        server.getServices().stream()
            .flatMap(service -> service.getMethods().stream())
            .<MethodDescriptor<?, ?>>map(ServerMethodDefinition::getMethodDescriptor)
            .collect(Collectors.toMap(MethodDescriptor::getFullMethodName, Function.identity()));
  }

  /// @param services adds services and interceptors
  public static EncodedServer start(Consumer<ServerBuilder<?>> services) {
    var address = new AnonymousInProcessSocketAddress();
    InProcessServerBuilder builder = InProcessServerBuilder.forAddress(address);
    services.accept(builder);
    try {
      Server server = builder.build().start();
      return new EncodedServer(
          server, InProcessChannelBuilder.forAddress(address).directExecutor().build());
    } catch (IOException e) {
      throw new UncheckedIOException("a server without a port cannot fail to bind", e);
    }
  }

  @Override
  public CompletableFuture<EncodedAnswer> call(EncodedCall call) {
    MethodDescriptor<?, ?> method =
        methods.get(MethodDescriptor.generateFullMethodName(call.service(), call.method()));
    if (method == null) {
      return unimplemented("there is no such service or method");
    }
    if (method.getType() != MethodType.UNARY) {
      return unimplemented("calls with streams are served over gRPC only");
    }
    MessageFormat format = MessageFormat.of(call.format(), method);
    byte[] request;
    try {
      request = format.request(call.message());
    } catch (MemoryException e) {
      return CompletableFuture.completedFuture(CallFailure.of(e));
    }
    var answer = new AnswerObserver(format);
    return clients.during(
        call.client(),
        () -> {
          ClientCalls.asyncUnaryCall(newCall(call, method), request, answer);
          return answer.result();
        });
  }

  @Override
  public CompletableFuture<EncodedAnswer> stream(
      EncodedCall call, List<byte[]> more, Responses responses) {
    MethodDescriptor<?, ?> method =
        methods.get(MethodDescriptor.generateFullMethodName(call.service(), call.method()));
    if (method == null) {
      return unimplemented("there is no such service or method");
    }
    MessageFormat format = MessageFormat.of(call.format(), method);
    List<byte[]> requests;
    try {
      requests =
          Stream.concat(Stream.of(call.message()), more.stream()).map(format::request).toList();
    } catch (MemoryException e) {
      return CompletableFuture.completedFuture(CallFailure.of(e));
    }
    return clients.during(
        call.client(),
        () -> {
          ClientCall<byte[], byte[]> started = newCall(call, method);
          var listener = new StreamedResponses(started, format, responses);
          started.start(listener, new Metadata());
          started.request(1);
          requests.forEach(started::sendMessage);
          started.halfClose();
          return listener.result();
        });
  }

  private ClientCall<byte[], byte[]> newCall(EncodedCall call, MethodDescriptor<?, ?> method) {
    CallOptions options =
        CallOptions.DEFAULT.withDeadlineAfter(
            call.timeout().orElse(LONGEST).toNanos(), TimeUnit.NANOSECONDS);
    return with(call.metadata()).newCall(bytes(method), options);
  }

  @Override
  public Optional<RequestField> find(String service, String method, String path) {
    return Optional.ofNullable(
            methods.get(MethodDescriptor.generateFullMethodName(service, method)))
        .map(MethodDescriptor::getSchemaDescriptor)
        .filter(ProtoMethodDescriptorSupplier.class::isInstance)
        .map(ProtoMethodDescriptorSupplier.class::cast)
        .map(described -> described.getMethodDescriptor().getInputType())
        .flatMap(message -> new DescribedFields(message).find(path));
  }

  private static CompletableFuture<EncodedAnswer> unimplemented(String message) {
    return CompletableFuture.completedFuture(CallFailure.of(Status.Code.UNIMPLEMENTED, message));
  }

  private Channel with(Map<String, String> metadata) {
    var headers = new Metadata();
    metadata.forEach((name, value) ->
        headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value));
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  private static MethodDescriptor<byte[], byte[]> bytes(MethodDescriptor<?, ?> method) {
    return method.toBuilder(ByteMarshaller.ONE, ByteMarshaller.ONE).build();
  }

  /// Takes no further calls. Those in progress end with the pools of their handlers.
  @Override
  public void close() {
    server.shutdown();
    channel.shutdown();
  }

  /// Cancels the calls that are still in progress.
  public void cancelAll() {
    channel.shutdownNow();
    server.shutdownNow();
  }
}
