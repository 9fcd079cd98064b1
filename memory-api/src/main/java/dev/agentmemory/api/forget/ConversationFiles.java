package dev.agentmemory.api.forget;

import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Files outside the stores that hold parts of conversations: what hooks have left, and what is
/// known of transcripts. What has to be forgotten is removed from them, too.
public interface ConversationFiles {

  /// There are no such files.
  ConversationFiles NONE =
      new ConversationFiles() {
        @Override
        public List<String> takeIn() {
          return List.of();
        }

        @Override
        public Removed remove(Erased what, boolean dryRun) {
          return new Removed(0, List.of());
        }
      };

  /// Stores what waits to be stored, so that it can be chosen. A conversation whose last turns wait
  /// would otherwise come back when they are stored.
  ///
  /// @return what could not be stored, a sentence for each reason; empty when all of it was
  List<String> takeIn();

  /// Removes what is going to be erased from a store.
  ///
  /// @param dryRun whether only to count; nothing is written
  Removed remove(Erased what, boolean dryRun);

  /// What is going to be erased.
  ///
  /// @param workspace that it is of
  /// @param all whether the whole workspace is erased
  /// @param sessions of which nothing is left, by the ids that agents gave them
  /// @param touched sessions of which events are erased, by the same ids
  /// @param events all of them, as they are stored; may be read several times, and is costly. Each
  ///   stream has to be closed
  record Erased(
      WorkspaceName workspace,
      boolean all,
      Set<SessionId> sessions,
      Set<SessionId> touched,
      Supplier<Stream<ErasedWords>> events) {

    public Erased {
      sessions = Set.copyOf(sessions);
      touched = Set.copyOf(touched);
    }
  }

  /// What an event says.
  ///
  /// @param session by the id that the agent gave it
  record ErasedWords(SessionId session, String text) {}

  /// What was removed.
  ///
  /// @param files that were deleted, or written again without it
  /// @param left what may still have some of it, and how to remove that, a sentence each
  record Removed(long files, List<String> left) {

    public Removed {
      left = List.copyOf(left);
    }
  }
}
