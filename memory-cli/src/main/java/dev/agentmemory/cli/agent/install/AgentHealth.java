package dev.agentmemory.cli.agent.install;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.api.gateway.AgentCapture;
import dev.agentmemory.api.gateway.CaptureReport;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Whether agents are connected, as far as files tell: their settings, what `memory-hook` has
/// written when it last ran, and the spool.
public final class AgentHealth {

  /// Within this time after an installation nobody needs to have used the agent.
  private static final Duration PATIENCE = Duration.ofDays(1);

  private static final Duration STALE = Duration.ofMinutes(5);

  /// What [CaptureFile#sentence] says when everything is recorded.
  private static final String ON = "on";

  /// End of the name of the file that tells of a hook without an answer.
  private static final String UNANSWERED = ".unanswered";

  private final AgentSite site;
  private final Instant now;

  public AgentHealth(AgentSite site, Instant now) {
    this.site = site;
    this.now = now;
  }

  /// One thing that was looked at.
  ///
  /// @param remedy what to do; empty when it is good
  public record AgentFinding(String name, String found, boolean good, String remedy) {}

  /// The folder in which `memory-hook` leaves a file for each agent.
  static Path last(AgentSite site) {
    return site.folder().resolve("last");
  }

  /// A finding for each agent that is connected or that has settings here.
  ///
  /// @param running whether a daemon runs, which empties the spool
  public List<AgentFinding> look(boolean running) {
    List<AgentFinding> findings = new ArrayList<>();
    for (Agent agent : Agent.values()) {
      look(agent).ifPresent(findings::add);
    }
    if (Files.isDirectory(site.folder())) {
      script().ifPresent(findings::add);
      findings.add(spool(running));
    }
    return List.copyOf(findings);
  }

  /// The same of all agents, for programs.
  public CaptureReport captures(boolean running, String capture) {
    List<AgentCapture> agents = new ArrayList<>();
    for (Agent agent : Agent.values()) {
      agents.add(capture(agent));
    }
    List<Path> waiting = waiting();
    Optional<AgentFinding> stuck = Optional.of(spool(running)).filter(finding -> !finding.good());
    return new CaptureReport(
        capture.equals(ON),
        capture,
        agents,
        new CaptureReport.SpoolState(
            waiting.size(),
            waiting.stream().map(AgentHealth::modified).min(Instant::compareTo),
            rejected(),
            stuck.isEmpty(),
            stuck.map(AgentFinding::remedy).orElse("")));
  }

  private AgentCapture capture(Agent agent) {
    Optional<Looked> looked = looked(agent);
    Path file = last(site).resolve(agent.id());
    Path unanswered = last(site).resolve(agent.id() + UNANSWERED);
    return new AgentCapture(
        agent.id(),
        looked.map(Looked::state).orElse(AgentCapture.State.ABSENT),
        heardAt(agent),
        Optional.of(word(file)).filter(event -> !event.isEmpty()),
        Files.exists(unanswered) ? Optional.of(modified(unanswered)) : Optional.empty(),
        looked.map(one -> one.finding().found()).orElse("no settings here"),
        looked.map(one -> one.finding().good()).orElse(true),
        looked.map(one -> one.finding().remedy()).orElse(""));
  }

  private Optional<AgentFinding> look(Agent agent) {
    return looked(agent).map(Looked::finding);
  }

  /// What was found of an agent.
  private record Looked(AgentCapture.State state, AgentFinding finding) {}

  private Optional<Looked> looked(Agent agent) {
    var installation = new Installation(agent, site);
    try {
      if (installation.isInstalled()) {
        return Optional.of(connected(agent, installation));
      }
      if (installation.isPartlyInstalled()) {
        return Optional.of(
            new Looked(
                AgentCapture.State.PARTLY_CONNECTED,
                bad(
                    agent,
                    "partly connected; some of its files lack our entries",
                    install(agent))));
      }
    } catch (MemoryException e) {
      return Optional.of(
          new Looked(
              AgentCapture.State.UNREADABLE, bad(agent, String.valueOf(e.getMessage()), "")));
    }
    if (AgentFolder.isUsed(site, agent)) {
      return Optional.of(
          new Looked(
              AgentCapture.State.CONNECTED_IN_PROJECTS,
              new AgentFinding(
                  agent.id(), "connected in projects only; " + heard(agent), true, "")));
    }
    boolean here = installation.files().stream().map(Path::getParent).anyMatch(Files::isDirectory);
    return here
        ? Optional.of(
            new Looked(
                AgentCapture.State.NOT_CONNECTED,
                new AgentFinding(
                    agent.id(), "not connected; " + install(agent) + " connects it", true, "")))
        : Optional.empty();
  }

  private static String install(Agent agent) {
    return "memory install " + agent.id();
  }

  private static AgentFinding bad(Agent agent, String found, String remedy) {
    return new AgentFinding(agent.id(), found, false, remedy);
  }

