package dev.agentmemory.recall.conversation;

import dev.agentmemory.api.conversation.RefCode;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.SessionId;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.Optional;

/// Ref codes of sessions. A code is derived from the session's id, so that it is the same wherever
/// the session is imported to. Two sessions with the same first choice are about as likely as one
/// in 5 x 10^19; then the one that is shown later gets its second choice. A record keeps what was
/// given out:
///
/// ```
/// refcode:{owner}{code}   session
/// ```
final class RefCodes {

  private static final String KIND = "refcode";
  private static final String ALPHABET =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final BigInteger BASE = BigInteger.valueOf(ALPHABET.length());

  private final ConversationContext context;
  private final Choices choices;

  /// The codes that a session may have.
  interface Choices {

    /// @param id of the session, with its workspace if the store is shared
    /// @param number of the choice, 0 and up
    RefCode choice(String id, int number);
  }

  RefCodes(ConversationContext context, Choices choices) {
    this.context = context;
    this.choices = choices;
  }

  /// The code that a session gets unless another one has it.
  RefCode first(SessionId session) {
    return choices.choice(id(session), 0);
  }

  /// The first choice of a session that no other one has.
  ///
  /// @param given codes that were given to others but are not stored yet
  RefCode free(SessionId session, Map<RefCode, SessionId> given) {
    String id = id(session);
    int number = 0;
    RefCode code = choices.choice(id, number);
    while (isTaken(code, session, given)) {
      number++;
      code = choices.choice(id, number);
    }
    return code;
  }

  private boolean isTaken(RefCode code, SessionId session, Map<RefCode, SessionId> given) {
    return given.containsKey(code)
        || session(code).filter(other -> !other.equals(session)).isPresent();
  }

  /// The session that a code was given to.
  Optional<SessionId> session(RefCode code) {
    return context.records().record(key(code)).map(SessionId::new);
  }

  Change put(RefCode code, SessionId session) {
    return new Change.PutRecord(new StoredRecord(key(code), session.value()));
  }

  private String key(RefCode code) {
    return context.owner().key(KIND, code.value());
  }

  private String id(SessionId session) {
    return context.owner().prefix() + session.value();
  }

  /// The choices in use: a SHA-256 of id and number, as a number to base 62.
  static RefCode derived(String id, int number) {
    byte[] hash = sha256().digest((id + '\0' + number).getBytes(StandardCharsets.UTF_8));
    BigInteger rest = new BigInteger(1, hash);
    var code = new StringBuilder(RefCode.LENGTH);
    for (int i = 0; i < RefCode.LENGTH; i++) {
      BigInteger[] divided = rest.divideAndRemainder(BASE);
      code.append(ALPHABET.charAt(divided[1].intValue()));
      rest = divided[0];
    }
    return new RefCode(code.toString());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
