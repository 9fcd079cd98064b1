import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// Run by `mutants`: reads the reports of PIT and compares the mutants that no test kills with the
/// table of accepted ones in docs/testing.md.
///
/// A row of that table accepts a number of mutants of one method and one mutator, so it holds when
/// lines move, and a new survivor beside accepted ones is noticed.
class Mutants {

  private static final Pattern ROW =
      Pattern.compile("\\| `([^`]+)#([^`]+)` \\| `(\\w+)` \\| (\\d+) \\| ([^|]+) \\|");
  private static final Pattern LAMBDA = Pattern.compile("lambda\\$(.+)\\$\\d+");
  private static final String PACKAGES = "dev.agentmemory.";

  private final Map<Spot, Integer> accepted = new TreeMap<>();
  private final Map<Spot, List<Mutant>> survivors = new TreeMap<>();
  private final TreeSet<String> mutated = new TreeSet<>();

  /// Where a mutant is, without its line.
  private record Spot(String type, String method, String mutator) implements Comparable<Spot> {

    @Override
    public int compareTo(Spot other) {
      return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
      return type + "#" + method + " " + mutator;
    }
  }

  private record Mutant(Spot spot, int line, String status, String description) {

    private static Mutant of(Element mutation) {
      String name = text(mutation, "mutatedMethod");
      Matcher lambda = LAMBDA.matcher(name);
      String mutator = text(mutation, "mutator");
      return new Mutant(
          new Spot(
              text(mutation, "mutatedClass").replace(PACKAGES, "").replace('$', '.'),
              lambda.matches() ? lambda.group(1) : name,
              mutator.substring(mutator.lastIndexOf('.') + 1).replaceFirst("Mutator", "")),
          Integer.parseInt(text(mutation, "lineNumber")),
          mutation.getAttribute("status"),
          text(mutation, "description"));
    }

    private boolean isAlive() {
      return status.equals("SURVIVED") || status.equals("NO_COVERAGE");
    }

    private static String text(Element parent, String tag) {
      return parent.getElementsByTagName(tag).item(0).getTextContent();
    }
  }

  /// Run in the folder of the checkout.
  ///
  /// @param args docs/testing.md, then folders of modules with a report each
  public static void main(String[] args) throws Exception {
    var mutants = new Mutants();
    mutants.readAccepted(Path.of(args[0]));
    for (int i = 1; i < args.length; i++) {
      mutants.readReport(Path.of(args[i]));
    }
    System.exit(mutants.tell() ? 0 : 1);
  }

  private void readAccepted(Path page) throws IOException {
    for (String line : Files.readAllLines(page)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        var spot = new Spot(row.group(1), row.group(2), row.group(3));
        if (!hasSource(spot.type)) {
          throw new IllegalArgumentException(page + " accepts " + spot + ": there is no such class");
        }
        if (accepted.put(spot, Integer.valueOf(row.group(4))) != null) {
          throw new IllegalArgumentException(page + " accepts " + spot + " twice");
        }
      }
    }
  }

  /// Whether there is a file for the class or for one that it is nested in.
  private static boolean hasSource(String type) {
    String module = "memory-" + type.substring(0, type.indexOf('.'));
    String name = type.replace('.', '/');
    while (name.contains("/")) {
      if (Files.exists(Path.of(module, "src/main/java/dev/agentmemory", name + ".java"))) {
        return true;
      }
      name = name.substring(0, name.lastIndexOf('/'));
    }
    return false;
  }

  private void readReport(Path module) throws Exception {
    Path report = module.resolve("target").resolve("pit-reports").resolve("mutations.xml");
    if (!Files.exists(report)) {
      System.out.printf("%s: no class of it was changed%n", module.getFileName());
      return;
    }
    NodeList found =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(report.toFile())
            .getElementsByTagName("mutation");
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (int i = 0; i < found.getLength(); i++) {
      Mutant mutant = Mutant.of((Element) found.item(i));
      counts.merge(mutant.status, 1, Integer::sum);
      mutated.add(mutant.spot.type);
      if (mutant.isAlive()) {
        survivors.computeIfAbsent(mutant.spot, _ -> new ArrayList<>()).add(mutant);
      }
    }
    int survived = counts.getOrDefault("SURVIVED", 0);
    int uncovered = counts.getOrDefault("NO_COVERAGE", 0);
    System.out.printf(
        "%s: %d mutants, %d killed (%d of them by a timeout), %d survived, %d run by no test%n",
        module.getFileName(),
        found.getLength(),
        found.getLength() - survived - uncovered,
        counts.getOrDefault("TIMED_OUT", 0),
        survived,
        uncovered);
  }

  /// @return whether every survivor is accepted
  private boolean tell() {
    int open = 0;
    for (Map.Entry<Spot, List<Mutant>> at : survivors.entrySet()) {
      int allowed = accepted.getOrDefault(at.getKey(), 0);
      if (at.getValue().size() > allowed) {
        open += at.getValue().size() - allowed;
        System.out.printf("%s: %d, accepted %d%n", at.getKey(), at.getValue().size(), allowed);
        for (Mutant mutant : at.getValue()) {
          System.out.printf(
              "    line %d: %s (%s)%n", mutant.line, mutant.description, mutant.status);
        }
      }
    }
    accepted.forEach((spot, count) -> {
      int alive = survivors.getOrDefault(spot, List.of()).size();
      if (mutated.contains(spot.type) && alive < count) {
        System.out.printf("%s: accepted %d, only %d survive; lower the number%n", spot, count, alive);
      }
    });
    System.out.printf(
        open == 0 ? "All survivors are accepted.%n" : "%d survivors are not accepted.%n", open);
    return open == 0;
  }
}
