package dev.agentmemory.wire;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.agentmemory.proto.BrowseTocResponse;
import dev.agentmemory.proto.BuildContextResponse;
import dev.agentmemory.proto.DamagedRange;
import dev.agentmemory.proto.DeleteMemoriesResponse;
import dev.agentmemory.proto.ExpandGripResponse;
import dev.agentmemory.proto.FindSegmentsResponse;
import dev.agentmemory.proto.ForgetResponse;
import dev.agentmemory.proto.GetConversationStatsResponse;
import dev.agentmemory.proto.GetEventsResponse;
import dev.agentmemory.proto.GetMemoryStatsResponse;
import dev.agentmemory.proto.GetModelUsageResponse;
import dev.agentmemory.proto.GetNodesResponse;
import dev.agentmemory.proto.GetSegmentResponse;
import dev.agentmemory.proto.GetTocRootResponse;
import dev.agentmemory.proto.GetUsageResponse;
import dev.agentmemory.proto.InspectMemoriesResponse;
import dev.agentmemory.proto.ListChannelsResponse;
import dev.agentmemory.proto.ListConsolidationsResponse;
import dev.agentmemory.proto.ListConversationsResponse;
import dev.agentmemory.proto.ListInjectionsResponse;
import dev.agentmemory.proto.ListMemoriesResponse;
import dev.agentmemory.proto.ListMemoryHistoryResponse;
import dev.agentmemory.proto.ListNodeVersionsResponse;
import dev.agentmemory.proto.ListRelatedMemoriesResponse;
import dev.agentmemory.proto.ListScratchpadResponse;
import dev.agentmemory.proto.ListSegmentsResponse;
import dev.agentmemory.proto.ListSessionEventsResponse;
import dev.agentmemory.proto.ListSessionsResponse;
import dev.agentmemory.proto.OrientResponse;
import dev.agentmemory.proto.PreviewConsolidationResponse;
import dev.agentmemory.proto.PreviewForgetResponse;
import dev.agentmemory.proto.ScrubResponse;
import dev.agentmemory.proto.SearchChildrenResponse;
import dev.agentmemory.proto.SearchMemoriesResponse;
import dev.agentmemory.proto.SearchNodeResponse;
import dev.agentmemory.proto.SearchResponse;
import java.util.List;

/// Maps the unreadable rows that a response lacks. Every response with a list has a field `damaged`
/// for them.
public final class DamageMessages {

  private static final String FIELD = "damaged";

  private DamageMessages() {}

  /// Adds to a response the rows that it lacks. A response without the field is returned unchanged:
  /// it is a single item, and an unreadable one is refused.
  ///
  /// @param answer a protobuf message; any other object is returned unchanged
  public static <T> T marked(T answer, List<dev.agentmemory.store.DamagedRange> ranges) {
    if (ranges.isEmpty() || !(answer instanceof Message message)) {
      return answer;
    }
    FieldDescriptor field = message.getDescriptorForType().findFieldByName(FIELD);
    if (field == null) {
      return answer;
    }
    Message.Builder marked = message.toBuilder();
    ranges.forEach(range -> marked.addRepeatedField(field, toWire(range)));
    @SuppressWarnings("unchecked") // A builder of a message builds messages of its type.
    T same = (T) marked.build();
    return same;
  }

  /// The rows that a response lacks. Decided by the name of the type: descriptors, and types that a
  /// command does not use, would delay its start.
  public static List<dev.agentmemory.store.DamagedRange> of(Object answer) {
    List<DamagedRange> ranges =
        switch (answer.getClass().getSimpleName()) {
          case "BrowseTocResponse" -> ((BrowseTocResponse) answer).getDamagedList();
          case "BuildContextResponse" -> ((BuildContextResponse) answer).getDamagedList();
          case "DeleteMemoriesResponse" -> ((DeleteMemoriesResponse) answer).getDamagedList();
          case "ExpandGripResponse" -> ((ExpandGripResponse) answer).getDamagedList();
          case "FindSegmentsResponse" -> ((FindSegmentsResponse) answer).getDamagedList();
          case "GetConversationStatsResponse" ->
              ((GetConversationStatsResponse) answer).getDamagedList();
          case "GetEventsResponse" -> ((GetEventsResponse) answer).getDamagedList();
          case "GetNodesResponse" -> ((GetNodesResponse) answer).getDamagedList();
          case "GetMemoryStatsResponse" -> ((GetMemoryStatsResponse) answer).getDamagedList();
          case "GetModelUsageResponse" -> ((GetModelUsageResponse) answer).getDamagedList();
          case "GetSegmentResponse" -> ((GetSegmentResponse) answer).getDamagedList();
          case "GetTocRootResponse" -> ((GetTocRootResponse) answer).getDamagedList();
          case "GetUsageResponse" -> ((GetUsageResponse) answer).getDamagedList();
          case "InspectMemoriesResponse" -> ((InspectMemoriesResponse) answer).getDamagedList();
          case "ListChannelsResponse" -> ((ListChannelsResponse) answer).getDamagedList();
          case "ListConsolidationsResponse" ->
              ((ListConsolidationsResponse) answer).getDamagedList();
          case "ListConversationsResponse" -> ((ListConversationsResponse) answer).getDamagedList();
          case "ListInjectionsResponse" -> ((ListInjectionsResponse) answer).getDamagedList();
          case "ListMemoriesResponse" -> ((ListMemoriesResponse) answer).getDamagedList();
          case "ListMemoryHistoryResponse" -> ((ListMemoryHistoryResponse) answer).getDamagedList();
          case "ListNodeVersionsResponse" -> ((ListNodeVersionsResponse) answer).getDamagedList();
          case "ListRelatedMemoriesResponse" ->
              ((ListRelatedMemoriesResponse) answer).getDamagedList();
          case "ListScratchpadResponse" -> ((ListScratchpadResponse) answer).getDamagedList();
          case "ListSegmentsResponse" -> ((ListSegmentsResponse) answer).getDamagedList();
          case "ListSessionEventsResponse" -> ((ListSessionEventsResponse) answer).getDamagedList();
          case "ListSessionsResponse" -> ((ListSessionsResponse) answer).getDamagedList();
          case "OrientResponse" -> ((OrientResponse) answer).getDamagedList();
          case "PreviewConsolidationResponse" ->
              ((PreviewConsolidationResponse) answer).getDamagedList();
          case "ForgetResponse" -> ((ForgetResponse) answer).getDamagedList();
          case "PreviewForgetResponse" -> ((PreviewForgetResponse) answer).getDamagedList();
          case "ScrubResponse" -> ((ScrubResponse) answer).getDamagedList();
          case "SearchChildrenResponse" -> ((SearchChildrenResponse) answer).getDamagedList();
          case "SearchMemoriesResponse" -> ((SearchMemoriesResponse) answer).getDamagedList();
          case "SearchNodeResponse" -> ((SearchNodeResponse) answer).getDamagedList();
          case "SearchResponse" -> ((SearchResponse) answer).getDamagedList();
          default -> List.of();
        };
    return ranges.isEmpty() ? List.of() : ranges.stream().map(DamageMessages::fromWire).toList();
  }

  private static DamagedRange toWire(dev.agentmemory.store.DamagedRange range) {
    return DamagedRange.newBuilder()
        .setTable(range.table())
        .setFrom(range.from())
        .setTo(range.to())
        .setReason(range.reason())
        .build();
  }

  private static dev.agentmemory.store.DamagedRange fromWire(DamagedRange range) {
    return new dev.agentmemory.store.DamagedRange(
        range.getTable(), range.getFrom(), range.getTo(), range.getReason());
  }
}
