package dev.agentmemory.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.Role;
import dev.agentmemory.api.audit.AuditAct;
import dev.agentmemory.api.audit.AuditActor;
import dev.agentmemory.api.audit.AuditEntry;
import dev.agentmemory.api.audit.AuditPage;
import dev.agentmemory.api.audit.AuditQuery;
import dev.agentmemory.api.audit.AuditRecord;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.proto.ListAuditRequest;
import dev.agentmemory.proto.ListAuditResponse;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AuditMessagesTest {

  private static final Instant AT = Instant.ofEpochMilli(1_769_783_400_123L);

  @ParameterizedTest
  @EnumSource
  void page_thereAndBack_isEqual(AuditAct act) throws InvalidProtocolBufferException {
    AuditEntry full =
        AuditEntry.begin(act, AuditActor.of(new Caller("ops", Role.WRITER, Set.of())))
            .withWorkspace(new WorkspaceName("shop"))
            .withDetails(Map.of("events", "3"))
            .withRequestId("g7")
            .failed(ErrorCode.CONFLICT);
    var page =
        new AuditPage(
            new Page<>(
                List.of(
                    new AuditRecord(8, AT, full),
                    new AuditRecord(7, AT, AuditEntry.begin(act, AuditActor.CLI)),
                    new AuditRecord(6, AT, AuditEntry.begin(act, AuditActor.DAEMON).ok())),
                "6"),
            2);
    byte[] bytes = AuditMessages.toWire(page).toByteArray();
    assertThat(AuditMessages.fromWire(ListAuditResponse.parseFrom(bytes))).isEqualTo(page);
  }

  @Test
  void query_isWhatTheRequestSays() {
    var query = new AuditQuery(Optional.empty(), Optional.of(AT), new PageRequest("8", 3));
    assertThat(AuditMessages.toWire(query))
        .isEqualTo(
            ListAuditRequest.newBuilder()
                .setSinceMs(AT.toEpochMilli())
                .setContinuationToken("8")
                .setLimit(3)
                .build());
    assertThat(AuditMessages.toWire(AuditQuery.all()).hasSinceMs()).isFalse();
  }

  @Test
  void actOfALaterVersion_isRefusedByName() {
    var later =
        ListAuditResponse.newBuilder()
            .addEntries(
                dev.agentmemory.proto.AuditEntry.newBuilder().setAct("fly").setOutcome("ok"))
            .build();
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> AuditMessages.fromWire(later))
        .withMessageStartingWith("act: `fly` is not known to this program")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED_FORMAT));
  }
}
