package dev.agentmemory.toc.summary.model;

import dev.agentmemory.toc.summary.Digest;
import dev.agentmemory.toc.summary.ExtractiveSummarizer;
import dev.agentmemory.toc.summary.Passage;
import dev.agentmemory.toc.summary.Summary;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.ModelCall.Outcome;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/// Has summaries written by a language model and believes only what is borne by the events.
///
/// An answer that cannot be read is asked for once more. Each bullet has to quote an event word for
/// word and may say nothing that its evidence does not ([SegmentCheck], [PeriodCheck]); others are
/// left out and counted. When none is left there is no answer, and what was there before stays.
///
/// Slow, and to be called where nobody waits. Safe for use by several threads. Opens nothing before
/// it is asked.
public final class ModelSummarizer implements AutoCloseable {

  private final ModelConfig config;
  private final UnaryOperator<String> mask;
  private final Window window;
  private final ModelLine line;
  private final ExtractiveSummarizer extractive = new ExtractiveSummarizer();

  /// @param clock says when requests went out and how long they took
  /// @param tokens counts the tokens of a text
  /// @param mask replaces secrets in what is sent; `[masked:KIND]` stands where one was
  /// @param pause waits before a request is tried again
  /// @param chance spreads these waits
  public ModelSummarizer(
      InstantSource clock,
      ModelConfig config,
      ToIntFunction<String> tokens,
      UnaryOperator<String> mask,
      Pause pause,
      RandomGenerator chance) {
    this.config = config;
    this.mask = mask;
    this.window = new Window(config, tokens);
    this.line = new ModelLine(clock, config, tokens, mask, pause, chance);
  }

  /// The name that nodes and the ledger carry, such as `openai/gpt-4o-mini`.
  public String name() {
    return config.name();
  }

  /// Summarises a segment.
  ///
  /// @return without calls when there is nothing to read in it
  /// @throws ModelException when the model cannot be asked now
  public Asked<Summary> summarize(Passage passage) {
    Passage masked = masked(passage);
    if (masked.events().stream().allMatch(event -> event.text().isBlank())) {
      return new Asked<>(Optional.empty(), List.of(), 0);
    }
    return ask(
        new SegmentPrompt(window, masked).prompt(),
        answer -> new SegmentCheck(passage, masked, extractive.summarize(masked)).check(answer));
  }

  /// Summarises a period from the summaries of its parts.
  ///
  /// @param title of the period
  /// @param children its parts in time order
  /// @return without calls when no part states anything
  /// @throws ModelException when the model cannot be asked now
  public Asked<Digest> digest(TocLevel level, String title, List<TocNode> children) {
    var parts = new Parts(children, mask);
    if (parts.stated().isEmpty()) {
      return new Asked<>(Optional.empty(), List.of(), 0);
    }
    return ask(
        new PeriodPrompt(window, level, parts).prompt(title),
        answer -> new PeriodCheck(level, parts, extractive.digest(level, children)).check(answer));
  }

  /// The most tokens that the first request about a segment may cost, answer included.
  public long estimate(Passage passage) {
    return estimate(new SegmentPrompt(window, masked(passage)).prompt());
  }

  /// The most tokens that the first request about a period may cost, answer included.
  public long estimate(TocLevel level, String title, List<TocNode> children) {
    return estimate(new PeriodPrompt(window, level, new Parts(children, mask)).prompt(title));
  }

  private long estimate(Prompt prompt) {
    return (long) window.count(prompt.system())
        + window.count(prompt.user())
        + config.maxOutputTokens();
  }

  /// Lets the connection go.
  @Override
  public void close() {
    line.close();
  }

  private <T> Asked<T> ask(Prompt prompt, Function<Answer, Checked<T>> check) {
    var calls = new ArrayList<Attempted>();
    AnswerReader.Read read = heard(prompt, calls);
    if (read.answer().isEmpty()) {
      read = heard(prompt.again(read.wrong()), calls);
    }
    if (read.answer().isEmpty()) {
      return new Asked<>(Optional.empty(), calls, 0);
    }
    Checked<T> checked = check.apply(read.answer().get());
    if (checked.words().isEmpty()) {
      calls.add(calls.removeLast().as(Outcome.UNSUPPORTED));
    }
    return new Asked<>(checked.words(), calls, checked.unsupported());
  }

  private AnswerReader.Read heard(Prompt prompt, List<Attempted> calls) {
    Heard heard = line.ask(prompt, calls);
    AnswerReader.Read read = AnswerReader.read(heard);
    calls.add(read.answer().isEmpty() ? heard.call().as(Outcome.MALFORMED) : heard.call());
    return read;
  }

  private Passage masked(Passage passage) {
    return new Passage(
        passage.events().stream().map(this::masked).toList(),
        passage.overlap().stream().map(this::masked).toList());
  }

  private Event masked(Event event) {
    String text = mask.apply(event.text());
    return text.equals(event.text())
        ? event
        : new Event(
            event.id(),
            event.session(),
            event.timestamp(),
            event.type(),
            event.role(),
            text,
            event.metadata(),
            event.agent());
  }
}
