package dev.agentmemory.text.secret;

import java.util.function.UnaryOperator;

/// Replaces secrets by `[masked:KIND]`: what has the format of a vendor's keys, private keys, the
/// credentials of headers, URLs and commands, the values of `password=`, `secret:` and the like,
/// and what stands in `<private>...</private>`. A text without a secret is returned as the same
/// instance, and masking twice is masking once.
public final class SecretMask implements UnaryOperator<String> {

  /// Prefix of a mask.
  static final String MASKED = "[masked:";

  /// Of passes over a text: a mask can show that what stands beside it is a secret, too.
  private static final int MOST_PASSES = 5;

  private final SecretRules rules;

  /// With the built-in rules.
  public SecretMask() {
    this(SecretRules.BUILT_IN);
  }

  public SecretMask(SecretRules rules) {
    this.rules = rules;
  }

  @Override
  public String apply(String text) {
    String masked = new SecretScan(rules, text).masked();
    String before = text;
    for (int pass = 1; pass < MOST_PASSES && !masked.equals(before); pass++) {
      before = masked;
      masked = new SecretScan(rules, before).masked();
    }
    return masked;
  }

  /// Masks a named value, such as an entry of an event's metadata. The name may show that the whole
  /// value is a secret.
  public String apply(String name, String value) {
    int joint = Math.max(name.lastIndexOf('_'), name.lastIndexOf('-'));
    SecretName known = rules.names().find(name, 0, name.length(), joint);
    boolean secret = known.found() && SecretValues.isSecret(value, known.value());
    return secret ? mask(known.kind()) : apply(value);
  }

  static String mask(String kind) {
    return MASKED + kind + "]";
  }
}
