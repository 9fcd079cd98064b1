package dev.agentmemory.daemon.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Writes each event of the log in UTF-8 as a line.
abstract class LineEncoder extends EncoderBase<ILoggingEvent> {

  /// A trace that runs in circles must not fill the file.
  private static final int MOST_TRACE_CHARS = 16_000;

  /// The event as one line, its end included.
  abstract String line(ILoggingEvent event);

  /// Class, message and trace of what was thrown, if anything was.
  static Optional<String> exception(ILoggingEvent event) {
    IThrowableProxy thrown = event.getThrowableProxy();
    if (thrown == null) {
      return Optional.empty();
    }
    String trace = ThrowableProxyUtil.asString(thrown).stripTrailing();
    return Optional.of(
        trace.length() > MOST_TRACE_CHARS ? trace.substring(0, MOST_TRACE_CHARS) + " ..." : trace);
  }

  @Override
  public final byte[] encode(ILoggingEvent event) {
    return line(event).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public final byte[] headerBytes() {
    return new byte[0];
  }

  @Override
  public final byte[] footerBytes() {
    return new byte[0];
  }
}
