package dev.agentmemory.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.proto.ChangeConversationRequest;
import dev.agentmemory.proto.ConversationKey;
import dev.agentmemory.proto.ConversationOverrides;
import dev.agentmemory.proto.ConversationPreferences;
import dev.agentmemory.proto.DeleteMemoriesRequest;
import dev.agentmemory.proto.MemoryFilter.Builder;
import dev.agentmemory.proto.MemoryLifetime;
import dev.agentmemory.proto.MemoryScope;
import dev.agentmemory.proto.MemoryViewer;
import dev.agentmemory.proto.NewMemory;
import dev.agentmemory.proto.OrientRequest;
import dev.agentmemory.proto.RememberRequest;
import dev.agentmemory.proto.SearchMemoriesRequest;
import dev.agentmemory.proto.TextList;
import dev.agentmemory.proto.UpdateMemoryRequest;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// What is read into requests about memories that leave fields out, and which are refused.
class RecallMessagesTest {

  private static final String ID = "01KG7Z5P0X0000000000000000";

  @Test
  void memory_withContentOnly_hasTheDefaults() {
    assertThat(MemoryMessages.drafts(remember(memory -> {})))
        .containsExactly(MemoryDraft.of("text"));
  }

  @Test
  void memory_thatIsRefused_namesItsPlaceAndField() {
    refusedMemory("memory_id", memory -> memory.setMemoryId("mem_1"));
    refusedMemory("scope", memory -> memory.setScopeValue(99));
    refusedMemory("lifetime", memory -> memory.setLifetimeValue(99));
    refusedMemory(
        "lifetime", memory -> memory.setLifetime(MemoryLifetime.MEMORY_LIFETIME_CONVERSATION));
    refusedMemory("kind", memory -> memory.setKindValue(99));
    refusedMemory("channel", memory -> memory.setChannel("../etc"));
    refusedMemory("channel", memory -> memory.setScope(MemoryScope.MEMORY_SCOPE_CHANNEL));
    refusedMemory("session_id", memory -> memory.setSessionId(""));
    refusedMemory("session_id", memory -> memory.setScope(MemoryScope.MEMORY_SCOPE_CONVERSATION));
    refusedMemory(
        "session_id",
        memory -> memory.setScope(MemoryScope.MEMORY_SCOPE_ACCOUNT).setSessionId("s1"));
    refusedMemory(
        "evidence_event_ids",
        memory -> memory.setScope(MemoryScope.MEMORY_SCOPE_ACCOUNT).addEvidenceEventIds(ID));
    refusedMemory(
        "evidence_grip_ids",
        memory ->
            memory
                .setScope(MemoryScope.MEMORY_SCOPE_ACCOUNT)
                .addEvidenceGripIds("grip:1769783400000:" + ID));
    refusedMemory("source", memory -> memory.setSource(" "));
    refusedMemory("content", memory -> memory.setContent(" "));
    refusedMemory("content", memory -> memory.setContent("x".repeat((1 << 20) + 1)));
    refusedMemory("importance", memory -> memory.setImportance(Double.NaN));
    refusedMemory("importance", memory -> memory.setImportance(1.01));
    refusedMemory("tags", memory -> memory.addTags("a..b"));
    refusedMemory("tags", memory -> memory.addTags("x".repeat(33)));
    refusedMemory("references", memory -> memory.addReferences("x"));
    refusedMemory("evidence_event_ids", memory -> memory.addEvidenceEventIds("x"));
    refusedMemory("evidence_grip_ids", memory -> memory.addEvidenceGripIds("x"));
    refusedMemory("created_ms", memory -> memory.setCreatedMs(-1));
  }

  private static void refusedMemory(String field, Consumer<NewMemory.Builder> change) {
    RememberRequest request =
        RememberRequest.newBuilder()
            .addMemories(NewMemory.newBuilder().setContent("a valid one"))
            .addAllMemories(remember(change).getMemoriesList())
            .build();
    refused("memories[1]." + field, () -> MemoryMessages.drafts(request));
  }

  private static RememberRequest remember(Consumer<NewMemory.Builder> change) {
    var memory = NewMemory.newBuilder().setContent("text");
    change.accept(memory);
    return RememberRequest.newBuilder().addMemories(memory).build();
  }

