package dev.agentmemory.toc.summary.model;

/// What a model is told.
///
/// @param system what to do, the same for every transcript
/// @param user the transcript
record Prompt(String system, String user) {

  /// The same request once more, with a word on what was wrong with the answer. The answer itself
  /// is not sent back: it costs tokens, and it may be what a transcript made the model say.
  Prompt again(String wrong) {
    return new Prompt(
        system,
        user
            + "\n\nYour last answer could not be used: "
            + wrong
            + ". Answer with one JSON object of the form described, and nothing else.");
  }
}
