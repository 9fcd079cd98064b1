package dev.agentmemory.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DaemonFileTest {

  @TempDir private Path data;

  private DaemonFile read(String text) throws IOException {
    Files.writeString(DaemonFile.in(data), text);
    return DaemonFile.read(data);
  }

  @Test
  void read_wholeFile_tellsEverything() throws IOException {
    assertThat(
            read(
                """
                {"pid":7,"more":{"host":"no"},"list":[1],"host":"::1","port":50051,"version":"2"}
                """))
        .isEqualTo(new DaemonFile(7, "::1", 50_051, "2", 0, ""));
  }

  @Test
  void read_fieldsMissingOrOdd_areAbsent() throws IOException {
    DaemonFile absent = new DaemonFile(-1, "", 0, "unknown", 0, "");
    assertThat(read("{}")).isEqualTo(absent);
    assertThat(read("{\"pid\":\"x\",\"port\":-4}")).isEqualTo(absent);
  }

  @Test
  void unixSocket_inTheDataDirectory_isUsed_whateverPathTheFileNames() throws IOException {
    DaemonFile file = read("{\"socket\":\"/path/in/a/container/http.sock\"}");
    assertThat(file.unixSocket(data)).isEmpty();
    Path socket = Files.createFile(data.resolve("http.sock"));
    assertThat(file.unixSocket(data)).contains(socket);
  }

  @Test
  void unixSocket_elsewhere_isUsedIfItBelongsToTheOwnerOfTheFile(@TempDir Path other)
      throws IOException {
    Path socket = Files.createFile(other.resolve("http.sock"));
    DaemonFile file = read("{\"socket\":\"" + socket + "\"}");
    assertThat(file.unixSocket(data)).contains(socket);

    assumeThat(System.getProperty("user.name")).isEqualTo("root");
    Files.setOwner(
        socket,
        socket.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
    assertThat(file.unixSocket(data)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "7", "{\"pid\":7", "{\"pid\" 7}"})
  void read_noObject_isRefused(String text) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(IOException.class);
  }
}
