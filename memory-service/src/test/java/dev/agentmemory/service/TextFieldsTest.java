package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.DynamicMessage;
import dev.agentmemory.api.text.TextLimit;
import dev.agentmemory.proto.Event;
import dev.agentmemory.proto.IngestAck;
import dev.agentmemory.proto.IngestEventRequest;
import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.IngestStreamRequest;
import dev.agentmemory.proto.SearchMemoriesRequest;
import dev.agentmemory.proto.SearchNodeRequest;
import dev.agentmemory.service.internal.intercept.TextLimits;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.wire.EventMessages;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Every text and every list of every request has a limit, over a real port.
@Timeout(120)
class TextFieldsTest {

  private static final int MIB = 1 << 20;

  /// For one call; the machine may be busy.
  private static final Duration QUICK = Duration.ofSeconds(2);

  private final Fixture fixture = Fixture.open();

  @AfterEach
  void close() {
    fixture.close();
  }

  /// A field of a request, by the fields that lead to it.
  private record Place(
      MethodDescriptor<?, ?> method, Descriptor request, List<FieldDescriptor> path) {

    FieldDescriptor last() {
      return path.getLast();
    }

    /// As an error names it: `memories[0].content`, but `filter.tags`.
    String name() {
      var name = new StringBuilder();
      for (FieldDescriptor field : path) {
        boolean numbered =
            field.isRepeated() && !field.isMapField() && field.getJavaType() == JavaType.MESSAGE;
        name.append(name.isEmpty() ? "" : ".")
            .append(field.getName())
            .append(numbered ? "[0]" : "");
      }
      return name.toString();
    }

    /// A request with that one field.
    DynamicMessage with(Object value) {
      Object inner = value;
      for (int at = path.size() - 1; at >= 0; at--) {
        FieldDescriptor field = path.get(at);
        var message = DynamicMessage.newBuilder(field.getContainingType());
        if (!field.isRepeated()) {
          message.setField(field, inner);
        } else if (inner instanceof List<?> values) {
          values.forEach(one -> message.addRepeatedField(field, one));
        } else {
          message.addRepeatedField(field, inner);
        }
        inner = message.build();
      }
      return (DynamicMessage) inner;
    }

    @Override
    public String toString() {
      return method.getFullMethodName() + " " + name();
    }
  }

  private List<Place> places() {
    List<Place> places = new ArrayList<>();
    fixture.server.services().stream()
        .flatMap(service -> service.getMethods().stream())
        .map(definition -> definition.getMethodDescriptor())
        .forEach(method -> {
          var schema =
              (ProtoMethodDescriptorSupplier) Objects.requireNonNull(method.getSchemaDescriptor());
          Descriptor request = schema.getMethodDescriptor().getInputType();
          add(method, request, request, List.of(), places);
        });
    return places;
  }

  private static void add(
      MethodDescriptor<?, ?> method,
      Descriptor request,
      Descriptor type,
      List<FieldDescriptor> before,
      List<Place> places) {
    for (FieldDescriptor field : type.getFields()) {
      List<FieldDescriptor> path = Stream.concat(before.stream(), Stream.of(field)).toList();
      if (isListed(field)) {
        continue;
      }
      places.add(new Place(method, request, path));
      if (field.getJavaType() == JavaType.MESSAGE) {
        add(method, request, field.getMessageType(), path, places);
      }
    }
  }

  /// The deliberate exceptions: their handlers check them.
  private static boolean isListed(FieldDescriptor field) {
    return TextLimits.CHECKED_BY_HANDLERS.contains(field.getFullName())
        || (field.getJavaType() == JavaType.MESSAGE
            && TextLimits.CHECKED_BY_HANDLERS.contains(field.getMessageType().getFullName()));
  }

  private static boolean isText(Place place) {
    return place.last().getJavaType() == JavaType.STRING;
  }

  @Test
  void text_overItsLimit_isRefusedQuicklyByName() throws Exception {
    List<Place> texts = places().stream().filter(TextFieldsTest::isText).toList();
    assertThat(texts).hasSizeGreaterThan(90);
    for (Place place : texts) {
      Integer longer = TextLimits.LONGER.get(place.last().getFullName());
      int most = longer == null ? TextLimit.DEFAULT.chars() : longer;
      assertRefused(
          place,
          place.with("x".repeat(longer == null ? MIB / 2 : most + 1)),
          "; shorten it to " + most + " at most");
    }
  }

