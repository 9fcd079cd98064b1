package dev.agentmemory.text.secret;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.Seeds;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The rules, each with what it must find and what it must leave. Examples are put together here,
/// so that no other tool takes them for real.
class SecretMaskTest {

  private static final String ALNUM36 = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
  private static final String BASE64_LINE = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB";

  private final SecretMask mask = new SecretMask();

  private void masks(String before, String secret, String after, String kind) {
    assertThat(mask.apply(before + secret + after))
        .isEqualTo(before + "[masked:" + kind + "]" + after);
  }

  private void leaves(String text) {
    assertThat(mask.apply(text)).isSameAs(text);
  }

  @Test
  void cloudKeys_areMasked() {
    masks("id ", "AKIAIOSFODNN7EXAMPLE", " in eu-west-1", "aws_key");
    masks("AWS_ACCESS_KEY_ID=", "ASIAIOSFODNN7EXAMPLE", "\n", "aws_key");
    masks(
        "aws_secret_access_key = ", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "\n", "aws_secret");
    masks(
        "\"SecretAccessKey\": \"", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "\",", "aws_secret");
    masks("?key=", "AIzaSyA1234567890abcdefghijklmnopqrstuv", "&q=1", "google_key");
    masks("AccountName=a;AccountKey=", "q1w2e3r4t5/y6u7i8o9p0==", ";Suffix=x", "azure_key");
    masks("SharedAccessKey=", "q1w2e3r4t5/y6u7i8o9p0+a=", "", "azure_key");
  }

  @Test
  void forgeTokens_areMasked() {
    for (String prefix : List.of("ghp_", "gho_", "ghs_", "ghu_", "ghr_")) {
      masks("use ", prefix + ALNUM36, ".", "github_token");
    }
    masks("use ", "github_pat_11AAAAAAA0" + "_" + ALNUM36, " now", "github_token");
    masks("https://oauth2@x ", "glpat-a1B2c3D4e5_6g7H8-i9J", "", "gitlab_token");
  }

  @Test
  void providerKeys_areMasked() {
    masks("key ", "sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2", ",", "api_key");
    masks("key ", "sk-ant-api03-a1B2c3D4e5F6g7H8_i9J0", "\n", "api_key");
    masks("in ", "xoxb-123456789012-abcdefABCDEF", " it", "slack_token");
    masks("pay ", "sk_live_a1B2c3D4e5F6g7H8i9J0", "", "stripe_key");
    masks("_auth ", "npm_" + ALNUM36, "", "npm_token");
    masks("(", "hf_aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH", ")", "huggingface_token");
  }

  @Test
  void privateKeys_areMasked_alsoWhenCutOff() {
    String begin = "-----BEGIN RSA PRIVATE KEY-----\n";
    String body = BASE64_LINE + "\n" + BASE64_LINE + "\nAbCd12==\n";
    String end = "-----END RSA PRIVATE KEY-----";
    masks("key:\n", begin + body + end, "\nand more", "private_key");
    masks("key:\n", begin + BASE64_LINE + "\n" + BASE64_LINE, "\n\nThat was it.", "private_key");
    masks("", begin + BASE64_LINE + "\nAbC", "", "private_key");
    masks(
        "",
        begin + "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A\n\n" + body + end,
        "!",
        "private_key");
    masks("\"", (begin + body + end).replace("\n", "\\n"), "\"", "private_key");
    masks(
        "",
        begin.replace("RSA", "OPENSSH") + BASE64_LINE + "\n" + end.replace("RSA", "OPENSSH"),
        "",
        "private_key");
  }

  @Test
  void webTokensAndHeaders_areMasked() {
    String jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0" + ".dozjgNryP4J3jVmNHl0w5N";
    masks("see ", jwt, " there", "jwt");
    masks("cut ", jwt.substring(0, jwt.lastIndexOf('.')), "", "jwt");
    masks("Authorization: Bearer ", "a1B2c3D4e5F6g7H8i9J0", "\"", "bearer");
    masks("authorization: bearer ", "a1b2.c3d4_e5f6-g7h8", "\n", "bearer");
    masks("\"Authorization\": \"Basic ", "dXNlcjpwYXNzd29yZA==", "\"", "basic");
  }

  @Test
  void passwordsInUrls_areMasked() {
    masks("postgres://app:", "s3cr3t", "@db:5432/main", "url_password");
    masks("https://me:", "p:w@x", "@example.org/a?b=c", "url_password");
    masks("\"redis://:", "hunter2", "@cache\"", "url_password");
  }

  @Test
  void assignments_keepTheNameAndLoseTheValue() {
    masks("password=", "hunter2", " ok", "password");
    masks("DB_PASSWORD=", "correcthorse", "\nNEXT=1", "password");
    masks("export PGPASSWORD=", "a,b;c&d)e1", "\n", "password");
    masks("passwd: ", "hunter2", ".", "password");
    masks("password: ", "swordfish", "\n", "password");
    masks("{\"password\": \"", "correct horse 4", "\"}", "password");
    masks("{\\\"password\\\":\\\"", "hunter2", "\\\"}", "password");
    masks("$cfg['password'] = '", "hunter", "';", "password");
    masks("connect(password=\"", "hunter", "\")", "password");
    masks("password := \"", "hunter", "\"", "password");
    masks(":password => \"", "hunter", "\"", "password");
    masks("**Password:** ", "hunter2", " (new)", "password");
    masks("?user=a&password=", "hunter", "&x=1", "password");
    masks("clientSecret: '", "9f8e7d6c5b", "'", "secret");
    masks("secret=", "9f8e7d6c5b", "\n", "secret");
    masks("token: ", "9f8e7d6c5b4a", "\n", "token");
    masks("refresh_token=", "1//0gabc-def", " ", "token");
    masks("x-api-key: ", "9f8e7d6c5b4a", "\n", "api_key");
    masks("MY_APIKEY = ", "9f8e7d6c5b4a", "\n", "api_key");
  }

  @Test
  void commands_loseWhatIsGivenToThem() {
    masks("./import --user admin --password ", "Kilodo12x", " --verbose", "password");
    masks("mysql -u root -p", "kilodo12", " shop < dump.sql", "password");
    masks("sshpass -p '", "kilo do;12", "' ssh root@host", "password");
    masks("curl -sS -u deploy:", "kilodo", " https://host/", "password");
    masks("curl --user \"api:", "kilodo", "\" https://host/", "password");
    masks("smbclient //nas/x -U 'kim%", "kilodo12", "' -c ls", "password");
    masks("machine host login bob password ", "kilodo12", "\n", "password");
    masks("echo ", "kilodo12", " | sudo -S true", "password");
    masks("{\"args\": [\"--password\", \"", "Kilodo12x", "\"]}", "password");
    masks("db.internal:5432:app:app_rw:", "Kilodo12x", "\n", "password");
  }

