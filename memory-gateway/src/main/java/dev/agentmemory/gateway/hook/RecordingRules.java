package dev.agentmemory.gateway.hook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.agents.project.AgentFiles;
import dev.agentmemory.agents.project.ExcludedProjects;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Decides what is recorded. Nothing is of an excluded project, of one with an ignore file, while
/// `capture.json` says so or cannot be read, and of a private session from its first prompt on.
final class RecordingRules {

  private static final JsonMapper JSON = new JsonMapper();
  private static final int MOST_OPEN = 4096;

  private final Path capture;
  private final ExcludedProjects excluded;
  private final Optional<String> word;
  private final Path privateFile;
  private final Mutex lock = new Mutex();

  /// Sessions whose first prompt did not have the word. The oldest are forgotten.
  private final Set<String> open = new LinkedHashSet<>();

  /// Sessions whose first prompt had it. None is forgotten.
  private final Set<String> hidden = new LinkedHashSet<>();

  RecordingRules(HookConfig config) {
    capture = config.data().resolve("capture.json");
    excluded = new ExcludedProjects(config.agents().excluded());
    word = config.agents().privateWord();
    privateFile = AgentFiles.folder(config.data()).resolve("private.txt");
    hidden.addAll(AgentFiles.lines(privateFile));
  }

  boolean records(Path directory, WorkspaceName workspace) {
    return !excluded.contains(directory) && !isOff(workspace);
  }

  private boolean isOff(WorkspaceName workspace) {
    try {
      JsonNode fields = JSON.readTree(Files.readAllBytes(capture));
      for (JsonNode project : fields.path("projects")) {
        if (project.asText().equals(workspace.value())) {
          return true;
        }
      }
      // An empty file is what a crash can leave of one.
      return !fields.isObject() || fields.path("off").asBoolean();
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      // Somebody has switched something off; what it was cannot be known.
      return true;
    }
  }

  /// The events without those of private sessions.
  List<Event> admitted(List<Event> events) {
    return events.stream().filter(this::admits).toList();
  }

  private boolean admits(Event event) {
    if (event.type() == EventType.USER_MESSAGE && event.role() == EventRole.USER) {
      prompt(event.session(), event.text());
    }
    return !isPrivate(event.session());
  }

  boolean isPrivate(SessionId session) {
    try (var _ = lock.hold()) {
      return hidden.contains(root(session));
    }
  }

  long privateSessions() {
    try (var _ = lock.hold()) {
      return hidden.size();
    }
  }

  private void prompt(SessionId session, String text) {
    String root = root(session);
    try (var _ = lock.hold()) {
      if (hidden.contains(root) || open.contains(root)) {
        return;
      }
      if (word.filter(text::contains).isPresent()) {
        hidden.add(root);
        AgentFiles.replace(privateFile, List.copyOf(hidden));
        return;
      }
      open.add(root);
      if (open.size() > MOST_OPEN) {
        open.remove(open.iterator().next());
      }
    }
  }

  /// Subagents belong to the session that started them.
  private static String root(SessionId session) {
    int mark = session.value().indexOf(':');
    return mark > 0 ? session.value().substring(0, mark) : session.value();
  }
}
