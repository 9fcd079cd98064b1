package dev.agentmemory.client;

import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.ChannelChange;
import dev.agentmemory.api.conversation.Channels;
import dev.agentmemory.api.conversation.CompactionReport;
import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationFilter;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.ConversationStart;
import dev.agentmemory.api.conversation.ConversationStats;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.Conversations;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.conversation.Scratchpads;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.proto.ArchiveConversationRequest;
import dev.agentmemory.proto.ChangeChannelRequest;
import dev.agentmemory.proto.ClearScratchpadRequest;
import dev.agentmemory.proto.CompactConversationRequest;
import dev.agentmemory.proto.CreateChannelRequest;
import dev.agentmemory.proto.GetConversationRequest;
import dev.agentmemory.proto.GetConversationStatsRequest;
import dev.agentmemory.proto.IdleConversationRequest;
import dev.agentmemory.proto.ListChannelsRequest;
import dev.agentmemory.proto.ListConversationsRequest;
import dev.agentmemory.proto.ListScratchpadRequest;
import dev.agentmemory.proto.ListScratchpadResponse;
import dev.agentmemory.proto.ReadScratchpadRequest;
import dev.agentmemory.proto.ReadScratchpadResponse;
import dev.agentmemory.proto.RecallServiceGrpc;
import dev.agentmemory.proto.SetDefaultChannelRequest;
import dev.agentmemory.proto.StartConversationRequest;
import dev.agentmemory.proto.WriteScratchpadRequest;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.wire.ConversationMessages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The conversations of a daemon, with their channels and scratchpads.
record RemoteConversations(Calls calls) implements Conversations {

  @Override
  public ConversationView start(ConversationStart start) {
    var request = StartConversationRequest.newBuilder().setSessionId(start.session().value());
    start.channel().ifPresent(name -> request.setChannel(name.value()));
    start.user().ifPresent(name -> request.setUser(WellFormed.check("user", name)));
    return ConversationMessages.fromWire(
        calls
            .call(RecallServiceGrpc.getStartConversationMethod(), request.build())
            .getConversation());
  }

  @Override
  public ConversationView idle(ConversationRef conversation) {
    return ConversationMessages.fromWire(
        calls
            .call(
                RecallServiceGrpc.getIdleConversationMethod(),
                IdleConversationRequest.newBuilder()
                    .setConversation(ConversationMessages.toWire(conversation))
                    .build())
            .getConversation());
  }

  @Override
  public ConversationView archive(ConversationRef conversation, boolean force) {
    return ConversationMessages.fromWire(
        calls
            .call(
                RecallServiceGrpc.getArchiveConversationMethod(),
                ArchiveConversationRequest.newBuilder()
                    .setConversation(ConversationMessages.toWire(conversation))
                    .setForce(force)
                    .build())
            .getConversation());
  }

  @Override
  public ConversationView conversation(ConversationRef conversation) {
    return ConversationMessages.fromWire(
        calls
            .call(
                RecallServiceGrpc.getGetConversationMethod(),
                GetConversationRequest.newBuilder()
                    .setConversation(ConversationMessages.toWire(conversation))
                    .build())
            .getConversation());
  }

  @Override
  public Page<ConversationView> list(ConversationFilter filter, PageRequest page) {
    var request =
        ListConversationsRequest.newBuilder()
            .setArchived(filter.archived())
            .setLimit(page.limit())
            .setContinuationToken(page.token());
    filter.channel().ifPresent(name -> request.setChannel(name.value()));
    return ConversationMessages.fromWire(
        calls.call(RecallServiceGrpc.getListConversationsMethod(), request.build()));
  }

  @Override
  public ConversationView change(ConversationRef conversation, ConversationChange change) {
    change.user().ifPresent(user -> WellFormed.check("user", user));
    change
        .preferences()
        .ifPresent(preferences ->
            preferences
                .custom()
                .forEach((key, value) -> {
                  WellFormed.check("preferences.custom", key);
                  WellFormed.check("preferences.custom", value);
                }));
    return ConversationMessages.fromWire(
        calls
            .call(
                RecallServiceGrpc.getChangeConversationMethod(),
                ConversationMessages.toWire(conversation, change))
            .getConversation());
  }

