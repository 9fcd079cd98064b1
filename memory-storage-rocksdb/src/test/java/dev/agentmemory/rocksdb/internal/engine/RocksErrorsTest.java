package dev.agentmemory.rocksdb.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;

class RocksErrorsTest {

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
