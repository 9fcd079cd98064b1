package dev.agentmemory.engine.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.audit.AuditAct;
import dev.agentmemory.api.audit.AuditActor;
import dev.agentmemory.api.audit.AuditQuery;
import dev.agentmemory.api.audit.AuditRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedSettingsTest {

  private static final Map<String, String> SETTINGS =
      Map.of("toc.zone", "Europe/Paris", "grpc_port", "1234");

  @TempDir private Path data;

  private AuditLog log() {
    return new AuditLog(() -> Instant.EPOCH, data);
  }

  private void start(Map<String, String> settings) {
    new RecordedSettings(log(), data, new Random(7)).compare(settings);
  }

  private List<String> recorded() {
    List<AuditRecord> records = log().list(AuditQuery.all()).records().items();
    assertThat(records)
        .allMatch(one -> one.entry().act() == AuditAct.CONFIGURATION_CHANGE)
        .allMatch(one -> one.entry().actor().equals(AuditActor.DAEMON));
    return records.reversed().stream().map(one -> one.entry().details().get("settings")).toList();
  }

  @Test
  void firstStart_recordsWhatIsNoDefault() {
    start(SETTINGS);
    assertThat(recorded()).containsExactly("grpc_port toc.zone");
  }

  @Test
  void firstStart_withDefaultsOnly_recordsNothing() {
    start(Map.of());
    assertThat(recorded()).isEmpty();
    assertThat(data.resolve(RecordedSettings.FILE)).doesNotExist();
  }

  @Test
  void laterStart_recordsChangedAddedAndRemovedSettings_once() {
    start(SETTINGS);
    start(SETTINGS);
    start(Map.of("toc.zone", "UTC", "log.level", "debug"));
    start(Map.of("toc.zone", "UTC", "log.level", "debug"));
    start(Map.of());
    assertThat(recorded())
        .containsExactly(
            "grpc_port toc.zone", "grpc_port log.level toc.zone", "log.level toc.zone");
  }

  @Test
  void values_areInNoFile() throws IOException {
    start(SETTINGS);
    for (String name : List.of(AuditLog.FILE, RecordedSettings.FILE)) {
      assertThat(Files.readString(data.resolve(name)))
          .contains("toc.zone")
          .doesNotContain("Paris", "1234");
    }
  }

  @Test
  void recordOfSettings_thatIsDamaged_isWrittenAgain_andNothingIsHidden() throws IOException {
    start(SETTINGS);
    Files.writeString(data.resolve(RecordedSettings.FILE), "{\"schema");
    start(SETTINGS);
    start(SETTINGS);
    assertThat(recorded()).containsExactly("grpc_port toc.zone", "grpc_port toc.zone");
  }

  @Test
  void change_thatCannotBeRecorded_isAProblem_andIsRecordedByTheNextStart() throws IOException {
    Path link = Files.createSymbolicLink(data.resolve(AuditLog.FILE), data.resolve("elsewhere"));
    AuditLog log = log();
    new RecordedSettings(log, data, new Random(7)).compare(SETTINGS);
    assertThat(log.problem())
        .hasValueSatisfying(why ->
            assertThat(why)
                .startsWith("a change of settings is not recorded: the audit log ")
                .contains("check its permissions"));

    Files.delete(link);
    start(SETTINGS);
    assertThat(recorded()).containsExactly("grpc_port toc.zone");
  }
}
