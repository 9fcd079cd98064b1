package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/// Every call that a running daemon offers, found by asking the daemon itself, so that one that was
/// added yesterday is not forgotten today; with requests made of whatever their fields are called.
final class EveryCall {

  private static final String OURS = "memory.";
  private static final String STUBS = "dev.agentmemory.proto.";

  private final Channel channel;

  EveryCall(Channel channel) {
    this.channel = channel;
  }

  /// The methods of all services of ours.
  List<MethodDescriptor<?, ?>> methods() throws ReflectiveOperationException {
    List<MethodDescriptor<?, ?>> found = new ArrayList<>();
    for (String service : services()) {
      String simple = service.substring(OURS.length());
      Class<?> stubs = Class.forName(STUBS + simple + "Grpc");
      var described = (ServiceDescriptor) invoke(stubs);
      found.addAll(described.getMethods());
    }
    assertThat(found).isNotEmpty();
    return found;
  }

  private static Object invoke(Class<?> stubs)
      throws NoSuchMethodException, IllegalAccessException, InvocationTargetException {
    return Objects.requireNonNull(stubs.getMethod("getServiceDescriptor").invoke(null));
  }

  private List<String> services() {
    var answer = new CompletableFuture<ServerReflectionResponse>();
    StreamObserver<ServerReflectionRequest> asking =
        ServerReflectionGrpc.newStub(channel)
            .serverReflectionInfo(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ServerReflectionResponse response) {
                    answer.complete(response);
                  }

                  @Override
                  public void onError(Throwable failure) {
                    answer.completeExceptionally(failure);
                  }

                  @Override
                  public void onCompleted() {}
                });
    asking.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
    asking.onCompleted();
    return answer
        .orTimeout(20, TimeUnit.SECONDS)
        .join()
        .getListServicesResponse()
        .getServiceList()
        .stream()
        .map(ServiceResponse::getName)
        .filter(name -> name.startsWith(OURS))
        .toList();
  }

  /// Requests of a method: every combination of what its fields can be.
  ///
  /// @param values what to put into a field, by its name
  static List<Message> requests(MethodDescriptor<?, ?> method, Map<String, List<?>> values) {
    var proto =
        (ProtoMethodDescriptorSupplier) Objects.requireNonNull(method.getSchemaDescriptor());
    Descriptor type = proto.getMethodDescriptor().getInputType();
    List<DynamicMessage> requests = List.of(DynamicMessage.getDefaultInstance(type));
    for (FieldDescriptor field : type.getFields()) {
      assertThat(values)
          .as("values for the field %s of %s", field.getName(), method.getFullMethodName())
          .containsKey(field.getName());
      List<?> all = Objects.requireNonNull(values.get(field.getName()));
      requests =
          requests.stream()
              .flatMap(request -> all.stream().map(value -> with(request, field, value)))
              .toList();
    }
    return List.copyOf(requests);
  }

  private static DynamicMessage with(DynamicMessage request, FieldDescriptor field, Object value) {
    Object fitting = fitting(field, value);
    return request.toBuilder()
        .setField(field, field.isRepeated() ? List.of(fitting) : fitting)
        .build();
  }

  private static Object fitting(FieldDescriptor field, Object value) {
    return switch (field.getJavaType()) {
      case INT -> ((Number) value).intValue();
      case LONG -> ((Number) value).longValue();
      // A field of another request can have the same name, and be a text.
      case ENUM ->
          field.getEnumType().getValues().get(value instanceof Number one ? one.intValue() : 1);
      case FLOAT, DOUBLE, BOOLEAN, STRING, BYTE_STRING, MESSAGE -> value;
    };
  }

  /// How a call ended: its answer in text form, or its status.
  ///
  /// @param served whether it was answered
  record Answer(boolean served, String text) {}

  /// Makes a call of any kind with one request.
  static <Q, A> Answer call(Channel channel, MethodDescriptor<Q, A> method, Message request) {
    Q message = method.parseRequest(request.toByteString().newInput());
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS);
    try {
      return new Answer(
          true,
          method.getType().serverSendsOneMessage()
              ? String.valueOf(ClientCalls.blockingUnaryCall(channel, method, options, message))
              : String.join("", streamed(channel, method, options, message)));
    } catch (StatusRuntimeException e) {
      assertThat(e.getStatus().getCode())
          .as("%s answered %s", method.getFullMethodName(), e.getStatus())
          .isIn(
              Status.Code.INVALID_ARGUMENT,
              Status.Code.NOT_FOUND,
              Status.Code.ALREADY_EXISTS,
              Status.Code.FAILED_PRECONDITION);
      return new Answer(false, String.valueOf(e.getStatus().getDescription()));
    }
  }

  private static <Q, A> List<String> streamed(
      Channel channel, MethodDescriptor<Q, A> method, CallOptions options, Q message) {
    List<String> answers = new ArrayList<>();
    var end = new CompletableFuture<List<String>>();
    StreamObserver<Q> asking =
        ClientCalls.asyncBidiStreamingCall(
            channel.newCall(method, options),
            new StreamObserver<A>() {
              @Override
              public void onNext(A answer) {
                answers.add(String.valueOf(answer));
              }

              @Override
              public void onError(Throwable failure) {
                end.completeExceptionally(failure);
              }

              @Override
              public void onCompleted() {
                end.complete(answers);
              }
            });
    asking.onNext(message);
    asking.onCompleted();
    try {
      return end.orTimeout(30, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof StatusRuntimeException refused) {
        throw refused;
      }
      throw e;
    }
  }
}
