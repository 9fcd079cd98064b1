package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.SecretName.Value;
import dev.agentmemory.text.secret.format.Alphabet;
import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.Secret;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Distinguishes a secret from other values after a name like `password`: references to variables,
/// calls, types, placeholders, counts and prose.
final class SecretValues {

  private static final int LEAST_WORD = 4;
  private static final int LEAST_TOLD_WORD = 6;
  private static final int LEAST_TOKEN = 8;
  private static final int LEAST_NUMBER = 10;
  private static final int LEAST_PHRASE = 20;
  private static final int LEAST_RANDOM = 16;
  private static final int LEAST_HEX = 24;
  private static final int LEAST_CARD = 13;
  private static final int LONGEST_CARD = 19;
  private static final int LEAST_QUERY = 10;
  private static final int LEAST_PASSPHRASE = 12;
  private static final int LONGEST_TOLD = 64;
  private static final int LONGEST_LOOK = 1024;
  private static final int LEAST_SCRAMBLED = 10;
  private static final int LEAST_LETTERS = 20;
  private static final int LEAST_KEY = 30;
  private static final int LEAST_RARE = 3;

  /// Consonants in succession that few words have that also have rare pairs.
  private static final int LEAST_CONSONANTS = 3;

  /// For each letter, a bit for each one that follows it in words of European languages and in
  /// common abbreviations.
  private static final int[] FOLLOWERS = new int[26];

  static {
    String[] followers =
        """
        bcdefghijklmnpqrstuvwxyz abcdeijlorstuy acehiklopqrstuy abdefghijlmnorstuvwyz
        abcdefghijklmnopqrstuvwxyz aefilorstuy aeghilmnorstuwyz abeilmnorstuwy
        abcdefghjklmnopqrstuvxz aeiou aefhiklmnoprstuwy abcdefghikllmnoprstuvwy abefilmnopstuy
        abcdefghijklmnopqrstuvwyz abcdefghijklmnoprstuvwxyz aefhiklmnoprstuy u
        abcdefghijklmnopqrstuvwyz abcdefghijklmnopqrstuvwy abcefhilmnoprstuvwyz
        abcdefghijklmnoprstuvxyz aeiorsuy abdefhiklnorsty aceihiopqtuwxy abcdeilmnoprstuwz
        aehiklmotuwyz
        """
            .strip()
            .split("\\s+");
    for (int i = 0; i < FOLLOWERS.length; i++) {
      for (char c : followers[i].toCharArray()) {
        FOLLOWERS[i] |= 1 << (c - 'a');
      }
    }
  }

  /// Values that code, schemas, forms and logs contain there.
  private static final Set<String> WORDS =
      Set.of(
          """
          string str text varchar char bytes buffer number boolean object optional required
          any true false null none undefined void self this password passwd passphrase secret
          token hidden redacted filtered masked hashed encrypted plaintext incorrect invalid wrong
          missing empty expired unknown unchanged changed default needed input await async
          return example placeholder enabled disabled sensitive omitted secretstr secretstring
          sha1 sha256 sha384 sha512 md5 base64 base32 hs256 hs384 hs512 rs256 es256 oauth oauth2
          bcrypt argon2 argon2i argon2id pbkdf2 scrypt x509 ed25519 ecdsa aes128 aes256 utf8 utf-8
          http1 http2 http3 ipv4 ipv6 int32 int64 uint8 uint32 uint64 api_key apikey write read
          """
              .split("\\s+"));

  /// Words of sentences about passwords.
  private static final Set<String> COMMON =
      Set.of(
          """
          the and for must are was were has have not your you our with without from this that when
          then than should shall may can cannot please enter choose minimum maximum least most
          characters character words letters digits too short long weak strong field set get use
          only also its see option options argument arguments parameter parameters flag flags or to
          is instead
          """
              .split("\\s+"));

  /// How names of commands of PowerShell begin that give a value.
  private static final List<String> CMDLETS =
      List.of("Read-", "Get-", "New-", "ConvertTo-", "ConvertFrom-", "Import-", "Invoke-");

  /// How names of files end that hold keys and settings.
  private static final List<String> FILES =
      List.of(".json", ".yaml", ".yml", ".pem", ".p12", ".pfx", ".jks", ".crt", ".txt", ".env");

