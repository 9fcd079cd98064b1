package dev.agentmemory.toc.internal.check;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Who and what a passage is about, as far as names go.
///
/// @param words every word that is said in it, and in what was said right before
/// @param speakers words of the names of who takes part
public record DialogueNames(Set<String> words, Set<String> speakers) {

  /// @param beside texts that are known though nothing may be quoted from them
  public static DialogueNames of(List<ClaimSource> sources, List<String> beside) {
    Set<String> words = new HashSet<>();
    Set<String> speakers = new HashSet<>();
    for (ClaimSource source : sources) {
      words.addAll(source.wording().words());
      speakers.addAll(ClaimWording.words(Folded.of(source.speaker()).text()));
    }
    beside.forEach(text -> words.addAll(ClaimWording.words(Folded.of(text).text())));
    words.addAll(speakers);
    return new DialogueNames(words, speakers);
  }

  /// Whether a name is known, give or take an ending such as that of a genitive.
  boolean knows(String name) {
    if (words.contains(name)) {
      return true;
    }
    boolean longer = name.length() > 3 && words.contains(name.substring(0, name.length() - 1));
    return longer || words.contains(name + "s");
  }
}
