package dev.agentmemory.agents.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.transcript.TranscriptPlaces.Known;
import dev.agentmemory.agents.transcript.TranscriptPlaces.Place;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TranscriptPlacesTest {

  private static final Path FILE = Path.of("/home/me/.codex/sessions/a.jsonl");
  private static final Path PROJECT = Path.of("/project");
  private static final Optional<WorkspaceName> SHOP = Optional.of(new WorkspaceName("shop"));

  @TempDir private Path data;
  private TranscriptPlaces places;

  @BeforeEach
  void open() {
    places = new TranscriptPlaces(data);
  }

  @Test
  void place_thatIsKept_isRead_andListedWithoutItsState() throws IOException {
    Place place = new Place(7, "state", Optional.of(PROJECT), SHOP, true, true);
    places.keep(Agent.CODEX, FILE, place);

    assertThat(places.of(Agent.CODEX, FILE)).isEqualTo(place);
    assertThat(places.of(Agent.GEMINI, FILE)).isEqualTo(Place.START);
    assertThat(places.all())
        .containsExactly(
            new Known(Agent.CODEX, FILE, new Place(7, "", Optional.of(PROJECT), SHOP, true, true)));
    places.forget(Agent.CODEX, FILE);
    assertThat(places.all()).isEmpty();
  }

  @Test
  void all_beforeTheFirst_isEmpty() throws IOException {
    assertThat(places.all()).isEmpty();
  }

  @Test
  void all_listsTheNewestFirst_andLeavesOutWhatCannotBeRead() throws IOException {
    Path other = Path.of("/other.jsonl");
    places.keep(Agent.CODEX, FILE, Place.START);
    try (Stream<Path> files = Files.list(data.resolve("transcripts"))) {
      Files.setLastModifiedTime(files.findFirst().orElseThrow(), FileTime.fromMillis(1));
    }
    places.keep(Agent.CODEX, other, Place.START);
    Files.writeString(data.resolve("transcripts/torn.json"), "{");

    assertThat(places.all()).extracting(Known::transcript).containsExactly(other, FILE);
  }

  @Test
  void restart_forAnotherWorkspace_staysFollowed() {
    Place place = new Place(7, "state", Optional.of(PROJECT), SHOP, true, true);

    assertThat(place.restart())
        .isEqualTo(new Place(0, "", Optional.empty(), Optional.empty(), true, false));
  }
}
