package dev.agentmemory.storage.job;

import dev.agentmemory.spi.Sleeper;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.store.Finding;
import dev.agentmemory.store.MemoryStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Checks a whole store without delaying other work: it works for a moment, then pauses for three
/// times as long, so it never takes more than a quarter of one processor.
record IntegrityCheck(Ticker ticker, Sleeper sleeper, MemoryStore store) {

  static final int MOST_FINDINGS = 100;

  private static final Logger LOG = LoggerFactory.getLogger(IntegrityCheck.class);
  private static final Duration WORK = Duration.ofMillis(10);
  private static final Duration PAUSE = Duration.ofMillis(30);
  private static final int SHOWN = 3;
  private static final int LONGEST = 300;

  /// @return the number of findings, at most 100, and the first ones
  Map<String, String> run() {
    List<Finding> findings = store.verify(MOST_FINDINGS, new Pace()::keep);
    Map<String, String> did = new HashMap<>();
    did.put("findings", Integer.toString(findings.size()));
    for (int i = 0; i < Math.min(SHOWN, findings.size()); i++) {
      String told = told(findings.get(i));
      LOG.error("integrity check: {}", told);
      did.put("finding_" + (i + 1), told);
    }
    return did;
  }

  private static String told(Finding finding) {
    String whole = finding.table() + " " + finding.key() + ": " + finding.problem();
    return whole.substring(0, whole.offsetByCodePoints(0, codePoints(whole)));
  }

  private static int codePoints(String text) {
    return Math.min(LONGEST, text.codePointCount(0, text.length()));
  }

  private final class Pace {

    private long began = ticker.nanos();

    void keep() {
      if (ticker.nanos() - began < WORK.toNanos()) {
        return;
      }
      sleeper.sleep(PAUSE, "the check was stopped before it finished");
      began = ticker.nanos();
    }
  }
}
