package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.SecretName.Value;
import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.Secret;

/// Secrets that stand beside another word, which says what they are or whose.
final class ApposedSecret {

  /// Of a user.
  private static final int LONGEST_USER = 64;

  private ApposedSecret() {}

  /// `the password, x, is ...`.
  ///
  /// @param comma behind the name
  static Secret inCommas(String text, SecretName name, int comma) {
    if (name.value() != Value.ANY || Letters.at(text, comma + 1) != ' ') {
      return Secret.NONE;
    }
    Secret told = ToldSecret.value(text, name, comma + 2);
    String value = text.substring(told.start(), told.end());
    boolean apposed =
        told.found()
            && Letters.at(text, told.end()) == ','
            && ToldSecret.hasMarks(value)
            && SecretValues.isMixedUp(value)
            && !SecretValues.namesSecret(value);
    return apposed ? told : Secret.NONE;
  }

  /// `user/password: kim/x`.
  ///
  /// @param from where the user begins
  static Secret afterUser(String text, SecretName name, int from) {
    int at = from;
    while (at - from < LONGEST_USER && Letters.isJoined(Letters.at(text, at))) {
      at++;
    }
    Secret told =
        at > from && "/:".indexOf(Letters.at(text, at)) >= 0
            ? ToldSecret.value(text, name, at + 1)
            : Secret.NONE;
    return SecretValues.isMixedUp(text.substring(told.start(), told.end())) ? told : Secret.NONE;
  }
}
