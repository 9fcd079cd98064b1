package dev.agentmemory.daemon.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.rolling.RollingFileAppender;
import dev.agentmemory.cli.process.LogPlace;
import dev.agentmemory.daemon.config.LogConfig;
import dev.agentmemory.daemon.config.LogLevel;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.ZoneId;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/// Sets up the log of a daemon: lines for people on a terminal, JSON lines everywhere else; on the
/// output, or in `logs/daemon.log`, which is put aside when it has grown.
public final class Logging {

  private static final String PACKAGE = "dev.agentmemory";

  /// System property of logback; a configuration that it names replaces this one.
  private static final String OWN_CONFIGURATION = "logback.configurationFile";

  /// Libraries with warnings that a user cannot act on: how a tokenizer reads its own files, which
  /// instructions a processor lacks, that a Unix socket has no option of TCP.
  private static final List<String> CHATTY =
      List.of(
          "ai.djl",
          "ai.onnxruntime",
          "org.apache.lucene",
          "io.grpc.netty.shaded.io.netty.bootstrap");

  private final LoggerContext context;
  private final LogConfig config;

  private Logging(LoggerContext context, LogConfig config) {
    this.context = context;
    this.config = config;
  }

  /// Sets up the log of this process.
  ///
  /// @param data the data directory
  /// @param terminal whether the output is one
  /// @param zone of the times on a terminal
  /// @throws MemoryException when the file cannot be written
  public static void start(Path data, LogConfig config, boolean terminal, ZoneId zone) {
    if (System.getProperty(OWN_CONFIGURATION) != null) {
      return;
    }
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      start(context, data, config, terminal, zone);
      // Of libraries that use the JDK's own logging, gRPC among them.
      SLF4JBridgeHandler.removeHandlersForRootLogger();
      SLF4JBridgeHandler.install();
    }
  }

  static void start(
      LoggerContext context, Path data, LogConfig config, boolean terminal, ZoneId zone) {
    var logging = new Logging(context, config);
    context.reset();
    Appender<ILoggingEvent> appender =
        config.toFile()
            ? logging.file(data)
            : logging.output(terminal ? new HumanLines(zone) : new JsonLines());
    appender.start();
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.addAppender(appender);
    root.setLevel(ofLibraries(config.level()));
    CHATTY.forEach(library -> context.getLogger(library).setLevel(Level.ERROR));
    context.getLogger(PACKAGE).setLevel(Level.valueOf(config.level().name()));
  }

  /// Never their debug level: on it the transport tells whole calls, token and texts included.
  private static Level ofLibraries(LogLevel level) {
    return switch (level) {
      case ERROR -> Level.ERROR;
      case WARN, INFO, DEBUG -> Level.WARN;
      case TRACE -> Level.INFO;
    };
  }

  private Appender<ILoggingEvent> output(LineEncoder encoder) {
    var output = new ConsoleAppender<ILoggingEvent>();
    output.setContext(context);
    output.setEncoder(started(encoder));
    return output;
  }

  private Appender<ILoggingEvent> file(Path data) {
    Path log = writable(LogPlace.file(data));
    var file = new RollingFileAppender<ILoggingEvent>();
    file.setContext(context);
    file.setFile(log.toString());
    file.setEncoder(started(new JsonLines()));

    var numbered = new NumberedFiles(log, config.fileBytes(), config.files() - 1);
    numbered.setContext(context);
    numbered.start();
    file.setRollingPolicy(numbered);
    file.setTriggeringPolicy(numbered);
    return file;
  }

  /// logback would only tell itself that it cannot write.
  private static Path writable(Path log) {
    try {
      Files.createDirectories(log.getParent());
      Files.newOutputStream(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND).close();
      return log;
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "cannot write the log "
              + log
              + " ("
              + e.getMessage()
              + "); check the permissions of the directory and the free disk space",
          e);
    }
  }

  private LineEncoder started(LineEncoder encoder) {
    encoder.setContext(context);
    encoder.start();
    return encoder;
  }
}
