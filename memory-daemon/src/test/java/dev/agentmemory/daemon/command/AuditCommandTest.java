package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.engine.audit.AuditLog;
import dev.agentmemory.engine.data.NamedTokens;
import dev.agentmemory.engine.data.Token;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The audit log of a directory that no daemon has.
class AuditCommandTest {

  @TempDir private Path folder;
  private Cli cli;

  @BeforeEach
  void claim() throws IOException {
    cli = new Cli(folder);
    var _ = cli.claimed();
    Token.draw().write(cli.data());
  }

  private void make(String... names) {
    for (String name : names) {
      assertThat(cli.run("token", "create", name, "--role", "reader").code()).isZero();
    }
  }

  private JsonNode json(String... more) throws IOException {
    String[] all = new String[more.length + 2];
    all[0] = "audit";
    all[1] = "--json";
    System.arraycopy(more, 0, all, 2, more.length);
    return new JsonMapper().readTree(cli.run(all).out());
  }

  @Test
  void nothingRecorded_saysSo() {
    assertThat(cli.run("audit")).isEqualTo(new Cli.Said(ExitCodes.OK, "nothing is recorded\n", ""));
  }

  @Test
  void acts_areListedTheNewestLast_andLimitTakesTheLast() throws IOException {
    make("a", "b", "c");
    JsonNode two = json("--limit", "2").path("entries");
    assertThat(two).hasSize(2);
    assertThat(two.get(0).at("/details/token").asText()).isEqualTo("b");
    assertThat(two.get(1).at("/details/token").asText()).isEqualTo("c");
    assertThat(two.get(1).at("/details/role").asText()).isEqualTo("reader");
    assertThat(two.get(1).path("actor").asText()).isEqualTo("cli");
    assertThat(two.get(1).path("outcome").asText()).isEqualTo("ok");
    assertThat(cli.run("audit").out())
        .containsSubsequence("TIME (UTC)", "token_create", "token=a", "token=b", "token=c");
  }

  @Test
  void since_laterThanAll_listsNothing() throws IOException {
    make("a");
    assertThat(json("--since", "2999").path("entries")).isEmpty();
    assertThat(json("--since", "1d").path("entries")).hasSize(1);
    assertThat(cli.run("audit", "--since", "soon").err()).contains("--since", "expected a time");
  }

  @Test
  void tornLine_isToldBesideTheOthers() throws IOException {
    make("a");
    Files.writeString(
        cli.data().resolve(AuditLog.FILE), "{\"number\":3,\"ti", StandardOpenOption.APPEND);
    Cli.Said said = cli.run("audit");
    assertThat(said.code()).isEqualTo(ExitCodes.OK);
    assertThat(said.out()).contains("token=a");
    assertThat(said.err().replace("\n", " "))
        .contains("1 line of the audit log cannot be read; a crash may have cut it off");
    assertThat(json().path("unreadable_lines").asInt()).isEqualTo(1);
  }

  @Test
  void logThatCannotBeWritten_refusesTheToken() throws IOException {
    Path elsewhere = folder.resolve("elsewhere");
    Files.createSymbolicLink(cli.data().resolve(AuditLog.FILE), elsewhere);
    Cli.Said said = cli.run("token", "create", "a", "--role", "reader");
    assertThat(said.code()).isEqualTo(ExitCodes.FAILED);
    assertThat(said.err().replace("\n", " "))
        .contains("an act that cannot be recorded is not done");
    assertThat(NamedTokens.read(cli.data())).isEmpty();
    assertThat(elsewhere).doesNotExist();
  }

  /// Whoever mistakes the two gives the token, which nothing but its owner may have.
  @Test
  void tokenGivenInPlaceOfItsName_isNotRecorded() throws IOException {
    String secret = cli.run("token", "create", "a", "--role", "reader").out().strip();
    assertThat(cli.run("token", "revoke", secret).code()).isEqualTo(ExitCodes.FAILED);
    assertThat(cli.run("token", "rotate", secret).code()).isEqualTo(ExitCodes.FAILED);
    assertThat(Files.readString(cli.data().resolve(AuditLog.FILE))).doesNotContain(secret);
    assertThat(cli.run("token", "rotate").code()).isZero();
    assertThat(cli.run("token", "revoke", "a").code()).isZero();
    assertThat(json().path("entries").findValuesAsText("act"))
        .containsExactly("token_create", "token_rotate", "token_revoke");
  }
}
