package dev.agentmemory.agents.recording;

import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.agents.event.Origin;
import dev.agentmemory.agents.internal.CapturedText;
import dev.agentmemory.agents.project.AgentFiles;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The sessions whose first prompt has a word, with their subagents and forks. Which they are is
/// kept in the folder `agents`, so that a restart in the middle of a session changes nothing:
///
/// ```
/// private-word.txt   the word if it is not the usual one; an empty line for none
/// private.txt        private sessions, one a line; the daemon and `memory import` add to it
/// open.txt           sessions whose first prompt did not have the word, the newest of them
/// ```
final class PrivateSessions {

  /// Of more, the oldest are forgotten: the word in a later prompt makes them private then.
  static final int MOST_OPEN = 4096;

  private static final String CLEAR = "clear";

  private final Optional<String> word;
  private final Keeping keeping;
  private final Path hiddenFile;
  private final Path openFile;
  private final Mutex lock = new Mutex();
  private final Set<String> open = new LinkedHashSet<>();
  private int openLines;

  /// Sessions whose first prompt had it. None is forgotten.
  private final Set<String> hidden = new LinkedHashSet<>();

  private long hiddenBytes = -1;

  /// What is kept in files.
  enum Keeping {
    ALL,
    PRIVATE,
    NOTHING
  }

  PrivateSessions(Path data, Optional<String> word, Keeping keeping) {
    this.word = word;
    this.keeping = keeping;
    Path folder = AgentFiles.folder(data);
    hiddenFile = folder.resolve("private.txt");
    openFile = folder.resolve("open.txt");
    List<String> lines = AgentFiles.lines(openFile);
    openLines = lines.size();
    lines.forEach(this::remember);
    readHidden();
  }

  private static Path wordFile(Path data) {
    return AgentFiles.folder(data).resolve("private-word.txt");
  }

  static void writeWord(Path data, Optional<String> word) {
    boolean usual = word.equals(Optional.of(RecordingRules.DEFAULT_WORD));
    AgentFiles.replace(wordFile(data), usual ? List.of() : List.of(word.orElse("")));
  }

  /// The word that the daemon of a data directory was started with last.
  static Optional<String> readWord(Path data) {
    List<String> lines = AgentFiles.lines(wordFile(data));
    return lines.isEmpty()
        ? Optional.of(RecordingRules.DEFAULT_WORD)
        : Optional.of(lines.getFirst()).filter(text -> !text.isEmpty());
  }

  List<Event> admitted(List<Event> events) {
    return admitted(events, false, false);
  }

  /// A transcript has all prompts of its session, so it decides also on one whose first prompt came
  /// by no hook.
  ///
  /// @param prompted whether there was a prompt before
  List<Event> admitted(List<Event> events, boolean prompted) {
    return admitted(events, prompted, /* complete= */ !prompted);
  }

  private List<Event> admitted(List<Event> events, boolean prompted, boolean complete) {
    try (var _ = lock.hold()) {
      readHidden();
      Set<String> decided = new HashSet<>();
      for (Event event : events) {
        String root = root(event.session());
        if (hidden.contains(root)) {
          hideChild(event);
          continue;
        }
        if (isPartOfPrivate(event)) {
          hide(root);
        } else if (Origin.isOfPerson(event)) {
          boolean first = complete ? decided.add(root) : !prompted && !open.contains(root);
          decide(root, event.text(), first);
        } else if (first(event, root, prompted) && hasWord(event.text())) {
          hide(root);
        }
      }
      return events.stream().filter(event -> !hidden.contains(root(event.session()))).toList();
    }
  }

  private void decide(String root, String prompt, boolean first) {
    if (first && hasWord(prompt)) {
      hide(root);
    } else if (remember(root) && keeping == Keeping.ALL) {
      keepOpen(root);
    }
  }

  /// Whether a program's prompt may be the first one: `-p` is told from a notification by its form
  /// only, so one without the word decides nothing.
  private boolean first(Event event, String root, boolean prompted) {
    return event.type() == EventType.USER_MESSAGE
        && event.metadata().getOrDefault(AgentMetadata.ORIGIN, "").equals(Origin.PROGRAM.word())
        && !event.metadata().containsKey(AgentMetadata.KIND)
        && !CapturedText.isOfProgram(event.text())
        && !prompted
        && !open.contains(root);
  }

  private boolean hasWord(String text) {
    return word.filter(text::contains).isPresent();
  }

  /// What was said in a cleared conversation is not in the one that follows.
  private boolean isPartOfPrivate(Event event) {
    String parent = event.metadata().getOrDefault(AgentMetadata.PARENT, "");
    return event.type() == EventType.SESSION_START
        && !parent.isEmpty()
        && !event.metadata().getOrDefault(AgentMetadata.REASON, "").equals(CLEAR)
        && hidden.contains(root(parent));
  }

  /// A subagent can be a session of its own, which only its parent's event names.
  private void hideChild(Event event) {
    String child = root(event.metadata().getOrDefault(AgentMetadata.CHILD, ""));
    if (!child.isEmpty() && !hidden.contains(child)) {
      hide(child);
    }
  }

  private void hide(String root) {
    hidden.add(root);
    if (keeping != Keeping.NOTHING) {
      AgentFiles.append(hiddenFile, root, /* durable= */ true);
    }
  }

  private boolean remember(String root) {
    boolean added = open.add(root);
    if (open.size() > MOST_OPEN) {
      open.remove(open.iterator().next());
    }
    return added;
  }

  private void keepOpen(String root) {
    openLines++;
    if (openLines > 2 * MOST_OPEN) {
      AgentFiles.replace(openFile, List.copyOf(open));
      openLines = open.size();
    } else {
      AgentFiles.append(openFile, root, /* durable= */ false);
    }
  }

  /// Takes over what another process has added.
  private void readHidden() {
    long bytes = hiddenFile.toFile().length();
    if (bytes != hiddenBytes) {
      AgentFiles.lines(hiddenFile).stream().filter(line -> !line.isEmpty()).forEach(hidden::add);
      hiddenBytes = bytes;
    }
  }

  boolean contains(SessionId session) {
    try (var _ = lock.hold()) {
      readHidden();
      return hidden.contains(root(session));
    }
  }

  long count() {
    try (var _ = lock.hold()) {
      readHidden();
      return hidden.size();
    }
  }

  private static String root(SessionId session) {
    return root(session.value());
  }

  /// Subagents belong to the session that started them.
  private static String root(String session) {
    int mark = session.indexOf(':');
    return mark > 0 ? session.substring(0, mark) : session;
  }
}