  /// What stands for a value in a template, without `_` and `-`.
  private static final Set<String> REPLACED =
      Set.of("changeme", "changethis", "replaceme", "replacethis", "fillme", "fillin");

  /// How names of algorithms begin.
  private static final List<String> ALGORITHMS =
      List.of(
          "aes1",
          "aes2",
          "aes-",
          "aes_",
          "aes/",
          "sha1",
          "sha2",
          "sha3",
          "sha5",
          "sha-",
          "hmac",
          "des-",
          "des3",
          "rsa-",
          "rsa2",
          "rsa4",
          "chacha20",
          "pbe",
          "camellia",
          "id-aes");

  private SecretValues() {}

  /// Whether it is a value, and not the name of a variable or a placeholder.
  static boolean isGiven(String value) {
    if (value.isEmpty()
        || ("[<{(".indexOf(value.charAt(0)) >= 0 && !isSealed(value))
        || isReference(value)) {
      return false;
    }
    boolean hidden = value.contains("***") || value.contains("...") || value.contains("\u2026");
    return !hidden
        && !isFilled(value)
        && !isInvitation(value)
        && !isAddressOfChain(value)
        && FILES.stream().noneMatch(value::endsWith);
  }

  /// A secret that a program has encrypted: `{AQAAABAAAAAg...=}`.
  private static boolean isSealed(String value) {
    return value.charAt(0) == '{'
        && value.endsWith("}")
        && isKey(value.substring(1, value.length() - 1));
  }

  /// The public address of an account or a contract: `0x` and 40 hex digits.
  private static boolean isAddressOfChain(String value) {
    return value.length() == 42
        && value.startsWith("0x")
        && value.chars().skip(2).allMatch(c -> Character.digit(c, 16) >= 0);
  }

  /// Whether a value consists of marks, or mostly of one character again and again.
  private static boolean isFilled(String value) {
    int longest = 1;
    int run = 1;
    boolean marks = "*xX.\u2022-_#?".indexOf(value.charAt(0)) >= 0;
    for (int i = 1; i < value.length(); i++) {
      run = value.charAt(i) == value.charAt(i - 1) ? run + 1 : 1;
      longest = Math.max(longest, run);
      marks &= "*xX.\u2022-_#?".indexOf(value.charAt(i)) >= 0;
    }
    return marks || (longest >= 6 && longest * 2 > value.length());
  }

  /// `YOUR_API_KEY_HERE`, `your-token`, `xxx-secret-xxx`, `insert-password`, `change-me`.
  private static boolean isInvitation(String value) {
    String lower = value.toLowerCase(Locale.ROOT);
    if (REPLACED.contains(lower.replace("_", "").replace("-", ""))) {
      return true;
    }
    return (lower.startsWith("your")
            || lower.startsWith("insert")
            || lower.startsWith("my_")
            || lower.endsWith("_here")
            || lower.endsWith("-here"))
        && namesSecret(value)
        && !hasSymbol(value, "!#$%&*+=?@^");
  }

  private static boolean hasSymbol(String value, String symbols) {
    return value.chars().anyMatch(c -> symbols.indexOf(c) >= 0);
  }

  /// Whether a value consists of references: `$NAME`, `${...}`, `$(...)`, `%s`, `%(name)s`,
  /// `%NAME%`, `op://...`.
  private static boolean isReference(String value) {
    char first = value.charAt(0);
    char second = Letters.at(value, 1);
    if (first == '$' && (Letters.isLetter(second) || "_({".indexOf(second) >= 0)) {
      return isVariable(value);
    }
    if (first == '%' && (second == '(' || value.length() == 2 || value.endsWith("%"))) {
      return true;
    }
    return value.contains("${")
        || value.contains("{{")
        || value.contains(SecretMask.MASKED)
        || value.startsWith("op://")
        || value.startsWith("ref+")
        || value.startsWith("arn:")
        || value.startsWith("@Microsoft.")
        || value.startsWith("<%")
        || (first == '@' && value.indexOf('.') > 0);
  }

