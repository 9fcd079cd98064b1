package dev.agentmemory.cli.agent.install;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.agentmemory.agents.Agent;
import dev.agentmemory.text.secret.SecretMask;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Connects one agent, or takes that back. Everything is planned before anything is changed, so a
/// file that cannot be changed leaves all of them as they are.
public final class Installation {

  private final Agent agent;
  private final AgentSite site;
  private final List<SettingsEdit> edits;

  public Installation(Agent agent, AgentSite site) {
    this.agent = agent;
    this.site = site;
    this.edits = AgentEdits.of(agent, site);
  }

  /// What installing would change. An earlier installation is replaced.
  ///
  /// @throws dev.agentmemory.types.MemoryException `CONFLICT` when a file cannot be read as the
  ///   agent would, or must not be changed
  public List<FileChange> planned() {
    return edits.stream().map(this::added).toList();
  }

  private FileChange added(SettingsEdit edit) {
    SettingsFile found = SettingsFile.read(edit.file());
    try {
      Optional<byte[]> before = before(edit, found);
      String text = edit.with(found.text(before));
      byte[] after = text.getBytes(StandardCharsets.UTF_8);
      var backup = new SettingsBackup(agent.id(), edit.file(), before, SettingsFile.digest(after));
      var change = new FileChange(found, Optional.of(after), Optional.of(backup));
      if (change.changes()) {
        found.checkWritable();
      }
      return change;
    } catch (IOException e) {
      throw SettingsFile.refused(edit.file(), reason(e));
    }
  }

  /// The content without our entries, if there is any.
  private Optional<byte[]> before(SettingsEdit edit, SettingsFile found) throws IOException {
    Optional<SettingsBackup> backup = SettingsBackup.find(site, agent.id(), edit.file());
    if (backup.isPresent() && isUntouched(found, backup.get())) {
      return backup.get().before();
    }
    String text = found.text();
    String rest = edit.without(text);
    if (rest.equals(text)) {
      return found.bytes();
    }
    boolean created = backup.isPresent() && backup.get().before().isEmpty();
    return edit.isBare(rest) && (created || edit instanceof SettingsEdit.OwnFile)
        ? Optional.empty()
        : Optional.of(rest.getBytes(StandardCharsets.UTF_8));
  }

  private static boolean isUntouched(SettingsFile found, SettingsBackup backup) {
    return found.bytes().map(SettingsFile::digest).map(backup.after()::equals).orElse(false);
  }

  /// What uninstalling would change.
  public List<FileChange> removal() {
    List<FileChange> changes = new ArrayList<>();
    for (SettingsEdit edit : edits) {
      SettingsFile found = SettingsFile.read(edit.file());
      if (found.bytes().isEmpty()) {
        continue;
      }
      try {
        var change = new FileChange(found, before(edit, found), Optional.empty());
        if (change.changes()) {
          found.checkWritable();
          changes.add(change);
        }
      } catch (IOException e) {
        throw SettingsFile.refused(edit.file(), reason(e));
      }
    }
    return List.copyOf(changes);
  }

  /// Whether our entries are in all of the agent's files.
  public boolean isInstalled() {
    return edits.stream()
        .allMatch(edit -> {
          SettingsFile found = SettingsFile.read(edit.file());
          return found.bytes().isPresent() && edit.isIn(found.text());
        });
  }

  /// Whether they are in one of them.
  public boolean isPartlyInstalled() {
    return edits.stream()
        .anyMatch(edit -> {
          SettingsFile found = SettingsFile.read(edit.file());
          return found.bytes().isPresent() && edit.isIn(found.text());
        });
  }

  /// Makes changes that were planned, first the backup of each.
  public void apply(List<FileChange> changes) throws IOException {
    for (FileChange change : changes) {
      if (change.backup().isPresent()) {
        change.backup().get().write(site);
      }
      change.found().replace(change.after());
    }
  }

  /// Forgets the backups, after an uninstallation.
  public void forget() throws IOException {
    for (SettingsEdit edit : edits) {
      Optional<SettingsBackup> backup = SettingsBackup.find(site, agent.id(), edit.file());
      if (backup.isPresent()) {
        backup.get().delete(site);
      }
    }
  }

  /// The files that an installation changes.
  public List<Path> files() {
    return edits.stream().map(SettingsEdit::file).toList();
  }

  private static String reason(IOException e) {
    String message =
        e instanceof JsonProcessingException broken
            ? "it is not valid JSON: " + broken.getOriginalMessage() + where(broken)
            : String.valueOf(e.getMessage());
    // A parser quotes what it does not understand.
    return new SecretMask().apply(message.lines().findFirst().orElse(message));
  }

  private static String where(JsonProcessingException e) {
    return e.getLocation() == null
        ? ""
        : " (line %d, column %d)"
            .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
  }
}
