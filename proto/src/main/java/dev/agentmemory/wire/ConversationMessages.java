package dev.agentmemory.wire;

import static dev.agentmemory.wire.FieldNames.present;

import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.CompactionReport;
import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.ConversationStats;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.RefCode;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.conversation.SessionPreferences;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.proto.ChangeConversationRequest;
import dev.agentmemory.proto.CompactConversationResponse;
import dev.agentmemory.proto.Conversation;
import dev.agentmemory.proto.ConversationChannel;
import dev.agentmemory.proto.ConversationKey;
import dev.agentmemory.proto.ConversationOverrides;
import dev.agentmemory.proto.ConversationPreferences;
import dev.agentmemory.proto.GetConversationStatsResponse;
import dev.agentmemory.proto.ListConversationsResponse;
import dev.agentmemory.proto.ScratchpadValue;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.time.Instant;

/// Maps channels, conversations and the entries of their scratchpads.
public final class ConversationMessages {

  private static final String CONVERSATION = "conversation";

  private ConversationMessages() {}

  public static ConversationChannel toWire(Channel channel) {
    var message =
        ConversationChannel.newBuilder()
            .setName(channel.name().value())
            .setDescription(channel.description())
            .setIsDefault(channel.isDefault())
            .setCreatedMs(channel.created().toEpochMilli());
    channel.workspace().ifPresent(workspace -> message.setWorkspace(workspace.value()));
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming `channel.<field>`
  public static Channel fromWire(ConversationChannel message) {
    return FieldNames.within(
        "channel.",
        () ->
            new Channel(
                ChannelName.parse("name", message.getName()),
                message.getDescription(),
                message.getIsDefault(),
                Instant.ofEpochMilli(message.getCreatedMs()),
                present(
                    message.hasWorkspace(),
                    () -> WorkspaceName.parse("workspace", message.getWorkspace()))));
  }

  public static ConversationKey toWire(ConversationRef conversation) {
    return switch (conversation) {
      case ConversationRef.OfSession(var session) ->
          ConversationKey.newBuilder().setSessionId(session.value()).build();
      case ConversationRef.OfCode(var code) ->
          ConversationKey.newBuilder().setRefCode(code.value()).build();
    };
  }

  /// @throws MemoryException `INVALID_FIELD` naming `conversation` or `conversation.<field>`
  public static ConversationRef fromWire(ConversationKey message) {
    return switch (message.getKeyCase()) {
      case SESSION_ID ->
          FieldNames.within(
              "conversation.",
              () -> ConversationRef.of(MemoryMessages.session(message.getSessionId())));
      case REF_CODE ->
          ConversationRef.of(RefCode.parse("conversation.ref_code", message.getRefCode()));
      case KEY_NOT_SET ->
          throw MemoryException.invalid(CONVERSATION, "is empty; send a session id or a ref code");
    };
  }

  public static Conversation toWire(ConversationView conversation) {
    var message =
        Conversation.newBuilder()
            .setSessionId(conversation.session().value())
            .setRefCode(conversation.refCode().value())
            .setChannel(conversation.channel().value())
            .setStatus(WireEnums.STATUS.toWire(conversation.status()))
            .setStartedMs(conversation.startedAt().toEpochMilli())
            .setPreferences(toWire(conversation.preferences()))
            .setOverrides(toWire(conversation.overrides()));
    conversation.endedAt().ifPresent(time -> message.setEndedMs(time.toEpochMilli()));
    conversation.agent().ifPresent(message::setAgent);
    conversation.user().ifPresent(message::setUser);
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming `conversation.<field>`
  public static ConversationView fromWire(Conversation message) {
    return FieldNames.within("conversation.", () -> view(message));
  }

  private static ConversationView view(Conversation message) {
    return new ConversationView(
        MemoryMessages.session(message.getSessionId()),
        RefCode.parse("ref_code", message.getRefCode()),
        ChannelName.parse("channel", message.getChannel()),
        WireEnums.STATUS.required("status", message.getStatus()),
        Instant.ofEpochMilli(message.getStartedMs()),
        present(message.hasEndedMs(), () -> Instant.ofEpochMilli(message.getEndedMs())),
        present(message.hasAgent(), message::getAgent),
        present(message.hasUser(), message::getUser),
        fromWire(message.getPreferences()),
        fromWire(message.getOverrides()));
  }

  public static ListConversationsResponse toWire(Page<ConversationView> page) {
    var message =
        ListConversationsResponse.newBuilder()
            .addAllConversations(page.items().stream().map(ConversationMessages::toWire).toList());
    page.next().ifPresent(message::setContinuationToken);
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming `conversation.<field>`
  public static Page<ConversationView> fromWire(ListConversationsResponse message) {
    return new Page<>(
        message.getConversationsList().stream().map(ConversationMessages::fromWire).toList(),
        message.getContinuationToken());
  }

  private static ConversationPreferences toWire(SessionPreferences preferences) {
    var message = ConversationPreferences.newBuilder().putAllCustom(preferences.custom());
    preferences.language().ifPresent(message::setLanguage);
    preferences.verbosity().ifPresent(message::setVerbosity);
    return message.build();
  }

  private static SessionPreferences fromWire(ConversationPreferences message) {
    return new SessionPreferences(
        present(message.hasLanguage(), message::getLanguage),
        present(message.hasVerbosity(), message::getVerbosity),
        message.getCustomMap());
  }

  private static ConversationOverrides toWire(SessionOverrides overrides) {
    var message = ConversationOverrides.newBuilder();
    overrides.decay().ifPresent(message::setDecay);
    overrides.halfLife().ifPresent(time -> message.setHalfLifeMs(time.toMillis()));
    overrides.floor().ifPresent(message::setFloor);
    overrides.autoCompact().ifPresent(message::setAutoCompact);
    overrides.compactAt().ifPresent(message::setCompactAt);
    return message.build();
  }

  private static SessionOverrides fromWire(ConversationOverrides message) {
    return new SessionOverrides(
        present(message.hasDecay(), message::getDecay),
        present(message.hasHalfLifeMs(), () -> Duration.ofMillis(message.getHalfLifeMs())),
        present(message.hasFloor(), message::getFloor),
        present(message.hasAutoCompact(), message::getAutoCompact),
        present(message.hasCompactAt(), message::getCompactAt));
  }

  public static ChangeConversationRequest toWire(
      ConversationRef conversation, ConversationChange change) {
    var message = ChangeConversationRequest.newBuilder().setConversation(toWire(conversation));
    change.channel().ifPresent(channel -> message.setChannel(channel.value()));
    change.user().ifPresent(message::setUser);
    change.preferences().ifPresent(preferences -> message.setPreferences(toWire(preferences)));
    change.overrides().ifPresent(overrides -> message.setOverrides(toWire(overrides)));
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static ConversationChange fromWire(ChangeConversationRequest message) {
    return FieldNames.within(
        "",
        () ->
            new ConversationChange(
                present(
                    message.hasChannel(), () -> ChannelName.parse("channel", message.getChannel())),
                present(message.hasUser(), message::getUser),
                present(message.hasPreferences(), () -> fromWire(message.getPreferences())),
                present(message.hasOverrides(), () -> fromWire(message.getOverrides()))));
  }

  public static GetConversationStatsResponse toWire(ConversationStats stats) {
    var message =
        GetConversationStatsResponse.newBuilder()
            .setConversation(toWire(stats.conversation()))
            .addAllKinds(MemorySearchMessages.kindsToWire(stats.memories()))
            .setScratchpadEntries(stats.scratchpadEntries())
            .setBytes(stats.bytes())
            .setQuotaBytes(stats.quotaBytes());
    stats.lastAccess().ifPresent(time -> message.setLastAccessMs(time.toEpochMilli()));
    stats.lastCompaction().ifPresent(time -> message.setLastCompactionMs(time.toEpochMilli()));
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static ConversationStats fromWire(GetConversationStatsResponse message) {
    return new ConversationStats(
        fromWire(message.getConversation()),
        MemorySearchMessages.kinds(message.getKindsList()),
        message.getScratchpadEntries(),
        message.getBytes(),
        message.getQuotaBytes(),
        present(message.hasLastAccessMs(), () -> Instant.ofEpochMilli(message.getLastAccessMs())),
        present(
            message.hasLastCompactionMs(),
            () -> Instant.ofEpochMilli(message.getLastCompactionMs())));
  }

  public static CompactConversationResponse toWire(CompactionReport report) {
    return CompactConversationResponse.newBuilder()
        .setEntriesBefore(report.entriesBefore())
        .setEntriesAfter(report.entriesAfter())
        .setBytesBefore(report.bytesBefore())
        .setBytesAfter(report.bytesAfter())
        .setDurationMs(report.duration().toMillis())
        .build();
  }

  public static CompactionReport fromWire(CompactConversationResponse message) {
    return new CompactionReport(
        message.getEntriesBefore(),
        message.getEntriesAfter(),
        message.getBytesBefore(),
        message.getBytesAfter(),
        Duration.ofMillis(message.getDurationMs()));
  }

  public static ScratchpadValue toWire(ScratchpadEntry entry) {
    return ScratchpadValue.newBuilder()
        .setKey(entry.key())
        .setValue(entry.value())
        .setCreatedMs(entry.created().toEpochMilli())
        .setUpdatedMs(entry.updated().toEpochMilli())
        .build();
  }

  public static ScratchpadEntry fromWire(ScratchpadValue message) {
    return new ScratchpadEntry(
        message.getKey(),
        message.getValue(),
        Instant.ofEpochMilli(message.getCreatedMs()),
        Instant.ofEpochMilli(message.getUpdatedMs()));
  }
}
