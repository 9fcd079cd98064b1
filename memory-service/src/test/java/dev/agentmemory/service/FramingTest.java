package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.StringValue;
import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.IngestEventRequest;
import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.proto.PingRequest;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.wire.EventMessages;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Codec;
import io.grpc.Compressor;
import io.grpc.CompressorRegistry;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Requests whose messages are wrong before anything of them is read, over a real port. What the
/// transport answers alone is in docs/protocol.md, under "Errors".
@Timeout(60)
class FramingTest {

  private static final MethodDescriptor<?, ?> EVENTS = MemoryServiceGrpc.getGetEventsMethod();
  private static final MethodDescriptor<?, ?> PING = AdminServiceGrpc.getPingMethod();

  private final Fixture fixture = Fixture.open();
  private final CompressorRegistry compressors = CompressorRegistry.newEmptyInstance();
  private final ManagedChannel channel =
      NettyChannelBuilder.forAddress("127.0.0.1", fixture.server.port())
          .usePlaintext()
          .compressorRegistry(compressors)
          .directExecutor()
          .build();

  @AfterEach
  void close() {
    channel.shutdownNow();
    fixture.close();
  }

  /// Says that it compresses, and does not.
  private record Garbage() implements Compressor {

    @Override
    public String getMessageEncoding() {
      return "gzip";
    }

    @Override
    public OutputStream compress(OutputStream stream) {
      return stream;
    }
  }

  @Test
  void compressedMessage_thatIsGarbage_isRefusedAsTheCallersError() throws Exception {
    compressors.register(new Garbage());
    refusal(EVENTS, CallOptions.DEFAULT.withCompression("gzip"), List.of(new byte[100]))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
        .says("malformed request message; strings must be valid UTF-8, and a compressed");
    isAlive();
  }

  @Test
  void compressedMessage_thatIsTooLargeWithoutCompression_isRefused() throws Exception {
    compressors.register(new Codec.Gzip());
    byte[] large =
        StringValue.newBuilder()
            .setValueBytes(ByteString.copyFrom(new byte[9 << 20]))
            .build()
            .toByteArray();
    refusal(EVENTS, CallOptions.DEFAULT.withCompression("gzip"), List.of(large))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
        .says("no larger than a message may be");
    isAlive();
  }

  @Test
  void compressedMessage_thatIsRight_isServed() {
    compressors.register(new Codec.Gzip());
    assertThat(
            AdminServiceGrpc.newBlockingStub(channel)
                .withCompression("gzip")
                .ping(PingRequest.getDefaultInstance()))
        .isNotNull();
  }

  /// Each is an object of some fifty bytes, once it is parsed.
  @Test
  void message_ofMillionsOfEmptyParts_isRefusedBeforeItIsParsed() throws Exception {
    byte[] parts = new byte[7 << 20];
    for (int i = 0; i < parts.length; i += 2) {
      // An event of the length 0.
      parts[i] = 10;
    }
    refusal(IngestServiceGrpc.getIngestBatchMethod(), CallOptions.DEFAULT, List.of(parts))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
        .says("it may have 500000 fields at most");
    isAlive();
  }

  @Test
  void call_withoutAMessageOrWithTwo_isRefused() throws Exception {
    refusal(PING, CallOptions.DEFAULT, List.of())
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
        .says("the call has no request message; send one");
    refusal(PING, CallOptions.DEFAULT, List.of(new byte[0], new byte[0]))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
        .says("several request messages; send one");
    isAlive();
  }

  @Test
  void ingest_ofTwoMessages_storesNone() throws Exception {
    byte[] event =
        IngestEventRequest.newBuilder()
            .setEvent(EventMessages.toWire(Samples.event(1)))
            .build()
            .toByteArray();
    refusal(MemoryServiceGrpc.getIngestEventMethod(), CallOptions.DEFAULT, List.of(event, event))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD);
    assertThat(fixture.store.stats().events()).isZero();
  }

  @Test
  void message_overTheLimit_isExhausted_byTheTransport() throws Exception {
    Status status = end(EVENTS, CallOptions.DEFAULT, List.of(new byte[(8 << 20) + 1])).getStatus();
    assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    isAlive();
  }

  private void isAlive() {
    assertThat(fixture.admin().ping(PingRequest.getDefaultInstance())).isNotNull();
  }

  private Refusals refusal(
      MethodDescriptor<?, ?> method, CallOptions options, List<byte[]> messages) throws Exception {
    return new Refusals(end(method, options, messages));
  }

  private StatusRuntimeException end(
      MethodDescriptor<?, ?> method, CallOptions options, List<byte[]> messages) throws Exception {
    // Of a stream, so that the client lets any number of messages pass.
    var raw =
        MethodDescriptor.<byte[], byte[]>newBuilder(new Bytes(), new Bytes())
            .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
            .setFullMethodName(method.getFullMethodName())
            .build();
    ClientCall<byte[], byte[]> call = channel.newCall(raw, options);
    var end = new CompletableFuture<StatusRuntimeException>();
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            end.complete(status.asRuntimeException(trailers));
          }
        },
        new Metadata());
    call.request(1);
    messages.forEach(call::sendMessage);
    call.halfClose();
    return end.get(30, TimeUnit.SECONDS);
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }
}