  /// `$NAME`, `$env:NAME`, `$name->x`, `${...}`, `$(...)`; not `$a&k=2`.
  private static boolean isVariable(String value) {
    if ("({".indexOf(value.charAt(1)) >= 0) {
      return true;
    }
    for (int i = 1; i < value.length(); i++) {
      char c = value.charAt(i);
      if (!Letters.isPlain(c) && "_:.->[]'\"(){}/".indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }

  /// Whether a value in quotes, or a named value, is a secret.
  static boolean isSecret(String value, Value form) {
    if (!isGiven(value) || value.contains("://")) {
      return false;
    }
    return switch (form) {
      case ANY -> isPassword(value);
      case TOLD -> isTold(value, Value.ANY);
      case PIN -> isPin(value) || isTold(value, Value.ANY);
      case SEED -> isBase32(value) || isToken(value);
      case PHRASE -> isPassword(value) || isPhrase(value);
      case CARD -> isCard(value);
      case CODES -> isTold(value, Value.ANY) || isRandom(value, LEAST_RANDOM);
      case MIXED, HEADER -> isToken(value);
      case NEAR -> isRandom(value, LEAST_LETTERS) && !isUuid(value) && value.indexOf('-') < 0;
      case RANDOM, COOKIE -> isRandom(value, LEAST_RANDOM) && !isUuid(value);
      case QUERY -> isRandom(value, LEAST_QUERY) || isScrambled(value);
      case NONE, PAIR, CALL, ARGUMENT, CLIENT, BESIDE -> false;
    };
  }

  private static boolean isPassword(String value) {
    if (hasSpace(value)) {
      return Letters.hasDigit(value, 0, value.length()) || isGrouped(value);
    }
    return value.length() >= LEAST_WORD && (isNumber(value) || !isWord(value)) && !isPath(value);
  }

  /// `abcd efgh ijkl mnop`.
  private static boolean isGrouped(String value) {
    boolean groups = value.length() == LEAST_RANDOM + 3;
    for (int i = 0; groups && i < value.length(); i++) {
      groups = i % 5 == 4 ? value.charAt(i) == ' ' : Letters.isLower(value.charAt(i));
    }
    return groups;
  }

  private static boolean isToken(String value) {
    if (hasSpace(value) || value.length() < LEAST_TOKEN || isWord(value) || isPath(value)) {
      return false;
    }
    if (isNumber(value)) {
      return value.length() >= LEAST_NUMBER;
    }
    boolean digit = Letters.hasDigit(value, 0, value.length());
    if (isKeyId(value)) {
      return false;
    }
    return digit || isScrambled(value) || (value.length() >= LEAST_PHRASE && isPhraseToken(value));
  }

  /// The id of a public key.
  private static boolean isKeyId(String value) {
    return value.length() == LEAST_RANDOM
        && value.chars().allMatch(c -> Alphabet.HEX_UPPER.has((char) c));
  }

  /// Whether a long value without a digit is no sentence, name or path.
  private static boolean isPhraseToken(String value) {
    return value.chars().noneMatch(c -> "._-/:()".indexOf(c) >= 0)
        || hasSymbol(value, "+=!#$%&*?@^");
  }

  /// Several words of letters without those that every sentence has.
  static boolean isPassphrase(String value) {
    String[] words = value.split(" ", -1);
    if (words.length < 3) {
      return false;
    }
    for (String word : words) {
      if (word.length() < 3
          || !word.chars().allMatch(c -> Letters.isLetter((char) c))
          || isWord(word)
          || COMMON.contains(word.toLowerCase(Locale.ROOT))) {
        return false;
      }
    }
    return true;
  }

  /// The words of a wallet.
  static boolean isSeed(String value) {
    String[] words = value.split(" ", -1);
    if (words.length < 8) {
      return false;
    }
    for (String word : words) {
      if (word.length() < 3
          || word.length() > 10
          || !word.chars().allMatch(c -> Letters.isLower((char) c))) {
        return false;
      }
    }
    return true;
  }

  /// Several words of letters, as in a passphrase.
  private static boolean isPhrase(String value) {
    String[] words = value.split(" ", -1);
    for (String word : words) {
      String plain = word.toLowerCase(Locale.ROOT);
      boolean other =
          word.chars().anyMatch(c -> !Letters.isWord((char) c) && "-',.".indexOf(c) < 0);
      if (other || (words.length < 4 && (COMMON.contains(plain) || WORDS.contains(plain)))) {
        return false;
      }
    }
    return words.length >= 2 && value.length() >= LEAST_PASSPHRASE;
  }

  private static boolean hasSpace(String value) {
    return value.chars().anyMatch(c -> c <= ' ');
  }

  /// Whether an unquoted value is a secret.
  ///
  /// @param tight whether it directly follows its `=`, as in a file of variables
  /// @param wordAllowed whether the text is not code, so that a plain word is a value, too
  static boolean isSecretBare(String value, Value form, boolean tight, boolean wordAllowed) {
    if (!isSecret(value, form) || isCode(value)) {
      return false;
    }
    if ((form == Value.PIN && isPin(value))
        || (form == Value.SEED && isBase32(value))
        || form == Value.CARD) {
      return true;
    }
    if (isIdentifier(value)) {
      boolean named = namesSecret(value);
      boolean plain = !Letters.hasDigit(value, 0, value.length());
      int least = tight ? LEAST_WORD : LEAST_TOLD_WORD;
      return (plain && !isScrambled(value))
          ? wordAllowed
              && !named
              && (form == Value.ANY || form == Value.PHRASE)
              && value.length() >= least
          : (tight || !named || isRandom(value, LEAST_RANDOM)) && value.length() >= least;
    }
    return tight || value.length() >= LEAST_TOLD_WORD;
  }

  /// Whether a value that only follows its name in a sentence, or a command, is one: letters mixed
  /// with digits or symbols, no number, path, version, name or call.
  static boolean isTold(String value, Value form) {
    if (form == Value.PIN && isPin(value)) {
      return true;
    }
    if (form == Value.CARD) {
      return isCard(value);
    }
    if (value.length() < LEAST_TOLD_WORD
        || !isGiven(value)
        || value.contains("://")
        || isWord(value)
        || isCode(value)
        || isPath(value)) {
      return false;
    }
    if (form == Value.SEED && isBase32(value)) {
      return true;
    }
    boolean word =
        form == Value.ANY || form == Value.TOLD || form == Value.PIN || form == Value.PHRASE;
    if (!word || value.length() > LONGEST_TOLD) {
      return isRandom(value, LEAST_RANDOM) && !isKeyId(value);
    }
    boolean letter = false;
    boolean digit = false;
    boolean symbol = false;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      letter |= Letters.isLetter(c);
      digit |= Letters.isDigit(c);
      symbol |= "!#$%&*+=?@^".indexOf(c) >= 0;
      if (c <= ' ' || c >= 127 || "(){}[]<>|\\".indexOf(c) >= 0) {
        return false;
      }
    }
    return letter && (digit || symbol || isMixed(value)) && !isName(value) && !isAddress(value);
  }

  /// What is between two indices, if it is told after a name.
  static Secret told(String text, SecretName name, int from, int stop) {
    boolean secret = stop - from < LONGEST_LOOK && isTold(text.substring(from, stop), name.value());
    return secret ? new Secret(from, stop, name.kind()) : Secret.NONE;
  }

  /// The number of a card with its check digit, or the three or four digits that go with it.
  private static boolean isCard(String value) {
    boolean digits = value.chars().allMatch(c -> Letters.isDigit((char) c));
    return digits
        && (value.length() == 3
            || value.length() == 4
            || (value.length() >= LEAST_CARD && value.length() <= LONGEST_CARD && checks(value)));
  }

  /// Whether the last digit is the one that follows from the others, by Luhn's rule.
  private static boolean checks(String digits) {
    int sum = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(digits.length() - 1 - i) - '0';
      int counted = i % 2 == 0 ? digit : digit * 2;
      sum += counted > 9 ? counted - 9 : counted;
    }
    return sum % 10 == 0;
  }

