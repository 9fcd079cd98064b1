package dev.agentmemory.recall.orient;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Lines as a document:
///
/// ```
/// # Orientation
///
/// ## Where
///
/// - Workspace: default
/// - Conversation: s1 (ref code 4fGh2kLm9Qz)
///
/// ## Preferences and decisions
///
/// - decision, 2026-01-30: We use Postgres. [mem:01KG7...]
///
/// ## Last worked on
///
/// - 2026-01-30: Moving the database [toc:segment:2026-01-30:01KG7...]
///   - The export takes two hours. [grip:1769783400000:01KG7...]
/// ```
///
/// @param lines in the order of the document
record OrientPage(List<OrientLine> lines) {

  static final String TITLE = "# Orientation\n";

  private static final Comparator<OrientLine> ORDER =
      Comparator.comparing(OrientLine::section)
          .thenComparing(OrientLine::key)
          .thenComparing(OrientLine::id);

  /// @param lines in any order
  static OrientPage of(Collection<OrientLine> lines) {
    return new OrientPage(lines.stream().sorted(ORDER).toList());
  }

  /// Empty without any line.
  String markdown() {
    if (lines.isEmpty()) {
      return "";
    }
    var out = new StringBuilder(TITLE);
    Optional<OrientSection> section = Optional.empty();
    for (OrientLine line : lines) {
      if (!section.equals(Optional.of(line.section()))) {
        section = Optional.of(line.section());
        out.append(line.section().heading());
      }
      out.append(line.markdown());
    }
    return out.toString().stripTrailing();
  }

  /// What the lines cite, in order, each once.
  List<String> citations() {
    return lines.stream()
        .flatMap(line -> line.citation().stream())
        .map(OrientCitation::id)
        .distinct()
        .toList();
  }
}
