package dev.agentmemory.engine.data;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The tokens of a data directory, as its files are at present. The files are looked at once a
/// second at most, when a caller comes, so a token that was revoked is refused a second later.
///
/// Of a file that cannot be read any more nothing is guessed: the owner's token stays what it was,
/// and the others are refused.
public final class DirectoryTokens implements AccessTokens {

  private static final Logger LOG = LoggerFactory.getLogger(DirectoryTokens.class);
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Path directory;
  private final Ticker ticker;
  private final Mutex lock = new Mutex();
  private volatile Known known;

  /// What identifies the content of a file; null when there is none.
  private record Stamp(FileTime changed, long size, @Nullable Object key) {

    static @Nullable Stamp of(Path file) {
      try {
        BasicFileAttributes attributes =
            Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
      } catch (IOException e) {
        return null;
      }
    }
  }

  private record Known(
      TokenHash owner,
      @Nullable Stamp ownerFile,
      List<NamedToken> named,
      @Nullable Stamp namedFile,
      Optional<String> problem,
      long looked) {}

  /// @param owner of the token of the directory
  DirectoryTokens(Path directory, Ticker ticker, TokenHash owner) {
    this.directory = directory;
    this.ticker = ticker;
    this.known = read(new Known(owner, null, List.of(), null, Optional.empty(), ticker.nanos()));
  }

  @Override
  public Optional<Caller> caller(TokenHash hash) {
    Known present = present();
    if (present.owner().equals(hash)) {
      return Optional.of(Caller.OWNER);
    }
    return present.named().stream()
        .filter(one -> one.hash().equals(hash))
        .findFirst()
        .map(NamedToken::caller);
  }

  @Override
  public List<TokenHash> hashes() {
    Known present = present();
    return Stream.concat(Stream.of(present.owner()), present.named().stream().map(NamedToken::hash))
        .toList();
  }

  @Override
  public Optional<String> problem() {
    return present().problem();
  }

  private Known present() {
    Known present = known;
    if (ticker.nanos() - present.looked() < LOOK.toNanos()) {
      return present;
    }
    try (var _ = lock.hold()) {
      // Another thread may have looked meanwhile.
      if (present.looked() == known.looked()) {
        known = read(present);
      }
      return known;
    }
  }

  private Known read(Known former) {
    long now = ticker.nanos();
    Stamp ownerFile = Stamp.of(directory.resolve(Token.FILE));
    Stamp namedFile = Stamp.of(directory.resolve(NamedTokens.FILE));
    if (Objects.equals(ownerFile, former.ownerFile())
        && Objects.equals(namedFile, former.namedFile())) {
      return new Known(former.owner(), ownerFile, former.named(), namedFile, former.problem(), now);
    }
    Optional<String> problem = Optional.empty();
    TokenHash owner = former.owner();
    try {
      owner = Token.read(directory).map(Token::hash).orElse(owner);
    } catch (MemoryException e) {
      problem = Optional.of(told(e));
    }
    List<NamedToken> named = List.of();
    try {
      named = NamedTokens.read(directory);
    } catch (MemoryException e) {
      problem = Optional.of(told(e));
    }
    return new Known(owner, ownerFile, named, namedFile, problem, now);
  }

  private static String told(MemoryException failure) {
    LOG.error("tokens cannot be read", failure);
    return String.valueOf(failure.getMessage());
  }
}
