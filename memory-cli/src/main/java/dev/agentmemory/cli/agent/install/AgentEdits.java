package dev.agentmemory.cli.agent.install;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.agents.Agent;
import dev.agentmemory.cli.agent.install.HookEvents.HookEvent;
import dev.agentmemory.cli.agent.install.SettingsEdit.Hook;
import dev.agentmemory.cli.agent.install.SettingsEdit.JsonEdit;
import dev.agentmemory.cli.agent.install.SettingsEdit.JsonEntry;
import dev.agentmemory.cli.agent.install.SettingsEdit.Member;
import dev.agentmemory.cli.agent.install.SettingsEdit.Once;
import dev.agentmemory.cli.agent.install.SettingsEdit.OwnFile;
import dev.agentmemory.cli.agent.install.SettingsEdit.TomlBlock;
import dev.agentmemory.cli.terminal.JsonWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What an installation changes in the settings of an agent.
final class AgentEdits {

  /// The name of the MCP server, of the plugin and of its marketplace.
  static final String NAME = "agent-memory";

  private final AgentSite site;
  private final Agent agent;

  private AgentEdits(Agent agent, AgentSite site) {
    this.agent = agent;
    this.site = site;
  }

  static List<SettingsEdit> of(Agent agent, AgentSite site) {
    var edits = new AgentEdits(agent, site);
    return switch (agent) {
      case CLAUDE_CODE -> edits.claude();
      case CODEX -> edits.codex();
      case GEMINI -> edits.gemini();
      case COPILOT -> edits.copilot();
      case CURSOR -> edits.cursor();
      case OPENCODE -> edits.openCode();
    };
  }

  /// Whether an agent can be connected for one project only.
  static boolean hasProjectServer(Agent agent) {
    return agent != Agent.COPILOT;
  }

  private Path folder(String variable, String ofUser, String ofProject) {
    return site.project()
        .map(project -> project.resolve(ofProject))
        .orElseGet(() -> site.ofUser(variable, ofUser));
  }

  // ---- Claude Code -------------------------------------------------------------------------

  /// The plugin itself is in the data directory. Claude Code reads it there when it knows the
  /// marketplace; what it knows is in a file of its own, for the user, whatever the scope. In a
  /// project the local settings are used, because the paths are those of this machine.
  private List<SettingsEdit> claude() {
    Path ofUser = site.ofUser("CLAUDE_CONFIG_DIR", ".claude");
    Path settings =
        site.project()
            .map(project -> project.resolve(".claude").resolve("settings.local.json"))
            .orElseGet(() -> ofUser.resolve("settings.json"));
    ObjectNode source = SettingsJson.object();
    source.put("source", "directory").put("path", site.plugin().toString());
    ObjectNode declared = SettingsJson.object();
    declared.set("source", source);
    ObjectNode known = declared.deepCopy();
    known.put("installLocation", site.plugin().toString());
    known.put("lastUpdated", "2026-01-01T00:00:00.000Z");
    String path = JsonWriter.quoted(site.plugin().toString());
    return List.of(
        new JsonEdit(
            settings,
            List.of(
                new Member(List.of("extraKnownMarketplaces"), NAME, declared, List.of(path)),
                new Member(
                    List.of("enabledPlugins"),
                    NAME + "@" + NAME,
                    JsonNodeFactory.instance.booleanNode(true),
                    List.of()))),
        new JsonEdit(
            ofUser.resolve("plugins").resolve("known_marketplaces.json"),
            List.of(new Member(List.of(), NAME, known, List.of(path)))));
  }

  /// The files of the plugin, by their path in it.
  static List<PluginFile> plugin(AgentSite site, String version) {
    var edits = new AgentEdits(Agent.CLAUDE_CODE, site);
    String about = "Memory of all earlier sessions, traceable to the original words";
    ObjectNode manifest = SettingsJson.object().put("name", NAME).put("version", version);
    manifest.put("description", about).putObject("author").put("name", NAME);
    ObjectNode market = SettingsJson.object().put("name", NAME).put("description", about);
    market.putObject("owner").put("name", NAME);
    market.putArray("plugins").addObject().put("name", NAME).put("source", "./");
    ObjectNode hooks = SettingsJson.object();
    ObjectNode byEvent = hooks.putObject("hooks");
    HookEvents.of(Agent.CLAUDE_CODE)
        .forEach(event -> byEvent.putArray(event.name()).add(edits.group(event, event.seconds())));
    ObjectNode servers = SettingsJson.object();
    servers.putObject("mcpServers").set("memory", edits.server().put("alwaysLoad", true));
    return List.of(
        new PluginFile(".claude-plugin/plugin.json", SettingsJson.pretty(manifest) + "\n"),
        new PluginFile(".claude-plugin/marketplace.json", SettingsJson.pretty(market) + "\n"),
        new PluginFile("hooks/hooks.json", SettingsJson.pretty(hooks) + "\n"),
        new PluginFile(".mcp.json", SettingsJson.pretty(servers) + "\n"),
        new PluginFile("skills/memory/SKILL.md", AgentTexts.read("SKILL.md")));
  }

  /// A file of the plugin.
  record PluginFile(String path, String text) {}

  // ---- the others ---------------------------------------------------------------------------

