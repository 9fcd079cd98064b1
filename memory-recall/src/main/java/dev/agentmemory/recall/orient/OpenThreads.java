package dev.agentmemory.recall.orient;

import dev.agentmemory.recall.orient.RecentWork.Passage;
import dev.agentmemory.recall.orient.RecentWork.Statement;
import dev.agentmemory.text.Lexicon;
import dev.agentmemory.types.SessionId;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Decides which statements of recent work are open threads: those of the last segment of their
/// session that ask a question, or say in the words of `open-work.txt` that something remains to be
/// done. A title can be one, too: a segment that ends with a question may have no statement. What an earlier segment left open, the rest of the session has answered or taken up.
final class OpenThreads {

  private static final List<String> OPEN =
      Lexicon.beside(OpenThreads.class, "open-work.txt").phrases("open work").stream()
          .map(phrase -> ' ' + phrase + ' ')
          .toList();

  private static final Pattern QUESTION = Pattern.compile("[?？][\\p{Punct}”’»」』\\s]*$");
  private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N}]+");

  private final Set<SessionId> known = new HashSet<>();

  /// The open threads of a segment. Segments are passed the latest first.
  List<Statement> of(Passage passage) {
    Optional<SessionId> session = passage.session();
    boolean last = session.isEmpty() || known.add(session.get());
    return last
        ? Stream.concat(passage.statements().stream(), Stream.of(title(passage)))
            .filter(one -> isOpen(one.text()))
            .toList()
        : List.of();
  }

  /// The title as a statement, whose evidence is the whole segment.
  static Statement title(Passage passage) {
    return new Statement(passage.title(), List.of());
  }

  static boolean isOpen(String text) {
    String words = ' ' + NO_WORD.matcher(text.toLowerCase(Locale.ROOT)).replaceAll(" ") + ' ';
    return QUESTION.matcher(text).find() || OPEN.stream().anyMatch(words::contains);
  }
}