  /// Four to eight digits, which dashes may divide: one after three digits or more, or two.
  static boolean isPin(String value) {
    int digits = 0;
    boolean divided = value.indexOf('-') != value.lastIndexOf('-');
    // `G-312867`.
    boolean lettered = Letters.isUpper(Letters.at(value, 0)) && Letters.at(value, 1) == '-';
    for (int i = lettered ? 2 : 0; i < value.length(); i++) {
      boolean digit = Letters.isDigit(value.charAt(i));
      if (!digit && (value.charAt(i) != '-' || i < (divided ? 2 : 3))) {
        return false;
      }
      digits += digit ? 1 : 0;
    }
    return digits >= LEAST_WORD && digits <= LEAST_TOKEN && value.length() <= LEAST_TOKEN + 2;
  }

  /// The seed of one-time passwords.
  private static boolean isBase32(String value) {
    return value.length() >= LEAST_RANDOM
        && value.chars().allMatch(c -> Alphabet.BASE32.has((char) c));
  }

  /// Whether a word is one that sentences about passwords have.
  static boolean isCommon(String word) {
    return COMMON.contains(word.toLowerCase(Locale.ROOT)) || isWord(word);
  }

  static boolean isLetters(String value) {
    return !value.isEmpty() && value.chars().allMatch(c -> Letters.isLetter((char) c));
  }

