package dev.agentmemory.toc.summary.model;

import dev.agentmemory.model.Attempted;
import dev.agentmemory.model.ChatClient;
import dev.agentmemory.model.ChatReply;
import dev.agentmemory.model.ModelException;
import dev.agentmemory.model.Prompt;
import dev.agentmemory.model.Window;
import dev.agentmemory.toc.internal.check.Answer;
import dev.agentmemory.toc.internal.check.Checked;
import dev.agentmemory.types.ModelCall.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A question that has something to read. If nothing of its answer can be used, it is asked once
/// more with the reason.
final class Inquiry<T> implements PricedRequest<T> {

  private static final Logger LOG = LoggerFactory.getLogger(Inquiry.class);

  /// Places of a failure that are logged; its message is not, since it may quote a transcript.
  private static final int PLACES = 8;

  private final ChatClient line;
  private final Prompt prompt;
  private final long estimate;
  private final Function<Answer, Checked<T>> check;

  Inquiry(ChatClient line, Window window, Prompt prompt, Function<Answer, Checked<T>> check) {
    this.line = line;
    this.prompt = prompt;
    this.estimate = window.cost(prompt);
    this.check = check;
  }

  @Override
  public long estimate() {
    return estimate;
  }

  @Override
  public ModelAnswer<T> ask(LongPredicate affordable) {
    var calls = new ArrayList<Attempted>();
    Attempt<T> first = attempt(prompt, calls, affordable);
    Attempt<T> last =
        first.wrong().isPresent() ? second(first, first.wrong().get(), calls, affordable) : first;
    return new ModelAnswer<>(last.checked().words(), calls, last.checked().unsupported());
  }

  /// An answer that was read is an answer, also when the budget does not allow to ask again: else
  /// the same would be asked and paid for each day.
  private Attempt<T> second(
      Attempt<T> first, String wrong, List<Attempted> calls, LongPredicate affordable) {
    try {
      return attempt(again(wrong), calls, affordable);
    } catch (ModelException e) {
      if (first.read() && e.kind() == ModelException.Kind.UNAFFORDABLE) {
        return first;
      }
      throw e;
    }
  }

  /// What came of one request.
  ///
  /// @param read whether its answer had the form that was asked for
  /// @param wrong why its answer cannot be used, as a clause that a model can act on; empty when it
  ///   can, and when it is not the model's fault
  private record Attempt<T>(Checked<T> checked, boolean read, Optional<String> wrong) {}

  private Attempt<T> attempt(Prompt asked, List<Attempted> calls, LongPredicate affordable) {
    AnswerReader.Read read = reply(asked, calls, affordable);
    if (read.answer().isEmpty()) {
      return new Attempt<>(
          new Checked<>(Optional.empty(), 0), /* read= */ false, Optional.of(read.wrong()));
    }
    Attempt<T> attempt = checked(read.answer().get());
    if (attempt.checked().words().isEmpty()) {
      calls.add(calls.removeLast().as(Outcome.UNSUPPORTED));
    }
    return attempt;
  }

  /// The same request once more, with a word on what was wrong with the answer. The answer itself
  /// is not sent back: it costs tokens, and it may be what a transcript made the model say.
  private Prompt again(String wrong) {
    return new Prompt(
        prompt.system(),
        prompt.user()
            + "\n\nYour last answer could not be used: "
            + wrong
            + ". Answer with one JSON object of the form described, and nothing else.");
  }

  private AnswerReader.Read reply(Prompt asked, List<Attempted> calls, LongPredicate affordable) {
    ChatReply reply = line.ask(asked, calls, affordable);
    AnswerReader.Read read = AnswerReader.read(reply);
    calls.add(read.answer().isEmpty() ? reply.call().as(Outcome.MALFORMED) : reply.call());
    return read;
  }

  /// An answer on which the check fails with a defect is paid for, so it must not be lost and
  /// requested again.
  private Attempt<T> checked(Answer answer) {
    try {
      Checked<T> checked = check.apply(answer);
      return new Attempt<>(
          checked,
          /* read= */ true,
          checked.words().isPresent() ? Optional.empty() : Optional.of(wrong(checked)));
    } catch (RuntimeException e) {
      LOG.error(
          "an answer could not be checked, so it is not used: {} at {}",
          e.getClass().getName(),
          Arrays.stream(e.getStackTrace()).limit(PLACES).toList());
      return new Attempt<>(
          new Checked<>(Optional.empty(), answer.claims().size() + answer.odd()),
          /* read= */ true,
          Optional.empty());
    }
  }

  private static String wrong(Checked<?> checked) {
    return checked.unsupported() == 0
        ? "it had no bullets"
        : "what it cites supports none of its bullets; quote word for word, cite the number of what"
            + " you quote, and use its words, names and numbers";
  }
}
