package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.engine.data.NamedTokens;
import dev.agentmemory.engine.data.Token;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenCommandTest {

  @TempDir private Path folder;
  private Cli cli;

  @BeforeEach
  void claim() {
    cli = new Cli(folder);
  }

  private void start() throws IOException {
    var _ = cli.claimed();
    Token.draw().write(cli.data());
  }

  @Test
  void create_beforeTheFirstStart_namesTheRemedy() {
    Cli.Said said = cli.run("token", "create", "ci", "--role", "reader");
    assertThat(said.code()).isEqualTo(ExitCodes.FAILED);
    assertThat(said.err()).contains("has no tokens yet; `memory start` creates it");
  }

  @Test
  void create_printsTheTokenOnce_andStoresItsHash() throws IOException {
    start();
    Cli.Said said =
        cli.run(
            "token",
            "create",
            "ci",
            "--role",
            "writer",
            "--workspace",
            "shop",
            "--workspace",
            "bank");
    assertThat(said.out()).matches("am1-[0-9a-f]{64}-[0-9a-f]{8}\n");
    assertThat(NamedTokens.read(cli.data()))
        .singleElement()
        .satisfies(
            token -> assertThat(token.hash()).isEqualTo(new Token(said.out().strip()).hash()));

    JsonNode listed =
        new JsonMapper().readTree(cli.run("token", "list", "--json").out()).path("tokens");
    assertThat(listed).hasSize(1);
    assertThat(listed.get(0).path("role").asText()).isEqualTo("writer");
    assertThat(listed.get(0).path("workspaces"))
        .map(JsonNode::asText)
        .containsExactly("bank", "shop");
    assertThat(cli.run("token", "list").out())
        .containsPattern("ci +writer +.*bank, shop")
        .doesNotContain("am1-");
  }

  @Test
  void rotate_keepsTheRights_andReplacesTheSecret() throws IOException {
    start();
    String first = cli.run("token", "create", "ci", "--role", "reader").out().strip();
    String second = cli.run("token", "rotate", "ci").out().strip();
    assertThat(second).isNotEqualTo(first);
    assertThat(NamedTokens.read(cli.data()))
        .singleElement()
        .satisfies(token -> assertThat(token.hash()).isEqualTo(new Token(second).hash()));
  }

  @Test
  void rotate_withoutAName_replacesTheOwnersToken_andDoesNotPrintIt() throws IOException {
    start();
    String first = Token.read(cli.data()).orElseThrow().text();
    Cli.Said said = cli.run("token", "rotate");
    assertThat(said.out()).contains("the owner's token is replaced").doesNotContain("am1-");
    assertThat(Token.read(cli.data()).orElseThrow().text()).isNotEqualTo(first);
  }

  @Test
  void names_thatAreTakenUnknownOrNone_areRefusedWithTheRemedy() throws IOException {
    start();
    assertThat(cli.run("token", "create", "ci", "--role", "reader").code()).isZero();
    assertThat(cli.run("token", "create", "ci", "--role", "reader").err())
        .contains("there is a token ci already; `memory token rotate ci` replaces it");
    assertThat(cli.run("token", "revoke", "other").err())
        .contains("there is no token other; `memory token list` lists them");
    assertThat(cli.run("token", "create", "A b", "--role", "reader").err())
        .contains("NAME: is not a token's name; use 1 to 64 of");
    assertThat(cli.run("token", "create", "x", "--role", "king").code()).isEqualTo(ExitCodes.USAGE);
    assertThat(cli.run("token", "revoke", "ci").code()).isZero();
    assertThat(NamedTokens.read(cli.data())).isEmpty();
  }
}
