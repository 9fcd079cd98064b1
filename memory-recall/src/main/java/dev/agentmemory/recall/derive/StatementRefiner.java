package dev.agentmemory.recall.derive;

import dev.agentmemory.recall.extract.ExtractedStatement;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import java.util.List;
import java.util.Set;

/// Revises what the rules extract from a segment, as a model does. It quotes the turns that it is
/// given; the caller checks the quotes, so no word of its own becomes a memory. Any thread may call
/// it.
public interface StatementRefiner {

  /// Revises nothing.
  StatementRefiner NONE =
      new StatementRefiner() {
        @Override
        public boolean isReady() {
          return false;
        }

        @Override
        public Answer refine(NodeId segment, List<Turn> turns) {
          return new Answer.Nothing(List.of());
        }
      };

  /// Whether it would be asked now: it is there, the budget has something left, and it does not
  /// back off after a failure. Cheap.
  boolean isReady();

  /// Asks. May take as long as the limits of its configuration allow.
  ///
  /// @param segment the node that has the turns
  /// @param turns of persons and assistants, in order, at least one
  Answer refine(NodeId segment, List<Turn> turns);

  /// A turn with what the rules find in it.
  ///
  /// @param person whether a person wrote it; else an assistant did
  /// @param text without text that was recalled from memory
  record Turn(EventId event, boolean person, String text, List<ExtractedStatement> statements) {

    public Turn {
      statements = List.copyOf(statements);
    }
  }

  /// What is said to be worth remembering. Nothing of it is checked.
  ///
  /// @param excerpt of the turn, said to be verbatim
  /// @param kind such as `decision`
  record Claim(EventId event, String excerpt, String kind, double importance) {}

  /// What came of a question, with the requests that went out.
  sealed interface Answer {

    /// The requests, for the ledger.
    List<ModelCall> calls();

    /// @param shown the turns that were shown; the others had no room
    /// @param odd parts of the answer that are no claims
    record Claims(Set<EventId> shown, List<Claim> claims, int odd, List<ModelCall> calls)
        implements Answer {

      public Claims {
        shown = Set.copyOf(shown);
        claims = List.copyOf(claims);
        calls = List.copyOf(calls);
      }
    }

    /// There is no answer, and none is to be waited for.
    record Nothing(List<ModelCall> calls) implements Answer {

      public Nothing {
        calls = List.copyOf(calls);
      }
    }

    /// The thread was interrupted, and still is; to be asked again by another one.
    record Interrupted(List<ModelCall> calls) implements Answer {

      public Interrupted {
        calls = List.copyOf(calls);
      }
    }
  }
}
