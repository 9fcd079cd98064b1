package dev.agentmemory.storage.internal.verify;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.storage.internal.rocksdb.Family;
import dev.agentmemory.storage.internal.rocksdb.RocksErrors;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.store.Finding;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;

class FindingsTest {

  private final MemoryException why =
      new MemoryException(ErrorCode.CORRUPT_RECORD, "evt:5 cannot be read: checksum mismatch");
  private static final DamagedRange RANGE =
      new DamagedRange("events", "evt:3", "evt:7", "checksum mismatch");

  private final Findings findings = new Findings(10, () -> {});

  @Test
  void refused_withinRangeThatWasFound_isNoFindingOfItsOwn() {
    findings.skipped(Family.EVENTS, RANGE, why);

    findings.refused(Family.EVENTS, "evt:5".getBytes(US_ASCII), why);

    assertThat(findings.list()).singleElement().extracting(Finding::key).isEqualTo(RANGE.place());
  }

  @Test
  void refused_outsideTheRangeOrInAnotherTable_isOne() {
    findings.skipped(Family.EVENTS, RANGE, why);

    findings.refused(Family.EVENTS, "evt:8".getBytes(US_ASCII), why);
    findings.refused(Family.EVENTS, "evt:2".getBytes(US_ASCII), why);
    findings.refused(Family.SESSIONS, "evt:5".getBytes(US_ASCII), why);

    assertThat(findings.list()).hasSize(4);
  }

  @Test
  void refused_reason_isSaidOnce() {
    findings.refused(Family.EVENTS, "evt:5".getBytes(US_ASCII), why);

    assertThat(findings.list().getFirst().problem())
        .startsWith("cannot be read: checksum mismatch; ");
  }

  @Test
  void message_ofDamagedBlock_namesFileAndPlaceOnly() {
    var engine =
        new RocksDBException(
            "block checksum mismatch: stored(context removed) = 2914023672, computed = 1455359097,"
                + " type = 4  in /some where/db/000008.sst offset 37649 size 3125,"
                + " block_type = Data");

    assertThat(RocksErrors.message(engine))
        .isEqualTo("block checksum mismatch in 000008.sst at byte 37649 (Data)");
  }

  @Test
  void message_ofAnythingElse_stays() {
    assertThat(RocksErrors.message(new RocksDBException("file is too short (3 bytes)")))
        .isEqualTo("file is too short (3 bytes)");
  }
}
