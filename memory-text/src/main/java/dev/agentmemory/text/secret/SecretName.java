package dev.agentmemory.text.secret;

/// A word at the end of a name, which shows that the value is a secret.
///
/// @param word in lower case, without `_`, `-` and spaces
/// @param after what it follows
/// @param kind the kind that the mask names
/// @param value what a value has to look like
record SecretName(String word, After after, String kind, Value value) {

  /// No secret.
  static final SecretName NONE = new SecretName("", After.ANYTHING, "", Value.NONE);

  /// What a word follows.
  enum After {
    /// It begins a word, as in `db_token`, `dbToken` and `token`.
    START,
    /// `_`, as in `DB_PASS`.
    JOINT,
    /// It may also follow a letter, as in `dbpassword`.
    ANYTHING
  }

  /// What a value has to look like to be a secret.
  enum Value {
    /// Nothing is a secret, although a shorter word matches.
    NONE,
    /// A word is enough.
    ANY,
    /// Letters mixed with digits or symbols.
    TOLD,
    /// Four to eight digits, or letters mixed with digits or symbols.
    PIN,
    /// The number of a card, or the three or four digits by which it is checked.
    CARD,
    /// Like MIXED, or in base32.
    SEED,
    /// At least eight characters, with digits or very long.
    MIXED,
    /// Random characters.
    RANDOM,
    /// Random characters, and the name is a parameter of a URL.
    QUERY,
    /// Random characters, and the name is one of a cookie.
    COOKIE,
    /// Credentials after the name of their scheme.
    HEADER,
    /// A word, or several.
    PHRASE,
    /// The name of a user, `/` and a password.
    PAIR,
    /// The arguments of a call, of which the first one is the user.
    CALL,
    /// The first argument of a call.
    ARGUMENT,
    /// Random arguments of a call.
    CLIENT,
    /// A list of short codes.
    CODES,
    /// Letters mixed with digits or symbols, and a word beside the name shows what it is about.
    BESIDE,
    /// Random characters, and a word before the name shows that it names a secret.
    NEAR
  }

  /// The same name with another form of its value.
  SecretName as(Value other) {
    return new SecretName(word, after, kind, other);
  }

  boolean found() {
    return value != Value.NONE;
  }

  /// Whether a value need not look random.
  boolean strong() {
    return value == Value.ANY || value == Value.TOLD || value == Value.PIN || value == Value.PHRASE;
  }
}
