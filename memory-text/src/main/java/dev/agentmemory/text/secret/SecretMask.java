package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.format.Secret;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/// Replaces secrets by `[masked:KIND]`: what has the format of a vendor's keys, private keys, the
/// credentials of headers, URLs and commands, the values of `password=`, `secret:` and the like,
/// and what stands in `<private>...</private>`. A text without a secret is returned as the same
/// instance, and masking twice is masking once.
public final class SecretMask implements UnaryOperator<String> {

  /// Prefix of a mask, which ends with `]`.
  public static final String MASKED = Secret.MASKED;

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
    return kindOfAll(name, value).map(SecretMask::mask).orElseGet(() -> apply(value));
  }

  /// The kind of a value that is a secret as a whole, as its name shows.
  private Optional<String> kindOfAll(String name, String value) {
    int joint = Math.max(name.lastIndexOf('_'), name.lastIndexOf('-'));
    SecretName known = rules.names().find(name, 0, name.length(), joint);
    return known.found() && SecretValues.isSecret(value, known.value())
        ? Optional.of(known.kind())
        : Optional.empty();
  }

  /// The secrets of a text, each as it is there.
  ///
  /// @param each receives the kind and the secret
  public void forEachSecret(String text, BiConsumer<String, String> each) {
    String before = text;
    for (int pass = 0; pass < MOST_PASSES; pass++) {
      String masked = new SecretScan(rules, before, each).masked();
      if (masked.equals(before)) {
        return;
      }
      before = masked;
    }
  }

  /// The secrets of a named value.
  public void forEachSecret(String name, String value, BiConsumer<String, String> each) {
    Optional<String> kind = kindOfAll(name, value);
    kind.ifPresentOrElse(one -> each.accept(one, value), () -> forEachSecret(value, each));
  }

  /// What stands for a secret of a kind.
  public static String mask(String kind) {
    return MASKED + kind + "]";
  }
}
