package dev.agentmemory.service;

import dev.agentmemory.api.Recall;
import dev.agentmemory.api.conversation.ChannelChange;
import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationFilter;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.ConversationStart;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.conversation.Scratchpads;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.proto.ArchiveConversationRequest;
import dev.agentmemory.proto.ArchiveConversationResponse;
import dev.agentmemory.proto.ChangeChannelRequest;
import dev.agentmemory.proto.ChangeChannelResponse;
import dev.agentmemory.proto.ChangeConversationRequest;
import dev.agentmemory.proto.ChangeConversationResponse;
import dev.agentmemory.proto.ClearScratchpadRequest;
import dev.agentmemory.proto.ClearScratchpadResponse;
import dev.agentmemory.proto.CompactConversationRequest;
import dev.agentmemory.proto.CompactConversationResponse;
import dev.agentmemory.proto.ConversationKey;
import dev.agentmemory.proto.CreateChannelRequest;
import dev.agentmemory.proto.CreateChannelResponse;
import dev.agentmemory.proto.GetConversationRequest;
import dev.agentmemory.proto.GetConversationResponse;
import dev.agentmemory.proto.GetConversationStatsRequest;
import dev.agentmemory.proto.GetConversationStatsResponse;
import dev.agentmemory.proto.IdleConversationRequest;
import dev.agentmemory.proto.IdleConversationResponse;
import dev.agentmemory.proto.ListChannelsRequest;
import dev.agentmemory.proto.ListChannelsResponse;
import dev.agentmemory.proto.ListConversationsRequest;
import dev.agentmemory.proto.ListConversationsResponse;
import dev.agentmemory.proto.ListScratchpadRequest;
import dev.agentmemory.proto.ListScratchpadResponse;
import dev.agentmemory.proto.ReadScratchpadRequest;
import dev.agentmemory.proto.ReadScratchpadResponse;
import dev.agentmemory.proto.RecallServiceGrpc;
import dev.agentmemory.proto.ScratchpadValue;
import dev.agentmemory.proto.SetDefaultChannelRequest;
import dev.agentmemory.proto.SetDefaultChannelResponse;
import dev.agentmemory.proto.StartConversationRequest;
import dev.agentmemory.proto.StartConversationResponse;
import dev.agentmemory.proto.WriteScratchpadRequest;
import dev.agentmemory.proto.WriteScratchpadResponse;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.wire.ConversationMessages;
import io.grpc.stub.StreamObserver;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The calls of the service for channels, conversations and scratchpads: each maps the request,
/// calls the API and maps the response.
abstract sealed class ConversationRpc extends RecallServiceGrpc.RecallServiceImplBase
    permits RecallRpc {

  private final CallPool reads;
  private final CallPool work;

  /// @param reads pool for calls that read or write little
  /// @param work pool for calls that work on all memories of a workspace or a session
  ConversationRpc(CallPool reads, CallPool work) {
    this.reads = reads;
    this.work = work;
  }

  /// Answers a call that reads or writes little.
  final <T> void answer(StreamObserver<T> observer, Function<Recall, T> call) {
    reads.answer(observer, memory -> call.apply(memory.recall()));
  }

  /// Answers a call that works on many memories.
  final <T> void work(StreamObserver<T> observer, Function<Recall, T> call) {
    work.answer(observer, memory -> call.apply(memory.recall()));
  }

  private static SessionId session(String text) {
    return SessionId.parseStored("session_id", text);
  }

  private static ChannelName channel(String field, String text) {
    return ChannelName.parse(field, Limits.required(field, text));
  }

  private static Optional<ChannelName> channel(boolean present, String text) {
    return present ? Optional.of(channel("channel", text)) : Optional.empty();
  }

  private static ConversationRef conversation(ConversationKey key) {
    return ConversationMessages.fromWire(key);
  }

  @Override
  public void listChannels(
      ListChannelsRequest request, StreamObserver<ListChannelsResponse> observer) {
    answer(
        observer,
        memories ->
            ListChannelsResponse.newBuilder()
                .addAllChannels(
                    memories.channels().list().stream().map(ConversationMessages::toWire).toList())
                .build());
  }

  @Override
  public void createChannel(
      CreateChannelRequest request, StreamObserver<CreateChannelResponse> observer) {
    ChannelName name = channel("name", request.getName());
    String description = request.getDescription();
    answer(
        observer,
        memories ->
            CreateChannelResponse.newBuilder()
                .setChannel(
                    ConversationMessages.toWire(memories.channels().create(name, description)))
                .build());
  }

  @Override
  public void changeChannel(
      ChangeChannelRequest request, StreamObserver<ChangeChannelResponse> observer) {
    ChannelName name = channel("name", request.getName());
    var change =
        new ChannelChange(
            request.hasNewName()
                ? Optional.of(channel("new_name", request.getNewName()))
                : Optional.empty(),
            request.hasDescription() ? Optional.of(request.getDescription()) : Optional.empty());
    answer(
        observer,
        memories ->
            ChangeChannelResponse.newBuilder()
                .setChannel(ConversationMessages.toWire(memories.channels().change(name, change)))
                .build());
  }

  @Override
  public void setDefaultChannel(
      SetDefaultChannelRequest request, StreamObserver<SetDefaultChannelResponse> observer) {
    ChannelName name = channel("name", request.getName());
    answer(
        observer,
        memories ->
            SetDefaultChannelResponse.newBuilder()
                .setChannel(ConversationMessages.toWire(memories.channels().makeDefault(name)))
                .build());
  }

  @Override
  public void startConversation(
      StartConversationRequest request, StreamObserver<StartConversationResponse> observer) {
    var start =
        new ConversationStart(
            session(request.getSessionId()),
            channel(request.hasChannel(), request.getChannel()),
            request.hasUser() ? Optional.of(request.getUser()) : Optional.empty());
    answer(
        observer,
        memories -> {
          ConversationView started = memories.conversations().start(start);
          return StartConversationResponse.newBuilder()
              .setConversation(ConversationMessages.toWire(started))
              .build();
        });
  }

  @Override
  public void idleConversation(
      IdleConversationRequest request, StreamObserver<IdleConversationResponse> observer) {
    ConversationRef one = conversation(request.getConversation());
    answer(
        observer,
        memories ->
            IdleConversationResponse.newBuilder()
                .setConversation(ConversationMessages.toWire(memories.conversations().idle(one)))
                .build());
  }

  @Override
  public void archiveConversation(
      ArchiveConversationRequest request, StreamObserver<ArchiveConversationResponse> observer) {
    ConversationRef one = conversation(request.getConversation());
    boolean force = request.getForce();
    answer(
        observer,
        memories ->
            ArchiveConversationResponse.newBuilder()
                .setConversation(
                    ConversationMessages.toWire(memories.conversations().archive(one, force)))
                .build());
  }

  @Override
  public void getConversation(
      GetConversationRequest request, StreamObserver<GetConversationResponse> observer) {
    ConversationRef one = conversation(request.getConversation());
    answer(
        observer,
        memories ->
            GetConversationResponse.newBuilder()
                .setConversation(
                    ConversationMessages.toWire(memories.conversations().conversation(one)))
                .build());
  }

  @Override
  public void listConversations(
      ListConversationsRequest request, StreamObserver<ListConversationsResponse> observer) {
    var filter =
        new ConversationFilter(
            channel(request.hasChannel(), request.getChannel()), request.getArchived());
    PageRequest page = Limits.page(request.getContinuationToken(), request.getLimit());
    Function<Page<ConversationView>, ListConversationsResponse> toWire =
        ConversationMessages::toWire;
    answer(
        observer,
        memories ->
            Limits.paged(page, next -> memories.conversations().list(filter, next), toWire));
  }

  @Override
  public void changeConversation(
      ChangeConversationRequest request, StreamObserver<ChangeConversationResponse> observer) {
    ConversationRef one = conversation(request.getConversation());
    ConversationChange change = ConversationMessages.fromWire(request);
    answer(
        observer,
        memories ->
            ChangeConversationResponse.newBuilder()
                .setConversation(
                    ConversationMessages.toWire(memories.conversations().change(one, change)))
                .build());
  }

  @Override
  public void getConversationStats(
      GetConversationStatsRequest request, StreamObserver<GetConversationStatsResponse> observer) {
    ConversationRef one = conversation(request.getConversation());
    answer(observer, memories -> ConversationMessages.toWire(memories.conversations().stats(one)));
  }

  @Override
  public void compactConversation(
      CompactConversationRequest request, StreamObserver<CompactConversationResponse> observer) {
    ConversationRef one = conversation(request.getConversation());
    work(observer, memories -> ConversationMessages.toWire(memories.conversations().compact(one)));
  }

  @Override
  public void writeScratchpad(
      WriteScratchpadRequest request, StreamObserver<WriteScratchpadResponse> observer) {
    SessionId session = session(request.getSessionId());
    String key = Limits.required("key", request.getKey());
    String value = Limits.required("value", request.getValue());
    answer(
        observer,
        memories ->
            WriteScratchpadResponse.newBuilder()
                .setEntry(
                    ConversationMessages.toWire(
                        memories.conversations().scratchpads().write(session, key, value)))
                .build());
  }

  @Override
  public void readScratchpad(
      ReadScratchpadRequest request, StreamObserver<ReadScratchpadResponse> observer) {
    SessionId session = session(request.getSessionId());
    String key = Limits.required("key", request.getKey());
    answer(
        observer,
        memories -> {
          var answer = ReadScratchpadResponse.newBuilder();
          memories
              .conversations()
              .scratchpads()
              .read(session, key)
              .map(ConversationMessages::toWire)
              .ifPresent(answer::setEntry);
          return answer.build();
        });
  }

  @Override
  public void listScratchpad(
      ListScratchpadRequest request, StreamObserver<ListScratchpadResponse> observer) {
    SessionId session = session(request.getSessionId());
    String after = request.getAfterKey();
    answer(
        observer,
        memories -> {
          List<ScratchpadValue> entries =
              memories.conversations().scratchpads().list(session).stream()
                  .filter(entry -> entry.key().compareTo(after) > 0)
                  .sorted(Comparator.comparing(ScratchpadEntry::key))
                  .map(ConversationMessages::toWire)
                  .toList();
          List<ScratchpadValue> fitting = Limits.fittingOne(entries);
          return ListScratchpadResponse.newBuilder()
              .addAllEntries(fitting)
              .setHasMore(fitting.size() < entries.size())
              .build();
        });
  }

  @Override
  public void clearScratchpad(
      ClearScratchpadRequest request, StreamObserver<ClearScratchpadResponse> observer) {
    SessionId session = session(request.getSessionId());
    Optional<String> key =
        request.hasKey() ? Optional.of(Limits.required("key", request.getKey())) : Optional.empty();
    answer(
        observer,
        memories ->
            ClearScratchpadResponse.newBuilder()
                .setDeleted(cleared(memories.conversations().scratchpads(), session, key))
                .build());
  }

  private static long cleared(Scratchpads pads, SessionId session, Optional<String> key) {
    return key.map(one -> pads.clear(session, one)).orElseGet(() -> pads.clear(session));
  }
}