  private static void refused(String field, ThrowingCallable reading) {
    MemoryException refusal = catchThrowableOfType(MemoryException.class, reading);
    assertThat(refusal).as(field).isNotNull();
    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(refusal.field()).hasValue(field);
    String twice = field.substring(field.lastIndexOf('.') + 1) + ": ";
    assertThat(refusal).hasMessageStartingWith(field + ": ");
    assertThat(String.valueOf(refusal.getMessage()).substring(field.length() + 2))
        .doesNotStartWith(twice);
  }

  @Test
  void memories_noneOrTooMany_areRefused() {
    refused("memories", () -> MemoryMessages.drafts(RememberRequest.getDefaultInstance()));
    var many = RememberRequest.newBuilder();
    for (int i = 0; i <= MemoryDraft.MAX_CALL; i++) {
      many.addMemories(NewMemory.newBuilder().setContent("text"));
    }
    refused("memories", () -> MemoryMessages.drafts(many.build()));
    many.removeMemories(0);
    assertThat(MemoryMessages.drafts(many.build())).hasSize(MemoryDraft.MAX_CALL);
  }

  @Test
  void update_fieldsThatAreAbsent_stay() {
    var request = UpdateMemoryRequest.newBuilder().setMemoryId(ID);
    assertThat(MemoryMessages.fromWire(request.build())).isEqualTo(MemoryUpdate.NONE);
    MemoryUpdate emptied =
        MemoryMessages.fromWire(
            request
                .setTags(TextList.getDefaultInstance())
                .setReferences(TextList.getDefaultInstance())
                .build());
    assertThat(emptied.tags()).hasValueSatisfying(tags -> assertThat(tags).isEmpty());
    assertThat(emptied.references()).hasValue(List.of());
    refused(
        "content_json",
        () ->
            MemoryMessages.fromWire(UpdateMemoryRequest.newBuilder().setContentJson("{}").build()));
  }

  @Test
  void search_withNothing_findsAllThatIsCurrent() {
    assertThat(MemorySearchMessages.fromWire(SearchMemoriesRequest.getDefaultInstance()))
        .isEqualTo(MemorySearch.of(""));
  }

  @Test
  void search_thatIsRefused_namesTheField() {
    refusedFilter("scopes", filter -> filter.addScopesValue(99));
    refusedFilter("kinds", filter -> filter.addKindsValue(99));
    refusedFilter("lifetimes", filter -> filter.addLifetimesValue(99));
    refusedFilter("session_id", filter -> filter.setSessionId("\n"));
    refusedFilter("channel", filter -> filter.setChannel("A"));
    refusedFilter("tags", filter -> filter.addTags(""));
    refusedFilter("without_tags", filter -> filter.addWithoutTags("a b"));
    refusedFilter("after_ms", filter -> filter.setAfterMs(-1));
    refusedFilter("before_ms", filter -> filter.setBeforeMs(Long.MAX_VALUE));
    refusedFilter("after_ms", filter -> filter.setAfterMs(5).setBeforeMs(5));
    refusedFilter("min_importance", filter -> filter.setMinImportance(Double.NaN));
    refusedFilter("references", filter -> filter.addReferences("x"));
    refusedFilter("max_depth", filter -> filter.addReferences(ID).setMaxDepth(9));
    refusedFilter("max_depth", filter -> filter.setMaxDepth(2));
    refusedSearch("query", search -> search.setQuery("x".repeat(MemorySearch.MAX_QUERY + 1)));
    refusedSearch("limit", search -> search.setLimit(MemorySearch.MAX_LIMIT + 1));
    refusedSearch("order", search -> search.setOrderValue(99));
    refusedSearch("as_of_ms", search -> search.setAsOfMs(-1));
    refusedSearch(
        "viewer.session_id",
        search -> search.setViewer(MemoryViewer.newBuilder().setSessionId("")));
    refusedSearch(
        "viewer.channel", search -> search.setViewer(MemoryViewer.newBuilder().setChannel("..")));
  }

  private static void refusedFilter(String field, Consumer<Builder> change) {
    refusedSearch("filter." + field, search -> change.accept(search.getFilterBuilder()));
  }

