package dev.agentmemory.agents.transcript;

import dev.agentmemory.agents.Agent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The folders below which agents keep their transcripts.
///
/// A hook's payload names a file, and whoever can post can name any. So only a regular file of this
/// user below one of these folders is read, and no link leads to it.
public final class TranscriptRoots {

  private final Path home;
  private final Map<String, String> environment;

  /// @param home the user's home directory
  /// @param environment variables that move the folders, such as `CLAUDE_CONFIG_DIR`
  public TranscriptRoots(Path home, Map<String, String> environment) {
    this.home = home.toAbsolutePath().normalize();
    this.environment = Map.copyOf(environment);
  }

  /// The folders of an agent, whether or not they exist. That of a variable comes beside the
  /// default: the daemon and the agent may run with other variables.
  public List<Path> of(Agent agent) {
    return switch (agent) {
      case CLAUDE_CODE -> folders("CLAUDE_CONFIG_DIR", ".claude", "projects");
      case CODEX -> folders("CODEX_HOME", ".codex", "sessions");
      case GEMINI -> folders("GEMINI_CLI_HOME", ".gemini", "tmp");
      case COPILOT -> folders("COPILOT_HOME", ".copilot", "session-state");
      case CURSOR -> List.of(home.resolve(".cursor/projects"));
      case OPENCODE -> folders("XDG_DATA_HOME", ".local/share", "opencode");
    };
  }

  private List<Path> folders(String variable, String standard, String folder) {
    List<Path> folders = new ArrayList<>();
    folders.add(home.resolve(standard).resolve(folder));
    moved(variable)
        .map(place -> variable.equals("GEMINI_CLI_HOME") ? place.resolve(".gemini") : place)
        .map(place -> place.resolve(folder))
        .filter(place -> !folders.contains(place))
        .ifPresent(folders::add);
    return List.copyOf(folders);
  }

  private Optional<Path> moved(String variable) {
    try {
      return Optional.ofNullable(environment.get(variable))
          .filter(text -> !text.isBlank())
          .map(Path::of)
          .filter(Path::isAbsolute)
          .map(Path::normalize);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /// Whether a transcript that a hook names may be read. Links above an agent's folder are the
  /// user's own affair; below it there may be none. The path that a check gives can be checked
  /// again.
  public Check check(Agent agent, Path named) {
    if (!named.isAbsolute()) {
      return new Check.Refused("is not absolute");
    }
    Path file = named.normalize();
    for (Path root : of(agent)) {
      Path real = real(root);
      for (Path above : List.of(root, real)) {
        if (file.startsWith(above) && !file.equals(above)) {
          return checked(real.resolve(above.relativize(file)));
        }
      }
    }
    return new Check.Refused("is not below a folder of " + agent.id());
  }

  private static Path real(Path root) {
    try {
      return root.toRealPath();
    } catch (IOException e) {
      return root;
    }
  }

  private Check checked(Path file) {
    try {
      if (!file.toRealPath().equals(file)) {
        return new Check.Refused("is reached by a link");
      }
      BasicFileAttributes attributes =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!attributes.isRegularFile()) {
        return new Check.Refused("is no regular file");
      }
      return isOwn(file) ? new Check.Allowed(file) : new Check.Refused("belongs to another user");
    } catch (NoSuchFileException e) {
      return new Check.Absent(file);
    } catch (IOException e) {
      return new Check.Refused("cannot be read");
    }
  }

  /// The user is the one that this process has, or the one whose home directory it was given.
  private boolean isOwn(Path file) throws IOException {
    String owner = Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).getName();
    return owner.equals(System.getProperty("user.name"))
        || owner.equals(Files.getOwner(home).getName());
  }

  /// The result of a check.
  public sealed interface Check {

    /// @param file the real path
    record Allowed(Path file) implements Check {}

    /// There is no such file, yet or any more.
    ///
    /// @param file the real path that it will have
    record Absent(Path file) implements Check {}

    /// @param reason what is wrong with it, without the path
    record Refused(String reason) implements Check {}
  }

  /// All transcripts of an agent that may be read, subagents' included. Links are not followed.
  public FoundTranscripts files(Agent agent) {
    List<Path> roots = of(agent).stream().filter(Files::isDirectory).toList();
    return FoundTranscripts.below(
        roots, Integer.MAX_VALUE, file -> isTranscript(agent, roots, file));
  }

  private boolean isTranscript(Agent agent, List<Path> roots, Path file) {
    return roots.stream()
            .filter(file::startsWith)
            .anyMatch(root -> isTranscript(agent, root.relativize(file).toString()))
        && check(agent, file) instanceof Check.Allowed;
  }

  /// Whether a file below a root is a transcript, by its name.
  static boolean isTranscript(Agent agent, String path) {
    return switch (agent) {
      case CLAUDE_CODE -> path.endsWith(".jsonl");
      case CODEX -> path.matches("(?s).*rollout-[^/]*\\.jsonl");
      case GEMINI -> path.matches("(?s).*chats/session-[^/]*\\.jsonl?");
      case COPILOT -> path.endsWith("events.jsonl");
      case CURSOR -> path.matches("(?s).*agent-transcripts/.*\\.jsonl");
      case OPENCODE -> false;
    };
  }
}