  @Override
  public ConversationStats stats(ConversationRef conversation) {
    return ConversationMessages.fromWire(
        calls.call(
            RecallServiceGrpc.getGetConversationStatsMethod(),
            GetConversationStatsRequest.newBuilder()
                .setConversation(ConversationMessages.toWire(conversation))
                .build()));
  }

  @Override
  public CompactionReport compact(ConversationRef conversation) {
    return ConversationMessages.fromWire(
        calls.work(
            RecallServiceGrpc.getCompactConversationMethod(),
            CompactConversationRequest.newBuilder()
                .setConversation(ConversationMessages.toWire(conversation))
                .build()));
  }

  @Override
  public Scratchpads scratchpads() {
    return new RemoteScratchpads(calls);
  }

  Channels channels() {
    return new RemoteChannels(calls);
  }

  private record RemoteScratchpads(Calls calls) implements Scratchpads {

    @Override
    public ScratchpadEntry write(SessionId session, String key, String value) {
      return ConversationMessages.fromWire(
          calls
              .call(
                  RecallServiceGrpc.getWriteScratchpadMethod(),
                  WriteScratchpadRequest.newBuilder()
                      .setSessionId(session.value())
                      .setKey(WellFormed.check("key", key))
                      .setValue(WellFormed.check("value", value))
                      .build())
              .getEntry());
    }

    @Override
    public Optional<ScratchpadEntry> read(SessionId session, String key) {
      ReadScratchpadResponse answer =
          calls.call(
              RecallServiceGrpc.getReadScratchpadMethod(),
              ReadScratchpadRequest.newBuilder()
                  .setSessionId(session.value())
                  .setKey(WellFormed.check("key", key))
                  .build());
      return answer.hasEntry()
          ? Optional.of(ConversationMessages.fromWire(answer.getEntry()))
          : Optional.empty();
    }

    @Override
    public List<ScratchpadEntry> list(SessionId session) {
      List<ScratchpadEntry> entries = new ArrayList<>();
      ListScratchpadResponse part;
      do {
        part =
            calls.call(
                RecallServiceGrpc.getListScratchpadMethod(),
                ListScratchpadRequest.newBuilder()
                    .setSessionId(session.value())
                    .setAfterKey(entries.isEmpty() ? "" : entries.getLast().key())
                    .build());
        part.getEntriesList().forEach(entry -> entries.add(ConversationMessages.fromWire(entry)));
      } while (part.getHasMore());
      return List.copyOf(entries);
    }

    @Override
    public long clear(SessionId session, String key) {
      return clear(request(session).setKey(WellFormed.check("key", key)));
    }

    @Override
    public long clear(SessionId session) {
      return clear(request(session));
    }

    private static ClearScratchpadRequest.Builder request(SessionId session) {
      return ClearScratchpadRequest.newBuilder().setSessionId(session.value());
    }

    private long clear(ClearScratchpadRequest.Builder request) {
      return calls.call(RecallServiceGrpc.getClearScratchpadMethod(), request.build()).getDeleted();
    }
  }

  private record RemoteChannels(Calls calls) implements Channels {

    @Override
    public List<Channel> list() {
      return calls
          .call(RecallServiceGrpc.getListChannelsMethod(), ListChannelsRequest.getDefaultInstance())
          .getChannelsList()
          .stream()
          .map(ConversationMessages::fromWire)
          .toList();
    }

    @Override
    public Channel create(ChannelName name, String description) {
      return ConversationMessages.fromWire(
          calls
              .call(
                  RecallServiceGrpc.getCreateChannelMethod(),
                  CreateChannelRequest.newBuilder()
                      .setName(name.value())
                      .setDescription(WellFormed.check("description", description))
                      .build())
              .getChannel());
    }

    @Override
    public Channel change(ChannelName name, ChannelChange change) {
      var request = ChangeChannelRequest.newBuilder().setName(name.value());
      change.newName().ifPresent(changed -> request.setNewName(changed.value()));
      change
          .description()
          .ifPresent(text -> request.setDescription(WellFormed.check("description", text)));
      return ConversationMessages.fromWire(
          calls.call(RecallServiceGrpc.getChangeChannelMethod(), request.build()).getChannel());
    }

    @Override
    public Channel makeDefault(ChannelName name) {
      return ConversationMessages.fromWire(
          calls
              .call(
                  RecallServiceGrpc.getSetDefaultChannelMethod(),
                  SetDefaultChannelRequest.newBuilder().setName(name.value()).build())
              .getChannel());
    }
  }
}
