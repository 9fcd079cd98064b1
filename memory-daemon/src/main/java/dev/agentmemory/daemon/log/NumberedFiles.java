package dev.agentmemory.daemon.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.RolloverFailure;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.rolling.helper.CompressionMode;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// Puts `daemon.log` aside as `daemon.1.log`, that as `daemon.2.log` and so on; the oldest one
/// goes. logback's own policies take a pattern, in which a `%` of the user's folder would mean
/// something, and look at the size from time to time only, in which a flood can write any amount.
final class NumberedFiles extends ContextAwareBase
    implements RollingPolicy, TriggeringPolicy<ILoggingEvent> {

  private final Path file;
  private final long most;
  private final int aside;
  private boolean started;

  /// @param most bytes at which a file is full
  /// @param aside how many are kept besides the one that is written to
  NumberedFiles(Path file, long most, int aside) {
    this.file = file;
    this.most = most;
    this.aside = aside;
  }

  @Override
  public boolean isTriggeringEvent(File active, ILoggingEvent event) {
    return active.length() >= most;
  }

  @Override
  public void rollover() {
    try {
      for (int number = aside; number >= 1; number--) {
        Path older = number == 1 ? file : numbered(number - 1);
        if (Files.exists(older)) {
          Files.move(older, numbered(number), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    } catch (IOException e) {
      throw new RolloverFailure("cannot put " + file + " aside", e);
    }
  }

  private Path numbered(int number) {
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    return file.resolveSibling(name.substring(0, dot) + "." + number + name.substring(dot));
  }

  @Override
  public String getActiveFileName() {
    return file.toString();
  }

  @Override
  public CompressionMode getCompressionMode() {
    return CompressionMode.NONE;
  }

  @Override
  public void setParent(FileAppender<?> appender) {
    // It says the same as the file that is known already.
  }

  @Override
  public void start() {
    started = true;
  }

  @Override
  public void stop() {
    started = false;
  }

  @Override
  public boolean isStarted() {
    return started;
  }
}
