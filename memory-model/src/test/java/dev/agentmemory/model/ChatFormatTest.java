package dev.agentmemory.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.testkit.provider.ModelRequest;
import dev.agentmemory.testkit.provider.StubReply;
import dev.agentmemory.types.ModelCall.Outcome;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// What goes over the wire to each provider, and what is read of its answer.
class ChatFormatTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ChatFixture chat = new ChatFixture();

  @AfterEach
  void close() {
    chat.close();
  }

  private ModelRequest request(Provider kind, Optional<String> key) {
    ChatFixture.ask(chat.client(kind, key, _ -> {}));
    return chat.provider.last();
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(text, e);
    }
  }

  private static Optional<ChatFormat.Completion> read(Provider kind, String answer) {
    var endpoint =
        new ModelEndpoint(
            kind, "small-1", Optional.empty(), Optional.of("k"), Duration.ofSeconds(1));
    var config = new ModelConfig(endpoint, 500, Optional.empty(), 8192);
    return new ChatFormat(config, "{}").completion(json(answer));
  }

  @Test
  void openAi_request_hasModelKeySchemaAndLimits() {
    ModelRequest request = request(Provider.OPENAI, Optional.of(ChatFixture.KEY));
    assertThat(request.path()).isEqualTo("/v1/chat/completions");
    assertThat(request.header("Authorization")).contains("Bearer " + ChatFixture.KEY);
    assertThat(request.header("Content-Type")).contains("application/json");
    assertThat(json(request.body()))
        .isEqualTo(
            json(
                """
                {"model": "small-1",
                 "messages": [
                   {"role": "system", "content": "Say what it is \\"about\\"."},
                   {"role": "user", "content": "We move to Köln.\\nSoon."}],
                 "temperature": 0.0,
                 "max_tokens": 500,
                 "seed": 7,
                 "response_format": {
                   "type": "json_schema",
                   "json_schema": {
                     "name": "summary",
                     "strict": true,
                     "schema": %s}},
                 "stream": false}
                """
                    .formatted(ChatFixture.SCHEMA)));
  }

  @Test
  void openAi_withoutKey_sendsNone() {
    assertThat(request(Provider.OPENAI, Optional.empty()).header("Authorization")).isEmpty();
  }

  @Test
  void openAi_itself_getsTheNewNameOfTheLimit() {
    var endpoint =
        new ModelEndpoint(
            Provider.OPENAI, "small-1", Optional.empty(), Optional.empty(), Duration.ofSeconds(1));
    var format = new ChatFormat(new ModelConfig(endpoint, 500, Optional.empty(), 8192), "{}");
    JsonNode request = format.request(ChatFixture.PROMPT, EnumSet.allOf(Option.class));
    assertThat(request.path("max_completion_tokens").intValue()).isEqualTo(500);
    assertThat(request.has("max_tokens")).isFalse();
    assertThat(request.has("seed")).isFalse();
  }

  @Test
  void anthropic_request_hasModelKeySchemaAndLimits() {
    ModelRequest request = request(Provider.ANTHROPIC, Optional.of(ChatFixture.KEY));
    assertThat(request.path()).isEqualTo("/v1/messages");
    assertThat(request.header("x-api-key")).contains(ChatFixture.KEY);
    assertThat(request.header("anthropic-version")).contains("2023-06-01");
    assertThat(request.header("Authorization")).isEmpty();
    assertThat(json(request.body()))
        .isEqualTo(
            json(
                """
                {"model": "small-1",
                 "system": [{"type": "text", "text": "Say what it is \\"about\\"."}],
                 "messages": [
                   {"role": "user",
                    "content": [{"type": "text", "text": "We move to Köln.\\nSoon."}]}],
                 "max_tokens": 500,
                 "stream": false,
                 "temperature": 0.0,
                 "thinking": {"type": "disabled"},
                 "output_config": {
                   "format": {
                     "type": "json_schema",
                     "schema": %s}}}
                """
                    .formatted(ChatFixture.SCHEMA)));
  }

  @Test
  void ollama_request_hasModelSchemaWindowAndLimits() {
    ModelRequest request = request(Provider.OLLAMA, Optional.empty());
    assertThat(request.path()).isEqualTo("/api/chat");
    assertThat(request.header("Authorization")).isEmpty();
    assertThat(json(request.body()))
        .isEqualTo(
            json(
                """
                {"model": "small-1",
                 "messages": [
                   {"role": "system", "content": "Say what it is \\"about\\"."},
                   {"role": "user", "content": "We move to Köln.\\nSoon."}],
                 "options": {
                   "num_predict": 500,
                   "num_ctx": 8192,
                   "stop": [],
                   "temperature": 0.0,
                   "seed": 7},
                 "format": {
                   "type": "object",
                   "properties": {
                     "list": {"type": "array", "items": {"type": "object", "properties": {}}}},
                   "required": ["list"]},
                 "tools": [],
                 "stream": false}
                """));
  }

  @ParameterizedTest
  @EnumSource
  void answer_ofEachProvider_isReadWithItsUsage(Provider kind) {
    chat.provider.script(StubReply.says("We move."), new StubReply.CutOff("We"));
    ChatClient client = chat.client(kind);
    ChatReply reply = ChatFixture.ask(client).reply();
    assertThat(reply.text()).isEqualTo("We move.");
    assertThat(reply.cut()).isFalse();
    assertThat(reply.call().outcome()).isEqualTo(Outcome.SUCCESS);
    assertThat(reply.call().time()).isEqualTo(ChatFixture.NOW);
    assertThat(reply.call().inputTokens()).isEqualTo(chat.provider.inputTokens()).isPositive();
    assertThat(reply.call().outputTokens()).isEqualTo(2);
    assertThat(ChatFixture.ask(client).reply().cut()).isTrue();
  }

  @Test
  void usage_thatIsMissing_isCounted() {
    String body = "{\"choices\":[{\"message\":{\"content\":\"12345\"}}]}";
    chat.provider.script(new StubReply.Plain(200, Map.of(), body));
    Attempted call = ChatFixture.ask(chat.openAi()).reply().call();
    assertThat(call.inputTokens()).isEqualTo(6 + 6);
    assertThat(call.outputTokens()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "OPENAI|{'choices':[{'message':{'content':null}}]}|''",
        "OPENAI|{'choices':[{'message':{'content':'a'}},{'message':{'content':'b'}}]}|a",
        "ANTHROPIC|{'content':[]}|''",
        "ANTHROPIC|{'content':[{'type':'text','text':'a'},{'type':'thinking','thinking':'b'},"
            + "{'type':'text','text':'c'}]}|a+c",
        "OLLAMA|{'message':{}}|''"
      },
      quoteCharacter = '~')
  void textOfAnAnswer_isWhatTheModelSaid(Provider kind, String answer, String text) {
    String said = text.equals("''") ? "" : text.replace('+', '\n');
    assertThat(read(kind, answer.replace('\'', '"')).map(ChatFormat.Completion::text))
        .contains(said);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "OPENAI|{'choices':[]}",
        "OPENAI|{'choices':[{}]}",
        "OPENAI|{'choices':[{'message':{'content':'a','refusal':'no'}}]}",
        "OPENAI|{'choices':[{'message':{'content':['a']}}]}",
        "ANTHROPIC|{'content':'a'}",
        "ANTHROPIC|{'type':'error'}",
        "OLLAMA|{'message':null}"
      },
      quoteCharacter = '~')
  void answer_withoutAModelsText_isNone(Provider kind, String answer) {
    assertThat(read(kind, answer.replace('\'', '"'))).isEmpty();
  }

  @Test
  void schema_refusedByAServer_isLeftOutFromThenOn() {
    chat.provider.script(StubReply.error(400, "'response_format.type' must be 'text'"));
    ChatClient client = chat.openAi();
    assertThat(ChatFixture.ask(client).calls())
        .extracting(Attempted::outcome)
        .containsExactly(Outcome.REFUSED, Outcome.SUCCESS);
    assertThat(chat.provider.last().value("/response_format")).isEmpty();
    assertThat(chat.provider.last().value("/seed")).contains("7");
    ChatFixture.ask(client);
    assertThat(chat.provider.calls()).isEqualTo(3);
    assertThat(chat.provider.last().value("/response_format")).isEmpty();
    assertThat(chat.pauses).isEmpty();
  }

  @Test
  void temperature_refusedByAModel_isLeftOutAndTheSchemaStays() {
    chat.provider.script(
        StubReply.error(400, "Unsupported value: 'temperature' does not support 0.0"));
    ChatFixture.ask(chat.openAi());
    assertThat(chat.provider.last().value("/temperature")).isEmpty();
    assertThat(chat.provider.last().value("/response_format")).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void optionsThatAServerRefuses_areLeftOutOneByOne(Provider kind) {
    chat.provider.script(
        StubReply.error(400, "temperature"),
        StubReply.error(422, "seed"),
        StubReply.error(400, "thinking"),
        StubReply.error(400, "something else"));
    ChatFixture.ask(chat.client(kind));
    for (String pointer :
        new String[] {
          "/temperature",
          "/options/temperature",
          "/seed",
          "/options/seed",
          "/thinking",
          "/response_format",
          "/output_config",
          "/format"
        }) {
      assertThat(chat.provider.last().value(pointer)).as(pointer).isEmpty();
    }
  }

  @Test
  void schema_thatIsNotJson_isRefused() {
    ModelConfig config = chat.config(Provider.OPENAI, Optional.empty());
    assertThatIllegalArgumentException().isThrownBy(() -> new ChatFormat(config, "{"));
  }
}
