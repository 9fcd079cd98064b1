package dev.agentmemory.daemon.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/// For programs: one JSON object a line.
///
/// ```
/// timestamp    UTC, ISO 8601 with milliseconds
/// level        error, warn, info, debug, trace
/// component    the module that speaks: daemon, storage, pipeline ...
/// session_id   null when it is about no session
/// workspace    null when it is about none
/// message      one sentence
/// metadata     thread, logger and what else is known, all text
/// exception    class, message and trace; absent when nothing was thrown
/// ```
final class JsonLines extends LineEncoder {

  /// Always as long, so that lines can be compared.
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final JsonFactory json = new JsonFactory();

  @Override
  String line(ILoggingEvent event) {
    var text = new StringWriter();
    try (JsonGenerator out = json.createGenerator(text)) {
      write(event, LogFacts.of(event), out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text + "\n";
  }

  private static void write(ILoggingEvent event, LogFacts facts, JsonGenerator out)
      throws IOException {
    out.writeStartObject();
    out.writeStringField("timestamp", TIME.format(event.getInstant()));
    out.writeStringField("level", event.getLevel().toString().toLowerCase(Locale.ROOT));
    out.writeStringField(LogFacts.COMPONENT, facts.component());
    out.writeStringField(LogFacts.SESSION, facts.sessionId().orElse(null));
    out.writeStringField(LogFacts.WORKSPACE, facts.workspace().orElse(null));
    out.writeStringField("message", event.getFormattedMessage());
    out.writeObjectFieldStart("metadata");
    out.writeStringField("thread", event.getThreadName());
    out.writeStringField("logger", event.getLoggerName());
    for (var fact : facts.metadata().entrySet()) {
      out.writeStringField(fact.getKey(), fact.getValue());
    }
    out.writeEndObject();
    Optional<String> thrown = exception(event);
    if (thrown.isPresent()) {
      out.writeStringField("exception", thrown.get());
    }
    out.writeEndObject();
  }
}
