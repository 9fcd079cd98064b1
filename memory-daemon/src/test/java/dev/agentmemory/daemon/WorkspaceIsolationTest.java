package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import dev.agentmemory.api.Recall;
import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.injection.InjectionMoment;
import dev.agentmemory.api.injection.InjectionSource;
import dev.agentmemory.api.injection.NewInjection;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.daemon.config.ConfigLoader;
import dev.agentmemory.daemon.config.SettingSource;
import dev.agentmemory.engine.internal.local.PageTokens;
import dev.agentmemory.proto.ConversationKey;
import dev.agentmemory.proto.ConversationOverrides;
import dev.agentmemory.proto.ConversationPreferences;
import dev.agentmemory.proto.ForgetRequest;
import dev.agentmemory.proto.MemoryViewer;
import dev.agentmemory.proto.NewMemory;
import dev.agentmemory.proto.SearchFilters;
import dev.agentmemory.proto.SearchKind;
import dev.agentmemory.proto.TextList;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocNode;
import dev.agentmemory.types.WorkspaceName;
import dev.agentmemory.wire.EventMessages;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is said in one workspace is not seen from another: a real daemon, and every call there is.
@Tag("slow")
class WorkspaceIsolationTest {

  /// Occurs in every event of theirs, and in none of ours.
  private static final String SECRET = "zanzibar";

  private static final Instant START = TestEvents.START;
  private static final String SHARED = "shared-session";
  private static final String THEIRS_ONLY = "their-session";

  /// The calls that show what was said. Those in neither set are new: say here which they are.
  private static final Set<String> SHOWING =
      Set.of(
          "memory.MemoryService/GetTocRoot",
          "memory.MemoryService/GetNode",
          "memory.MemoryService/BrowseToc",
          "memory.MemoryService/GetEvents",
          "memory.MemoryService/ExpandGrip",
          "memory.MemoryService/SearchNode",
          "memory.MemoryService/SearchChildren",
          "memory.SessionService/ListSessions",
          "memory.SessionService/GetSession",
          "memory.SessionService/ListSegments",
          "memory.SessionService/GetSegment",
          "memory.SessionService/FindSegments",
          "memory.SessionService/ListSessionEvents",
          "memory.AdminService/PreviewForget",
          "memory.TocService/GetNodes",
          "memory.TocService/ListNodeVersions",
          "memory.TocService/GetNodeVersion",
          "memory.SearchService/Search",
          "memory.SearchService/BuildContext",
          "memory.RecallService/GetMemory",
          "memory.RecallService/ListMemoryHistory",
          "memory.RecallService/InspectMemories",
          "memory.RecallService/ListInjections",
          "memory.RecallService/ListMemories",
          "memory.RecallService/SearchMemories",
          "memory.RecallService/ListRelatedMemories",
          "memory.RecallService/ListChannels",
          "memory.RecallService/GetConversation",
          "memory.RecallService/GetConversationStats",
          "memory.RecallService/ListConversations",
          "memory.RecallService/ReadScratchpad",
          "memory.RecallService/ListScratchpad",
          "memory.RecallService/ExportMemories",
          "memory.RecallService/Orient");

  /// They make what a caller names, and answer with its name.
  private static final Set<String> MAKING =
      Set.of(
          "memory.RecallService/RecordInjection",
          "memory.RecallService/StartConversation",
          "memory.RecallService/WriteScratchpad");

