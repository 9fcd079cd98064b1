package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.toc.summary.SegmentText;
import dev.agentmemory.types.Event;
import java.util.ArrayList;
import java.util.List;

/// A statement in an event, with its salience.
///
/// @param event index of the event in the passage
/// @param start index in the event's text
/// @param end index behind it
/// @param salience 0 to 1
public record Highlight(int event, int start, int end, double salience) {

  /// What a passage states, in its order, weighed as the extractive summariser does it.
  public static List<Highlight> of(SegmentText passage) {
    List<SpokenTurn> turns = ExtractiveSummarizer.turns(passage);
    List<Statement> statements =
        ExtractiveSummarizer.statements(turns, ExtractiveSummarizer.names(turns));
    var highlights = new ArrayList<Highlight>(statements.size());
    for (Picker.Scored scored : ExtractiveSummarizer.scored(turns, statements)) {
      Statement statement = scored.statement();
      highlights.add(
          new Highlight(
              statement.turn().index(),
              statement.start(),
              statement.end(),
              Scoring.salience(scored.score())));
    }
    return highlights;
  }

  /// The name of who speaks in an event; empty when only the role is known.
  public static String speaker(Event event) {
    return SpokenTurn.of(0, event).speaker();
  }
}
