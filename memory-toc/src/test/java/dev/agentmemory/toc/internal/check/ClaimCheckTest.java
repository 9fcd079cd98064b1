package dev.agentmemory.toc.internal.check;

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

  private static Optional<ClaimProblem> fault(String text) {
    ClaimSource source = source(1, SAID, "", EventRole.ASSISTANT);
    ClaimSource other = source(2, "Berta wants 7 nodes.", "", EventRole.USER);
    return new ClaimCheck(
            List.of(source), List.of(source), DialogueNames.of(List.of(source, other), List.of()))
        .fault(text);
  }

  private static ClaimSource source(int number, String text, String speaker, EventRole role) {
    return new ClaimSource(number, text, text, speaker, Optional.of(role));
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
  void statement_thatIsNotSaid_hasAFault(String text, ClaimProblem fault) {
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
    ClaimSource source = source(1, piece.repeat(100_000), "", EventRole.TOOL);
    var check =
        new ClaimCheck(
            List.of(source), List.of(source), DialogueNames.of(List.of(source), List.of()));
    assertThat(check.fault("Ana moved the billing service")).isPresent();
    Anchor.find(piece.repeat(500) + " billing service", List.of(source), List.of(source))
        .ifPresent(anchor -> assertThat(source.original()).contains(anchor.excerpt()));
  }

  @Test
  void statement_ofSomebodyElse_hasAFault() {
    ClaimSource ana = source(1, "I adopted a small dog from the shelter", "Ana", EventRole.USER);
    ClaimSource ben = source(2, "I bought a red bicycle", "Ben", EventRole.ASSISTANT);
    DialogueNames names = DialogueNames.of(List.of(ana, ben), List.of());
    var check = new ClaimCheck(List.of(ana), List.of(ana), names);
    assertThat(check.fault("Ana adopted a small dog")).isEmpty();
    assertThat(check.fault("Ben adopted a small dog")).contains(ClaimProblem.SPEAKER);
  }

  @Test
  void name_fromWhatWasSaidBefore_isKnown() {
    ClaimSource source = source(1, "She moved the billing service", "", EventRole.USER);
    DialogueNames names = DialogueNames.of(List.of(source), List.of("Carla is back"));
    var check = new ClaimCheck(List.of(source), List.of(source), names);
    assertThat(check.fault("Carla moved the billing service")).isEmpty();
    assertThat(check.fault("Doris moved the billing service")).contains(ClaimProblem.NAME);
  }

  private static Optional<ClaimProblem> fault(String said, String claimed) {
    ClaimSource source = source(1, said, "", EventRole.USER);
    return new ClaimCheck(
            List.of(source), List.of(source), DialogueNames.of(List.of(source), List.of()))
        .fault(claimed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Should we delete the production database tonight? | We delete the production database tonight. | OPEN",
        "If the test is red we roll back the release to 1.2. | We roll back the release to 1.2. | OPEN",
        "If the test is red, we roll back the release to 1.2. | We roll back the release to 1.2. | OPEN",
        "We roll back the release to 1.2 unless Ana objects. | We roll back the release to 1.2. | OPEN",
        "When the test is red we roll back the release. | We roll back the release. | OPEN",
        "Wenn der Test rot ist, rollen wir das Release zurück. | Wir rollen das Release zurück. | OPEN",
        "Falls der Test rot ist, rollen wir das Release zurück. | Wir rollen das Release zurück. | OPEN",
        "We rejected the deployment | We approved the deployment | NEGATION",
        "We approved the deployment | The deployment was denied | NEGATION",
        "They granted Ana access to the vault | They denied Ana access to the vault | NEGATION",
        "It took fifteen minutes | It took thirteen minutes | NUMBER",
        "It took fifteen minutes | It took one minute | NUMBER",
        "It took twenty-five minutes | It took twenty minutes | NUMBER",
        "It took the whole test run | It took half the test run | NUMBER",
        "It is -20 degrees in Oslo | It is 20 degrees in Oslo | NUMBER",
        "It is 20 degrees in Oslo | It is minus 20 degrees in Oslo | NUMBER",
        "The server costs $500 | The server costs €500 | NUMBER",
        "The server costs 500 dollars | The server costs £500 | NUMBER",
        "It took 40 ms with 40 threads | It took 40 s | NUMBER",
        "It ran with 40 threads | It ran with 40 s | NUMBER",
        "The city has 5 million visitors | The city has 5 visitors | NUMBER",
      })
  void statement_thatIsTwisted_hasAFault(String said, String claimed, ClaimProblem fault) {
    assertThat(fault(said, claimed)).contains(fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Should we delete the production database tonight? | The user asked whether to delete the production database tonight",
        "Should we delete the database? We delete the database tonight. | We delete the database tonight.",
        "If the test is red we roll back the release to 1.2. | If the test is red, the release is rolled back to 1.2",
        "When I was in Paris I bought a red bicycle. | A red bicycle was bought in Paris",
        "I fixed the proxy, let me know if it breaks. | The proxy is fixed",
        "We approved the deployment | They approved the deployment",
        "The build took fifteen minutes | The build took 15 minutes",
        "It took twenty-five minutes | It took 25 minutes",
        "It takes 5 to 10 minutes | It takes 5 to 10 minutes",
        "It takes about an hour | It takes one hour",
        "It is -20 degrees in Oslo | It is minus 20 degrees in Oslo",
        "The server costs $500 | The server costs 500 dollars",
        "The company paid $5 million | The company paid $5 million",
        "It took 40 ms with 40 threads | It took 40 ms with 40 threads",
        "The timeout of the proxy has a limit of 40 | The timeout of the proxy has a limit of 40 ms",
        "I like the red bicycle most | One bicycle they like most is red",
      })
  void statement_thatIsNotTwisted_isBorne(String said, String claimed) {
    assertThat(fault(said, claimed)).isEmpty();
  }
}