  private Looked connected(Agent agent, Installation installation) {
    Optional<String> off = switchedOff(agent, installation);
    if (off.isPresent()) {
      return new Looked(
          AgentCapture.State.SWITCHED_OFF,
          bad(agent, "connected, but " + off.get(), "change that setting"));
    }
    return new Looked(AgentCapture.State.CONNECTED, running(agent, installation));
  }

  /// A finding for an agent whose hooks run.
  private AgentFinding running(Agent agent, Installation installation) {
    String found = "connected, " + trust(agent, installation) + heard(agent) + unanswered(agent);
    boolean silent =
        heardAt(agent).isEmpty()
            && installation.files().stream()
                .allMatch(file -> modified(file).isBefore(now.minus(PATIENCE)));
    if (silent) {
      String steps = String.join(" ", NextSteps.of(agent, site));
      return bad(agent, found, "use it once; if nothing arrives: " + steps);
    }
    return new AgentFinding(agent.id(), found, true, "");
  }

  /// Settings of the user that keep our hooks from running.
  private static Optional<String> switchedOff(Agent agent, Installation installation) {
    for (Path file : installation.files()) {
      String text = SettingsFile.read(file).text().replaceAll("\\s", "");
      if (agent == Agent.CLAUDE_CODE && text.contains("\"disableAllHooks\":true")) {
        return Optional.of("disableAllHooks is set in " + file);
      }
      if (agent == Agent.CLAUDE_CODE && text.contains("\"agent-memory@agent-memory\":false")) {
        return Optional.of("the plugin is disabled in " + file);
      }
      if (agent == Agent.CODEX && text.contains("hooks=false")) {
        return Optional.of("hooks are switched off in " + file);
      }
    }
    return Optional.empty();
  }

  /// Codex keeps what was reviewed in its configuration; the others keep it for folders.
  private static String trust(Agent agent, Installation installation) {
    if (agent != Agent.CODEX) {
      return "";
    }
    List<Path> files = installation.files();
    return CodexReview.sentence(files.getFirst(), files.getLast()) + ", ";
  }

  private String heard(Agent agent) {
    return heardAt(agent)
        .map(at -> "last event " + ago(at) + event(last(site).resolve(agent.id())))
        .orElse("no event yet");
  }

  private Optional<Instant> heardAt(Agent agent) {
    Path file = last(site).resolve(agent.id());
    return Files.exists(file) ? Optional.of(modified(file)) : Optional.empty();
  }

  private String unanswered(Agent agent) {
    Path file = last(site).resolve(agent.id() + UNANSWERED);
    return Files.exists(file)
        ? "; last failure: no answer in time " + ago(modified(file)) + event(file)
        : "";
  }

  private static String event(Path file) {
    String event = word(file);
    return event.isEmpty() ? "" : " (" + event + ")";
  }

  /// The event that a file of `memory-hook` names; empty if it names none.
  private static String word(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }

  private String ago(Instant time) {
    Duration passed = Duration.between(time, now);
    return passed.toSeconds() < 1 ? "just now" : Format.time(passed) + " ago";
  }

  private static Instant modified(Path file) {
    try {
      return Files.getLastModifiedTime(file).toInstant();
    } catch (IOException e) {
      return Instant.EPOCH;
    }
  }

  /// What all hooks and servers run.
  private Optional<AgentFinding> script() {
    String missing =
        Stream.of(site.hook(), site.launcher())
            .filter(file -> !Files.isExecutable(file))
            .map(Path::toString)
            .collect(Collectors.joining(", "));
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new AgentFinding(
                "agents",
                "missing, or leading to nothing: " + missing,
                false,
                "install again, for each agent: "
                    + Arrays.stream(Agent.values())
                        .filter(agent -> AgentFolder.isUsed(site, agent))
                        .map(AgentHealth::install)
                        .collect(Collectors.joining(", "))));
  }

  private AgentFinding spool(boolean running) {
    List<Path> waiting = waiting();
    int rejected = rejected();
    Instant oldest =
        waiting.stream().map(AgentHealth::modified).min(Instant::compareTo).orElse(now);
    boolean stuck = running && oldest.isBefore(now.minus(STALE));
    String found =
        (waiting.isEmpty()
                ? "empty"
                : String.format(
                    Locale.ROOT, "%,d waiting, the oldest %s", waiting.size(), ago(oldest)))
            + (rejected == 0
                ? ""
                : ", %,d rejected as incomplete or too large".formatted(rejected));
    return new AgentFinding(
        "spool", found, !stuck, stuck ? "the daemon does not read it; see its log" : "");
  }

  private List<Path> waiting() {
    return files(site.data().resolve("spool"), ".hook");
  }

  private int rejected() {
    return files(site.data().resolve("spool").resolve("rejected"), "").size();
  }

  private static List<Path> files(Path folder, String end) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(end)).toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
