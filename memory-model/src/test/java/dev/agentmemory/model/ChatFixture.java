package dev.agentmemory.model;

import dev.agentmemory.spi.Sleeper;
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

/// A provider and clients that ask it, with a clock by hand and without waiting.
final class ChatFixture implements AutoCloseable {

  static final String KEY = "sk-test-Zq7Xw1Lr9vTn3KdM";
  static final LongPredicate ANY = _ -> true;
  static final Instant NOW = Instant.parse("2026-01-30T14:30:00Z");
  static final Prompt PROMPT = new Prompt("Say what it is \"about\".", "We move to Köln.\nSoon.");
  static final String SCHEMA =
      """
      {"type": "object",
       "properties": {
         "list": {
           "type": "array",
           "items": {"type": "object", "properties": {}, "additionalProperties": false}}},
       "required": ["list"],
       "additionalProperties": false}
      """;

  final StubProvider provider = StubProvider.start();
  final List<Duration> pauses = new ArrayList<>();
  private final List<ChatClient> opened = new ArrayList<>();
  private Duration timeout = Duration.ofSeconds(20);

  /// An answer and the requests that it took.
  record Asked(ChatReply reply, List<Attempted> calls) {}

  ChatFixture timeout(Duration changed) {
    timeout = changed;
    return this;
  }

  ModelConfig config(Provider kind, Optional<String> key) {
    URI url =
        switch (kind) {
          case OPENAI -> provider.openAi();
          case ANTHROPIC -> provider.anthropic();
          case OLLAMA -> provider.ollama();
        };
    return new ModelConfig(
        new ModelEndpoint(kind, "small-1", Optional.of(url), key, timeout),
        500,
        Optional.of(7),
        8192);
  }

  static Window window(ModelConfig config) {
    return new Window(config, text -> (text.length() + 3) / 4);
  }

  ChatClient openAi() {
    return client(Provider.OPENAI, Optional.of(KEY), pauses::add);
  }

  ChatClient client(Provider kind) {
    return client(kind, Optional.of(KEY), pauses::add);
  }

  ChatClient client(Provider kind, Optional<String> key, Sleeper sleeper) {
    var client =
        new ChatClient(
            () -> NOW,
            window(config(kind, key)),
            SCHEMA,
            UnaryOperator.identity(),
            sleeper,
            new Random(1));
    opened.add(client);
    return client;
  }

  static Asked ask(ChatClient client) {
    var calls = new ArrayList<Attempted>();
    ChatReply reply = client.ask(PROMPT, calls, ANY);
    calls.add(reply.call());
    return new Asked(reply, calls);
  }

  @Override
  public void close() {
    opened.forEach(ChatClient::close);
    provider.close();
  }
}
