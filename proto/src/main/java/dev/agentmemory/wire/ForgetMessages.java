package dev.agentmemory.wire;

import dev.agentmemory.api.forget.ForgetPreview;
import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.proto.ForgetRequest;
import dev.agentmemory.proto.ForgetResponse;
import dev.agentmemory.proto.ForgetSample;
import dev.agentmemory.proto.ForgetSampleKind;
import dev.agentmemory.proto.PreviewForgetRequest;
import dev.agentmemory.proto.PreviewForgetResponse;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/// Maps requests to forget, and their receipts.
public final class ForgetMessages {

  private static final WireEnums.Pair<ForgetPreview.Sample.Kind, ForgetSampleKind> SAMPLE =
      new WireEnums.Pair<>(
          ForgetPreview.Sample.Kind.class, ForgetSampleKind.class, "FORGET_SAMPLE_KIND_");

  private ForgetMessages() {}

  public static ForgetRequest toWire(Forgetting what) {
    ForgetRequest.Builder message =
        ForgetRequest.newBuilder()
            .addAllEventIds(what.events().stream().map(EventId::value).sorted().toList())
            .addAllMemoryIds(what.memories().stream().map(MemoryId::value).sorted().toList())
            .setAll(what.all())
            .setReason(what.reason());
    what.session().ifPresent(session -> message.setSessionId(session.value()));
    what.agent().ifPresent(message::setAgent);
    what.topic().ifPresent(topic -> message.setTopic(topic.value()));
    what.source().ifPresent(message::setSource);
    what.after().ifPresent(time -> message.setAfterMs(time.toEpochMilli()));
    what.before().ifPresent(time -> message.setBeforeMs(time.toEpochMilli()));
    return message.build();
  }

  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` naming the field
  public static Forgetting fromWire(ForgetRequest message) {
    return new Forgetting(
        message.getEventIdsList().stream()
            .map(id -> EventId.parse("event_ids", id))
            .collect(Collectors.toSet()),
        message.getMemoryIdsList().stream()
            .map(id -> MemoryId.parse("memory_ids", id))
            .collect(Collectors.toSet()),
        message.hasSessionId()
            ? Optional.of(SessionId.parse("session_id", message.getSessionId()))
            : Optional.empty(),
        message.hasAgent() ? Optional.of(message.getAgent()) : Optional.empty(),
        message.hasTopic() ? Optional.of(Tag.parse("topic", message.getTopic())) : Optional.empty(),
        message.hasSource() ? Optional.of(message.getSource()) : Optional.empty(),
        message.hasAfterMs()
            ? Optional.of(Instant.ofEpochMilli(message.getAfterMs()))
            : Optional.empty(),
        message.hasBeforeMs()
            ? Optional.of(Instant.ofEpochMilli(message.getBeforeMs()))
            : Optional.empty(),
        message.getAll(),
        message.getReason());
  }

  public static ForgetResponse toWire(ForgetReceipt receipt) {
    return ForgetResponse.newBuilder()
        .setErasureId(receipt.id())
        .setTimeMs(receipt.time().toEpochMilli())
        .setReason(receipt.reason())
        .setEvents(receipt.events())
        .setSessions(receipt.sessions())
        .setMemories(receipt.memories())
        .setNodes(receipt.nodes())
        .setRecords(receipt.records())
        .putAllTopics(receipt.topics())
        .setDigest(receipt.digest())
        .setPending(receipt.pending())
        .addAllBackups(receipt.backups())
        .setFiles(receipt.files())
        .addAllLeft(receipt.left())
        .build();
  }

  public static PreviewForgetRequest toWire(Forgetting what, Optional<String> mention) {
    var message = PreviewForgetRequest.newBuilder().setWhat(toWire(what));
    mention.ifPresent(message::setMention);
    return message.build();
  }

  public static PreviewForgetResponse toWire(ForgetPreview preview) {
    return PreviewForgetResponse.newBuilder()
        .setReceipt(toWire(preview.receipt()))
        .setBullets(preview.bullets())
        .setIndexEntries(preview.indexEntries())
        .addAllSamples(preview.samples().stream().map(ForgetMessages::toWire).toList())
        .setMentions(preview.mentions())
        .setMoreMentions(preview.moreMentions())
        .build();
  }

  private static ForgetSample toWire(ForgetPreview.Sample sample) {
    return ForgetSample.newBuilder()
        .setKind(SAMPLE.toWire(sample.kind()))
        .setId(sample.id())
        .setTimeMs(sample.timeMs())
        .setText(sample.text())
        .build();
  }

  /// Samples of kinds that only a newer daemon knows are left out.
  public static ForgetPreview fromWire(PreviewForgetResponse message) {
    return new ForgetPreview(
        fromWire(message.getReceipt()),
        message.getBullets(),
        message.getIndexEntries(),
        message.getSamplesList().stream()
            .flatMap(sample ->
                SAMPLE.known(sample.getKind()).stream()
                    .map(kind ->
                        new ForgetPreview.Sample(
                            kind, sample.getId(), sample.getTimeMs(), sample.getText())))
            .toList(),
        message.getMentions(),
        message.getMoreMentions());
  }

  public static ForgetReceipt fromWire(ForgetResponse message) {
    return new ForgetReceipt(
        message.getErasureId(),
        Instant.ofEpochMilli(message.getTimeMs()),
        message.getReason(),
        message.getEvents(),
        message.getSessions(),
        message.getMemories(),
        message.getNodes(),
        message.getRecords(),
        message.getTopicsMap(),
        message.getDigest(),
        message.getPending(),
        message.getBackupsList(),
        message.getFiles(),
        message.getLeftList());
  }
}