  @Test
  void list_ofTooManyValues_isRefusedQuicklyByName() throws Exception {
    List<Place> lists = places().stream().filter(place -> place.last().isRepeated()).toList();
    assertThat(lists).hasSizeGreaterThan(15);
    for (Place place : lists) {
      Object one =
          switch (place.last().getJavaType()) {
            case STRING -> "x";
            case ENUM -> place.last().getEnumType().findValueByNumber(0);
            case MESSAGE -> DynamicMessage.getDefaultInstance(place.last().getMessageType());
            default -> throw new AssertionError("give this field a value: " + place);
          };
      DynamicMessage request = place.with(Collections.nCopies(TextLimit.DEFAULT.values() + 1, one));
      if (!place.last().isMapField()) {
        assertRefused(place, request, "; send 1000 at most");
      }
    }
  }

  private void assertRefused(Place place, DynamicMessage request, String remedy) throws Exception {
    long begun = System.nanoTime();
    StatusRuntimeException failure = call(place.method(), request.toByteArray());
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).as(place.toString()).isLessThan(QUICK);
    assertThat(failure.getStatus().getCode())
        .as("%s: %s", place, failure)
        .isEqualTo(Status.Code.INVALID_ARGUMENT);
    String name = place.name();
    Refusals refusal = new Refusals(failure);
    refusal
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
        .names(
            place.last().getJavaType() == JavaType.MESSAGE
                ? name.replaceFirst("\\[0\\]$", "")
                : name)
        .says(remedy);
    assertThat(String.valueOf(failure.getStatus().getDescription())).hasSizeLessThan(300);
  }

  /// The exceptions are an event and a line of an import, which stop nothing else.
  @Test
  void textOfAnEvent_overItsLimit_isRefusedByName() throws Exception {
    assertThat(TextLimits.CHECKED_BY_HANDLERS)
        .containsExactlyInAnyOrder("memory.Event", "memory.ImportMemoriesRequest.lines");
    Event good = EventMessages.toWire(Samples.event(1));
    for (FieldDescriptor field : Event.getDescriptor().getFields()) {
      List<Event> bad =
          switch (field.getJavaType()) {
            case STRING -> List.of(good.toBuilder().setField(field, "x".repeat(2 * MIB)).build());
            case MESSAGE ->
                List.of(
                    good.toBuilder().putMetadata("x".repeat(2 * MIB), "").build(),
                    good.toBuilder().putMetadata("k", "x".repeat(2 * MIB)).build());
            default -> List.of();
          };
      for (Event event : bad) {
        var request = IngestEventRequest.newBuilder().setEvent(event).build();
        Refusals refusal = Refusals.of(() -> fixture.memory().ingestEvent(request));
        refusal.is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD);
        IngestAck ack =
            IngestServiceGrpc.newBlockingStub(fixture.channel)
                .ingestBatch(IngestStreamRequest.newBuilder().addEvents(event).build())
                .getAcks(0);
        assertThat(ack.getOutcome()).isEqualTo(IngestAck.Outcome.OUTCOME_INVALID);
        assertThat(ack.getField()).startsWith("event." + field.getName());
        assertThat(ack.getError()).hasSizeLessThan(500);
      }
    }
  }

  @Test
  void query_ofEightMebibytes_isRefusedQuickly() throws Exception {
    String query = "word ".repeat(8 * MIB / 5 - 100);
    for (var request :
        List.of(
            SearchNodeRequest.newBuilder().setNodeId("toc:year:2026").setQuery(query).build(),
            SearchMemoriesRequest.newBuilder().setQuery(query).build())) {
      MethodDescriptor<?, ?> method =
          places().stream()
              .filter(one -> one.request().equals(request.getDescriptorForType()))
              .findFirst()
              .orElseThrow()
              .method();
      long begun = System.nanoTime();
      StatusRuntimeException failure = call(method, request.toByteArray());
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(QUICK);
      // Before the rest of it has come.
      new Refusals(failure)
          .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
          .names("request")
          .says("is larger than 1048576 bytes; shorten its texts");
    }
  }

  private StatusRuntimeException call(MethodDescriptor<?, ?> method, byte[] request)
      throws Exception {
    var raw =
        MethodDescriptor.<byte[], byte[]>newBuilder(new Bytes(), new Bytes())
            .setType(method.getType())
            .setFullMethodName(method.getFullMethodName())
            .build();
    ClientCall<byte[], byte[]> call = fixture.channel.newCall(raw, CallOptions.DEFAULT);
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
    call.sendMessage(request);
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
      return new byte[0];
    }
  }
}
