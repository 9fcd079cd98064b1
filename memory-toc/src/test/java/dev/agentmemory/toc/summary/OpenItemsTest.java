package dev.agentmemory.toc.summary;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenItemsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TODO: migrate the second table",
        "Open: who owns the certificate",
        "Open question: do we need the old endpoint?",
        "Remaining: docs and the changelog",
        "Remaining work is the Windows build.",
        "Next step is to move the callers.",
        "Next steps: wire the flag into the CLI",
        "Follow-up: delete the shim after the release",
        "Blocked on the review of the schema",
        "Waiting for: the vendor's answer about quotas",
        "Pending - rotation of the signing key",
        "Unresolved: the race in the watcher",
        "Deferred: pagination of the audit log",
        "Not done: the upgrade of the parser",
        "For tomorrow: tell the supplier about the wrong leader",
        "To be decided by you: whether the hash chain is worth its lock",
        "One question remains for Monday: `/c/02` works only by accident.",
        "What remains is the alarm for evictions.",
        "What is left: the second replica",
        "What is left is the second replica.",
        "Still missing: the elevation of the stops.",
        "The flaky test still fails on CI.",
        "The importer still needs a progress bar.",
        "We still have to rename the column.",
        "The Windows build is still broken.",
        "A test for the empty file is still missing.",
        "The retry of uploads is not implemented yet.",
        "The second replica is not yet in the pool.",
        "The question of ownership remains open.",
        "Two of the nine warnings remain to be fixed.",
        "The cleanup will follow in a later change.",
        "Encryption of backups has to wait for the new key store.",
        "The deployment is blocked by the expired certificate.",
        "Documentation of the flags is left to do.",
        "The leak in the pool isn't solved; it is unresolved.",
      })
  void sentence_thatSaysWhatIsLeft_isOpen(String sentence) {
    assertThat(OpenItems.isOpen(sentence)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Opened the socket before the fork.",
        "The retry policy uses full jitter.",
        "Open the file with O_APPEND.",
        "To do this we split the table.",
        "Waiting for the port fixed the flaky test.",
        "Deferred loading is on.",
        "The decision was deferred to the owner.",
        "Left joins are slower here.",
        "Replaced the pending queue by a ring buffer.",
        "All remaining tests pass now.",
        "Remaining tests pass now.",
        "The next step of the pipeline reads the index.",
        "Blocking calls moved to a pool of their own.",
        "The circuit breaker stays open for 30 s.",
        "Fixed the flaky test by waiting for the port.",
        "Nothing is broken any more.",
        "The todo list widget renders in 4 ms.",
        "The connection pool waits for a free slot.",
      })
  void sentence_thatSaysWhatIsDone_isNotOpen(String sentence) {
    assertThat(OpenItems.isOpen(sentence)).isFalse();
  }

  @Test
  void subject_isWhatFollowsALabel() {
    assertThat(OpenItems.subject("Next step: wire the flag").strip()).isEqualTo(": wire the flag");
    assertThat(OpenItems.subject("The flaky test still fails."))
        .isEqualTo("The flaky test still fails.");
  }

  @Test
  void sentenceWithADenial_denies() {
    assertThat(OpenItems.denies("The alarm doesn’t exist.")).isTrue();
    assertThat(OpenItems.denies("I have not added the alarm.")).isTrue();
    assertThat(OpenItems.denies("Notes of the alarm are in the handbook.")).isFalse();
  }
}
