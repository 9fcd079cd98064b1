package dev.agentmemory.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Message;
import dev.agentmemory.proto.GetEventsResponse;
import dev.agentmemory.proto.GetNodeResponse;
import dev.agentmemory.proto.GetUsageResponse;
import dev.agentmemory.proto.ListChannelsResponse;
import dev.agentmemory.proto.ListMemoriesResponse;
import dev.agentmemory.proto.ListNodeVersionsResponse;
import dev.agentmemory.proto.ListSessionsResponse;
import dev.agentmemory.proto.OrientResponse;
import dev.agentmemory.proto.SearchResponse;
import dev.agentmemory.store.DamagedRange;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every answer that lists what is stored can say what it lacks.
class DamageMessagesTest {

  private static final List<DamagedRange> RANGES =
      List.of(
          new DamagedRange("events", "evt:1", "evt:2", "checksum"),
          DamagedRange.row("sessions", "ses:1", "cut short"));

  /// They list jobs, workspaces and findings, or what was just written, or count what is cheap to
  /// count, or what the search index or settings of agents have: no rows are passed over for them.
  private static final Set<String> OF_NO_ROWS =
      Set.of(
          "GetSchedulerStatusResponse",
          "GetStatsResponse",
          "GetActivityResponse",
          "GetCaptureResponse",
          "ListAuditResponse",
          "VerifyStoreResponse",
          "RunJobResponse",
          "RememberResponse");

  static List<String> answers() {
    return Stream.of(
            GetEventsResponse.getDescriptor(),
            ListSessionsResponse.getDescriptor(),
            ListNodeVersionsResponse.getDescriptor(),
            SearchResponse.getDescriptor(),
            GetUsageResponse.getDescriptor(),
            ListMemoriesResponse.getDescriptor(),
            ListChannelsResponse.getDescriptor(),
            OrientResponse.getDescriptor())
        .map(Descriptor::getFile)
        .map(FileDescriptor::getMessageTypes)
        .flatMap(List::stream)
        .filter(type -> type.getName().endsWith("Response"))
        .filter(type -> type.getFields().stream().anyMatch(DamageMessagesTest::isList))
        .map(Descriptor::getName)
        .filter(name -> !OF_NO_ROWS.contains(name))
        .toList();
  }

  private static boolean isList(FieldDescriptor field) {
    return field.isRepeated() && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
  }

  @ParameterizedTest
  @MethodSource("answers")
  void marked_anyListAnswer_namesWhatItLacks(String name) throws ReflectiveOperationException {
    Message answer =
        (Message)
            Class.forName("dev.agentmemory.proto." + name)
                .getMethod("getDefaultInstance")
                .invoke(null);
    assertThat(DamageMessages.of(DamageMessages.marked(answer, RANGES))).isEqualTo(RANGES);
    assertThat(DamageMessages.of(answer)).isEmpty();
  }

  @Test
  void marked_answerWithoutTheField_staysAsItIs() {
    var answer = GetNodeResponse.getDefaultInstance();
    assertThat(DamageMessages.marked(answer, RANGES)).isSameAs(answer);
    assertThat(DamageMessages.of(answer)).isEmpty();
  }

  @Test
  void marked_nothingLacks_staysAsItIs() {
    var answer = GetEventsResponse.newBuilder().setHasMore(true).build();
    assertThat(DamageMessages.marked(answer, List.of())).isSameAs(answer);
  }
}
