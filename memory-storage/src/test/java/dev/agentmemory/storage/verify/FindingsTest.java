package dev.agentmemory.storage.verify;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.store.Finding;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import org.junit.jupiter.api.Test;

class FindingsTest {

  private final MemoryException why =
      new MemoryException(ErrorCode.CORRUPT_RECORD, "evt:5 cannot be read: checksum mismatch");
  private static final DamagedRange RANGE =
      new DamagedRange("events", "evt:3", "evt:7", "checksum mismatch");

  private final Findings findings = new Findings(10, () -> {});

  @Test
  void refused_withinRangeThatWasFound_isNoFindingOfItsOwn() {
    findings.skipped(Table.EVENTS, RANGE, why);

    findings.refused(Table.EVENTS, "evt:5".getBytes(US_ASCII), why);

    assertThat(findings.list()).singleElement().extracting(Finding::key).isEqualTo(RANGE.place());
  }

  @Test
  void refused_outsideTheRangeOrInAnotherTable_isOne() {
    findings.skipped(Table.EVENTS, RANGE, why);

    findings.refused(Table.EVENTS, "evt:8".getBytes(US_ASCII), why);
    findings.refused(Table.EVENTS, "evt:2".getBytes(US_ASCII), why);
    findings.refused(Table.SESSIONS, "evt:5".getBytes(US_ASCII), why);

    assertThat(findings.list()).hasSize(4);
  }

  @Test
  void refused_reason_isSaidOnce() {
    findings.refused(Table.EVENTS, "evt:5".getBytes(US_ASCII), why);

    assertThat(findings.list().getFirst().problem())
        .startsWith("cannot be read: checksum mismatch; ");
  }
}