  @Test
  void otherNotations_loseTheValue() {
    masks("<password>", "kilodo12", "</password>", "password");
    masks("<Pass encoding=\"base64\">", "a2lsb2RvMTIz", "</Pass>", "password");
    masks("<user name=\"x\" password=\"", "kilodo", "\"/>", "password");
    masks("<add key=\"ApiKey\" value=\"", "9f8e7d6c5b4a", "\"/>", "api_key");
    masks("<key>password</key>\n<string>", "kilodo12", "</string>", "password");
    masks("Server=s;User Id=u;Password=", "kilodo", ";Encrypt=yes", "password");
    masks("define( 'DB_PASSWORD', '", "kilo#do12", "' );", "password");
    masks("client.setApiKey(\"", "a1B2c3D4e5F6g7H8", "\")", "api_key");
    masks("const API_SECRET: &str = \"", "a1B2c3D4e5F6", "\";", "secret");
    masks(
        "{\\\"b\\\":\\\"{\\\\\\\"api_key\\\\\\\":\\\\\\\"", "9f8e7d6c5b4a", "\\\\\\\"}", "api_key");
    masks("Cookie: theme=dark; sessionid=", "a1b2c3d4e5f6g7h8i9j0", "; x=1", "session");
    masks("GET /cb?code=", "a1B2c3D4e5F6g7H8", "&state=xyz", "secret");
    masks("- name: DB_PASSWORD\n  value: ", "Kilodo12x", "\n", "password");
    masks("{\"name\": \"API_TOKEN\", \"value\": \"", "9f8e7d6c5b4a", "\"}", "api_key");
    masks("put --name /db/password --value ", "Kilodo12x", " --type x", "password");
    masks("AWS Secret Access Key [None]: ", "wJalrXUtnFEMI/K7MDENG", "\n", "aws_secret");
    masks("Password (again): ", "Kilodo12x", "\n", "password");
    masks("password: |\n  ", "Kilodo12x", "\nuser: kim", "password");
    masks("get(url, auth=('kim', '", "Kilodo12x", "'))", "password");
    masks("smtp.login(\"kim@host.org\", \"", "Kilodo12x", "\")", "password");
    masks("<input type=\"password\" id=\"x\" value=\"", "Kilodo12x", "\">", "password");
    masks("sqlplus scott/", "tiger12", "@orcl", "password");
    masks("jdbc:oracle:thin:scott/", "tiger12", "@//ora1:1521/X", "password");
    masks("API_KEY_PROD=", "9f8e7d6c5b4a", "\n", "api_key");
    masks("curl -H 'Authorization: Token ", "a1b2c3d4e5f6g7h8i9j0", "'", "authorization");
    masks("Client(\"", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6", "\")  # the API key", "secret");
  }

  @Test
  void sentences_loseWhatTheyTell() {
    masks("The staging password is ", "Kilodo12", ", please log in.", "password");
    masks("Das Passwort f\u00fcr den Server lautet ", "Kilodo12", ".", "password");
    masks("\u5bc6\u7801\u662f ", "Kilodo12", "\uff0c\u7528\u6237\u540d app", "password");
    masks("The passphrase is '", "kilodo remita bosena", "' at boot", "password");
    masks("passphrase: \"", "kilodo remita bosena", "\"", "password");
    masks("log in as admin / ", "Kilodo12", " on the box", "login");
    masks("here's my api key ", "a1B2c3D4e5F6g7H8", " try it", "api_key");
    masks("app password, it is: ", "kqlo dxma rfmi tjbo", ".", "password");
    masks("Recovery codes:\n", "a1b2c-d3e4f\nb2c3d-e4f5a", "\nKeep them", "recovery_code");
  }

  @Test
  void valuesBeforeOrBesideTheirName_areMasked() {
    masks("Use ", "Kilodo12!", " as the password for staging", "password");
    masks("I think ", "Kilodo12", " is the admin password", "password");
    masks("| Password | ", "Kilodo12x", " |", "password");
    masks("- **Password** | `", "Kilodo12x", "` |", "password");
    masks("Password - ", "Kilodo12x", "\n", "password");
    masks("the credentials are bob:", "Kilodo12", "\n", "login");
    masks("creds: bob / ", "Kilodo12", "\n", "login");
    masks("reset the password to ", "Kilodo12!", " now", "password");
    masks("{\"pin\": \"", "312867", "\"}", "password");
    masks("CREATE USER b IDENTIFIED BY '", "kilodoma", "';", "password");
    masks("curl -b \"session=", "a1b2c3d4e5f6g7h8i9j0", "\" https://host/", "session");
    masks("auth = (\"bob\", \"", "Kilodo12", "\")", "password");
    masks("Proxy-Authorization: Basic ", "TEEmaxSEVOLhISppgLzZdhdh", "\n", "basic");
    masks("ssh-keygen -t ed25519 -N '", "kilodo12", "' -f key", "password");
    masks("bob:1001:", "0".repeat(30) + "1f:" + "a1".repeat(16) + ":::", "", "password_hash");
  }

  @Test
  void valuesInsideExpressions_areMasked() {
    masks("password = SecretStr(\"", "Kilodo12x", "\")", "password");
    masks("my $passwd = q(", "Kilodo12x", ");", "password");
    masks("admin_password = \"\"\"", "kilo#do12", "\"\"\"\n", "password");
    masks("token = os.environ.get(\"TOKEN\", \"", "a1B2c3D4e5F6g7H8", "\")", "token");
    masks("const token = process.env.TOKEN ?? '", "a1B2c3D4e5F6g7H8", "';", "token");
    masks("  password: <%= ENV.fetch(\"PGPASS\") { \"", "Kilodo12x", "\" } %>", "password");
    masks("password: ${DB_PASSWORD:-", "Kilodo12x", "}", "password");
    masks("password: \"${db.password:", "Kilodo12x", "}\"", "password");
    masks(" Secret: (string) (len=32) \"", "a1B2c3D4e5F6g7H8", "\",", "secret");
    masks("public string Token { get; set; } = \"", "a1B2c3D4e5F6g7H8", "\";", "token");
    masks("fun password() = \"", "Kilodo12x", "\"", "password");
    masks("password: str = Field(\"", "Kilodo12x", "\")", "password");
    masks("svc_creds = (\"exporter\", \"", "Kilodo12x", "\")", "password");
    masks("SECRETS = [\"", "a1B2c3D4e5F6g7H8i9J0k1L2", "\"]", "secret");
    masks("PDO->__construct('mysql:host=db', 'shop', '", "Kilodo12x", "')", "password");
    masks("login(\"kim@host.org\", \"", "kqlo dxma rfmi tjbo", "\")", "password");
    masks("DB_PASSWORD <- \"", "Kilodo12x", "\"", "password");
    masks("{password, \"", "Kilodo12x", "\"}", "password");
  }

  @Test
  void valuesOfBlocks_areMasked() {
    masks("variable \"db_password\" {\n  default = \"", "Kilodo12x", "\"\n}", "password");
    masks("\"adminPassword\": {\"value\": \"", "Kilodo12x", "\"}", "password");
    masks("Password:\n  Type: String\n  Default: ", "Kilodo12x", "\n", "password");
    masks("arg(\"--password\", default=\"", "Kilodo12x", "\")", "password");
  }

