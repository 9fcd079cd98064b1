package dev.agentmemory.gateway.hook;

import dev.agentmemory.agents.spool.RepeatedWords;
import dev.agentmemory.agents.spool.SpoolFolder;
import dev.agentmemory.agents.spool.SpooledText;
import dev.agentmemory.agents.transcript.TranscriptPlaces;
import dev.agentmemory.agents.transcript.TranscriptPlaces.ForgottenCalls;
import dev.agentmemory.api.forget.ConversationFiles;
import dev.agentmemory.gateway.hook.HookCounts.Outcome;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/// Removes what has to be forgotten from the spool of hooks and from what is known of transcripts.
///
/// Files of the spool that are no entries belong to a session or a workspace if they name it, and
/// otherwise go if they repeat what is erased ([RepeatedWords]). An entry that could not be stored
/// goes with its session or workspace only: it is refused later if it repeats what was erased.
final class ErasedHooks implements ConversationFiles {

  /// A hook that writes has not been ended by then, as a rule.
  private static final Duration DRAFTS = Duration.ofMinutes(1);

  /// Transcripts that were never read can be long.
  private static final Duration LONGEST_READING = Duration.ofMinutes(5);

  private final InstantSource clock;
  private final SpoolFolder spool;
  private final HookStore store;
  private final HookContext context;
  private final HookCounts counts;
  private final SpoolDrain drain;
  private final TranscriptFollower follower;
  private final TranscriptPlaces places;

  ErasedHooks(
      InstantSource clock,
      Path data,
      SpoolFolder spool,
      HookStore store,
      HookContext context,
      HookCounts counts,
      SpoolDrain drain,
      TranscriptFollower follower) {
    this.clock = clock;
    this.spool = spool;
    this.store = store;
    this.context = context;
    this.counts = counts;
    this.drain = drain;
    this.follower = follower;
    this.places = new TranscriptPlaces(data);
  }

  @Override
  public List<String> takeIn() {
    List<String> left = new ArrayList<>();
    try {
      drain.all();
      follower.askForAll();
    } catch (IOException | UncheckedIOException e) {
      left.add(
          "the folders spool and transcripts cannot be listed (%s), so hooks in them may be stored"
                  .formatted(e.getMessage())
              + " later; check their permissions and run the command again");
    }
    int waiting = drain.unstored().size();
    if (waiting > 0) {
      left.add(
          "hooks in spool cannot be stored now (%,d) and are stored later, but for what was erased;"
                  .formatted(waiting)
              + " run the command again when `memory status` counts none that waits");
    }
    long before = counts.of(Outcome.TRANSCRIPT_FAILED);
    if (!haveRead()) {
      left.add(
          "transcripts are still being read, and what they have is stored; run the command again");
    }
    long failed = counts.of(Outcome.TRANSCRIPT_FAILED) - before;
    if (failed > 0) {
      left.add(
          "transcripts could not be read (%,d), and what they have may be stored later; check their"
                  .formatted(failed)
              + " permissions and the disk, and run the command again");
    }
    return left;
  }