  /// Whether letters and digits, or small and large letters, take turns as in no name.
  static boolean isAlternating(String value) {
    int changes = 0;
    for (int i = 1; i < value.length(); i++) {
      boolean digit = Letters.isDigit(value.charAt(i));
      changes += digit != Letters.isDigit(value.charAt(i - 1)) ? 1 : 0;
    }
    return value.length() >= LEAST_SCRAMBLED
        && isTokenText(value)
        && (isScrambled(value) || (changes >= LEAST_RARE && isMixedUp(value)));
  }

  /// Whether small and large letters and digits take turns as in no name of code.
  static boolean isKeyText(String value) {
    int changes = 0;
    for (int i = 1; i < value.length(); i++) {
      boolean digit = Letters.isDigit(value.charAt(i));
      changes += digit != Letters.isDigit(value.charAt(i - 1)) ? 1 : 0;
    }
    return value.chars().anyMatch(c -> Letters.isUpper((char) c))
        && value.chars().anyMatch(c -> Letters.isLower((char) c))
        && changes >= LEAST_RARE
        && (rarePairs(value) >= LEAST_RARE - 1 || changes * 4 > value.length());
  }

  /// Whether a value has letters and digits, and also letters of both cases, symbols, or many
  /// changes between letters and digits.
  static boolean isMixedUp(String value) {
    boolean upper = value.chars().anyMatch(c -> Letters.isUpper((char) c));
    boolean lower = value.chars().anyMatch(c -> Letters.isLower((char) c));
    return value.length() >= LEAST_TOKEN
        && Letters.hasDigit(value, 0, value.length())
        && ((upper && lower)
            || ((upper || lower)
                && (hasSymbol(value, "!#$%&*+=?@^") || isRandom(value, LEAST_TOKEN))));
  }

  /// The name of an algorithm: `aes-256-cbc`, `SHA512`.
  static boolean isAlgorithm(String value) {
    String lower = value.toLowerCase(Locale.ROOT);
    return value.length() <= LEAST_HEX && ALGORITHMS.stream().anyMatch(lower::startsWith);
  }

  /// Whether small and large letters take turns as they do in no name, or letters follow each other
  /// as they do in no word.
  static boolean isScrambled(String value) {
    if (value.length() < LEAST_SCRAMBLED || !isTokenText(value)) {
      return false;
    }
    int turns = 0;
    for (int i = 1; i < value.length(); i++) {
      turns += Letters.isUpper(value.charAt(i)) != Letters.isUpper(value.charAt(i - 1)) ? 1 : 0;
    }
    return turns * 5 >= value.length() * 2 || isUnpronounceable(value);
  }

  /// Like [#isScrambled], for a value that is no name of code where it stands.
  private static boolean isMixed(String value) {
    int turns = 0;
    for (int i = 1; i < value.length(); i++) {
      turns += Letters.isUpper(value.charAt(i)) != Letters.isUpper(value.charAt(i - 1)) ? 1 : 0;
    }
    return isScrambled(value)
        || (value.length() >= LEAST_SCRAMBLED
            && turns * 10 >= value.length() * 3
            && rarePairs(value) > 0
            && isTokenText(value));
  }

