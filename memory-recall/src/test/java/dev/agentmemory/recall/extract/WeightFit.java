package dev.agentmemory.recall.extract;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.recall.internal.grammar.ClauseShape;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/// Fits the weights of [KindModel] and shows how well they carry over to turns that were not fitted.
///
/// ```
/// WeightFit check SAMPLE          halves of the sample by seed: fitted to one, counted on the other
/// WeightFit show SAMPLE           what is wrong in the halves, for one seed
/// WeightFit write SAMPLE FILE     fits to the sample and the development turns
/// ```
final class WeightFit {

  private static final double RIDGE = Double.parseDouble(System.getProperty("ridge", "2"));
  private static final double HAS = Double.parseDouble(System.getProperty("has", "4"));
  private static final double WORDR = Double.parseDouble(System.getProperty("wordr", "3"));
  private static final double ASSIST = Double.parseDouble(System.getProperty("assist", "3"));

  private static final double PRIOR = Double.parseDouble(System.getProperty("prior", "2"));

  /// How strongly the weight of a feature is held near 0. What says less by itself is held closer.
  private static final double[] RIDGES = ridges();
  private static final int ROUNDS = 600;
  private static final double LEAST = 0.02;
  private static final int SEEDS = 5;
  private static final int FOLDS = 8;

  private final PrintStream out;

  /// What is known of weights before anything is fitted: the wordings that are nearly certain, and
  /// those that speak against any statement.
  private static final double[][] PRIORS = priors();

  private static double[][] priors() {
    double[][] priors = new double[3][FeatureNames.size() + 1];
    List<String> certain = List.of("decision", "preference", "finding");
    for (int kind = 0; kind < 3; kind++) {
      for (int other = 0; other < 3; other++) {
        int cue = FeatureNames.index("cue " + certain.get(other) + " certain");
        priors[kind][cue] = (kind == other ? 1 : -0.2) * PRIOR;
      }
      for (String against :
          List.of("hedge", "hypothetical", "undecided", "reported", "general", "temporary")) {
        priors[kind][FeatureNames.index("cue " + against)] = -0.4 * PRIOR;
      }
    }
    return priors;
  }

  private static double[] ridges() {
    double[] ridges = new double[FeatureNames.size() + 1];
    for (int i = 0; i < FeatureNames.size(); i++) {
      String name = FeatureNames.name(i);
      boolean assistant = i > FeatureNames.ASSISTANT;
      String own = assistant ? name.substring("assistant ".length()) : name;
      double base =
          own.startsWith("cue ") ? 1
              : own.startsWith("has ") || own.startsWith("opens ") ? HAS
              : own.startsWith("word ") || own.contains("verb ") ? WORDR
              : 2;
      ridges[i] = RIDGE * base * (assistant ? ASSIST : 1);
    }
    return ridges;
  }

