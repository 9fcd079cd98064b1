package dev.agentmemory.engine;

import dev.agentmemory.engine.config.SummarizerConfig;
import dev.agentmemory.model.ModelConfig;
import dev.agentmemory.model.ModelEndpoint;
import dev.agentmemory.model.Provider;
import dev.agentmemory.toc.segment.TokenCounter;
import dev.agentmemory.toc.summary.model.ModelSummarizer;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;

/// From the configuration to the model that writes summaries.
final class Models {

  private Models() {}

  /// @param mask replaces secrets in what is sent
  /// @return empty when summaries are written without a model
  static Optional<ModelSummarizer> open(
      InstantSource clock,
      SummarizerConfig config,
      TokenCounter tokens,
      UnaryOperator<String> mask) {
    return provider(config.provider())
        .map(provider ->
            new ModelSummarizer(
                clock,
                new ModelConfig(
                    new ModelEndpoint(
                        provider,
                        config.model().orElseThrow(),
                        config.apiBaseUrl(),
                        config.key(),
                        config.limits().timeout()),
                    config.limits().maxOutputTokens(),
                    config.seed(),
                    config.limits().contextTokens()),
                tokens::count,
                mask,
                Thread::sleep,
                // All workspaces share it, so it must bear several threads.
                new Random()));
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
