package dev.agentmemory.toc.summary.model;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Who and what a passage is about, as far as names go.
///
/// @param words every word that is said in it, and in what was said right before
/// @param speakers words of the names of who takes part
record Scene(Set<String> words, Set<String> speakers) {

  /// @param beside texts that are known though nothing may be quoted from them
  static Scene of(List<Source> sources, List<String> beside) {
    Set<String> words = new HashSet<>();
    Set<String> speakers = new HashSet<>();
    for (Source source : sources) {
      words.addAll(source.wording().words());
      speakers.addAll(Wording.words(Folded.of(source.speaker()).text()));
    }
    beside.forEach(text -> words.addAll(Wording.words(Folded.of(text).text())));
    words.addAll(speakers);
    return new Scene(words, speakers);
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
