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

  private static String waiting(String session) {
    TranscriptState state = TranscriptState.empty();
    state.session = session;
    state.call("use-1", new TranscriptState.PendingTool("Bash", "grep zanzibar", false));
    var _ = state.seen.isFirst("turn");
    return state.text();
  }

  @Test
  void forgetCalls_leavesThePlace_andTheOtherSessions() throws IOException {
    Path other = Path.of("/other.jsonl");
    Place place = new Place(7, waiting("s1"), Optional.of(PROJECT), SHOP, true, true);
    Place another = new Place(9, waiting("s2"), Optional.of(PROJECT), SHOP, true, true);
    places.keep(Agent.CODEX, FILE, place);
    places.keep(Agent.CODEX, other, another);

    var counted = places.forgetCalls((session, _) -> session.equals("s1"), /* dryRun= */ true);
    assertThat(places.of(Agent.CODEX, FILE)).isEqualTo(place);
    var done = places.forgetCalls((session, _) -> session.equals("s1"), /* dryRun= */ false);
    var again = places.forgetCalls((session, _) -> session.equals("s1"), /* dryRun= */ false);

    assertThat(counted.files()).isOne();
    assertThat(done.files()).isOne();
    assertThat(again.files()).isZero();
    assertThat(places.of(Agent.CODEX, other)).isEqualTo(another);
    Place left = places.of(Agent.CODEX, FILE);
    assertThat(left.offset()).isEqualTo(7);
    assertThat(left.followed() && left.prompted()).isTrue();
    assertThat(left.state()).doesNotContain("zanzibar", "Bash");
    TranscriptState state = TranscriptState.parse(left.state());
    assertThat(state.seen.isFirst("turn")).isFalse();
    // The id of its result does not depend on what is gone.
    assertThat(state.result("use-1").paused()).isTrue();
  }

  @Test
  void forgetCalls_namesWhatCannotBeRead() throws IOException {
    assertThat(places.forgetCalls((_, _) -> true, /* dryRun= */ false).failed()).isEmpty();
    places.keep(Agent.CODEX, FILE, Place.START);
    Path torn = Files.writeString(data.resolve("transcripts/torn.json"), "{");

    assertThat(places.forgetCalls((_, _) -> true, /* dryRun= */ false).failed())
        .containsOnlyKeys(torn);
  }

  @Test
  void restart_forAnotherWorkspace_staysFollowed() {
    Place place = new Place(7, "state", Optional.of(PROJECT), SHOP, true, true);

    assertThat(place.restart())
        .isEqualTo(new Place(0, "", Optional.empty(), Optional.empty(), true, false));
  }
}