  /// @return whether all transcripts were read to their ends
  private boolean haveRead() {
    Instant end = clock.instant().plus(LONGEST_READING);
    while (follower.step().isZero()) {
      if (Thread.currentThread().isInterrupted()) {
        throw new MemoryException(ErrorCode.CLOSED, "the daemon is stopping; nothing was erased");
      }
      if (clock.instant().isAfter(end)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public Removed remove(Erased what, boolean dryRun) {
    return drain.hold(() -> {
      Removed fromSpool = new Removal(what, dryRun).run();
      ForgottenCalls calls = follower.hold(() -> forgetCalls(what, dryRun));
      if (!dryRun) {
        context.forget(id -> isErased(what, id));
      }
      List<String> left = new ArrayList<>(fromSpool.left());
      calls
          .failed()
          .forEach((file, why) ->
              left.add(
                  "%s cannot be read or written (%s) and may have calls of tools; check its"
                          .formatted(shown(file), why)
                      + " permissions, or delete it: its transcript is read again then"));
      return new Removed(fromSpool.files() + calls.files(), left);
    });
  }

  private ForgottenCalls forgetCalls(Erased what, boolean dryRun) {
    return places.forgetCalls(
        (session, workspace) ->
            workspace.map(name -> name.equals(what.workspace())).orElse(true)
                && ((what.all() && workspace.isPresent()) || isErased(what, session)),
        dryRun);
  }

  private static boolean isErased(Erased what, String session) {
    return !session.isEmpty()
        && what.sessions().stream().anyMatch(id -> id.value().equals(session));
  }

  /// The file by its name in the data directory.
  private static Path shown(Path file) {
    int names = file.getNameCount();
    return file.subpath(Math.max(0, names - (isRejected(file) ? 3 : 2)), names);
  }

  private static boolean isRejected(Path file) {
    Path parent = file.getParent();
    return parent != null && parent.endsWith("rejected");
  }

  /// A file that names nothing that is erased as a whole.
  private record Other(Path file, SpooledText text) {}

  /// One removal from the spool.
  private final class Removal {

    private final Erased what;
    private final boolean dryRun;

    /// Ids of sessions, and of subagents within them, that are looked for.
    private final Set<String> sought = new HashSet<>();

    private final Set<Path> meant = new TreeSet<>();
    private final List<Other> others = new ArrayList<>();
    private final List<String> left = new ArrayList<>();
    private long unnamed;

    private Removal(Erased what, boolean dryRun) {
      this.what = what;
      this.dryRun = dryRun;
      Stream.concat(what.sessions().stream(), what.touched().stream())
          .map(SessionId::value)
          .forEach(id -> {
            sought.add(id);
            sought.add(root(id));
            sought.add(agent(id));
          });
      sought.remove("");
    }

    Removed run() {
      List<Path> refuse = List.of();
      try {
        refuse = spool.refuse(clock.instant().minus(DRAFTS));
      } catch (IOException e) {
        left.add(
            "the folder spool/rejected cannot be listed (%s); check its permissions, or delete the"
                    .formatted(e.getMessage())
                + " files in it");
      }
      refuse.forEach(file -> look(file, /* entry= */ false));
      drain.unstored().forEach(file -> look(file, /* entry= */ true));
      lookForWords();
      long deleted = meant.stream().filter(this::delete).count();
      if (unnamed > 0) {
        left.add(
            "files in spool or spool/rejected do not say of which session they are (%,d); look at"
                    .formatted(unnamed)
                + " them, and delete those that you do not want");
      }
      return new Removed(deleted, left);
    }

    private void look(Path file, boolean entry) {
      try {
        SpooledText text = SpooledText.of(file, sought::contains);
        Optional<WorkspaceName> workspace = store.workspace(text);
        if (workspace.isPresent() && !workspace.get().equals(what.workspace())) {
          return;
        }
        if ((what.all() && workspace.isPresent())
            || what.sessions().stream().anyMatch(id -> names(text, id.value()))) {
          meant.add(file);
        } else if (!entry) {
          others.add(new Other(file, text));
        }
      } catch (NoSuchFileException _) {
        // It was stored or taken away meanwhile.
        return;
      } catch (IOException e) {
        leave(file, e);
      }
    }

    private boolean delete(Path file) {
      try {
        return dryRun || spool.delete(file);
      } catch (IOException e) {
        leave(file, e);
        return false;
      }
    }

    private void leave(Path file, Exception e) {
      left.add(
          "%s cannot be read or deleted (%s) and may have what was said; check its permissions, or"
                  .formatted(shown(file), e.getMessage())
              + " delete it");
    }

    /// Looks whether the other files repeat what is erased.
    private void lookForWords() {
      var index = new RepeatedWords<Other>();
      for (Other other : others) {
        index = add(other, index);
      }
      compare(index);
      if (what.all() || !what.sessions().isEmpty()) {
        unnamed =
            others.stream()
                .filter(other -> !other.text().namesSession() && !meant.contains(other.file()))
                .count();
      }
    }

    /// @return the index to go on with
    private RepeatedWords<Other> add(Other other, RepeatedWords<Other> to) {
      var index = new AtomicReference<>(to);
      try {
        SpooledText.parts(
            other.file(),
            part -> {
              index.get().add(other, part);
              if (index.get().isFull()) {
                compare(index.get());
                index.set(new RepeatedWords<>());
              }
            });
      } catch (IOException e) {
        leave(other.file(), e);
      }
      return index.get();
    }

    private void compare(RepeatedWords<Other> index) {
      if (index.isEmpty()) {
        return;
      }
      index.build();
      try (Stream<ErasedWords> events = what.events().get()) {
        events.forEach(event -> {
          String session = event.session().value();
          index
              .repeating(event.text(), other -> mayBeOf(other.text(), session))
              .forEach(other -> meant.add(other.file()));
        });
      }
    }

    /// What is cut off may have lost its session.
    private boolean mayBeOf(SpooledText text, String session) {
      return !text.namesSession() || names(text, session);
    }
  }

  /// Whether a file is of a session. One of a subagent names the session that started it, too.
  private static boolean names(SpooledText text, String session) {
    return text.sessions().contains(session)
        || (!agent(session).isEmpty()
            && text.sessions().contains(root(session))
            && text.words().contains(agent(session)));
  }

  private static String root(String session) {
    int mark = session.indexOf(':');
    return mark > 0 ? session.substring(0, mark) : session;
  }

  private static String agent(String session) {
    int mark = session.indexOf(':');
    return mark > 0 ? session.substring(mark + 1) : "";
  }
}
