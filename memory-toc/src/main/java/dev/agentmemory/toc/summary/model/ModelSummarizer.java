package dev.agentmemory.toc.summary.model;

import dev.agentmemory.model.ChatClient;
import dev.agentmemory.model.ModelConfig;
import dev.agentmemory.model.Window;
import dev.agentmemory.spi.Sleeper;
import dev.agentmemory.text.Graphemes;
import dev.agentmemory.text.TextResource;
import dev.agentmemory.toc.internal.check.PeriodAnswerCheck;
import dev.agentmemory.toc.internal.check.SegmentAnswerCheck;
import dev.agentmemory.toc.internal.check.SourceParts;
import dev.agentmemory.toc.internal.check.Transcript;
import dev.agentmemory.toc.summary.ContentHash;
import dev.agentmemory.toc.summary.Digest;
import dev.agentmemory.toc.summary.PeriodPart;
import dev.agentmemory.toc.summary.SegmentText;
import dev.agentmemory.toc.summary.Summary;
import dev.agentmemory.toc.summary.extractive.ExtractiveSummarizer;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/// Has summaries written by a language model and believes only what is borne by the events.
///
/// An answer that cannot be read is asked for once more. Each bullet has to quote an event word for
/// word and may say nothing that its evidence does not ([SegmentAnswerCheck], [PeriodAnswerCheck]);
/// others are left out and counted. When none is left there is no answer, and what was there before
/// stays.
///
/// Slow; call it from background work only. Safe for use by several threads. Opens nothing before
/// it is asked.
public final class ModelSummarizer implements AutoCloseable {

  /// How much of a provider's words an error quotes.
  private static final int EXCERPT = 160;

  /// The form of an answer, as JSON Schema.
  private static final String SCHEMA = TextResource.beside(ModelSummarizer.class, "answer.schema");

  private static final int VERSION_BYTES = 8;

  private final UnaryOperator<String> mask;
  private final Window window;
  private final ChatClient line;
  private final ExtractiveSummarizer extractive = new ExtractiveSummarizer();

  /// @param clock says when requests went out and how long they took
  /// @param tokens counts the tokens of a text
  /// @param mask replaces secrets in what is sent; `[masked:KIND]` stands where one was
  /// @param sleeper waits before a request is tried again
  /// @param chance spreads these waits
  public ModelSummarizer(
      InstantSource clock,
      ModelConfig config,
      ToIntFunction<String> tokens,
      UnaryOperator<String> mask,
      Sleeper sleeper,
      RandomGenerator chance) {
    this.mask = mask;
    this.window = new Window(config, tokens);
    this.line =
        new ChatClient(
            clock,
            window,
            SCHEMA,
            said -> Graphemes.shorten(mask.apply(said), EXCERPT),
            sleeper,
            chance);
  }

  /// The name that nodes and the ledger carry, such as `openai/gpt-4o-mini`.
  public String name() {
    return window.config().endpoint().name();
  }

  /// What the model is and what it is told, as a hash: another one may make use of what this one
  /// gave no usable answer about.
  public String version() {
    var hash = new ContentHash();
    List.of(name(), SegmentPrompt.SYSTEM, PeriodPrompt.SYSTEM, SCHEMA).forEach(hash::add);
    return HexFormat.of().formatHex(hash.bytes(), 0, VERSION_BYTES);
  }

  /// Asks for the summary of a segment.
  public PricedRequest<Summary> about(SegmentText passage) {
    var transcript = new Transcript(passage, mask);
    if (transcript.isEmpty()) {
      return new Idle<>();
    }
    return new Inquiry<>(
        line,
        window,
        new SegmentPrompt(window, transcript).prompt(),
        answer ->
            new SegmentAnswerCheck(transcript, extractive.summarize(transcript.masked()))
                .check(answer));
  }

  /// Asks for the summary of a period from the summaries of its parts.
  ///
  /// @param title of the period
  /// @param children its parts in time order
  public PricedRequest<Digest> about(TocLevel level, String title, List<TocNode> children) {
    var parts = new SourceParts(children, mask);
    if (parts.stated().isEmpty()) {
      return new Idle<>();
    }
    return new Inquiry<>(
        line,
        window,
        new PeriodPrompt(window, level, parts).prompt(title),
        answer ->
            new PeriodAnswerCheck(level, parts, extractive.digest(level, PeriodPart.each(children)))
                .check(answer));
  }

  /// A question about nothing.
  private record Idle<T>() implements PricedRequest<T> {

    @Override
    public long estimate() {
      return 0;
    }

    @Override
    public ModelAnswer<T> ask(LongPredicate affordable) {
      return new ModelAnswer<>(Optional.empty(), List.of(), 0);
    }
  }

  /// Lets the connection go.
  @Override
  public void close() {
    line.close();
  }
}
