package dev.agentmemory.engine.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.audit.AuditAct;
import dev.agentmemory.api.audit.AuditActor;
import dev.agentmemory.api.audit.AuditEntry;
import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The settings of the last start, of which only digests are kept, in the file
/// `audit.settings.json`:
///
/// ```
/// {"schema_version":1,"salt":"5f3a…","settings":{"toc.zone":"9c1d…"}}
/// ```
///
/// Settings with their defaults are not in it, so that a file that is missing, or damaged, stands
/// for defaults: the next start records all others as changed.
public final class RecordedSettings {

  /// Its name in the data directory.
  public static final String FILE = "audit.settings.json";

  private static final Logger LOG = LoggerFactory.getLogger(RecordedSettings.class);
  private static final int VERSION = 1;
  private static final int MOST_BYTES = 1 << 20;
  private static final int SALT_BYTES = 16;
  private static final JsonMapper JSON = new JsonMapper();

  private final AuditLog log;
  private final Path directory;
  private final RandomGenerator random;

  /// @param directory the data directory
  /// @param random for the salt, which keeps equal values of two directories apart
  public RecordedSettings(AuditLog log, Path directory, RandomGenerator random) {
    this.log = log;
    this.directory = directory;
    this.random = random;
  }

  private record Former(String salt, Map<String, String> digests) {}

  /// Records which settings differ from those of the last start, by name. Where that is not
  /// possible, the log has it as its problem.
  ///
  /// @param settings the values by key, without those that are defaults
  public void compare(Map<String, String> settings) {
    Former former = read();
    Map<String, String> digests = new TreeMap<>();
    settings.forEach((key, value) -> digests.put(key, digest(former.salt(), key, value)));
    var changed = new TreeSet<String>(digests.keySet());
    changed.addAll(former.digests().keySet());
    changed.removeIf(key -> Objects.equals(digests.get(key), former.digests().get(key)));
    if (changed.isEmpty()) {
      return;
    }
    try {
      // First: a start that is cut off in between records the change again.
      long _ =
          log.record(
              AuditEntry.begin(AuditAct.CONFIGURATION_CHANGE, AuditActor.DAEMON)
                  .withDetails(
                      Map.of(
                          "changed",
                          Integer.toString(changed.size()),
                          "settings",
                          String.join(" ", changed)))
                  .ok());
      write(new Former(former.salt(), digests));
    } catch (MemoryException e) {
      log.missed("a change of settings is not recorded: " + e.getMessage());
    } catch (IOException e) {
      LOG.error("{} cannot be written", directory.resolve(FILE), e);
      log.missed(
          "the file %s cannot be written, so the next start records the same change of settings again; check its permissions and the free disk space"
              .formatted(directory.resolve(FILE)));
    }
  }

  private Former read() {
    try {
      JsonNode json = JSON.readTree(DurableFile.read(directory.resolve(FILE), MOST_BYTES));
      String salt = json.path("salt").asText();
      if (json.path("schema_version").asInt() == VERSION && !salt.isEmpty()) {
        Map<String, String> digests = new TreeMap<>();
        json.path("settings")
            .properties()
            .forEach(one -> digests.put(one.getKey(), one.getValue().asText()));
        return new Former(salt, digests);
      }
      LOG.warn("{} is damaged and written again", directory.resolve(FILE));
    } catch (NoSuchFileException e) {
      LOG.debug("there is no record of settings yet", e);
    } catch (JsonProcessingException e) {
      LOG.warn("{} is damaged and written again", directory.resolve(FILE), e);
    } catch (IOException e) {
      LOG.error("{} cannot be read and is written again", directory.resolve(FILE), e);
    }
    byte[] salt = new byte[SALT_BYTES];
    random.nextBytes(salt);
    return new Former(HexFormat.of().formatHex(salt), Map.of());
  }

  private void write(Former now) throws IOException {
    ObjectNode json =
        JSON.createObjectNode().put("schema_version", VERSION).put("salt", now.salt());
    ObjectNode settings = json.putObject("settings");
    now.digests().forEach(settings::put);
    DurableFile.write(directory.resolve(FILE), json + "\n");
  }

  private static String digest(String salt, String key, String value) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest((salt + " " + key + " " + value).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java runtime has SHA-256", e);
    }
  }
}
