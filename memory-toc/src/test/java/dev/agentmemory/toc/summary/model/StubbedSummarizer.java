package dev.agentmemory.toc.summary.model;

import dev.agentmemory.model.ChatClient;
import dev.agentmemory.model.ModelConfig;
import dev.agentmemory.model.ModelEndpoint;
import dev.agentmemory.model.Provider;
import dev.agentmemory.model.Window;
import dev.agentmemory.testkit.provider.StubProvider;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;

/// A provider and a summariser that asks it, with a clock by hand and without waiting.
public final class StubbedSummarizer implements AutoCloseable {

  static final String KEY = "sk-test-Zq7Xw1Lr9vTn3KdM";
  public static final LongPredicate ANY = _ -> true;
  static final Instant NOW = Instant.parse("2026-01-30T14:30:00Z");

  public final StubProvider provider = StubProvider.start();
  final List<Duration> pauses = new ArrayList<>();
  private final List<ModelSummarizer> opened = new ArrayList<>();
  private Duration timeout = Duration.ofSeconds(20);
  private int contextTokens = 8192;
  private UnaryOperator<String> mask = UnaryOperator.identity();

  StubbedSummarizer timeout(Duration changed) {
    timeout = changed;
    return this;
  }

  StubbedSummarizer contextTokens(int changed) {
    contextTokens = changed;
    return this;
  }

  StubbedSummarizer mask(UnaryOperator<String> changed) {
    mask = changed;
    return this;
  }

  public ModelSummarizer openAi() {
    return of(Provider.OPENAI, Optional.of(KEY));
  }

  ModelSummarizer of(Provider kind, Optional<String> key) {
    URI url =
        switch (kind) {
          case OPENAI -> provider.openAi();
          case ANTHROPIC -> provider.anthropic();
          case OLLAMA -> provider.ollama();
        };
    return of(config(kind, url, key));
  }

  private ModelConfig config(Provider kind, URI url, Optional<String> key) {
    return new ModelConfig(
        new ModelEndpoint(kind, "small-1", Optional.of(url), key, timeout),
        500,
        Optional.of(7),
        contextTokens);
  }

  /// The room of an OpenAI model.
  Window window() {
    return new Window(
        config(Provider.OPENAI, provider.openAi(), Optional.of(KEY)),
        text -> (text.length() + 3) / 4);
  }

  /// A connection to an OpenAI model.
  ChatClient line() {
    return new ChatClient(() -> NOW, window(), "{}", mask, pauses::add, new Random(1));
  }

  ModelSummarizer of(ModelConfig config) {
    var summarizer =
        new ModelSummarizer(
            () -> NOW, config, text -> (text.length() + 3) / 4, mask, pauses::add, new Random(1));
    opened.add(summarizer);
    return summarizer;
  }

  @Override
  public void close() {
    opened.forEach(ModelSummarizer::close);
    provider.close();
  }
}