  /// Whether many of the pairs of letters occur in no word.
  private static boolean isUnpronounceable(String value) {
    int rare = rarePairs(value);
    int pairs = value.length() - 1;
    int consonants = value.chars().allMatch(c -> Letters.isLower((char) c)) ? consonants(value) : 0;
    boolean crowded = pairs < LEAST_HEX && rare >= LEAST_RARE - 1 && consonants >= LEAST_CONSONANTS;
    return crowded || (rare >= LEAST_RARE && rare * (pairs < LEAST_LETTERS ? 5 : 7) >= pairs);
  }

  /// Whether two letters follow each other as in no word.
  static boolean hasRarePair(String value) {
    return rarePairs(value) > 0;
  }

  /// The most consonants in succession.
  private static int consonants(String value) {
    int most = 0;
    int run = 0;
    for (int i = 0; i < value.length(); i++) {
      run = "aeiouy".indexOf(value.charAt(i)) < 0 ? run + 1 : 0;
      most = Math.max(most, run);
    }
    return most;
  }

  private static int rarePairs(String value) {
    int rare = 0;
    for (int i = 1; i < value.length(); i++) {
      char one = value.charAt(i - 1);
      char two = value.charAt(i);
      if (Letters.isLetter(one) && Letters.isLetter(two)) {
        boolean usual = (FOLLOWERS[(one | 0x20) - 'a'] & 1 << ((two | 0x20) - 'a')) != 0;
        rare += usual ? 0 : 1;
      }
    }
    return rare;
  }

  /// Whether a value is long, has small and large letters and digits, and no marks of a name.
  static boolean isKey(String value) {
    return value.length() >= LEAST_KEY
        && value.chars().anyMatch(c -> Letters.isUpper((char) c))
        && value.chars().anyMatch(c -> Letters.isLower((char) c))
        && Letters.hasDigit(value, 0, value.length())
        && value.chars().allMatch(c -> Letters.isPlain((char) c) || "+/=".indexOf(c) >= 0);
  }

  private static boolean isTokenText(String value) {
    return value.chars().allMatch(c -> Letters.isJoined((char) c) || "+/=".indexOf(c) >= 0);
  }

