package dev.agentmemory.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.proto.ChangeConversationRequest;
import dev.agentmemory.proto.CompactConversationResponse;
import dev.agentmemory.proto.ConsolidationRun;
import dev.agentmemory.proto.Conversation;
import dev.agentmemory.proto.ConversationChannel;
import dev.agentmemory.proto.ConversationKey;
import dev.agentmemory.proto.CuratedMemory;
import dev.agentmemory.proto.DeleteMemoriesRequest;
import dev.agentmemory.proto.DeleteMemoriesResponse;
import dev.agentmemory.proto.ExportMemoriesRequest;
import dev.agentmemory.proto.FormerMemory;
import dev.agentmemory.proto.GetConversationStatsResponse;
import dev.agentmemory.proto.GetMemoryStatsResponse;
import dev.agentmemory.proto.ImportMemoriesResponse;
import dev.agentmemory.proto.ListConsolidationsResponse;
import dev.agentmemory.proto.ListConversationsResponse;
import dev.agentmemory.proto.ListMemoriesRequest;
import dev.agentmemory.proto.ListMemoriesResponse;
import dev.agentmemory.proto.OrientRequest;
import dev.agentmemory.proto.OrientResponse;
import dev.agentmemory.proto.ReachedMemory;
import dev.agentmemory.proto.RememberRequest;
import dev.agentmemory.proto.ScratchpadValue;
import dev.agentmemory.proto.SearchMemoriesRequest;
import dev.agentmemory.proto.SearchMemoriesResponse;
import dev.agentmemory.proto.UpdateMemoryRequest;
import dev.agentmemory.types.MemoryId;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every value of curated memories, to its message, to bytes and back.
class RecallRoundTripTest {

  static Stream<RandomMemories> seeds() {
    return LongStream.range(0, 200)
        .mapToObj(seed -> new RandomMemories(new RandomValues(new Random(seed))));
  }

  private static <T, M extends Message> void check(
      T value, Function<T, M> toWire, Parser<M> parser, Function<M, T> fromWire) {
    try {
      M message = parser.parseFrom(toWire.apply(value).toByteArray());
      assertThat(fromWire.apply(message)).isEqualTo(value);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void memories_thereAndBack_areEqual(RandomMemories values) {
    check(
        values.memory(), MemoryMessages::toWire, CuratedMemory.parser(), MemoryMessages::fromWire);
    check(values.state(), MemoryMessages::toWire, FormerMemory.parser(), MemoryMessages::fromWire);
    check(
        values.related(), MemoryMessages::toWire, ReachedMemory.parser(), MemoryMessages::fromWire);
    check(
        values.page(),
        MemorySearchMessages::toWire,
        ListMemoriesResponse.parser(),
        MemorySearchMessages::fromWire);
    check(
        values.answer(),
        MemorySearchMessages::toWire,
        SearchMemoriesResponse.parser(),
        MemorySearchMessages::fromWire);
    check(
        values.deletionReport(),
        MemorySearchMessages::toWire,
        DeleteMemoriesResponse.parser(),
        MemorySearchMessages::fromWire);
    check(
        values.stats(),
        MemorySearchMessages::toWire,
        GetMemoryStatsResponse.parser(),
        MemorySearchMessages::fromWire);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void requests_thereAndBack_areEqual(RandomMemories values) {
    List<MemoryDraft> drafts = List.of(values.draft(), values.draft());
    check(drafts, MemoryMessages::draftsToWire, RememberRequest.parser(), MemoryMessages::drafts);
    MemoryId id = values.id();
    Function<MemoryUpdate, UpdateMemoryRequest> update = value -> MemoryMessages.toWire(id, value);
    check(values.update(), update, UpdateMemoryRequest.parser(), MemoryMessages::fromWire);
    Function<MemoryFilter, ListMemoriesRequest> list =
        value -> MemorySearchMessages.toWire(value, PageRequest.first());
    check(values.filter(), list, ListMemoriesRequest.parser(), MemorySearchMessages::fromWire);
    check(
        values.search(),
        MemorySearchMessages::toWire,
        SearchMemoriesRequest.parser(),
        MemorySearchMessages::fromWire);
    Function<Deletion, DeleteMemoriesRequest> delete =
        value -> MemorySearchMessages.toWire(value, /* preview= */ true);
    check(
        values.deletion(), delete, DeleteMemoriesRequest.parser(), MemorySearchMessages::fromWire);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void conversations_thereAndBack_areEqual(RandomMemories values) {
    check(
        values.conversationChannel(),
        ConversationMessages::toWire,
        ConversationChannel.parser(),
        ConversationMessages::fromWire);
    check(
        values.conversationRef(),
        ConversationMessages::toWire,
        ConversationKey.parser(),
        ConversationMessages::fromWire);
    check(
        values.conversation(),
        ConversationMessages::toWire,
        Conversation.parser(),
        ConversationMessages::fromWire);
    check(
        new Page<>(List.of(values.conversation(), values.conversation()), "next"),
        ConversationMessages::toWire,
        ListConversationsResponse.parser(),
        ConversationMessages::fromWire);
    var named = values.conversationRef();
    check(
        values.change(),
        change -> ConversationMessages.toWire(named, change),
        ChangeConversationRequest.parser(),
        ConversationMessages::fromWire);
    check(
        values.conversationStats(),
        ConversationMessages::toWire,
        GetConversationStatsResponse.parser(),
        ConversationMessages::fromWire);
    check(
        values.compaction(),
        ConversationMessages::toWire,
        CompactConversationResponse.parser(),
        ConversationMessages::fromWire);
    check(
        values.entry(),
        ConversationMessages::toWire,
        ScratchpadValue.parser(),
        ConversationMessages::fromWire);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void upkeep_thereAndBack_isEqual(RandomMemories values) {
    check(
        values.run(), UpkeepMessages::toWire, ConsolidationRun.parser(), UpkeepMessages::fromWire);
    check(
        new Page<>(List.of(values.run()), ""),
        UpkeepMessages::toWire,
        ListConsolidationsResponse.parser(),
        UpkeepMessages::fromWire);
    check(
        values.exportRequest(),
        UpkeepMessages::toWire,
        ExportMemoriesRequest.parser(),
        UpkeepMessages::fromWire);
    check(
        values.importReport(),
        UpkeepMessages::toWire,
        ImportMemoriesResponse.parser(),
        UpkeepMessages::fromWire);
    check(
        values.orientationRequest(),
        UpkeepMessages::toWire,
        OrientRequest.parser(),
        UpkeepMessages::fromWire);
    check(
        values.orientation(),
        UpkeepMessages::toWire,
        OrientResponse.parser(),
        UpkeepMessages::fromWire);
  }

  @Test
  void equalValues_giveEqualBytes() {
    for (long seed = 0; seed < 50; seed++) {
      assertThat(filterBytes(seed)).isEqualTo(filterBytes(seed));
    }
  }

  private static byte[] filterBytes(long seed) {
    var values = new RandomMemories(new RandomValues(new Random(seed)));
    return MemorySearchMessages.toWire(values.search()).toByteArray();
  }
}
