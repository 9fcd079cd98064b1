package dev.agentmemory.testkit.fuzz;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import dev.agentmemory.testkit.fuzz.FuzzAttempt.Outcome;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/// Calls of every method over gRPC. Of ten, seven have one field that is changed, two are good, and
/// one has bytes that are changed.
public final class GrpcFuzz implements FuzzTarget {

  private static final int DEADLINE_SECONDS = 30;

  /// Of calls that work on all of a store, which grows during a run, or wait for a job that does.
  private static final int LONG_DEADLINE_SECONDS = 300;

  private static final Set<String> LONG =
      Set.of(
          "RebuildToc",
          "RebuildIndex",
          "RebuildMemoryIndex",
          "VerifyStore",
          "RunJob",
          "Forget",
          "Scrub");

  private static final int LEARNING = 40;
  private static final int MOST_MESSAGES = 3;
  private static final int HEAVY_EACH = 500;

  /// Calls that take longer. One of them is made for 500 others.
  private static final Set<String> HEAVY =
      Set.of(
          "CreateBackup",
          "CreateWorkspace",
          "DeleteWorkspace",
          "RebuildToc",
          "Scrub",
          "Forget",
          "RebuildIndex",
          "RebuildMemoryIndex",
          "VerifyStore",
          "RunJob",
          "CompactConversation",
          "PreviewConsolidation",
          "ExportMemories");

  /// Its bytes could name any directory.
  private static final String WRITES_FILES = "CreateBackup";

  private static final MethodDescriptor.Marshaller<byte[]> AS_THEY_ARE =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try (stream) {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private record Method(
      String name,
      MethodDescriptor<byte[], byte[]> call,
      com.google.protobuf.Descriptors.Descriptor input,
      com.google.protobuf.Descriptors.Descriptor output) {}

  private final Channel channel;
  private final FieldValues values;
  private final FuzzRequests requests;
  private final List<Method> light = new ArrayList<>();
  private final List<Method> heavy = new ArrayList<>();

  /// @param channel to the daemon, with the token
  /// @param methods those that it serves
  public GrpcFuzz(Channel channel, List<MethodDescriptor<?, ?>> methods, FieldValues values) {
    this.channel = channel;
    this.values = values;
    this.requests = new FuzzRequests(values);
    for (MethodDescriptor<?, ?> method : methods) {
      var described =
          ((ProtoMethodDescriptorSupplier) Objects.requireNonNull(method.getSchemaDescriptor()))
              .getMethodDescriptor();
      var call = method.toBuilder(AS_THEY_ARE, AS_THEY_ARE).build();
      (HEAVY.contains(described.getName()) ? heavy : light)
          .add(
              new Method(
                  described.getName(), call, described.getInputType(), described.getOutputType()));
    }
  }

  @Override
  public String name() {
    return "gRPC";
  }

  /// Makes good calls and takes the ids of the answers as values of later ones.
  public void learn(long seed) throws IOException, InterruptedException {
    var random = new SplittableRandom(seed);
    for (int round = 0; round < LEARNING; round++) {
      List<Message> responses = new ArrayList<>();
      for (Method method : light) {
        for (byte[] answer :
            call(method, List.of(requests.valid(method.input, random).toByteArray())).answers) {
          responses.add(parsed(method, answer));
        }
      }
      values.learn(responses);
    }
  }

  private static Message parsed(Method method, byte[] answer)
      throws InvalidProtocolBufferException {
    return DynamicMessage.parseFrom(method.output, answer);
  }

  @Override
  public FuzzAttempt attempt(RandomGenerator random) throws IOException, InterruptedException {
    List<Method> from = random.nextInt(HEAVY_EACH) == 0 ? heavy : light;
    Method method = from.get(random.nextInt(from.size()));
    List<byte[]> sent = new ArrayList<>();
    var input = new StringBuilder(method.name).append(' ');
    boolean several = !method.call.getType().clientSendsOneMessage();
    int kind = random.nextInt(10);
    for (int i = several ? random.nextInt(1, MOST_MESSAGES + 1) : 1; i > 0; i--) {
      Message valid = requests.valid(method.input, random);
      if (kind == 9 && !method.name.equals(WRITES_FILES)) {
        sent.add(Changed.bytes(valid.toByteArray(), random));
        input.append(HexFormat.of().formatHex(sent.getLast())).append(' ');
        continue;
      }
      Message message = kind < 7 ? requests.changed(valid, random) : valid;
      sent.add(message.toByteArray());
      input
          .append('{')
          .append(TextFormat.printer().emittingSingleLine(true).printToString(message))
          .append("} ");
    }
    Status status = call(method, sent).status;
    return new FuzzAttempt(
        outcome(status), input.toString(), status.getCode() + " " + described(status));
  }

  private static String described(Status status) {
    return Objects.requireNonNullElse(status.getDescription(), "");
  }

  private static Outcome outcome(Status status) {
    return switch (status.getCode()) {
      case INVALID_ARGUMENT -> Outcome.REFUSED;
      case INTERNAL, UNKNOWN, DATA_LOSS, UNIMPLEMENTED, UNAUTHENTICATED, PERMISSION_DENIED ->
          Outcome.DEFECT;
      case DEADLINE_EXCEEDED -> Outcome.HANG;
      default -> Outcome.VALID;
    };
  }

  private record Reply(Status status, List<byte[]> answers) {}

  private Reply call(Method method, List<byte[]> messages)
      throws IOException, InterruptedException {
    var answers = new ConcurrentLinkedQueue<byte[]>();
    var end = new CompletableFuture<Status>();
    int deadline = LONG.contains(method.name) ? LONG_DEADLINE_SECONDS : DEADLINE_SECONDS;
    ClientCall<byte[], byte[]> call =
        channel.newCall(
            method.call, CallOptions.DEFAULT.withDeadlineAfter(deadline, TimeUnit.SECONDS));
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(byte[] message) {
            answers.add(message);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            end.complete(status);
          }
        },
        new Metadata());
    call.request(Integer.MAX_VALUE);
    messages.forEach(call::sendMessage);
    call.halfClose();
    Status status = await(end);
    if (status.getCode() == Status.Code.UNAVAILABLE) {
      throw new IOException(method.name + ": the daemon does not answer: " + described(status));
    }
    return new Reply(status, List.copyOf(answers));
  }

  private static Status await(Future<Status> end) throws IOException, InterruptedException {
    try {
      return end.get();
    } catch (ExecutionException e) {
      throw new IOException(e);
    }
  }
}
