package dev.agentmemory.engine;

import dev.agentmemory.engine.config.EmbeddingConfig;
import dev.agentmemory.engine.config.SummarizerConfig;
import dev.agentmemory.engine.internal.local.LineChooser;
import dev.agentmemory.engine.internal.local.StatementModel;
import dev.agentmemory.model.ModelConfig;
import dev.agentmemory.model.ModelEndpoint;
import dev.agentmemory.model.Provider;
import dev.agentmemory.recall.ExtractionConfig;
import dev.agentmemory.recall.OrientConfig;
import dev.agentmemory.search.embed.CachingEmbedder;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.search.embed.OnnxEmbedder;
import dev.agentmemory.search.embed.RemoteEmbedder;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.toc.segment.TokenCounter;
import dev.agentmemory.toc.summary.model.ModelSummarizer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/// From the configuration to the models that write summaries and embed events.
final class Models {

  /// Vectors that are remembered; those of the local model take 3 MB.
  private static final int REMEMBERED = 2000;

  /// Idle time after which a local model is unloaded.
  private static final Duration IDLE = Duration.ofMinutes(10);

  private Models() {}

  /// @param mask replaces secrets in what is sent
  /// @return empty when summaries are written without a model
  static Optional<ModelSummarizer> open(
      SystemServices system,
      SummarizerConfig config,
      TokenCounter tokens,
      UnaryOperator<String> mask) {
    return chat(config)
        .map(model ->
            new ModelSummarizer(
                system.clock(), model, tokens::count, mask, system.sleeper(), system.random()));
  }

  /// The model that revises orientations: the one that writes summaries.
  ///
  /// @param mask replaces secrets in what is sent
  /// @return empty when refinement is off, and when summaries are written without a model
  static Optional<LineChooser> orientation(
      SystemServices system,
      SummarizerConfig config,
      OrientConfig orient,
      TokenCounter tokens,
      UnaryOperator<String> mask) {
    return orient.refine()
        ? chat(config)
            .map(model ->
                new LineChooser(system, model, orient.refineTimeout(), tokens::count, mask))
        : Optional.empty();
  }

  /// The model that revises what is extracted from segments: the one that writes summaries.
  ///
  /// @param mask replaces secrets in what is sent
  /// @return empty when refinement is off, and when summaries are written without a model
  static Optional<StatementModel> extraction(
      SystemServices system,
      SummarizerConfig config,
      ExtractionConfig extraction,
      TokenCounter tokens,
      UnaryOperator<String> mask) {
    return extraction.refine()
        ? chat(config).map(model -> new StatementModel(system, model, tokens::count, mask))
        : Optional.empty();
  }

  private static Optional<ModelConfig> chat(SummarizerConfig config) {
    return provider(config.provider())
        .map(provider ->
            new ModelConfig(
                new ModelEndpoint(
                    provider,
                    config.model().orElseThrow(),
                    config.apiBaseUrl(),
                    config.key(),
                    config.limits().timeout()),
                config.limits().maxOutputTokens(),
                config.seed(),
                config.limits().contextTokens()));
  }

  /// @param libraries folder in which the local model may unpack native libraries
  /// @return empty when everything is found by its words
  static Optional<Embedder> embedding(Ticker ticker, EmbeddingConfig config, Path libraries) {
    Optional<Embedder> model =
        switch (config.provider()) {
          case NONE -> Optional.empty();
          case LOCAL ->
              Optional.of(new OnnxEmbedder(config.threads(), Optional.of(libraries), IDLE, ticker));
          case OPENAI -> Optional.of(remote(Provider.OPENAI, config));
          case OLLAMA -> Optional.of(remote(Provider.OLLAMA, config));
        };
    return model.map(one -> new CachingEmbedder(one, REMEMBERED));
  }

  private static Embedder remote(Provider provider, EmbeddingConfig config) {
    return new RemoteEmbedder(
        new ModelEndpoint(
            provider,
            config.model().orElseThrow(),
            config.apiBaseUrl(),
            config.key(),
            config.timeout()),
        config.dimension().map(OptionalInt::of).orElseGet(OptionalInt::empty));
  }

  private static Optional<Provider> provider(SummarizerConfig.Provider configured) {
    return switch (configured) {
      case EXTRACTIVE -> Optional.empty();
      case OPENAI -> Optional.of(Provider.OPENAI);
      case ANTHROPIC -> Optional.of(Provider.ANTHROPIC);
      case OLLAMA -> Optional.of(Provider.OLLAMA);
    };
  }
}
