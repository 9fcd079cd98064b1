package dev.agentmemory.engine.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.Role;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectoryTokensTest {

  private static final Instant CREATED = Instant.ofEpochMilli(1_769_783_400_000L);
  private static final Set<WorkspaceName> SHOP = Set.of(new WorkspaceName("shop"));

  @TempDir private Path data;
  private final AtomicLong nanos = new AtomicLong();
  private final Token owner = Token.draw();
  private final Token secret = Token.draw();

  @BeforeEach
  void writeOwner() {
    owner.write(data);
  }

  private DirectoryTokens tokens() {
    return new DirectoryTokens(data, nanos::get, owner.hash());
  }

  private void create(String name, Role role, Set<WorkspaceName> workspaces, Token token) {
    NamedTokens.change(
        data,
        all ->
            Stream.concat(
                    all.stream(),
                    Stream.of(new NamedToken(name, role, workspaces, CREATED, token.hash())))
                .toList());
  }

  private void passASecond() {
    nanos.addAndGet(1_000_000_000);
  }

  @Test
  void caller_isTheOwnerOrHasItsRoleAndWorkspaces() {
    create("ci", Role.READER, SHOP, secret);
    DirectoryTokens tokens = tokens();
    assertThat(tokens.caller(owner.text())).contains(Caller.OWNER);
    assertThat(tokens.caller(secret.text())).contains(new Caller("ci", Role.READER, SHOP));
    assertThat(tokens.caller(Token.draw().text())).isEmpty();
    assertThat(tokens.caller("")).isEmpty();
    assertThat(tokens.problem()).isEmpty();
  }

  @Test
  void change_isNoticedWithinASecond() {
    DirectoryTokens tokens = tokens();
    create("ci", Role.WRITER, Set.of(), secret);
    passASecond();
    assertThat(tokens.caller(secret.text())).isPresent();
    NamedTokens.change(data, _ -> List.of());
    passASecond();
    assertThat(tokens.caller(secret.text())).isEmpty();
  }

  @Test
  void ownersToken_thatIsReplaced_isNotValidAnyMore() {
    DirectoryTokens tokens = tokens();
    Token next = Token.draw();
    next.write(data);
    passASecond();
    assertThat(tokens.caller(owner.text())).isEmpty();
    assertThat(tokens.caller(next.text())).contains(Caller.OWNER);
  }

  /// The owner is told in the status, so the token with which that is read must go on to work.
  @Test
  void damage_refusesFurtherTokens_butNotTheOwners_andIsTold() throws IOException {
    create("ci", Role.READER, Set.of(), secret);
    DirectoryTokens tokens = tokens();
    Files.writeString(data.resolve(NamedTokens.FILE), "{");
    Files.writeString(data.resolve(Token.FILE), "am1-damaged");
    passASecond();
    assertThat(tokens.caller(secret.text())).isEmpty();
    assertThat(tokens.caller(owner.text())).contains(Caller.OWNER);
    assertThat(tokens.problem().orElseThrow()).contains("tokens.json", "is damaged");
    Files.delete(data.resolve(NamedTokens.FILE));
    owner.write(data);
    passASecond();
    assertThat(tokens.problem()).isEmpty();
  }

  /// Nothing is guessed: without its workspaces a token would be for all.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{\"schema_version\":2,\"tokens\":[]}",
        "{\"schema_version\":1}",
        "{\"schema_version\":1,\"tokens\":[{\"name\":\"a\",\"role\":\"reader\",\"created_ms\":1,\"sha256\":\"HASH\"}]}",
        "{\"schema_version\":1,\"tokens\":[{\"name\":\"a\",\"role\":\"king\",\"workspaces\":[],\"created_ms\":1,\"sha256\":\"HASH\"}]}",
        "{\"schema_version\":1,\"tokens\":[{\"name\":\"a\",\"role\":\"reader\",\"workspaces\":[\"A/B\"],\"created_ms\":1,\"sha256\":\"HASH\"}]}",
        "{\"schema_version\":1,\"tokens\":[{\"name\":\"\",\"role\":\"reader\",\"workspaces\":[],\"created_ms\":1,\"sha256\":\"HASH\"}]}",
        "{\"schema_version\":1,\"tokens\":[{\"name\":\"a\",\"role\":\"reader\",\"workspaces\":[],\"created_ms\":1,\"sha256\":\"abc\"}]}"
      })
  void read_whatWasNotWritten_isDamage(String text) throws IOException {
    Files.writeString(data.resolve(NamedTokens.FILE), text.replace("HASH", "0".repeat(64)));
    assertThatThrownBy(() -> NamedTokens.read(data))
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining("is damaged; restore it from a backup, or delete it");
  }

  @Test
  void change_byManyAtOnce_losesNone() throws Exception {
    try (var threads = Executors.newFixedThreadPool(8)) {
      for (var done :
          threads.invokeAll(
              IntStream.range(0, 40)
                  .mapToObj(i ->
                      Executors.callable(() -> create("t" + i, Role.READER, SHOP, Token.draw())))
                  .toList())) {
        var _ = done.get();
      }
    }
    assertThat(NamedTokens.read(data)).hasSize(40);
    try (Stream<Path> files = Files.list(data)) {
      assertThat(
              files
                  .map(file -> String.valueOf(file.getFileName()))
                  .sorted(Comparator.naturalOrder()))
          .containsExactly("token", "tokens.json", "tokens.lock");
    }
  }
}
