package dev.agentmemory.rocksdb.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.crypto.AEADBadTagException;

/// The file of a manifest.
///
/// ```
/// {"format":1,"id":"000007-20260130T143000Z","workspace":"default",...,"files":[...]}
/// sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
/// ```
///
/// The last line is the checksum of what stands before. In an encrypted backup the first line is
/// the [BackupOutline], and the manifest follows, encrypted for this place and this first line:
///
/// ```
/// {"format":2,"id":"000007-20260130T143000Z","workspace":"default",...,"contents":{...}}
/// encrypted QU1FTkMx...
/// sha256 60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752
/// ```
///
/// @param outline what can be read without a key
/// @param line the first line
/// @param body the manifest, or the encrypted one
record ManifestFile(BackupOutline outline, String line, Body body) {

  private static final int ENCRYPTED_FORMAT = 2;
  private static final String ENCRYPTED = "encrypted ";
  private static final String CHECKSUM = "sha256 ";
  private static final JsonMapper JSON = new JsonMapper();

  /// The manifest, or the encrypted one.
  sealed interface Body {}

  record Plain(BackupManifest manifest) implements Body {}

  record Encrypted(String base64) implements Body {}

  static byte[] plain(BackupManifest manifest) {
    return withChecksum(manifest.json() + "\n");
  }

  static byte[] encrypted(BackupManifest manifest, BackupKey key) {
    ObjectNode json = JSON.createObjectNode();
    json.put("format", ENCRYPTED_FORMAT).put("id", manifest.id());
    json.put("workspace", manifest.workspace()).put("store_id", manifest.storeId());
    json.put("created_at_ms", manifest.createdAt().toEpochMilli()).put("key_id", key.id());
    // By name, so that the order tells nothing about the files.
    var contents = new TreeMap<String, Long>();
    manifest
        .files()
        .forEach(file -> contents.put(file.content(), EncryptedContent.size(file.bytes())));
    ObjectNode list = json.putObject("contents");
    contents.forEach(list::put);
    String line = json.toString();
    byte[] encrypted =
        EncryptedContent.encrypt(
            manifest.json().toString().getBytes(StandardCharsets.UTF_8),
            key,
            place(manifest.workspace(), manifest.id(), line));
    return withChecksum(
        line + "\n" + ENCRYPTED + Base64.getEncoder().encodeToString(encrypted) + "\n");
  }

  private static String place(String workspace, String id, String line) {
    return "manifest\n" + workspace + "\n" + id + "\n" + line;
  }

  private static byte[] withChecksum(String text) {
    String sum = Hashing.of(text.stripTrailing().getBytes(StandardCharsets.UTF_8));
    return (text + CHECKSUM + sum + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /// @throws IOException saying what is wrong with the content
  static ManifestFile decode(byte[] content) throws IOException {
    String text = new String(content, StandardCharsets.UTF_8);
    int end = text.indexOf('\n');
    int sum = text.lastIndexOf("\n" + CHECKSUM);
    if (end < 0 || sum < 0) {
      throw new IOException("its last line, the checksum, is missing");
    }
    String body = text.substring(0, sum);
    if (!new String(withChecksum(body + "\n"), StandardCharsets.UTF_8).equals(text)) {
      throw new IOException("its checksum is wrong");
    }
    String line = text.substring(0, end);
    try {
      JsonNode json = JSON.readTree(line);
      if (json.path("format").asInt() == ENCRYPTED_FORMAT) {
        return new ManifestFile(outline(json), line, new Encrypted(encrypted(body, end)));
      }
      BackupManifest manifest = BackupManifest.of(json);
      return new ManifestFile(outline(manifest), line, new Plain(manifest));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IOException("it is not a backup manifest: " + e.getMessage(), e);
    }
  }

  private static String encrypted(String body, int end) throws IOException {
    if (!body.startsWith("\n" + ENCRYPTED, end)) {
      throw new IOException("its second line, the encrypted part, is missing");
    }
    return body.substring(end + 1 + ENCRYPTED.length());
  }

  private static BackupOutline outline(JsonNode json) {
    var contents = new TreeMap<String, Long>();
    json.path("contents")
        .properties()
        .forEach(content -> contents.put(content.getKey(), content.getValue().asLong()));
    return new BackupOutline(
        json.path("id").asText(),
        json.path("workspace").asText(),
        json.path("store_id").asText(),
        Instant.ofEpochMilli(json.path("created_at_ms").asLong()),
        Optional.of(json.path("key_id").asText()),
        contents);
  }

  private static BackupOutline outline(BackupManifest manifest) {
    Map<String, Long> contents = new TreeMap<>();
    manifest.files().forEach(file -> contents.put(file.content(), file.bytes()));
    return new BackupOutline(
        manifest.id(),
        manifest.workspace(),
        manifest.storeId(),
        manifest.createdAt(),
        Optional.empty(),
        contents);
  }

  /// @throws IOException when it was not written for this backup with this key
  BackupManifest decrypt(Encrypted encrypted, BackupKey key) throws IOException {
    try {
      byte[] bytes = Base64.getDecoder().decode(encrypted.base64());
      byte[] content =
          EncryptedContent.decrypt(bytes, key, place(outline.workspace(), outline.id(), line));
      return BackupManifest.of(JSON.readTree(new String(content, StandardCharsets.UTF_8)));
    } catch (AEADBadTagException e) {
      throw new IOException(e.getMessage(), e);
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IOException("it is not a backup manifest: " + e.getMessage(), e);
    }
  }
}
