package dev.agentmemory.recall.orient;

import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/// What the table of contents says was worked on last. Any thread may call it.
public interface RecentWork {

  /// Nothing was.
  RecentWork NONE = _ -> List.of();

  /// The segments with the latest events, the latest first.
  ///
  /// @param limit at most that many, 1 and up
  List<Passage> latest(int limit);

  /// A segment.
  ///
  /// @param session that it is a part of; empty if unknown
  /// @param day on which it starts
  /// @param statements of its summary, the most important first
  record Passage(
      NodeId node,
      Optional<SessionId> session,
      LocalDate day,
      String title,
      List<Statement> statements) {

    public Passage {
      statements = List.copyOf(statements);
    }
  }

  /// A bullet of a summary.
  ///
  /// @param grips its evidence; empty: that of the whole segment
  record Statement(String text, List<GripId> grips) {

    public Statement {
      grips = List.copyOf(grips);
    }
  }
}
