package dev.agentmemory.bench.toc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// What people wrote about a session.
///
/// @param summary in sentences; may be empty
/// @param observations the keys of the turns that support each fact; none of the sets is empty
record Reference(String session, String summary, List<Set<String>> observations) {

  private static final ObjectMapper JSON = new ObjectMapper();

  Reference {
    Objects.requireNonNull(session, "session");
    Objects.requireNonNull(summary, "summary");
    observations = observations.stream().map(Set::copyOf).toList();
  }

  /// Reads one reference per line: `{session_id, summary, observations: [{evidence: [event_key,
  /// ...]}]}`. An observation without evidence is skipped, and so is a session without any other.
  static List<Reference> read(Path file) throws IOException {
    var references = new ArrayList<Reference>();
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank()) {
          references.add(reference(JSON.readTree(line)));
        }
      }
    }
    references.removeIf(reference -> reference.observations.isEmpty());
    return references;
  }

  private static Reference reference(JsonNode line) {
    var observations = new ArrayList<Set<String>>();
    for (JsonNode observation : line.path("observations")) {
      var evidence = new HashSet<String>();
      observation.path("evidence").forEach(key -> evidence.add(key.asText()));
      observations.add(evidence);
    }
    observations.removeIf(Set::isEmpty);
    String session = line.path("session_id").asText();
    return new Reference(session, line.path("summary").asText(""), observations);
  }

  /// All turns that support a fact.
  Set<String> evidence() {
    var all = new HashSet<String>();
    observations.forEach(all::addAll);
    return all;
  }
}