  /// The calls that do something, or show no more than figures and names.
  private static final Set<String> OTHERS =
      Set.of(
          "memory.MemoryService/IngestEvent",
          "memory.MemoryService/GetSchedulerStatus",
          "memory.MemoryService/PauseJob",
          "memory.MemoryService/ResumeJob",
          "memory.IngestService/IngestStream",
          "memory.IngestService/IngestBatch",
          "memory.TocService/RevertNode",
          "memory.AdminService/Ping",
          "memory.AdminService/GetStats",
          "memory.AdminService/GetUsage",
          "memory.AdminService/GetModelUsage",
          "memory.AdminService/VerifyStore",
          "memory.AdminService/RebuildToc",
          "memory.AdminService/Scrub",
          "memory.AdminService/Forget",
          "memory.AdminService/GetCapture",
          "memory.AdminService/RunJob",
          "memory.AdminService/ListAudit",
          "memory.SearchService/GetActivity",
          "memory.SearchService/SearchStatus",
          "memory.SearchService/RebuildIndex",
          "memory.WorkspaceService/ListWorkspaces",
          "memory.WorkspaceService/CreateWorkspace",
          "memory.WorkspaceService/DeleteWorkspace",
          "memory.BackupService/CreateBackup",
          "memory.RecallService/Remember",
          "memory.RecallService/UpdateMemory",
          "memory.RecallService/PinMemory",
          "memory.RecallService/DeleteMemories",
          "memory.RecallService/GetMemoryStats",
          "memory.RecallService/RebuildMemoryIndex",
          "memory.RecallService/CreateChannel",
          "memory.RecallService/ChangeChannel",
          "memory.RecallService/SetDefaultChannel",
          "memory.RecallService/IdleConversation",
          "memory.RecallService/ArchiveConversation",
          "memory.RecallService/ChangeConversation",
          "memory.RecallService/CompactConversation",
          "memory.RecallService/ClearScratchpad",
          "memory.RecallService/PreviewConsolidation",
          "memory.RecallService/ListConsolidations",
          "memory.RecallService/UndoConsolidation",
          "memory.RecallService/ImportMemories");

  @TempDir private Path data;

  private final List<AutoCloseable> parts = new ArrayList<>();
  private Optional<Daemon> daemon = Optional.empty();

