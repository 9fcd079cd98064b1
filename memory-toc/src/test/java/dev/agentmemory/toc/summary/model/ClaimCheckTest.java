package dev.agentmemory.toc.summary.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.types.EventRole;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a statement may say given one event.
class ClaimCheckTest {

  private static final String SAID =
      "I set max_idle to 40 in src/billing/Pool.java, which took 95 ms with PostgreSQL 16."
          + " We decided not to deploy on Monday. Ana is unable to log in."
          + " Should we drop the cache? It does not fail any more. We enabled retries for 3 services.";

  private static Optional<Fault> fault(String text) {
    Source source = source(1, SAID, "", EventRole.ASSISTANT);
    Source other = source(2, "Berta wants 7 nodes.", "", EventRole.USER);
    return new ClaimCheck(
            List.of(source), List.of(source), Scene.of(List.of(source, other), List.of()))
        .fault(text);
  }

  private static Source source(int number, String text, String speaker, EventRole role) {
    return new Source(number, text, text, speaker, Optional.of(role));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "max_idle was set to 40 in src/billing/Pool.java",
        "max_idle is 40 in Pool.java",
        "It took 95 ms with PostgreSQL",
        "They decided not to deploy on Monday",
        "No deploy on Monday",
        "Ana is unable to log in",
        "Ana can't log in",
        "It doesn't fail any more",
        "Retries are enabled for three services",
        "The assistant set max_idle to 40",
      })
  void statement_thatIsSaid_isBorne(String text) {
    assertThat(fault(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "max_idle was set to 41 in src/billing/Pool.java | NUMBER",
        "It took 95 s with PostgreSQL | NUMBER",
        "Retries are enabled for five services | NUMBER",
        "max_idle was set to 4 in src/billing/Pool.java | NUMBER",
        "max_idle was set to 7 in src/billing/Pool.java | NUMBER",
        "max_open was set to 40 in src/billing/Pool.java | IDENTIFIER",
        "max_idle was set to 40 in src/orders/Pool.java | IDENTIFIER",
        "maxIdle was set to 40 | IDENTIFIER",
        "It took 95 ms with Oracle | NAME",
        "Zoe is unable to log in | NAME",
        "They decided to deploy on Monday | NEGATION",
        "Deploy on Monday | NEGATION",
        "Ana is able to log in | NEGATION",
        "It fails | NEGATION",
        "We disabled retries for 3 services | NEGATION",
        "The user set max_idle to 40 | SPEAKER",
        "max_idle was set to 40 in p\u0430ths | SCRIPT",
        "The moon is made of green cheese | CONTENT",
        "Ana is unable to pay rent, buy food or leave town | CONTENT",
        "… | CONTENT",
      })
  void statement_thatIsNotSaid_hasAFault(String text, Fault fault) {
    assertThat(fault(text)).contains(fault);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1,",
        "a.b.",
        "not without ",
        "((",
        "\"- ",
        "a\u0301\u0301",
        "[masked:",
        "\n\n",
        "不"
      })
  void evidence_thatIsHostile_isReadToTheEnd(String piece) {
    Source source = source(1, piece.repeat(100_000), "", EventRole.TOOL);
    var check =
        new ClaimCheck(List.of(source), List.of(source), Scene.of(List.of(source), List.of()));
    assertThat(check.fault("Ana moved the billing service")).isPresent();
    Anchor.find(piece.repeat(500) + " billing service", List.of(source), List.of(source))
        .ifPresent(anchor -> assertThat(source.original()).contains(anchor.excerpt()));
  }

  @Test
  void statement_ofSomebodyElse_hasAFault() {
    Source ana = source(1, "I adopted a small dog from the shelter", "Ana", EventRole.USER);
    Source ben = source(2, "I bought a red bicycle", "Ben", EventRole.ASSISTANT);
    Scene scene = Scene.of(List.of(ana, ben), List.of());
    var check = new ClaimCheck(List.of(ana), List.of(ana), scene);
    assertThat(check.fault("Ana adopted a small dog")).isEmpty();
    assertThat(check.fault("Ben adopted a small dog")).contains(Fault.SPEAKER);
  }

  @Test
  void name_fromWhatWasSaidBefore_isKnown() {
    Source source = source(1, "She moved the billing service", "", EventRole.USER);
    Scene scene = Scene.of(List.of(source), List.of("Carla is back"));
    var check = new ClaimCheck(List.of(source), List.of(source), scene);
    assertThat(check.fault("Carla moved the billing service")).isEmpty();
    assertThat(check.fault("Doris moved the billing service")).contains(Fault.NAME);
  }
}