  private static void refusedSearch(String field, Consumer<SearchMemoriesRequest.Builder> change) {
    var search = SearchMemoriesRequest.newBuilder();
    change.accept(search);
    refused(field, () -> MemorySearchMessages.fromWire(search.build()));
  }

  @Test
  void filter_referencesWithoutDepth_areFollowedOnce() {
    var search = SearchMemoriesRequest.newBuilder();
    search.getFilterBuilder().addReferences(ID);
    assertThat(MemorySearchMessages.fromWire(search.build()).filter().near())
        .map(MemoryFilter.Neighbourhood::depth)
        .hasValue(1);
  }

  @Test
  void deletion_thatIsRefused_namesTheField() {
    refusedDeletion("memory_ids", deletion -> {});
    refusedDeletion("memory_ids", deletion -> deletion.setSessionId("s1"));
    refusedDeletion("memory_ids", deletion -> deletion.addMemoryIds("x"));
    refusedDeletion("topic", deletion -> deletion.setTopic("a/b"));
    refusedDeletion("session_id", deletion -> deletion.setTopic("a").setSessionId(""));
    refusedDeletion("after_ms", deletion -> deletion.setAfterMs(2).setBeforeMs(1));
    refusedDeletion("reason", deletion -> deletion.setTopic("a").setReason("x".repeat(201)));
  }

  private static void refusedDeletion(
      String field, Consumer<DeleteMemoriesRequest.Builder> change) {
    var deletion = DeleteMemoriesRequest.newBuilder();
    change.accept(deletion);
    refused(field, () -> MemorySearchMessages.fromWire(deletion.build()));
  }

  @Test
  void conversation_thatIsRefused_namesTheField() {
    refused(
        "conversation", () -> ConversationMessages.fromWire(ConversationKey.getDefaultInstance()));
    refused(
        "conversation.session_id",
        () -> ConversationMessages.fromWire(ConversationKey.newBuilder().setSessionId("").build()));
    refused(
        "conversation.ref_code",
        () -> ConversationMessages.fromWire(ConversationKey.newBuilder().setRefCode("x").build()));
    refusedChange("channel", change -> change.setChannel("a/b"));
    refusedChange("user", change -> change.setUser("x".repeat(257)));
    refusedChange(
        "overrides.half_life_ms",
        change -> change.setOverrides(ConversationOverrides.newBuilder().setHalfLifeMs(1)));
    refusedChange(
        "overrides.floor",
        change -> change.setOverrides(ConversationOverrides.newBuilder().setFloor(2)));
    refusedChange(
        "overrides.compact_at",
        change -> change.setOverrides(ConversationOverrides.newBuilder().setCompactAt(0.4)));
    refusedChange(
        "preferences.language",
        change ->
            change.setPreferences(
                ConversationPreferences.newBuilder().setLanguage("x".repeat(65))));
  }

  private static void refusedChange(
      String field, Consumer<ChangeConversationRequest.Builder> change) {
    var request = ChangeConversationRequest.newBuilder();
    change.accept(request);
    refused(field, () -> ConversationMessages.fromWire(request.build()));
  }

  @Test
  void orientation_withoutBudget_hasTheDefaultAndAnEnvelope() {
    assertThat(UpkeepMessages.fromWire(OrientRequest.getDefaultInstance()))
        .isEqualTo(OrientationRequest.of("").withEnveloped(true));
    refused(
        "budget_tokens",
        () -> UpkeepMessages.fromWire(OrientRequest.newBuilder().setBudgetTokens(99).build()));
    refused(
        "session_id",
        () -> UpkeepMessages.fromWire(OrientRequest.newBuilder().setSessionId("").build()));
  }

  @Test
  void memory_ofADaemon_thatIsNotOne_isRefused() {
    var memory =
        MemoryMessages.toWire(new RandomMemories(new RandomValues(new Random(1))).memory())
            .toBuilder();
    refused(
        "memory.memory_id", () -> MemoryMessages.fromWire(memory.clone().setMemoryId("x").build()));
    refused(
        "memory.access_count",
        () -> MemoryMessages.fromWire(memory.clone().setAccessCount(-1).build()));
    refused(
        "memory.superseded_by",
        () ->
            MemoryMessages.fromWire(
                memory.clone().clearSupersededMs().setSupersededBy(ID).build()));
  }
}
