package dev.agentmemory.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.TextFormat;
import dev.agentmemory.api.JobStatus;
import dev.agentmemory.api.contents.FoundNodes;
import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.api.contents.NodeField;
import dev.agentmemory.api.contents.NodeMatch;
import dev.agentmemory.proto.ExpandGripResponse;
import dev.agentmemory.proto.IngestAck;
import dev.agentmemory.proto.JobStatusProto;
import dev.agentmemory.proto.SearchChildrenResponse;
import dev.agentmemory.proto.SearchField;
import dev.agentmemory.proto.SearchNodeResponse;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Jobs, matches inside nodes, expanded grips and the answers to a stream: there and back, and what
/// a client does not take.
class SmallMessagesTest {

  private static final String NEWER = "is unknown to this client; is the daemon newer?";

  static Stream<RandomValues> seeds() {
    return LongStream.range(0, 100).mapToObj(seed -> new RandomValues(new Random(seed)));
  }

  private static void refused(String field, String text, ThrowingCallable reading) {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(reading)
        .withMessage(field + ": " + text)
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_FIELD))
        .satisfies(e -> assertThat(e.field()).hasValue(field));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void job_thereAndBack_isEqual(RandomValues values) throws InvalidProtocolBufferException {
    JobStatus job = values.job();
    byte[] bytes = JobMessages.toWire(job).toByteArray();
    assertThat(JobMessages.fromWire(JobStatusProto.parseFrom(bytes))).isEqualTo(job);
  }

  @Test
  void job_ofANewerDaemon_isRefusedWithARemedy() {
    var message = JobStatusProto.newBuilder().setLastResultValue(99).build();
    refused("jobs.last_result", NEWER, () -> JobMessages.fromWire(message));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void matches_thereAndBack_areEqual(RandomValues values) throws InvalidProtocolBufferException {
    List<NodeMatch> matches = values.matches();
    SearchNodeResponse answer = MatchMessages.toWire(values.node(), matches);
    assertThat(answer.getMatched()).isEqualTo(!matches.isEmpty());
    assertThat(MatchMessages.fromWire(SearchNodeResponse.parseFrom(answer.toByteArray())))
        .isEqualTo(matches);
    FoundNodes found = values.foundNodes();
    byte[] bytes = MatchMessages.toWire(found).toByteArray();
    assertThat(MatchMessages.fromWire(SearchChildrenResponse.parseFrom(bytes))).isEqualTo(found);
  }

  @ParameterizedTest
  @EnumSource(NodeField.class)
  void field_thereAndBack_isEqual(NodeField field) {
    assertThat(MatchMessages.fields(List.of(WireEnums.FIELD.toWire(field)))).containsExactly(field);
  }

  @Test
  void fields_unspecifiedIsIgnored_andUnknownIsRefused() {
    assertThat(MatchMessages.fields(List.of(SearchField.SEARCH_FIELD_UNSPECIFIED)))
        .isEqualTo(Set.of());
    refused(
        "fields",
        "is not a known value of SearchField",
        () -> MatchMessages.fields(List.of(SearchField.UNRECOGNIZED)));
  }

  @ParameterizedTest
  @CsvSource({"0", "99"})
  void match_inAnUnknownField_isRefusedWithARemedy(int field) {
    var answer = SearchNodeResponse.newBuilder();
    answer.addMatchesBuilder().setFieldValue(field);
    refused("matches.field", NEWER, () -> MatchMessages.fromWire(answer.build()));
  }

  @Test
  void match_withBadIds_isRefusedByName() {
    var answer = SearchNodeResponse.newBuilder();
    answer.addMatchesBuilder().setField(SearchField.SEARCH_FIELD_TITLE).addGripIds("x");
    refused(
        "matches.grip_ids",
        "is not a grip id; expected grip:<13-digit ms>:<ULID>",
        () -> MatchMessages.fromWire(answer.build()));
    var nodes = SearchChildrenResponse.newBuilder();
    nodes.addResultsBuilder().setNodeId("x");
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> MatchMessages.fromWire(nodes.build()))
        .satisfies(e -> assertThat(e.field()).hasValue("results.node_id"));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void expandedGrip_comesBackWithItsEvents(RandomValues values)
      throws InvalidProtocolBufferException {
    var context =
        new GripContext(
            values.grip(),
            values.list(3, values::event),
            values.list(3, values::event),
            values.list(3, values::event));
    byte[] bytes =
        ExpandGripResponse.newBuilder()
            .setGrip(GripMessages.toWire(context.grip()))
            .addAllEventsBefore(EventMessages.toWire(context.before()))
            .addAllExcerptEvents(EventMessages.toWire(context.excerpt()))
            .addAllEventsAfter(EventMessages.toWire(context.after()))
            .build()
            .toByteArray();
    assertThat(GripMessages.fromWire(ExpandGripResponse.parseFrom(bytes))).isEqualTo(context);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "grip.excerpt | excerpt: ''",
        "grip.grip_id | grip_id: 'x'",
        "grip.event_id_start | event_id_start: 'x'",
        "grip.event_id_end | event_id_end: ''",
        "grip.toc_node_id | toc_node_id: 'x'",
      })
  void expandedGrip_withABadField_isRefusedByName(String field, String change)
      throws TextFormat.ParseException {
    var good = GripMessages.toWire(new RandomValues(new Random(1)).grip()).toBuilder();
    TextFormat.getParser().merge(change, good);
    var answer = ExpandGripResponse.newBuilder().setGrip(good).build();
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> GripMessages.fromWire(answer))
        .satisfies(e -> assertThat(e.field()).hasValue(field));
  }

  @Test
  void expandedGrip_withABadEvent_isRefusedByName() {
    var grip = GripMessages.toWire(new RandomValues(new Random(1)).grip());
    var answer = ExpandGripResponse.newBuilder().setGrip(grip);
    answer.addExcerptEventsBuilder().setEventId("x");
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> GripMessages.fromWire(answer.build()))
        .satisfies(e -> assertThat(e.field()).hasValue("event.event_id"));
  }

  @Test
  void ack_isRead() {
    var event = new EventId("0".repeat(26));
    assertThat(receipt(event, IngestAck.Outcome.OUTCOME_CREATED))
        .isEqualTo(new Receipt.Created(event));
    assertThat(receipt(event, IngestAck.Outcome.OUTCOME_ALREADY_KNOWN))
        .isEqualTo(new Receipt.AlreadyKnown(event));
    assertThat(receipt(event, IngestAck.Outcome.OUTCOME_CONFLICT))
        .isEqualTo(new Receipt.Conflict(event));
    assertThat(receipt(event, IngestAck.Outcome.OUTCOME_INVALID))
        .isInstanceOfSatisfying(
            Receipt.Refused.class,
            refused -> {
              assertThat(refused.event()).isEqualTo(event);
              assertThat(refused.why()).hasMessage("event.text: is empty");
              assertThat(refused.why().field()).hasValue("event.text");
              assertThat(refused.why().code()).isEqualTo(ErrorCode.INVALID_FIELD);
            });
  }

  private static Receipt receipt(EventId event, IngestAck.Outcome outcome) {
    var ack = IngestAck.newBuilder().setOutcome(outcome);
    if (outcome == IngestAck.Outcome.OUTCOME_INVALID) {
      ack.setError("event.text: is empty").setField("event.text");
    }
    return IngestMessages.fromWire(event, ack.build());
  }

  @Test
  void ack_refusedWithoutAField_isReadWithItsSentence() {
    var ack =
        IngestAck.newBuilder()
            .setOutcome(IngestAck.Outcome.OUTCOME_INVALID)
            .setError("why")
            .build();
    assertThat(IngestMessages.fromWire(new EventId("0".repeat(26)), ack))
        .isInstanceOfSatisfying(
            Receipt.Refused.class,
            refused -> {
              assertThat(refused.why()).hasMessage("why");
              assertThat(refused.why().field()).isEmpty();
            });
  }

  @ParameterizedTest
  @CsvSource({"0", "99"})
  void ack_ofANewerDaemon_isRefusedWithARemedy(int outcome) {
    var ack = IngestAck.newBuilder().setOutcomeValue(outcome).build();
    refused("acks.outcome", NEWER, () -> IngestMessages.fromWire(new EventId("0".repeat(26)), ack));
  }
}