  private void start(String mode) {
    Daemon started =
        Daemon.start(
            ConfigLoader.load(
                data,
                List.of(
                    SettingSource.flags(
                        List.of(
                            "multi_agent_mode=" + mode,
                            "grpc_port=0",
                            "auth.loopback=open",
                            "toc.rollup_debounce=10ms")))));
    parts.add(started);
    daemon = Optional.of(started);
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable part : parts.reversed()) {
      part.close();
    }
  }

  private int port() {
    return daemon.orElseThrow().port();
  }

  private MemoryClient client(String workspace) {
    MemoryClient client =
        MemoryClient.connect(
            new Endpoint("127.0.0.1", port(), Optional.empty())
                .withWorkspace(Optional.of(new WorkspaceName(workspace))));
    parts.add(client);
    return client;
  }

  private Channel channel(String workspace) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port()).usePlaintext().build();
    parts.add(channel::shutdownNow);
    var headers = new Metadata();
    headers.put(Metadata.Key.of("memory-workspace", Metadata.ASCII_STRING_MARSHALLER), workspace);
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /// A session with a question, answers, an end. Its ids are the same whatever the word.
  private static List<Event> talk(String session, Instant start, String word) {
    return words(session, start, word).stream()
        .map(event -> TestEvents.withId(event, TestEvents.id(event.timestamp(), 1)))
        .toList();
  }

  private static List<Event> words(String session, Instant start, String word) {
    return List.of(
        TestEvents.message(
            session, start, "Why does the deployment to " + word + " fail every night?"),
        TestEvents.answer(
            session,
            start.plusSeconds(60),
            "The deployment fails because the disk of " + word + " is full. We must rotate logs."),
        TestEvents.message(
            session, start.plusSeconds(120), "Please rotate the logs of " + word + " hourly."),
        TestEvents.answer(
            session, start.plusSeconds(180), "Done: " + word + " rotates its logs every hour now."),
        TestEvents.end(session, start.plusSeconds(300)));
  }

  private static void ingest(MemoryClient client, List<Event> events) {
    for (Event event : events) {
      assertThat(client.ingest().append(event)).isInstanceOf(Receipt.Created.class);
    }
  }

  private static void awaitComplete(MemoryClient client) {
    Await.until("complete", () -> client.admin().status().tocComplete());
  }

  private static void awaitFound(MemoryClient client, String word) {
    Await.until(
        "found",
        () ->
            !client
                .search()
                .search(SearchRequest.of(word, 1, START.plusSeconds(7200)))
                .hits()
                .isEmpty());
  }

  /// Memories, a channel, a scratchpad and metadata that name the secret.
  private static void remember(MemoryClient theirs) {
    Recall recall = theirs.recall();
    Memories memories = recall.memories();
    MemoryId first =
        memories.remember(MemoryDraft.of("The password of " + SECRET + " rotates.")).id();
    MemoryId second =
        memories
            .remember(
                MemoryDraft.builder(MemoryContent.of("The " + SECRET + " sleeps at noon."))
                    .kind(MemoryKind.PREFERENCE)
                    .links(MemoryLinks.NONE.withReferences(List.of(first)))
                    .build())
            .id();
    var _ = memories.update(second, MemoryUpdate.NONE.withImportance(0.9));
    var _ = recall.channels().create(new ChannelName("den"), "where " + SECRET + " lives");
    var conversation = ConversationRef.of(new SessionId(SHARED));
    var _ = recall.conversations().change(conversation, ConversationChange.ofUser(SECRET));
    var _ =
        recall
            .conversations()
            .scratchpads()
            .write(new SessionId(SHARED), "k", "\"" + SECRET + "\"");
    var _ =
        recall
            .injections()
            .record(
                new NewInjection(
                    new SessionId(SHARED),
                    InjectionMoment.PROMPT,
                    InjectionSource.EVIDENCE,
                    "The " + SECRET + " was told."));
  }

  /// Lets extraction do what it will do at some time, so that answers stay the same.
  private void extract(String mode, MemoryClient theirs) {
    if (mode.equals("separate")) {
      var _ = theirs.jobs().run("memory_extraction");
      return;
    }
    try (var unnamed = MemoryClient.connect(new Endpoint("127.0.0.1", port(), Optional.empty()))) {
      var _ = unnamed.jobs().run("memory_extraction");
    }
  }

  private static void putMemories(Map<String, List<?>> values, MemoryClient theirs, String prefix) {
    List<String> ids =
        theirs
            .recall()
            .memories()
            .list(MemoryFilter.NONE, PageRequest.of(1000))
            .page()
            .items()
            .stream()
            .map(memory -> memory.id().value())
            .toList();
    values.put("memory_id", ids);
    values.put("memory_ids", ids);
    values.put("memories", List.of(NewMemory.getDefaultInstance()));
    values.put("filter", List.of(dev.agentmemory.proto.MemoryFilter.getDefaultInstance()));
    values.put("viewer", List.of(MemoryViewer.getDefaultInstance()));
    values.put("order", List.of(0));
    values.put("scope", List.of(3));
    values.put("kind", List.of(1));
    values.put("lifetime", List.of(2));
    values.put("as_of_ms", List.of(9_999_999_999_999L));
    values.put("descend", List.of(false, true));
    values.put("after_ms", List.of(0L));
    values.put("before_ms", List.of(1L));
    values.put("budget_tokens", List.of(2000));
    values.put("dry_run", List.of(true));
    values.put("channel", List.of("general"));
    values.put("new_name", List.of("nobodys"));
    values.put("description", List.of("plain"));
    values.put("content", List.of("changed"));
    values.put("content_json", List.of("{}"));
    values.put("importance", List.of(0.1));
    values.put("references", List.of(TextList.getDefaultInstance()));
    values.put("tags", List.of(TextList.getDefaultInstance()));
    values.put("topic", List.of("nothing"));
    values.put("reason", List.of("test"));
    values.put("preview", List.of(false));
    values.put("pinned", List.of(true));
    values.put("plain", List.of(true, false));
    values.put("depth", List.of(1));
    values.put("skip", List.of(0));
    values.put("archived", List.of(true));
    values.put("force", List.of(true));
    values.put(
        "conversation",
        List.of(
            ConversationKey.newBuilder().setSessionId(prefix + SHARED).build(),
            ConversationKey.newBuilder().setSessionId(prefix + THEIRS_ONLY).build()));
    values.put("overrides", List.of(ConversationOverrides.getDefaultInstance()));
    values.put("preferences", List.of(ConversationPreferences.getDefaultInstance()));
    values.put("user", List.of("me"));
    values.put("key", List.of("k"));
    values.put("after_key", List.of(""));
    values.put("value", List.of("1"));
    values.put("run_id", List.of(ids.getFirst()));
    values.put("redact", List.of(false));
    values.put("lines", List.of("{}"));
    values.put("first_line", List.of(1L));
  }

  /// Without what changes by reading memories, and with the time.
  private static String withoutUse(String answer) {
    // A conversation that is not known is named as the caller names it.
    String known = answer.replaceAll("- Conversation: \\S+ \\(new\\)", "");
    return known
        .replaceAll("(access_count|last_access_ms|since_ms|embedding)\\W+\\w+", "")
        .replaceAll("(frequency|recency|relevance): \\S+", "")
        .replaceAll("(receipt \\{\\s+time_ms): \\d+", "$1")
        .replaceAll("[\\s,\\\\\"]+", " ");
  }

  /// What to put into the fields of requests: all that leads to theirs.
  private static Map<String, List<?>> values(MemoryClient theirs) {
    return values(theirs, "");
  }

  /// @param prefix of the ids of sessions
  private static Map<String, List<?>> values(MemoryClient theirs, String prefix) {
    List<TocNode> nodes = new ArrayList<>();
    collect(theirs, theirs.contents().root(), nodes);
    List<String> ids = nodes.stream().map(node -> node.id().value()).toList();
    List<String> segments =
        Stream.of(SHARED, THEIRS_ONLY)
            .flatMap(session ->
                theirs
                    .sessions()
                    .segments(new SessionId(prefix + session), PageRequest.first())
                    .items()
                    .stream())
            .map(segment -> segment.id().value())
            .toList();
    List<String> grips =
        nodes.stream()
            .flatMap(node -> node.bullets().stream())
            .flatMap(bullet -> bullet.grips().stream())
            .map(grip -> grip.value())
            .distinct()
            .toList();
    Event more = TestEvents.message(SHARED, START.plusSeconds(900), "one more, of quokkas");
    Map<String, List<?>> values = new HashMap<>();
    values.put("event", List.of(EventMessages.toWire(more)));
    values.put("events", List.of(EventMessages.toWire(more)));
    values.put("event_id", eventIds(theirs));
    values.put("event_ids", eventIds(theirs));
    values.put("agent", List.of("theirs"));
    values.put("source", List.of("user"));
    values.put("all", List.of(false, true));
    values.put("wait", List.of(false));
    values.put("node_id", ids);
    values.put("node_ids", ids);
    values.put("parent_id", Stream.concat(Stream.of(""), ids.stream()).toList());
    values.put("grip_id", grips);
    values.put("segment_id", segments);
    values.put("session_id", List.of(prefix + SHARED, prefix + THEIRS_ONLY));
    values.put("name", List.of("nobody"));
    values.put("only_problems", List.of(false, true));
    values.put("query", List.of(SECRET, "deployment"));
    values.put("from_event_id", eventIds(theirs));
    values.put("from_index", List.of(0L));
    values.put("parent_session_id", List.of("", prefix + SHARED));
    values.put("backward", List.of(false, true));
    values.put("year", List.of(0));
    values.put("moment", List.of(1));
    values.put("text", List.of("plain"));
    values.put("mention", List.of("", SECRET));
    values.put(
        "what",
        Stream.of(SHARED, THEIRS_ONLY)
            .map(session -> ForgetRequest.newBuilder().setSessionId(prefix + session).build())
            .toList());
    values.put("job_name", List.of("toc_rollup_day", "segment_flush"));
    values.put("fields", List.of(0));
    values.put("child_level", List.of(0));
    values.put("limit", List.of(0));
    values.put("days", List.of(0));
    // Not a whole path, so that nothing is written.
    values.put("directory", List.of("backups"));
    values.put("workspaces", List.of("theirs"));
    values.put("with_index", List.of(false));
    values.put("key_file", List.of("backup.key"));
    values.put("token_budget", List.of(0));
    values.put("events_before", List.of(100));
    values.put("events_after", List.of(100));
    values.put("mode", List.of(0, 1));
    values.put("fusion", List.of(0));
    values.put(
        "filters",
        List.of(
            SearchFilters.getDefaultInstance(),
            SearchFilters.newBuilder().setSessionId(prefix + THEIRS_ONLY).build(),
            SearchFilters.newBuilder().setNotSessionId(prefix + SHARED).build(),
            SearchFilters.newBuilder().addKinds(SearchKind.SEARCH_KIND_ROLLUP).build()));
    values.put("offset", List.of(0));
    values.put("min_relevance", List.of(0.0));
    values.put("min_best_relevance", List.of(0.0));
    values.put("calibrated", List.of(true));
    values.put("strict_time", List.of(false));
    values.put("importing", List.of(false));
    values.put("explain", List.of(true));
    values.put("now_ms", List.of(START.plusSeconds(7200).toEpochMilli()));
    values.put("version", List.of(1, 2, 3, 4));
    values.put("before_version", List.of(0));
    values.put("since_ms", List.of(0L));
    values.put("from_ms", List.of(0L));
    values.put("to_ms", List.of(9_999_999_999_999L));
    values.put("from_timestamp_ms", List.of(0L));
    values.put("to_timestamp_ms", List.of(9_999_999_999_999L));
    values.put(
        "continuation_token",
        List.of(
            "", PageTokens.afterSession(new SessionId(SHARED)), PageTokens.afterEvent(more.key())));
    putMemories(values, theirs, prefix);
    values.forEach((field, all) -> assertThat(all).as(field).isNotEmpty());
    return values;
  }

  /// Those of the first events, and none.
  private static List<String> eventIds(MemoryClient client) {
    return Stream.concat(
            Stream.of(""),
            client
                .events()
                .between(START, START.plusSeconds(7200), PageRequest.of(5))
                .items()
                .stream()
                .map(event -> event.id().value()))
        .toList();
  }

  private static void collect(MemoryClient client, List<TocNode> level, List<TocNode> into) {
    for (TocNode node : level) {
      into.add(node);
      collect(client, client.contents().children(node.id(), PageRequest.first()).items(), into);
    }
  }

  private static Map<String, List<String>> answers(
      Channel channel, List<MethodDescriptor<?, ?>> methods, Map<String, List<?>> values) {
    Map<String, List<String>> answers = new TreeMap<>();
    for (MethodDescriptor<?, ?> method : methods) {
      for (Message request : EveryCall.requests(method, values)) {
        EveryCall.Answer answer = EveryCall.call(channel, method, request);
        if (answer.served()) {
          answers
              .computeIfAbsent(method.getFullMethodName(), _ -> new ArrayList<>())
              .add(withoutUse(answer.text()));
        }
      }
    }
    return answers;
  }

  @ParameterizedTest
  @ValueSource(strings = {"separate", "unified"})
  void sameIdsInTwoWorkspaces_areSeenOverNoCallFromTheOther(String mode) throws Exception {
    start(mode);
    MemoryClient ours = client("ours");
    MemoryClient theirs = client("theirs");
    ingest(theirs, talk(SHARED, START, SECRET));
    ingest(theirs, talk(THEIRS_ONLY, START.plusSeconds(3600), SECRET));
    ingest(ours, talk(SHARED, START, "quokka"));
    awaitComplete(theirs);
    awaitComplete(ours);
    awaitFound(theirs, SECRET);
    awaitFound(ours, "quokka");
    remember(theirs);
    extract(mode, theirs);
    Channel fromOurs = channel("ours");
    Channel fromTheirs = channel("theirs");
    List<MethodDescriptor<?, ?>> all = new EveryCall(fromOurs).methods();
    assertThat(all.stream().map(MethodDescriptor::getFullMethodName))
        .as("calls of which this test knows whether they show what was said")
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(SHOWING, OTHERS, MAKING).flatMap(Set::stream).toList());
    all.removeIf(method -> MAKING.contains(method.getFullMethodName()));
    List<MethodDescriptor<?, ?>> showing =
        all.stream().filter(method -> SHOWING.contains(method.getFullMethodName())).toList();

    Map<String, List<?>> values = values(theirs);
    Map<String, List<String>> before = answers(fromTheirs, showing, values);
    for (String method : SHOWING) {
      assertThat(before.get(method))
          .as("%s shows theirs to themselves", method)
          .anyMatch(WorkspaceIsolationTest::isTheirs);
    }

    answers(fromOurs, all, values)
        .forEach((method, answers) ->
            assertThat(answers)
                .as("%s shows nothing of theirs to us", method)
                .noneMatch(WorkspaceIsolationTest::isTheirs));
    if (mode.equals("unified")) {
      demandNothingOfTheirsUnderItsStoredIds(fromOurs, all);
    }
    awaitComplete(ours);
    Map<String, List<String>> after = answers(fromTheirs, showing, values);
    // What is found first, and which summaries are, depends on how far an index has come.
    for (Map<String, List<String>> answers : List.of(before, after)) {
      answers
          .keySet()
          .removeIf(method -> method.matches("memory.(SearchService/.*|.*/SearchMemories)"));
    }
    assertThat(after).containsOnlyKeys(before.keySet());
    before.forEach(
        (method, answers) -> assertThat(after.get(method)).as(method).isEqualTo(answers));
    assertThat(theirs.jobs().list().jobs()).noneMatch(job -> job.paused());
    assertThat(theirs.admin().status().store().events()).isEqualTo(10);
    assertThat(ours.admin().status().store().events()).isGreaterThanOrEqualTo(6);
  }

  /// Where workspaces share a store its ids name them: with such an id, as a caller gets it who
  /// names no workspace, nothing is seen either, their name included.
  private void demandNothingOfTheirsUnderItsStoredIds(
      Channel fromOurs, List<MethodDescriptor<?, ?>> all) {
    Map<String, List<?>> stored;
    try (var unnamed = MemoryClient.connect(new Endpoint("127.0.0.1", port(), Optional.empty()))) {
      stored = values(unnamed, "@theirs/");
    }
    assertThat(String.valueOf(stored.get("segment_id"))).contains("@theirs");
    answers(fromOurs, all, stored)
        .forEach((method, answers) ->
            assertThat(answers)
                .as("%s shows nothing of theirs to us", method)
                .noneMatch(answer -> isTheirs(answer) || answer.contains("theirs")));
  }

  private static boolean isTheirs(String answer) {
    return answer.contains(SECRET) || answer.contains(THEIRS_ONLY);
  }

  @Test
  void workspaceOfCallersThatNameNone_isTheDefault() {
    start("separate");
    ingest(client("default"), talk(SHARED, START, "wombat"));
    try (var unnamed = MemoryClient.connect(new Endpoint("127.0.0.1", port(), Optional.empty()))) {
      assertThat(unnamed.sessions().session(new SessionId(SHARED)).events()).isEqualTo(5);
      assertThat(unnamed.workspaces().list(PageRequest.first()).items())
          .extracting(workspace -> workspace.name().value())
          .containsExactly("default");
    }
  }

  @Test
  void daemon_onADirectoryThatHasOne_doesNotStart() {
    start("separate");
    var config =
        ConfigLoader.load(
            data, List.of(SettingSource.flags(List.of("grpc_port=0", "agent_id=other"))));
    assertThatThrownBy(() -> Daemon.start(config))
        .hasMessageContaining(
            "is in use by another daemon (pid=" + ProcessHandle.current().pid() + "); stop it");
  }
}
