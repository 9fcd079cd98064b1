package dev.agentmemory.engine.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.access.Role;
import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;

/// The further tokens of a data directory, in its file `tokens.json`:
///
/// ```
/// {"schema_version":1,"tokens":[{"name":"ci","role":"reader","workspaces":["shop"],
///  "created_ms":1769783400000,"sha256":"9f86…"}]}
/// ```
public final class NamedTokens {

  /// Its name in the data directory.
  public static final String FILE = "tokens.json";

  private static final String LOCK = "tokens.lock";
  private static final int VERSION = 1;
  private static final int MOST_BYTES = 1 << 20;
  private static final JsonMapper JSON = new JsonMapper();

  /// A lock of a file keeps other processes out, but fails where this one has it already.
  private static final Mutex TURN = new Mutex();

  private NamedTokens() {}

  /// Those of a directory, in the order in which they were made.
  ///
  /// @throws MemoryException `CONFLICT` when the file is damaged or of a newer version
  public static List<NamedToken> read(Path directory) {
    Path file = directory.resolve(FILE);
    try {
      return parse(JSON.readTree(DurableFile.read(file, MOST_BYTES)));
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "the file %s is damaged; restore it from a backup, or delete it and create its tokens again"
              .formatted(file),
          e);
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "cannot read %s (%s); check its permissions".formatted(file, e.getMessage()),
          e);
    }
  }

  /// Changes the tokens of a directory. Others that change them at the same time wait.
  public static void change(Path directory, UnaryOperator<List<NamedToken>> change) {
    Set<OpenOption> asIs =
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    Path file = directory.resolve(LOCK);
    try (var _ = TURN.hold();
        FileChannel channel = FileChannel.open(file, asIs, DurableFile.ownerOnly(file));
        FileLock _ = channel.lock()) {
      write(directory, change.apply(read(directory)));
    } catch (IOException e) {
      throw OwnDirectory.unusable(directory, e);
    }
  }

  private static void write(Path directory, List<NamedToken> tokens) throws IOException {
    ObjectNode json = JSON.createObjectNode().put("schema_version", VERSION);
    ArrayNode all = json.putArray("tokens");
    for (NamedToken one : tokens) {
      ObjectNode token =
          all.addObject().put("name", one.name()).put("role", String.valueOf(one.role()));
      ArrayNode workspaces = token.putArray("workspaces");
      one.workspaces().stream().sorted().forEach(name -> workspaces.add(name.value()));
      token.put("created_ms", one.created().toEpochMilli()).put("sha256", one.hash().hex());
    }
    DurableFile.write(directory.resolve(FILE), json + "\n");
  }

  private static List<NamedToken> parse(JsonNode json) {
    if (json.path("schema_version").asInt() != VERSION || !json.path("tokens").isArray()) {
      throw new IllegalArgumentException("no list of tokens of version " + VERSION);
    }
    List<NamedToken> tokens = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (JsonNode one : json.path("tokens")) {
      NamedToken token = token(one);
      if (!names.add(token.name())) {
        throw new IllegalArgumentException("two tokens with one name");
      }
      tokens.add(token);
    }
    return List.copyOf(tokens);
  }

  /// @throws IllegalArgumentException when something is missing. Nothing is guessed: a token
  ///   without workspaces would be for all of them
  private static NamedToken token(JsonNode json) {
    JsonNode listed = json.path("workspaces");
    TokenHash hash = new TokenHash(json.path("sha256").asText());
    if (!listed.isArray() || !json.path("created_ms").isIntegralNumber()) {
      throw new IllegalArgumentException("a token is incomplete");
    }
    Set<WorkspaceName> workspaces = new HashSet<>();
    listed.forEach(name -> workspaces.add(new WorkspaceName(name.asText())));
    return new NamedToken(
        json.path("name").asText(),
        Role.valueOf(json.path("role").asText().toUpperCase(Locale.ROOT)),
        workspaces,
        Instant.ofEpochMilli(json.path("created_ms").asLong()),
        hash);
  }
}