  private List<SettingsEdit> codex() {
    Path folder = folder("CODEX_HOME", ".codex", ".codex");
    List<String> server = site.server();
    String arguments =
        server.subList(1, server.size()).stream()
            .map(JsonWriter::quoted)
            .collect(Collectors.joining(", ", "[", "]"));
    return List.of(
        new JsonEdit(folder.resolve("hooks.json"), groups(1)),
        new TomlBlock(
            folder.resolve("config.toml"),
            List.of("mcp_servers", NAME),
            List.of("command = " + JsonWriter.quoted(server.getFirst()), "args = " + arguments)));
  }

  private List<SettingsEdit> gemini() {
    Path folder = folder("", ".gemini", ".gemini");
    List<JsonEntry> entries = new ArrayList<>(groups(1000));
    entries.add(member("mcpServers", plainServer()));
    return List.of(new JsonEdit(folder.resolve("settings.json"), entries));
  }

  private List<SettingsEdit> copilot() {
    ObjectNode hooks = SettingsJson.object().put("version", 1);
    ObjectNode byEvent = hooks.putObject("hooks");
    for (HookEvent event : HookEvents.of(agent)) {
      byEvent
          .putArray(event.name())
          .addObject()
          .put("type", "command")
          .put("bash", site.command(agent, event.name()))
          .put("timeoutSec", event.seconds());
    }
    Path folder = folder("COPILOT_HOME", ".copilot", ".github");
    SettingsEdit own =
        new OwnFile(
            folder.resolve("hooks").resolve(NAME + ".json"),
            SettingsJson.pretty(hooks) + "\n",
            "memory-hook");
    if (site.project().isPresent()) {
      return List.of(own);
    }
    ObjectNode server = server().put("type", "local");
    server.set("tools", SettingsJson.array(List.of("*")));
    return List.of(
        own,
        new JsonEdit(folder.resolve("mcp-config.json"), List.of(member("mcpServers", server))));
  }

  private List<SettingsEdit> cursor() {
    Path folder = folder("", ".cursor", ".cursor");
    List<JsonEntry> hooks = new ArrayList<>();
    hooks.add(new Once("version", IntNode.valueOf(1)));
    for (HookEvent event : HookEvents.of(agent)) {
      ObjectNode hook = SettingsJson.object().put("command", site.command(agent, event.name()));
      hooks.add(hook(event, hook.put("timeout", event.seconds())));
    }
    return List.of(
        new JsonEdit(folder.resolve("hooks.json"), hooks),
        new JsonEdit(folder.resolve("mcp.json"), List.of(member("mcpServers", plainServer()))));
  }

  private List<SettingsEdit> openCode() {
    Path ofUser =
        site.variable("OPENCODE_CONFIG_DIR")
            .or(() -> site.variable("XDG_CONFIG_HOME").map(folder -> folder.resolve("opencode")))
            .orElseGet(() -> site.home().resolve(".config").resolve("opencode"));
    Path plugins = site.project().map(project -> project.resolve(".opencode")).orElse(ofUser);
    ObjectNode server = SettingsJson.object().put("type", "local");
    server.set("command", SettingsJson.array(site.server()));
    server.put("enabled", true);
    String code =
        AgentTexts.read("opencode.js")
            .replace("\"@HOOK@\"", JsonWriter.quoted(site.hook().toString()));
    return List.of(
        new OwnFile(plugins.resolve("plugins").resolve(NAME + ".js"), code, "// agent-memory:"),
        new JsonEdit(
            site.project().orElse(ofUser).resolve("opencode.json"),
            List.of(member("mcp", server))));
  }

  // ---- parts ---------------------------------------------------------------------------------

  /// A hook for each event, in the form of Claude Code, which Codex and Gemini share.
  ///
  /// @param unit the timeout of a second
  private List<JsonEntry> groups(int unit) {
    return HookEvents.of(agent).stream()
        .map(event -> hook(event, group(event, event.seconds() * unit)))
        .toList();
  }

  private ObjectNode group(HookEvent event, int timeout) {
    ObjectNode group = SettingsJson.object();
    group
        .putArray("hooks")
        .addObject()
        .put("type", "command")
        .put("command", site.command(agent, event.name()))
        .put("timeout", timeout);
    return group;
  }

  private JsonEntry hook(HookEvent event, ObjectNode value) {
    return new Hook(List.of("hooks", event.name()), value, command(agent));
  }

  /// What the command of each of our hooks of an agent contains.
  static Pattern command(Agent agent) {
    return Pattern.compile("memory-hook'? " + Pattern.quote(agent.id()) + " ");
  }

  /// An entry for the MCP server. It is ours by the launcher, of whatever data directory, and the
  /// command: a server of somebody else may have an argument `mcp`.
  private static JsonEntry member(String path, ObjectNode server) {
    return new Member(List.of(path), NAME, server, List.of("/agents/memory\"", "\"mcp\""));
  }

  private ObjectNode server() {
    return plainServer().put("type", "stdio");
  }

  private ObjectNode plainServer() {
    List<String> words = site.server();
    ObjectNode server = SettingsJson.object().put("command", words.getFirst());
    server.set("args", SettingsJson.array(words.subList(1, words.size())));
    return server;
  }
}