  private WeightFit(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] args) throws IOException {
    var fit = new WeightFit(System.out);
    List<LabelledTurn> sample = LabelledTurn.sample(Path.of(args[1]));
    switch (args[0]) {
      case "check" -> fit.check(sample, false);
      case "show" -> fit.check(sample, true);
      case "count" -> fit.out.println(Counts.of(sample, KindModel.shipped()));
      case "write" -> fit.write(sample, Path.of(args[2]));
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  /// Found, false and missed statements.
  private static final class Counts {
    final int[][] kinds = new int[3][3];

    static Counts of(List<LabelledTurn> turns, KindModel model) {
      var counts = new Counts();
      turns.forEach(turn -> counts.add(turn, model, null));
      return counts;
    }

    void add(LabelledTurn turn, KindModel model, PrintStream out) {
      var missed = new ArrayList<>(turn.expected());
      for (ExtractedStatement got :
          StatementExtractor.extract(turn.speaker(), turn.text(), model)) {
        int kind = KindModel.KINDS.indexOf(got.kind());
        boolean right =
            missed.removeIf(one ->
                one.kind() == got.kind() && one.isIn(got.start(), got.end()));
        kinds[kind][right ? 0 : 1]++;
        if (!right && out != null) {
          out.println("FALSE " + got.kind() + ": " + got.text() + "\n      of: " + turn.text());
        }
      }
      for (LabelledTurn.Expected one : missed) {
        kinds[KindModel.KINDS.indexOf(one.kind())][2]++;
        if (out != null) {
          out.println("MISSED " + one.kind() + ": " + turn.text().substring(one.start(), one.end())
              + "\n      of: " + turn.text());
        }
      }
    }

    int sum(int column) {
      return kinds[0][column] + kinds[1][column] + kinds[2][column];
    }

    @Override
    public String toString() {
      var line = new StringBuilder();
      line.append(figures(sum(0), sum(1), sum(2)));
      for (int kind = 0; kind < 3; kind++) {
        int[] of = kinds[kind];
        line.append("   ").append(KindModel.KINDS.get(kind)).append(' ');
        line.append(figures(of[0], of[1], of[2]));
      }
      return line.toString();
    }

    private static String figures(int found, int wrong, int missed) {
      return String.format(
          Locale.ROOT, "P %.3f R %.3f (%d/%d/%d)", found / (double) Math.max(1, found + wrong),
          found / (double) Math.max(1, found + missed), found, wrong, missed);
    }
  }

  private void check(List<LabelledTurn> sample, boolean show) {
    List<LabelledTurn> development = LabelledTurn.development();
    var all = new Counts();
    for (int seed = 1; seed <= (show ? 1 : SEEDS); seed++) {
      var shuffled = new ArrayList<>(sample);
      Collections.shuffle(shuffled, new Random(seed));
      int half = shuffled.size() / 2;
      var counts = new Counts();
      for (int side = 0; side < 2; side++) {
        List<LabelledTurn> fitted =
            new ArrayList<>(side == 0 ? shuffled.subList(0, half) : shuffled.subList(half, shuffled.size()));
        List<LabelledTurn> counted =
            side == 0 ? shuffled.subList(half, shuffled.size()) : shuffled.subList(0, half);
        fitted.addAll(development);
        KindModel model = fit(fitted);
        counted.forEach(turn -> counts.add(turn, model, show ? out : null));
        counted.forEach(turn -> all.add(turn, model, null));
      }
      out.println("seed " + seed + ": " + counts);
    }
    out.println("halves: " + all);
    KindModel other = fit(development);
    out.println("sample, fitted to development only " + other.strong + " " + other.weak + ": "
        + Counts.of(sample, other));
    for (double t = 0.4; t < 0.86; t += 0.05) {
      KindModel moved = model(other.bias(), other, t, t - 0.1);
      out.printf(Locale.ROOT, "%.2f: %s%n", t, Counts.of(sample, moved));
    }
    KindModel model = fit(sample);
    out.println("development, fitted to sample only: " + Counts.of(development, model));
  }

  private void write(List<LabelledTurn> sample, Path file) throws IOException {
    var turns = new ArrayList<>(sample);
    turns.addAll(LabelledTurn.development());
    KindModel model = fit(turns);
    out.println("fitted: " + Counts.of(sample, model));
    var lines = new ArrayList<String>();
    lines.add("# The weights of the features of a sentence. WeightFit of the tests fits and writes them.");
    lines.add("");
    lines.add("# What a probability has to reach: in any case, and where a turn has no such statement.");
    lines.add("[threshold]");
    lines.add(String.format(Locale.ROOT, "%.2f %.2f", model.strong, model.weak));
    lines.add("");
    lines.add("# For decision, preference and finding, as all that follow: what every score begins with.");
    lines.add("[bias]");
    lines.add(row(model.bias()));
    lines.add("");
    lines.add("# What a feature adds to the score.");
    lines.add("[weight]");
    for (int i = 0; i < FeatureNames.size(); i++) {
      double[] weights = model.weights(i);
      if (Arrays.stream(weights).anyMatch(weight -> Math.abs(weight) >= LEAST)) {
        lines.add(row(weights) + " " + FeatureNames.name(i));
      }
    }
    Files.write(file, lines);
  }

  private static String row(double[] numbers) {
    return String.format(Locale.ROOT, "%.2f %.2f %.2f", numbers[0], numbers[1], numbers[2]);
  }

  /// A part of a turn with its label: the index of its kind, 3 for none.
  private record Unit(int[] indexes, float[] values, int label) {}

  private static KindModel fit(List<LabelledTurn> turns) {
    double[] accepted = thresholds(turns);
    double[][] all = weights(turns);
    return model(all, accepted[0], accepted[1]);
  }

  private static KindModel model(double[] bias, KindModel of, double strong, double weak) {
    double[][] weights = new double[3][FeatureNames.size()];
    for (int i = 0; i < FeatureNames.size(); i++) {
      for (int kind = 0; kind < 3; kind++) {
        weights[kind][i] = of.weights(i)[kind];
      }
    }
    return new KindModel(strong, weak, bias, weights);
  }

  private static KindModel model(double[][] all, double strong, double weak) {
    int bias = FeatureNames.size();
    double[] biases = {all[0][bias], all[1][bias], all[2][bias]};
    return new KindModel(
        strong, weak, biases, Arrays.stream(all).map(row -> Arrays.copyOf(row, bias)).toArray(double[][]::new));
  }

  /// The thresholds that give the best F1 at a precision of at least 0.9, on folds that were not
  /// fitted.
  private static double[] thresholds(List<LabelledTurn> turns) {
    var models = new ArrayList<double[][]>();
    var shuffled = new ArrayList<>(turns);
    Collections.shuffle(shuffled, new Random(7));
    for (int fold = 0; fold < FOLDS; fold++) {
      var fitted = new ArrayList<LabelledTurn>();
      for (int i = 0; i < shuffled.size(); i++) {
        if (i % FOLDS != fold) {
          fitted.add(shuffled.get(i));
        }
      }
      models.add(weights(fitted));
    }
    double best = -1;
    double[] chosen = {0.6, 0.5};
    for (double strong = 0.4; strong < 0.85; strong += 0.05) {
      for (double weak = Math.max(0.3, strong - 0.3); weak <= strong + 0.001; weak += 0.05) {
        var counts = new Counts();
        for (int i = 0; i < shuffled.size(); i++) {
          counts.add(shuffled.get(i), model(models.get(i % FOLDS), strong, weak), null);
        }
        double precision = counts.sum(0) / (double) Math.max(1, counts.sum(0) + counts.sum(1));
        double recall = counts.sum(0) / (double) Math.max(1, counts.sum(0) + counts.sum(2));
        double score = 2 * precision * recall / (precision + recall) - 3 * Math.max(0, TARGET - precision);
        if (score > best) {
          best = score;
          chosen = new double[] {strong, weak};
        }
      }
    }
    return chosen;
  }

  private static final double TARGET = Double.parseDouble(System.getProperty("target", "0.9"));

  private static double[][] weights(List<LabelledTurn> turns) {
    var units = new ArrayList<Unit>();
    turns.forEach(turn -> addUnits(turn, units));
    int bias = FeatureNames.size();
    double[][] weights = new double[3][bias + 1];
    double[][] squares = new double[3][bias + 1];
    for (int round = 0; round < ROUNDS; round++) {
      double[][] slope = new double[3][bias + 1];
      for (Unit unit : units) {
        double[] p = probabilities(weights, unit);
        for (int kind = 0; kind < 3; kind++) {
          double error = p[kind] - (unit.label() == kind ? 1 : 0);
          slope[kind][bias] += error;
          for (int i = 0; i < unit.indexes().length; i++) {
            slope[kind][unit.indexes()[i]] += error * unit.values()[i];
          }
        }
      }
      for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i <= bias; i++) {
          double ridge = RIDGES[i];
          double s = slope[kind][i] + ridge * (weights[kind][i] - PRIORS[kind][i]);
          squares[kind][i] += s * s;
          if (squares[kind][i] > 0) {
            weights[kind][i] -= 0.3 * s / Math.sqrt(squares[kind][i]);
          }
        }
      }
    }
    return weights;
  }

  private static double[] probabilities(double[][] weights, Unit unit) {
    double[] p = new double[3];
    double sum = 1;
    for (int kind = 0; kind < 3; kind++) {
      double score = weights[kind][weights[kind].length - 1];
      for (int i = 0; i < unit.indexes().length; i++) {
        score += weights[kind][unit.indexes()[i]] * unit.values()[i];
      }
      p[kind] = Math.exp(Math.min(30, score));
      sum += p[kind];
    }
    for (int kind = 0; kind < 3; kind++) {
      p[kind] /= sum;
    }
    return p;
  }

  private static void addUnits(LabelledTurn turn, List<Unit> units) {
    if (turn.speaker() == TurnSpeaker.TOOL || turn.speaker() == TurnSpeaker.PROGRAM) {
      return;
    }
    List<TurnSentence> sentences = TurnReader.read(turn.speaker(), turn.text());
    for (int i = 0; i < sentences.size(); i++) {
      TurnSentence sentence = sentences.get(i);
      if (!StatementExtractor.isCandidate(sentence)) {
        continue;
      }
      List<TurnSentence> parts = parts(sentence, turn);
      for (TurnSentence part : parts) {
        units.add(unit(turn, sentences, i, part));
      }
    }
  }

  private static Unit unit(
      LabelledTurn turn, List<TurnSentence> sentences, int at, TurnSentence part) {
    float[] values = SentenceFeatures.of(part, sentences, at, turn.speaker(), turn.text());
    int[] indexes = new int[values.length];
    float[] set = new float[values.length];
    int count = 0;
    for (int i = 0; i < values.length; i++) {
      if (values[i] != 0) {
        indexes[count] = i;
        set[count++] = values[i];
      }
    }
    int label = 3;
    for (LabelledTurn.Expected one : turn.expected()) {
      if (one.overlap(part.start(), part.end()) * 2 >= one.end() - one.start()
          || one.overlap(part.start(), part.end()) * 10 >= 9 * (part.end() - part.start())) {
        label = KindModel.KINDS.indexOf(one.kind());
      }
    }
    return new Unit(Arrays.copyOf(indexes, count), Arrays.copyOf(set, count), label);
  }

  /// Two parts where a sentence has two statements of different kinds.
  private static List<TurnSentence> parts(TurnSentence sentence, LabelledTurn turn) {
    List<LabelledTurn.Expected> in =
        turn.expected().stream()
            .filter(one -> one.overlap(sentence.start(), sentence.end()) * 2 >= one.end() - one.start())
            .toList();
    List<MemoryKind> kinds = in.stream().map(LabelledTurn.Expected::kind).distinct().toList();
    if (kinds.size() < 2) {
      return List.of(sentence);
    }
    List<ClauseShape> clauses = sentence.clauses();
    for (int i = 1; i < clauses.size(); i++) {
      int border = clauses.get(i - 1).end();
      int place = sentence.tokens().get(border).start();
      if (in.getFirst().end() <= place + 1 && in.getLast().start() >= place) {
        return List.of(
            sentence.part(0, border), sentence.part(border, sentence.tokens().size()));
      }
    }
    return List.of();
  }
}
