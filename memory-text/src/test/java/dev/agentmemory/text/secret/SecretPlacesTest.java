package dev.agentmemory.text.secret;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Places where secrets occur, each with what is masked there and what is left.
class SecretPlacesTest {

  private final SecretMask mask = new SecretMask();

  private void masks(String before, String secret, String after, String kind) {
    assertThat(mask.apply(before + secret + after))
        .isEqualTo(before + "[masked:" + kind + "]" + after);
  }

  private void leaves(String text) {
    assertThat(mask.apply(text)).isSameAs(text);
  }

  @Test
  void signsThatAreNotEncodedInAUrl_arePartOfThePassword() {
    masks("amqps://kim:", "Kilo#12do", "@mq.example.com/vh", "url_password");
    masks("https://kim:", "Kilo#12do", "@art.example.com/simple", "url_password");
    masks("postgresql+psycopg2://kim:", "Kilo/12?do", "@pg.example.com/app", "url_password");
    leaves("http://localhost:8080#kim@example.com");
    leaves("postgres://pg.example.com:5432/app?owner=kim@example.com");
    leaves("https://example.com:kilo/dono@2x.png");
  }

  @Test
  void wordsInQuotesAfterASpacedSign_areAPassword() {
    masks("password     = '", "kilo dono raba", "'\n", "password");
    masks("db.password := \"", "kilo dono raba", "\"", "password");
    masks("define('DB_PASSWORD', '", "kilo dono raba", "');", "password");
    leaves("password = \"Enter your new one\"");
    leaves("\"password\" : \"kilo dono raba\"");
    leaves("define('LABEL_PASSWORD', 'Please choose one')");
  }

  @Test
  void valueOfAnAssignmentWithADefault_isMasked() {
    masks("process.env.DB_PASS ||= '", "Kilodo12x", "'", "password");
    masks("dbPassword ??= \"", "Kilodo12x", "\"", "password");
    leaves("const ok = password || 'kilo'");
  }

  @Test
  void argumentsWithoutBrackets_areMasked() {
    masks("http.basic_auth 'svc', '", "kilodo-mira-260", "'", "password");
    masks("EXEC sp_addlinkedsrvlogin 'ERP', 'false', NULL, 'u', '", "Kilo#12do", "';", "password");
    leaves("encrypt 'x12345y', and hash 'kilo'");
  }

  @Test
  void argumentAfterAConstant_isMasked() {
    masks("env.put(Context.SECURITY_CREDENTIALS, \"", "Kilo#12do", "\");", "password");
    masks("config.set(Keys.API_SECRET, '", "q1W2e3R4t5Y6u7I8", "')", "secret");
    leaves("assertThat(DB_PASSWORD, \"%s\", name)");
  }

  @Test
  void passwordAsAnArrayOfCharacters_isMasked() {
    masks("keyStore.load(in, \"", "kilodo-mira-260", "\".toCharArray());", "password");
    leaves("count(\"kilodo-mira-260\".toCharArray());");
    leaves("keyStore.load(in, \"kilodo\".toCharArray());");
  }

  @Test
  void keysAsBytes_areMasked() {
    masks("hmac.new(b\"", "q1W2e3R4t5Y6u7I8o9P0a1S2", "\", m, sha256)", "secret");
    masks(
        "sessions.NewCookieStore([]byte(\"", "q1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6", "\"))", "secret");
    leaves("hash.Write([]byte(\"q1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6\"))");
  }

  @Test
  void sealedSecrets_areMasked() {
    String sealed = "{AQAAABAAAAAgq1W2e3R4t5Y6u7I8o9P0a1S2d3F4=}";
    masks("<apiToken>", sealed, "</apiToken>", "api_key");
    masks("<secret>", sealed, "</secret>", "secret");
    masks("encrypted=ENC(", "q1W2e3R4t5Y6u7I8o9P0a1", ")", "secret");
    leaves("<secret>{vault-of-the-application-server}</secret>");
    leaves("ENC(theNameOfTheVariableThatIsEncoded)");
  }

  @Test
  void passwordAsAFileThatEchoWrites_isMasked() {
    masks("ansible-vault view --vault-password-file <(echo ", "Kilodo12x", ") x.yml", "password");
    masks("tee /run/secrets/db <<< \"", "Kilodo12x", "\"", "password");
    masks("echo \"db:5432:app:kim:", "Kilodo12x", "\" >> ~/.pgpass", "password");
    leaves("diff <(echo Kilodo12x) b.txt");
    leaves("grep -c a <<< \"Kilodo12x\"");
    leaves("tee /run/secrets/db\\n<<<<<<< Kilodo12x");
  }

  @Test
  void moreCommands_loseTheSecret() {
    masks("smbclient //nas/a -U 'EXAMPLE\\svc%", "Kilodo12x", "' -c ls", "password");
    masks("net use \\\\10.0.4.9\\c$ ", "Kilodo12x", " /user:kim", "password");
    masks("oras login cr.example.org -u ci -p ", "kilodo-mira-260", "", "password");
    masks("oathtool --totp -b ", "JBSWY3DPEHPK3PXPJBSWY3DP", "", "secret");
    masks("SQL> CONNECT hr/", "Kilo#12do", "@prod", "password");
    masks("gh secret set PROD_PW -b'", "Kilodo12x", "'", "token");
    leaves("net use Z: \\\\fs01\\share2 /persistent:yes");
    leaves("CONNECT api.example.com:443 HTTP/1.1");
  }

  @Test
  void sentencesWithoutAVerb_loseWhatEndsTheLine() {
    masks("password for the vpn ", "Kilo#12do", "", "password");
    masks("пароль от админки ", "Kilo#12do", "\n", "password");
    masks("the keystore password, ", "Kilo#12do", ", is the same", "password");
    masks("type \"", "Kilo12do34", "\" into the password box", "password");
    masks("user/pass: kim/", "Kilodo12x", "", "password");
    leaves("password for the service Release2Candidate");
    leaves("login, password, Sha256Digest, name");
    leaves("one like LastPass, 1Password, or another");
  }

  @Test
  void cardsAndCodes_areMasked() {
    masks("card ends in 4242, CVV ", "282", "", "card");
    masks("\"card_number\": \"", "4000001234567899", "\"", "card");
    masks("the safe combination is ", "92-76-67", "", "password");
    masks("Save these backup codes:\n1. ", "7065 4468\n2. 8096 5227", "\n", "recovery_code");
    masks("{\"backup_codes\":[\"", "b588922cca\",\"0a13306ab5", "\"]}", "recovery_code");
    masks("one-time backup code ", "61950455", "", "recovery_code");
    leaves("\"card_number\": \"4000001234567890\"");
    leaves("backup codes: 8 left");
    leaves("the recovery codes of RecoveryCode are shown once");
  }

  @Test
  void whatNoPasswordIs_isLeft() {
    leaves("checksum/secret: " + "0f1e2d3c4b5a6978".repeat(4));
    leaves("auth login method=password result=ok ms=12");
    leaves("password=password, token=token");
    leaves("git config user.signingkey 0F1E2D3C4B5A6978");
  }
}