  /// `max_length2`, `v1.2.3`, `file2.txt`, `2025-03-04T10`, `utf-8`: words and numbers with marks
  /// between them.
  private static boolean isName(String value) {
    if (Letters.isDigit(value.charAt(0)) && ".:".indexOf(Letters.at(value, 1)) >= 0) {
      return true;
    }
    if (isRandom(value, LEAST_RANDOM)) {
      return false;
    }
    boolean marks = false;
    boolean lower = false;
    boolean upper = false;
    boolean joints = true;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      marks |= "_.:/,".indexOf(c) >= 0;
      joints &= ".:/,".indexOf(c) < 0;
      lower |= Letters.isLower(c);
      upper |= Letters.isUpper(c);
      if (!Letters.isJoined(c) && "_.:/,".indexOf(c) < 0) {
        return false;
      }
    }
    if (joints && lower && upper && Letters.hasDigit(value, 0, value.length())) {
      return false;
    }
    boolean ticket = !lower && Letters.isDigit(value.charAt(value.length() - 1));
    return marks || (value.indexOf('-') > 0 && (ticket || Letters.isDigit(value.charAt(0))));
  }

  private static boolean isAddress(String value) {
    int at = value.indexOf('@');
    return at > 0 && value.indexOf('.', at) > 0;
  }

  /// Whether a value looks random: letters and digits in turn, or a long run of hex digits.
  ///
  /// @param least characters
  static boolean isRandom(String value, int least) {
    int length = value.length();
    if (length < least || isTime(value)) {
      return false;
    }
    int digits = 0;
    int letters = 0;
    int hex = 0;
    int turns = 0;
    int marks = 0;
    int before = -1;
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      int form = Letters.isDigit(c) ? 0 : Letters.isLower(c) ? 1 : Letters.isUpper(c) ? 2 : 3;
      if (form == 3 && "+/=_-.~%:!@$#&*?^".indexOf(c) < 0) {
        return false;
      }
      digits += form == 0 ? 1 : 0;
      letters += form == 1 || form == 2 ? 1 : 0;
      marks += form == 3 ? 1 : 0;
      hex += form == 0 || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') ? 1 : 0;
      turns += before >= 0 && form != before ? 1 : 0;
      before = form;
    }
    if (letters == 0 || digits == 0) {
      return marks * 5 < length
          && ((letters >= LEAST_HEX && turns * 3 > length)
              || (letters >= LEAST_LETTERS && isUnpronounceable(value)));
    }
    if (hex + marks == length && marks * 5 < length) {
      return length >= LEAST_HEX || (length >= least && turns * 4 > length);
    }
    return marks * (length >= 32 ? 3 : 4) < length
        && (turns * 10 >= length * 3
            || (marks == 0 && digits >= 3 && length >= 20)
            || (length >= LEAST_HEX && isUnpronounceable(value)));
  }

  /// `2026-04-08T13:19:00Z`.
  private static boolean isTime(String value) {
    return value.length() < 40
        && Letters.at(value, 4) == '-'
        && Letters.at(value, 7) == '-'
        && "T_".indexOf(Letters.at(value, 10)) >= 0
        && Letters.isDigit(value.charAt(0))
        && Letters.isDigit(value.charAt(3));
  }

  /// Whether a value has the form of a UUID.
  static boolean isUuid(String value) {
    if (value.length() != 36) {
      return false;
    }
    for (int i = 0; i < 36; i++) {
      boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
      if (dash ? value.charAt(i) != '-' : Character.digit(value.charAt(i), 16) < 0) {
        return false;
      }
    }
    return true;
  }

  static boolean isWord(String value) {
    return WORDS.contains(value.toLowerCase(Locale.ROOT));
  }

  private static boolean isNumber(String value) {
    int at = "+-".indexOf(value.charAt(0)) >= 0 ? 1 : 0;
    while (at < value.length() && Letters.isDigit(value.charAt(at))) {
      at++;
    }
    return at == value.length();
  }

  /// `/run/secrets/x`, `./x`, `~/x`, `C:\x`. Text in base64 can begin with `/`, too.
  private static boolean isPath(String value) {
    boolean relative = value.startsWith("./") || value.startsWith("../") || value.startsWith("~/");
    boolean drive = value.length() > 3 && value.startsWith(":\\", 1);
    boolean absolute = value.charAt(0) == '/' && !isRandom(value, LEAST_RANDOM);
    return relative || drive || absolute;
  }

  /// `getpass(`, `os.environ[`, `self.token`, `req.body?.password`, `!vault`.
  static boolean isCode(String value) {
    int open = 0;
    boolean dotted = false;
    while (open < value.length()
        && (isNamed(value.charAt(open)) || ".?!>-:".indexOf(value.charAt(open)) >= 0)) {
      dotted |= value.charAt(open) == '.';
      open++;
    }
    boolean listed = dotted && open == value.length() - 1 && value.charAt(open) == ',';
    if (open < value.length() && !listed) {
      return open > 0 && "([".indexOf(value.charAt(open)) >= 0;
    }
    if (CMDLETS.stream().anyMatch(value::startsWith) && !Letters.hasDigit(value, 0, open)) {
      return true;
    }
    boolean tag =
        value.charAt(0) == '!'
            && isIdentifier(value.substring(1))
            && !Letters.hasDigit(value, 1, value.length());
    boolean member = dotted && Letters.isLetter(value.charAt(0));
    return tag || (member && (!Letters.hasDigit(value, 0, open) || namesSecret(value)));
  }

  private static boolean isIdentifier(String value) {
    return !value.isEmpty() && value.chars().allMatch(c -> isNamed((char) c));
  }

  private static boolean isNamed(char c) {
    return Letters.isPlain(c) || c == '_';
  }

  static boolean namesSecret(String value) {
    String lower = value.toLowerCase(Locale.ROOT);
    return lower.contains("passw")
        || lower.contains("token")
        || lower.contains("secret")
        || lower.contains("pwd")
        || lower.contains("api_key")
        || lower.contains("api-key")
        || lower.endsWith("key");
  }
}