  @Test
  void valuesOnTheNextLine_areMasked() {
    masks("const accessToken =\n  \"", "a1B2c3D4e5F6g7H8", "\";", "token");
    masks("export PGPASSWORD=\\\n", "Kilodo12x", "\n", "password");
    masks("password = (\n  \"", "Kilodo12x", "\"\n)", "password");
    masks("$ openssl rand -base64 32\n", "a1B2c3D4e5F6g7H8i9J0k1L2+/=", "\n", "secret");
    masks("$ cat config/master.key\n", "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "\n", "secret");
    masks("$ cat vpn/auth.txt\nkim\n", "Kilodo12x", "\n", "secret");
  }

  @Test
  void valuesInSentencesAboutThem_areMasked() {
    masks("I changed the password from ", "Kilodo12x to Kilodo13x", ", as asked", "password");
    masks("the password was changed from ", "Kilodo12x", " yesterday", "password");
    masks("Try ", "Kilodo12x", " for the admin password", "password");
    masks("It is ", "Kilodo12x", " (the root password)", "password");
    masks("process.env.API_KEY || '", "9f8e7d6c5b4a39281706", "'", "api_key");
  }

  @Test
  void valuesBelowTheHeadOfAColumn_areMasked() {
    masks("user,password\nkim,", "Kilodo12x", "\n", "password");
    masks("id\tuser\tpassword\n1\tkim\t", "Kilodo12x", "", "password");
    masks("| user | `password` | at |\n|---|---|---|\n| kim | ", "Kilodo12x", " | x |", "password");
    masks("+--+\n| id | password |\n+--+\n|  1 | ", "Kilodo12x", " |\n+--+", "password");
    masks("insert into u (id, password)\n  values (1, '", "Kilodo12x", "');", "password");
    assertThat(
            mask.apply(
                "user;password;api key\nkim;Kilodo12x;9f8e7d6c5b4a39281706\nada;;\nbo;Kilodo13x;"))
        .isEqualTo(
            "user;password;api key\nkim;[masked:password];[masked:api_key]\nada;;\nbo;[masked:password];");
    assertThat(
            mask.apply(
                "INSERT INTO u (name, password) VALUES ('a, b)', 'Kilodo12x'), ('c', 'Kilodo13x')"))
        .isEqualTo(
            "INSERT INTO u (name, password) VALUES ('a, b)', '[masked:password]'), ('c', '[masked:password]')");
  }

  @Test
  void markupAndEscapes_loseTheValue() {
    masks("<wsse:Password Type=\"#Text\">", "kilodo12", "</wsse:Password>", "password");
    masks("<password><![CDATA[", "kilodo12", "]]></password>", "password");
    masks("&lt;apiToken&gt;", "9f8e7d6c5b4a", "&lt;/apiToken&gt;", "api_key");
    masks("{&quot;password&quot;:&quot;", "kilodo12", "&quot;}", "password");
    masks("%22password%22%3A%22", "kilodo12", "%22", "password");
    masks("user%5Bpassword%5D=", "kilodo12", "&x=1", "password");
    masks("<master>", "{a1B2c3D4e5F6g7H8i9J0k1L2=}", "</master>", "maven_password");
  }

  @Test
  void commandsWithTheSecretAsAWord_loseIt() {
    masks("wandb login ", "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "\n", "token");
    masks("shodan init ", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6", "\n", "api_key");
    masks("new Logtail(\"", "a1B2c3D4e5F6g7H8i9J0k1L2", "\");", "secret");
    masks("net use Z: \\\\nas\\x ", "Kilodo12x", " /user:kim", "password");
    masks("net use Z: \\\\nas\\x /user:kim ", "Kilodo12x", "", "password");
    masks("htpasswd -bc .htpasswd kim ", "Kilodo12x", "\n", "password");
    masks("mosquitto_passwd -b /etc/passwd kim ", "Kilodo12x", "\n", "password");
    masks("127.0.0.1:6379> AUTH default ", "Kilodo12x", "\nOK", "password");
    masks("ACL SETUSER worker on >", "kilodoma", " ~*", "password");
    masks("send \"", "Kilodo12x", "\\r\"", "password");
    masks("cmdkey /add:x /user:kim /pass:", "kilodoma", "\n", "password");
    masks("curl -u ", "0f1e2d3c4b5a69788796a5b4c3d2e1f0", ": https://host/", "password");
    masks("curl -u ", "0f1e2d3c4b5a69788796a5b4c3d2e1f0:a1b2", " https://host/", "password");
    masks("echo ", "0f1e2d3c4b5a69788796a5b4c3d2e1f0", " > config/master.key", "password");
    masks("openssl enc -K ", "0f1e2d3c4b5a69788796a5b4c3d2e1f0", " -iv 0", "secret");
  }

  @Test
  void addressesAndCookies_loseWhatGrantsAccess() {
    masks("\"root:", "kilodo12", "@tcp(db:3306)/shop\"", "password");
    masks("=root:", "kilodo12", "@db.host:3306/shop", "password");
    masks("WIFI:T:WPA;S:Home;P:", "kilodo12", ";;", "password");
    masks("https://", "0f1e2d3c4b".repeat(4), "@git.host/x.git", "url_password");
    masks("https://", "a1B2c3D4e5F6g7H8i9J0k1", ":x-oauth-basic@host/x", "url_password");
    masks("https://mainnet.infura.io/v3/", "0f1e2d3c4b5a69788796a5b4c3d2e1f0", " ", "rpc_key");
    masks("https://host/reset/", "a1B2c3D4e5F6g7H8i9J0k1", " ", "link_token");
    masks(".h.io\tTRUE\t/\tTRUE\t0\tsessionid\t", "a1b2c3d4e5f6g7h8", "\n", "session");
    masks("{\"name\":\"__sess\",\"value\":\"", "a1B2c3D4e5F6g7H8", "\"}", "session");
    masks("cookies={'sid': '", "a1B2c3D4e5F6g7H8", "'}", "session");
    masks("Server=x;Password=", "a&b1c,d2", ";Encrypt=True;", "password");
    masks("Authorization: OAuth ", "123e4567-e89b-12d3-a456-426614174000", "\n", "authorization");
  }

  @Test
  void quotesOfSentences_loseWhatTheyEnclose() {
    masks("Use the password \u201c", "Kilodo12", "\u201d now", "password");
    masks("Kennwort: \u201e", "Kilodo12", "\u201c", "password");
    masks("mot de passe : \u00ab\u00a0", "Kilodo12", "\u00a0\u00bb", "password");
  }

  @Test
  void randomLetters_areSecretsAfterTellingNames() {
    masks("MM_TOKEN=", "qxzkvjwpbdfgtrmnhcslyxqzkj", "\n", "token");
    masks("the password is ", "kWpzQrvBxTn", ", ok", "password");
    leaves("the password is internationalization, token = internationalizationSettings");
  }

  @Test
  void keysBesideWhatShowsThem_areMasked() {
    masks("todoist = TodoistAPI(\"", "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "\")", "secret");
    masks("c = Client(\"AC\", \"", "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "\")", "secret");
    masks("accounts: [\"", "0x" + "0f1e2d3c4b5a6978".repeat(4), "\"]", "secret");
    masks("{\"username\":\"kim\",\"key\":\"", "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "\"}", "secret");
    masks("username kim secret ", "Kilodo12xA", "\n", "secret");
    masks("cohere.Client(\"", "P1W2e3R4t5Y6u7I8o9P0a1S2", "\")  # prod", "secret");
    assertThat(mask.apply("AWS creds AKIAIOSFODNN7EXAMPLE " + ALNUM36 + "+/z9"))
        .isEqualTo("AWS creds [masked:aws_key] [masked:aws_secret]");
    assertThat(mask.apply("Session(\"AKIAIOSFODNN7EXAMPLE\", \"a1B2c3D4e5F6g7H8i9J0k1\")"))
        .isEqualTo("Session(\"[masked:aws_key]\", \"[masked:secret]\")");
    assertThat(mask.apply("id,secret\nAKIAIOSFODNN7EXAMPLE,a1B2c3D4e5F6g7H8i9J0k1\n"))
        .isEqualTo("id,secret\n[masked:aws_key],[masked:secret]\n");
  }

  @Test
  void whatIsWrittenToAField_isMasked() {
    masks("page.getByLabel('Password').fill('", "Kilodo12x", "');", "password");
    masks("find(By.ID, \"password\").send_keys(\"", "Kilodo12x", "\")", "password");
    masks(
        "cy.get('input[name=\"password\"]').clear().type('", "Kilodo12x", "{enter}')", "password");
    masks("page.type('input[name=password]', '", "Kilodo12x", "')", "password");
    masks("type(screen.getByLabelText(/password/i), '", "Kilodo12x", "')", "password");
    masks("getElementById(\"password\").value = \"", "Kilodo12x", "\"", "password");
    masks("fill_in 'Password', with: '", "Kilodo12x", "'", "password");
    masks("I fill in \"Password\" with \"", "Kilodo12x", "\"", "password");
    masks("Input Password    id=password    ", "Kilodo12x", "", "password");
    masks("std::env::var(\"PASSWORD\").unwrap_or(\"", "Kilodo12x", "\".into())", "password");
  }

  @Test
  void valuesOfFieldsBesideTheirName_areMasked() {
    masks("{\"key\":\"API_KEY\",\"type\":\"plain\",\"value\":\"", ALNUM36, "\"}", "api_key");
    masks("- name: DB_PASSWORD\n  secret: true\n  value: \"", "Kilodo12x", "\"", "password");
    masks("{\"value\": \"", "Kilodo12x", "\", \"key\": \"password\"}", "password");
    masks("<input value=\"", "Kilodo12x", "\" name=\"password\">", "password");
    masks("ParameterKey=DbPassword,ParameterValue=", "Kilodo12x", " x", "password");
    masks("arg('--password', type=str, default='", "Kilodo12x", "')", "password");
    masks("<meta-data android:name=\"x.API_KEY\" android:value=\"", ALNUM36, "\"/>", "api_key");
    masks("field \"String\", \"API_KEY\", \"\\\"", ALNUM36, "\\\"\"", "api_key");
  }

  @Test
  void valuesAfterTags_areMasked() {
    masks("<b>Password:</b> ", "Kilodo12x", "", "password");
    masks("<td>Password</td>\n  <td>", "Kilodo12x", "</td>", "password");
    masks("<li>Password: <b>", "Kilodo12x", "</b></li>", "password");
    masks("your password is <strong>", "Kilodo12x", "</strong>", "password");
  }

  @Test
  void valuesBelowTheirLabelOrQuestion_areMasked() {
    masks("User\nkim\nPassword\n", "Kilodo12x", "\nNext", "password");
    masks("kim: what's the wifi password again\nana: ", "Kilodo12x", "\nkim: thanks", "password");
    masks("Root password?\n> ", "Kilodo12x", "", "password");
    masks("Name     Role     Password\nkim      admin    ", "Kilodo12x", "\n", "password");
  }

  @Test
  void shortCodesAndSeeds_areMasked() {
    masks("PIN: ", "4213", "", "password");
    masks("your verification code is ", "421377", ".", "password");
    masks("", "421377", " is your login code", "password");
    masks("enter this setup key: ", "KAMELARODINOSATU", "", "secret");
    masks("backup codes:\n", "Ab1Cd-Ef2Gh\nabcde-fghij", "", "recovery_code");
    masks("EMAIL_HOST_PASSWORD = '", "pilb fskq mnhz qjvj", "'", "password");
  }

  @Test
  void firstArgumentsAndDecodedKeys_areMasked() {
    masks("generate_password_hash(\"", "Kilodo12x", "\")", "password");
    masks("new SymmetricSecurityKey(UTF8.GetBytes(\"", "Kilodo12x", "\"))", "secret");
    masks("openssl_encrypt($d, 'aes-256-cbc', '", "Kilodo12x", "', 0)", "secret");
    masks("connect('localhost', 'root', '", "Kilodo12x", "', 'shop')", "password");
    masks("KEY = \"", "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "\"; // api key", "secret");
    masks("Authorization: ", "q1W2e3R4t5Y6u7I8o9P0", "", "authorization");
    masks("$ cat token.txt\n", "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0", "\n", "secret");
    masks("key = bytes.fromhex(\"", "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "\")", "secret");
    masks("secret = process.env.SECRET || '", "kilodo-mira-432", "'", "secret");
    masks("key, _ := hex.DecodeString(\"", "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "\")", "secret");
  }

  @Test
  void otherValuesOfAList_areMasked() {
    assertThat(mask.apply("API keys: dev " + ALNUM36 + ", prod " + ALNUM36))
        .isEqualTo("API keys: dev [masked:api_key], prod [masked:api_key]");
    assertThat(mask.apply("passwords: x1Kq9Lw3Zt or y2Mq8Nw4Vt"))
        .isEqualTo("passwords: [masked:password] or [masked:password]");
    assertThat(mask.apply("ACCESSKEY\tAKIAIOSFODNN7EXAMPLE\t2024\t" + ALNUM36 + "+/z9\tActive"))
        .isEqualTo("ACCESSKEY\t[masked:aws_key]\t2024\t[masked:aws_secret]\tActive");
    assertThat(mask.apply("chpasswd:\n  root:Kilodo12x\n  kim:Kilodo34x"))
        .isEqualTo("chpasswd:\n  root:[masked:password]\n  kim:[masked:password]");
  }

  @Test
  void whatProgramsRead_isMasked() {
    masks("chpasswd <<< \"kim:", "Kilodo12x", "\"", "password");
    masks("printf '", "Kilodo12x", "' | gcloud secrets create x --data-file=-", "password");
    assertThat(mask.apply("(echo Kilodo12x; echo Kilodo12x) | smbpasswd -s kim"))
        .isEqualTo("(echo [masked:password]; echo [masked:password]) | smbpasswd -s kim");
    masks("impdp system/", "Kilodo12x", "@orcl schemas=hr", "password");
    masks("lftp -u kim,", "Kilodo12x", " ftp.example.com", "password");
    masks("kubectl create secret generic app --from-literal=a=", "Kilodo12x", "", "secret");
    masks("schtasks /ru kim /rp ", "Kilodo12x", "", "password");
    masks("az keyvault secret set --name x --value \"", "Kilodo12x", "\"", "secret");
    masks("psexec.py corp/kim:", "Kilodo12x", "@10.0.0.5", "password");
    masks("reg add x /v DefaultPassword /t REG_SZ /d ", "Kilodo12x", " /f", "password");
    masks("proxy_set_header Authorization \"Basic ", "dXNlcjpwYXNzd29yZA==", "\";", "basic");
    masks("userPassword:: ", "S2lsb2RvMTJ4", "", "password");
    masks("$ openssl rand -base64 24\n", "+q1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H", "\n", "secret");
  }

  @Test
  void moreSentences_loseWhatTheyTell() {
    masks("the password's ", "Kilodo12x", "", "password");
    masks("a passphrase, its \"", "kilodo mira tusan", "\"", "password");
    masks("use ", "Kilodo12x", " as password", "password");
    masks("when it asks for the password enter ", "Kilodo12x", "", "password");
    masks("login to the site with kim@example.com / ", "Kilodo12x", " and look", "login");
    masks("u: kim p: ", "Kilodo12x", "", "password");
    masks("ID/PW: kim / ", "Kilodo12x", "", "password");
    masks("SET PASSWORD FROM '", "Kilodo34x' TO 'Kilodo12x", "';", "password");
  }

  @Test
  void valuesOfDumps_areMasked() {
    masks("COPY users (id, password) FROM stdin;\n1\t", "Kilodo12x", "\n", "password");
    masks("id       | 1\npassword | ", "Kilodo12x", "\n", "password");
    masks("[\"password\"]=>\n  string(9) \"", "Kilodo12x", "\"", "password");
    masks("form-data; name=\"password\"\r\n\r\n", "kilodo", "\r\n", "password");
    masks("accounts: [\"", "0f1e2d3c4b5a6978".repeat(4), "\"]", "secret");
    masks("kim:{PLAIN}", "Kilodo12x", "", "password");
  }

  @Test
  void wordsOfAWalletInAList_areMasked() {
    String words =
        "kilo\n2. mira\n3. tusan\n4. bodu\n5. fela\n6. nori\n7. kasu\n8. rido\n9. pela"
            + "\n10. dumo\n11. sira\n12. tavo";
    masks("seed phrase:\n1. ", words, "\n", "wallet");
    masks("mnemonic = [\"", words.replaceAll("\n\\d+\\. ", "\", \""), "\"]", "wallet");
    leaves("Seed phrase: the twelve words that a wallet shows when you create one, in order");
  }

  @Test
  void changedValuesOfAnAccount_areMasked() {
    masks("Passphrase: ", "kilodo mira tusan bodu", "\n", "password");
    masks("here is my key: ", "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "", "api_key");
    masks("I changed it to ", "Kilodo12x", ", use it at your first login", "password");
    leaves("I changed it to Kilodo12x in the second release");
    leaves("I changed it to 3 characters at the login");
  }

  @Test
  void wordsWhereOnlyAPasswordCanStand_areMasked() {
    masks("define('DB_PASSWORD', '", "kilodo", "');", "password");
    masks("source.setPassword(\"", "kilodo", "\");", "password");
    masks("ALTER USER kim WITH PASSWORD '", "kilodo", "';", "password");
    masks("machine host\n  login bob\n  password ", "kilodo", "\n", "password");
    masks("run --user kim --password ", "kilodo", " --role owner", "password");
    masks("new NetworkCredential(\"kim\", \"", "kilodo", "\")", "password");
    masks("get(x, auth=(\"kim\", \"", "kilodo", "\"))", "password");
    masks("user,password\nkim,", "kilodo", "\n", "password");
    masks("[mail]\nuser = kim\npassword = ", "kilodo", "\n", "password");
    masks("\u5bc6\u7801:", "kilodo", "\n", "password");
    masks("pw: ", "kilodo", "\n", "password");
    masks("the password is ", "83920174", ".", "password");
    masks("the password is '", "83920174", "'.", "password");
    masks("the password is ", "grvembyrsayxitgw", ".", "password");
  }

  @Test
  void ampersandInAValue_isPartOfIt() {
    masks("password: ", "kilodo&12mira", "\n", "password");
    masks("sshpass -p ", "kilodo&12", " ssh host", "password");
    masks("?password=", "kilodo", "&next=1", "password");
    masks("run password=", "kilodo12", "&& run", "password");
    masks("run password=", "kilodo12", "&amp;x", "password");
  }

  @Test
  void partsOfADividedSecret_areMasked() {
    String one = "a1B2c3D4e5F6g7H8i9J0";
    assertThat(mask.apply("token = (\"" + one + "\"\n    \"" + one + "\")"))
        .isEqualTo("token = (\"[masked:token]\"\n    \"[masked:token]\")");
    assertThat(mask.apply("String secret = \"" + one + "\" +\n  \"" + one + "\";"))
        .isEqualTo("String secret = \"[masked:secret]\" +\n  \"[masked:secret]\";");
    assertThat(mask.apply("apiKey = '" + one + "' + '" + one + "'"))
        .isEqualTo("apiKey = '[masked:api_key]' + '[masked:api_key]'");
    assertThat(mask.apply("token: >-\n  " + one + "A+/\n  " + one + "B+/\n  x: y"))
        .isEqualTo("token: >-\n  [masked:token]\n  [masked:token]\n  x: y");
    assertThat(mask.apply("api_key=\"" + one + "\nk1L2m3N4o5\""))
        .isEqualTo("api_key=\"[masked:api_key]\n[masked:api_key]\"");
  }

  @Test
  void whatIsBesideASecretInOtherWay_isLeft() {
    String one = "a1B2c3D4e5F6g7H8i9J0";
    assertThat(mask.apply("token = \"" + one + "\", \"theNextArgument\""))
        .isEqualTo("token = \"[masked:token]\", \"theNextArgument\"");
    assertThat(mask.apply("token = \"" + one + "\"\n\"justSomeOtherText\""))
        .isEqualTo("token = \"[masked:token]\"\n\"justSomeOtherText\"");
    assertThat(mask.apply("token: >-\n  " + one + "A+/\n" + one + "B+/"))
        .isEqualTo("token: >-\n  [masked:token]\n" + one + "B+/");
    assertThat(mask.apply("token: >-\n  " + one + "A+/\n  " + "0f1e2d3c4b".repeat(4)))
        .isEqualTo("token: >-\n  [masked:token]\n  " + "0f1e2d3c4b".repeat(4));
  }

  @Test
  void linesBelowCommandsThatPutOutASecret_areMasked() {
    masks("$ pass show work/vpn\n", "=ki%Lo4do#xA", "\nlogin: kim", "password");
    masks("$ secret-tool lookup service imap\n", "Kilodo12x", "", "password");
    masks("$ openstack token issue -f value -c id\n", "a1B2c3D4e5F6g7H8i9J0", "\n", "token");
    leaves("$ pass show work/vpn\nError: work/vpn is not in the password store.");
    leaves("$ vault kv get -field=url secret/app\nhttps://db.example.com:5432/App2");
    leaves("$ heroku config:get NODE_ENV\nproduction");
    leaves("$ chamber read x y\n123e4567-e89b-12d3-a456-426614174000");
  }

  @Test
  void whatIsEncodedOrStored_isMasked() {
    masks("echo -n \"", "a1B2c3D4e5F6", "\" | secret-tool store --label=x a b", "password");
    masks("echo -n \"", "a1B2c3D4e5F6", "\" | base64", "password");
    masks("printf '%s' '", "a1B2c3D4e5F6", "' | docker secret create x -", "password");
    leaves("echo \"a1B2c3D4e5F6\" | base64 -d");
    leaves("echo \"hello world\" | base64");
  }

  @Test
  void valuesInBracketsAfterTheirName_areMasked() {
    masks("I stored the token (", "q1W2e3R4t5Y6u7I8o9P0", ") in .env", "token");
    masks("remove the hardcoded smtp password (", "x1Kq9Lw3Zt5v", ") from it", "password");
    masks("the password (", "Kilodo12!", ") still works", "password");
    leaves("the token (RFC6750) and the secret (v2Beta1Client) and the password (SHA512Crypt)");
    leaves("in check_password (user=0x7f3a2b1c9d8e) at a.c");
    leaves("the secret (0f1e2d3c4b) is the commit");
  }

  @Test
  void valuesAfterAUserOrAVerb_areMasked() {
    masks("You can log in as `admin` with `", "Kilodo123", "` for now", "login");
    masks("log in with admin/", "Kilodo12!", " then", "login");
    masks("enter ", "Kilodo12!", " when it asks for the password", "password");
    masks("it wants a password, use ", "Kilodo12!", " there", "password");
    masks("set `clientSecret` to ", "q1W2e3R4t5Y6u7I8o9P0", " in the export", "secret");
    leaves("log in with GitHub and try OAuth2Proxy, or via src/AuthV2Controller");
    leaves("enter the letters of AES256Keys when it asks for the password");
    leaves("rename `password` to `passwordHash2`");
  }

  @Test
  void codesOfDoorsAndMessages_areMasked() {
    masks("The server room door code is ", "26911", "#, ok", "password");
    masks("alarm off code ", "7065", ".", "password");
    masks("", "G-312867", " is your Google verification code.", "password");
    masks("Ihre TAN lautet ", "312867", ".", "password");
    masks("PUK: ", "31286742", "\n", "password");
    leaves("country code 0049, block code 123456, error code 1045");
  }

  @Test
  void wordsOfAWalletInALine_areMasked() {
    String words = "kilo mira dono raba lumi tero sanu vike pola nuri goma feti";
    masks("Save this seed phrase:\n", words, "\n", "wallet");
    masks("my mnemonic is ", words, "", "wallet");
    masks("Seed: ", words, "\n", "secret");
    leaves("Save this seed phrase:\n" + words + " and more");
    leaves("Save this seed phrase:\nkilo mira dono raba");
  }

  @Test
  void linesOfKeysAsASearchPutsThemOut_areMasked() {
    String begin = "-----BEGIN PRIVATE KEY-----\n";
    masks(
        "a/server.key:1:",
        begin + "a/server.key-2-" + BASE64_LINE + "\na/server.key-3-" + BASE64_LINE,
        "\n--\n",
        "private_key");
    masks("a.pem:2:", "MIIEowIBAAKCAQEA" + ALNUM36, "\n", "private_key");
    leaves("MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYD");
  }

  @Test
  void otherNotationsOfFiles_loseTheValue() {
    masks("<string name=\"api_secret\" translatable=\"false\">", ALNUM36, "</string>", "secret");
    masks("args:\n  - --auth-token\n  - ", ALNUM36, "\n  - --port=1", "token");
    masks("[\"sshpass\", \"-p\", \"", "Kilodo12x", "\", \"ssh\"]", "password");
    masks("xfreerdp /u:kim /p:'", "Kilodo&12", "' /v:x", "password");
    masks("user=turn:", "x1Kq9Lw3Zt5v", "\n", "password");
    masks("[mail.x.org]:587 kim:", "x1Kq9Lw3Zt5v", "\n", "password");
    masks("username kim privilege 15 secret 0 ", "Kilodo12x", "\n", "secret");
    masks("sid=", "a1b2c3d4e5f6g7h8i9j0", "; Path=/; HttpOnly", "session");
    masks("> the token you asked for:\n> ", ALNUM36, "\n> regards", "token");
    masks("API key:\n```\n", ALNUM36, "\n```", "api_key");
    masks("Server=x;Password=", "*Kilo12do", ";Encrypt=yes", "password");
    masks("nmcli d wifi connect x password \"", "Kilo do 12", "\"", "password");
    masks("SET PASSWORD FOR a = PASSWORD('", "kilodoma", "')", "password");
    masks("key: ", "q1W2e3R4t5Y6u7I8o9P0", "\nsecret: x", "secret");
    masks("bundle config set gems.x.org ", "0f1e2d3c:4b5a6978", "\n", "token");
    assertThat(mask.apply("~ value = \"Kilodo12x\" -> \"Kilodo34x\"  # name"))
        .isEqualTo("~ value = \"Kilodo12x\" -> \"Kilodo34x\"  # name");
    assertThat(mask.apply("name = \"db-password\"\n ~ value = \"Kilodo12x\" -> \"Kilodo34x\""))
        .isEqualTo(
            "name = \"db-password\"\n ~ value = \"[masked:password]\" -> \"[masked:password]\"");
  }

  @Test
  void keysOfUnknownVendors_areMaskedByTheirPrefix() {
    masks("use ", "acme_live_" + ALNUM36, " now", "token");
    masks("use ", "acme-sk-" + ALNUM36, ", ok", "token");
    masks("use ", "acme_pat_" + "0f1e2d3c4b5a6978".repeat(2), "", "token");
    leaves("use acme_pk_live_" + ALNUM36 + " and evt_" + ALNUM36 + " and acme_" + ALNUM36);
    leaves("cache_key_" + "0f1e2d3c4b5a6978".repeat(2) + " and acme_live_" + ALNUM36 + ".png");
    leaves("sk_X509V3_QXZK_WVJQ_set_cmp and test_TheSameUserGets2Emails_when3AreSent");
  }

  @Test
  void otherFieldsAndReferences_areLeft() {
    leaves("args:\n  - --password-file\n  - --port=8080");
    leaves("username kim secret 0");
    leaves("sid=a1b2c3d4e5f6g7h8i9j0; next=1");
    leaves("app.service started:x1Kq9Lw3Zt5v");
    leaves("key: q1W2e3R4t5Y6u7I8o9P0\nvalue: x");
    leaves("password: *default_password");
    leaves("password=self.config.password, token=settings.AUTH_TOKEN");
    leaves("DB_PASSWORD=changeme\nJWT_SECRET=replace-me");
  }

  @Test
  void privateSpans_areMaskedWithTheirTags() {
    masks("I am ", "<private>Kim\nHansen</private>", " here", "private");
    masks("I am ", "<Private>Kim", "", "private");
    masks("", "<private></private>", "", "private");
  }

  @Test
  void privateKeys_areMasked_asTheyAreShown() {
    String begin = "-----BEGIN RSA PRIVATE KEY-----";
    String end = "-----END RSA PRIVATE KEY-----";
    masks("+", begin + "\n+" + BASE64_LINE + "\n+" + end, "\n", "private_key");
    masks("-", begin + "\n-" + BASE64_LINE + "\n-" + end, "\n", "private_key");
    masks(
        "     1\t",
        begin + "\n     2\t" + BASE64_LINE + "\n     3\tAb==\n     4\t" + end,
        "\n",
        "private_key");
    masks("Private-Lines: 1\n", BASE64_LINE, "\nend of it", "private_key");
    masks("{\"kty\":\"EC\",\"d\":\"", BASE64_LINE.replace('/', '_'), "\"}", "private_key");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "commit 3f786850e387550fdab836ed7e6dc881de23001b fixed it",
        "user,password\nkim,hashed\n\n\n\n\nada,Kilodo12x",
        "user,password\nkim,Kilodo12x,third",
        "The password came from Kim to me; see docs for the password (the password).",
        "if (password || 'other')",
        "He asked for a name, the password, and left\nthen, Kilodo12x, went",
        "INSERT INTO u (name, password) VALUES (?, ?)",
        "id 123e4567-e89b-12d3-a456-426614174000 and AKIA or AIza alone",
        "The password is stored hashed; the token count is 4096, max_tokens=4096, token: 4096.",
        "Password: must be at least eight characters. The secret: patience.",
        "password = os.environ[\"X\"]",
        "password = getpass.getpass()",
        "password=getpass()",
        "password = config.password",
        "connect(user=user, password=password)",
        "connect(user=user, password=pw, port=1)",
        "self.token = token",
        "const token = await getToken(user1)",
        "password: string;",
        "interface A {\n  password: string\n  token: string | null\n}",
        "fn login(token: &str, secret: u32)",
        "if (password == \"hunter2x\" || token != other1234)",
        "PASSWORD=$DB_PASSWORD TOKEN=${{ secrets.TOKEN }} SECRET=$(cat file12345)",
        "password: <your password>",
        "password: ********",
        "password: \"{{ vault_password1 }}\"",
        "password: !vault |",
        "token_endpoint: https://example.org/oauth2/token",
        "token: https://example.org/oauth2/token",
        "TypeError: password is required",
        "{\"password\": null, \"token\": true, \"secret\": false, \"message\": \"password is required\"}",
        "{\"password\": \"Password is required\"}",
        "PASS: TestLogin2 pass=63 fail=0",
        "sk-learn-is-a-library-for-machine-learning, task-1234567890123456789012, sk-short1",
        "npm_config_registry ghp_short hf_model_name_with_words github_pat_",
        "bearer of bad news, the bearer token1, Basic understanding1234",
        "eyJhbGciOiJIUzI1NiJ9 alone, eyJ.eyJ.x",
        "https://example.org:8080/a@b, mailto:me@example.org, ssh://git@github.com/a/b",
        "postgres://app:${PASSWORD}@db, postgres://app:<password>@db, postgres://app:****@db",
        "-----BEGIN CERTIFICATE-----\nMIIEvQIBADANBgkqhkiG9w0BAQ==\n-----END CERTIFICATE-----",
        "it starts with -----BEGIN PRIVATE KEY----- and so on",
        "tokens: 12345678901, passwords: none, secretary: Anna12345, key=abcdef123456",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38G",
        "ssh -p 2222 deploy@host, docker run -p 127.0.0.1:8080:80 nginx, mysql -u root -p shop",
        "curl -u admin https://host/, curl -u \"$USER:$PASS\" x, docker run -u 1000:1000 x",
        "  -p, --password <password>   password of the database\n  --token string  API token",
        "usage: tool [--user USER] [--password PASSWORD] [--api-key API_KEY]",
        "<input type=\"password\" name=\"password\" required>",
        "<label for=\"token\">Token</label> <string name=\"password\">Enter your password</string>",
        "keys = ['name', 'password', 'token', 'secret', 'api_key']",
        "Change the password to something stronger. My password is not accepted any more.",
        "PublicKey = q1w2e3r4t5y6u7i8o9p0q1w2e3r4t5y6u7i8o9p0q1w=",
        "Set-Cookie: theme=dark; Path=/; Max-Age=31536000",
        "GET /list?page=4&sort=-created_at&next_page_token=page-2",
        "password_file: /run/secrets/db, token: ./token2.txt, secret: op://prod/db1/password",
        "GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx API_KEY=YOUR_API_KEY_2_HERE",
        "Public-Lines: 2, the key of Client(\"3f786850e387550fdab836ed7e6dc881de23001b\")",
        "sha256x is used as the password hash, | Password | required |",
        "| user | password |\n|---|---|\n| role | string |",
        "the login is at server:8080, the credentials are in vault:main",
        "password = input(\"pass1word\"), secret = getSecret(\"db2secret9\")",
        "token = re.compile('token2'), password = page.locator('#pass1')",
        "token = a.token2 == \"a1B2c3D4e5F6g7H8\"",
        "password: ${DB_PASSWORD}, password: \"${DB_PASSWORD:-}\"",
        "password { color: \"#a1b2c3\" }",
        "variable \"db_password\" {\n  type = string\n  default = \"\"\n}",
        "String Password { get; set; } = \"\";",
        "def token =\n  lookup(\"a1\")",
        "$ sha256sum token.bin\n0f1e2d3c4b5a69788796a5b4c3d2e1f0\n",
        "$ git log --grep password\n0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c\n",
        "notes.txt\nkim\nKilodo12x\n",
        "&lt;password&gt;&lt;/password&gt; {&quot;password&quot;:&quot;&quot;}",
        "net use of the password, wandb login is needed, send \"abc123x\" to him",
        "AUTH is required, ACL SETUSER worker on, net use Z: \\\\nas\\x *",
        "curl -u kim: https://host/, echo abc123x > notes.txt",
        "image:v1@sha256:0f1e2d3c, git@github.com:22, npm:react@18.2.0",
        "https://0f1e2d3c4b5a69788796a5b4c3d2e1f0@o1.ingest.sentry.io/1",
        "GET /reset/password-form, /verify/step2, https://host/api/v1/users",
        "{\"name\":\"session\",\"type\":\"a1B2c3D4e5F6g7H8\"}",
        "key: linux-cargo-0f1e2d3c4b5a69788796a5b4c3d2e1f0, key=0f1e2d3c4b5a69788796a5b4c3d2e1f0",
        "load(\"0f1e2d3c4b5a69788796a5b4c3d2e1f0\"), run(\"x\", \"createOAuth2AuthorizationFlow\")",
        "tx [\"0x0f1e2d3c4b5a69780f1e2d3c4b5a69780f1e2d3c4b5a69780f1e2d3c4b5a6978\"] mined",
        "\"content-hash\": \"0f1e2d3c4b5a69788796a5b4c3d2e1f0\", sessionkey: 2026-04-08T13:19:00Z",
        "the password \u201cfield\u201d is empty",
        "{\"pin\": \"13\"}, session=a1b2c3d4e5f6g7h8i9j0",
        "8. **Community Gardens**: many, a password manager**, password #community",
        "for p in /home/dev/pack-5f600f1f85a9a, x=../etc/passwd id=2026-01-27-da8007e2",
        "a password feature to keep your data safe, $password = Read-Host -AsSecureString",
        "<X id=\"new-password\" model=\"form.password\" :rules=\"rules2\" />",
        "contract Token is ERC20 { USDC = 0xe69f906d32182e061a45ec77636e0156539c633f; }",
        "\"hashed_secret\": \"0f1e2d3c4b5a69788796a5b4c3d2e1f0\", CREDENTIALS = 'base-379922-9d9af5.json'",
        "password\noauth2client\n, Password\nReset2 the form, what is a token?\nkim: see Wiki",
        "<label>Password</label><input>, Name  Password\nkim  required",
        "get('[data-cy=password]').type(Cypress.env('password')), encrypt(x, 'aes-256-cbc')",
        "connect('localhost', 'node12x'), [masked:token], Version2Beta, status code: 404123x",
        "FUNC:_ZNSaIcE2rebindC2Ev@GLIBCXX_3.4, 2012-12-05:87hs1Kq9x2wz@host.example.com:",
        "VSJYACPq4xJDKVtHCN2MQcKEY\na1B2c3D4e5F6g7H8i9J0\n, SHA2's for short passwords",
        "['OPT_PASSWORD', 'OPT_PROXY_PORT']",
        "[\"No-Military-License\", \"BSD-3-Clause-No-Nuclear-License-2014\"]",
        "p: Kilodo12x, sudo <<< done, echo a; echo b | passwd",
        "the password is 8 characters long and was 20240101 before, password expires: 1700000000",
        "use --user and --password options, add('password', 'field'), password = kilodo\nuser = x",
        "the password \"catchphrase\" field, password is 12345678 characters, name,password\nx,field",
        "a::b := c == d -> e _ - = : I J B b"
      })
  void apply_nearMiss_isTheSameInstance(String text) {
    leaves(text);
  }

  @Test
  void apply_base64OfAnImage_staysAsItIs() {
    byte[] image = new byte[300_000];
    new Random(7).nextBytes(image);
    leaves("data:image/png;base64," + Base64.getEncoder().encodeToString(image));
  }

  @Test
  void apply_severalSecrets_masksEach() {
    String text = "A=AKIAIOSFODNN7EXAMPLE password=hunter2 ghp_" + ALNUM36;

    assertThat(mask.apply(text))
        .isEqualTo("A=[masked:aws_key] password=[masked:password] [masked:github_token]");
  }

  @Test
  void apply_namedValue_goesByItsName() {
    assertThat(mask.apply("db_password", "swordfish")).isEqualTo("[masked:password]");
    assertThat(mask.apply("note", "swordfish")).isEqualTo("swordfish");
    assertThat(mask.apply("note", "password=swordfish")).isEqualTo("password=[masked:password]");
    assertThat(mask.apply("max_token", "4096")).isEqualTo("4096");
  }

  /// Pieces that rules react to, in any order.
  private static final List<String> PIECES =
      List.of(
          "password",
          "token",
          "secret",
          "api_key",
          "AccountKey",
          "=",
          ": ",
          ":",
          " = ",
          "=>",
          "\"",
          "'",
          "\\\"",
          "\\",
          "\n",
          " ",
          ";",
          ",",
          ")",
          "[",
          "]",
          "&",
          "hunter2",
          "abc",
          "9f8e7d6c5b",
          "AKIAIOSFODNN7EXAMPLE",
          "ghp_" + ALNUM36,
          "sk-a1B2c3D4e5F6g7H8i9J0k1",
          "eyJhbGciOiJI",
          ".eyJzdWIiOiIxMjM0",
          ".sig",
          "Bearer ",
          "a1B2c3D4e5F6g7H8i9J0",
          "postgres://",
          "user:",
          "@",
          "host/",
          "-----BEGIN PRIVATE KEY-----",
          "-----END PRIVATE KEY-----",
          BASE64_LINE,
          "$",
          "{",
          "}",
          "(",
          "*",
          "-",
          "_",
          "[masked:password]",
          "Authorization: ",
          "q(",
          "env(",
          "${",
          "default",
          "&quot;",
          "<![CDATA[",
          "net use ",
          "AUTH ",
          "\u201c",
          "key",
          "cookie ",
          "sid",
          "accounts",
          "$ cat x.key\n",
          "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
          "Basic ",
          "export ",
          "é",
          "😀");

  @Test
  void apply_keyAsTheUserOfAUrl_isMaskedBesideThePassword() {
    assertThat(mask.apply("get https://~AKIAQ3EGZP7XWN5KD2LM:hunter2x9Q@host/path"))
        .isEqualTo("get https://~[masked:aws_key]:[masked:url_password]@host/path");
  }

  @Test
  void apply_randomWordThatEndsLikeAShortName_masksNothing() {
    String text = "1dhz7y2fws8pw 1xmnvzmh9xa6l 1naas3ic31pw2 1etdbymhhew92";
    assertThat(mask.apply(text)).isEqualTo(text);
    assertThat(mask.apply("db2password=hunter2x9Q")).isEqualTo("db2password=[masked:password]");
  }

  @Test
  void apply_whatAMaskShowsToBeASecret_isMaskedAtOnce() {
    assertThat(mask.apply("sk-a1B2c3D4e5F6g7H8i9J0k1:password\": -Bearer postgres://&host/"))
        .isEqualTo("[masked:api_key]:password\": [masked:password] postgres://&host/");
  }

  @Seeds(300)
  void apply_twice_isOnce(RandomGenerator random) {
    for (int round = 0; round < 20; round++) {
      var text = new StringBuilder();
      for (int i = random.nextInt(25); i >= 0; i--) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      String once = mask.apply(text.toString());

      assertThat(mask.apply(once)).as("%s", text).isEqualTo(once);
    }
  }

  /// What makes a rule read on and then find nothing. Were one of them read again from each of its
  /// places, it would take hours; the limit is far beyond what a slow machine needs.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sk-",
        "eyJ",
        "eyJa.",
        "eyJaaaaaaaaaa.",
        "ghp_",
        "_",
        "-",
        "=",
        ":",
        "::",
        "a=",
        "AKIA",
        "AIza",
        "token:",
        "token=",
        "token: ",
        "password:a.",
        "password='",
        "password=\"${",
        "password=\\\"$",
        "'password'=>",
        "a://",
        "a://b:",
        "://b@",
        "a://:@",
        "Bearer ",
        "bearera1=",
        "basic ",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----a: b\n",
        "-----BEGIN PRIVATE KEY-----MIIEvQIBADANBgkqhkiG9w0B -----END ",
        "[masked:token]=",
        "password=f(",
        "password={",
        "password=[\"a1b2c3d4\",",
        "password=${a",
        "password\n",
        "password&gt;",
        "a\n",
        "(\"a1b2c3d4e5\",",
        "Client(\"a\",",
        "net use ",
        "net use a ",
        "send \"",
        "AUTH ",
        "a:b@",
        ";P:",
        "key=",
        "secret ",
        "password: \n Default",
        "token]*\"= ",
        "password,token\n",
        "password|",
        "(a, password) values (a, b), ",
        "password').a(",
        "key='password',a='b',",
        "value='a' key='password'",
        "Password\n",
        "Password?\n",
        "password: <b>",
        "Name  Password\n",
        "[masked:password], ",
        "[masked:aws_key] a",
        "passwd <<< ",
        "echo a; ",
        "vault write a=",
        "u: p: ",
        ":[masked:password]\na",
        "+a\n",
        "seed phrase: a1 ",
        "mnemonic=[abc ",
        "(a, password) from stdin\n",
        "form-data; name=\"password\"\n\n",
        "changed it to login ",
        "password=a&",
        "password=&a",
        "[a]\npassword = a\n",
        "password = a\n",
        "a --password b ",
        "user,password\nkim,kilo\n",
        "postgres://a:b/",
        "a://b:c#",
        "://a:b#/?",
        "<(echo a) ",
        "password for a ",
        "basic_auth 'a', ",
        "backup codes: [\"a1b2\", ",
        "load(\"a\".toCharArray(), ",
        "hmac([]byte([]byte(\"",
        "method=password a=b "
      })
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @Tag("slow")
  void apply_hostileText_takesLinearTime(String piece) {
    String text = piece.repeat(1_000_000 / piece.length());

    assertThat(mask.apply(text)).isNotEmpty();
  }

  @Seeds(100)
  void apply_withoutAnyTrigger_isTheSameInstance(RandomGenerator random) {
    // Without `p`, with which the shortest names begin, and with words that are shorter than what
    // follows the beginning of a format.
    String letters = "acdefghijklmnoqrstuvwxyzACDEFGHKLMNOQRSTUVWXYZ0123456789 .,;!?()'\"@/+é\n";
    var text = new StringBuilder();
    for (int i = random.nextInt(2000); i >= 0; i--) {
      text.append(i % 12 == 0 ? ' ' : letters.charAt(random.nextInt(letters.length())));
    }
    leaves(text.toString());
  }
}
