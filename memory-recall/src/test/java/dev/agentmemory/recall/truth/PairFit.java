package dev.agentmemory.recall.truth;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Random;

/// Fits the weights of [PairModel] and shows how well they carry over to pairs that were not
/// fitted.
///
/// ```
/// PairFit check SAMPLE          halves of all pairs by seed: fitted to one, counted on the other
/// PairFit show SAMPLE           what is wrong in the halves, for one seed
/// PairFit write SAMPLE FILE     fits to the sample and the development pairs
/// ```
final class PairFit {

  private static final double RIDGE = Double.parseDouble(System.getProperty("ridge", "1"));
  private static final double TARGET = Double.parseDouble(System.getProperty("target", "0.92"));
  private static final int ROUNDS = 800;
  private static final int SEEDS = 5;
  private static final int FOLDS = 8;

  private final PrintStream out;

  private PairFit(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] args) throws IOException {
    var fit = new PairFit(System.out);
    List<LabelledPair> sample = LabelledPair.sample(Path.of(args[1]));
    switch (args[0]) {
      case "check" -> fit.check(sample, false);
      case "show" -> fit.check(sample, true);
      case "write" -> fit.write(sample, Path.of(args[2]));
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private final class Counts {
    int found;
    int wrong;
    int missed;

    Counts add(List<LabelledPair> pairs, PairModel model, boolean show) {
      for (LabelledPair pair : pairs) {
        boolean said =
            Contradiction.between(pair.older(), pair.newer(), OptionalDouble.empty(), model)
                == StatementRelation.SUPERSEDES;
        found += said && pair.supersedes() ? 1 : 0;
        wrong += said && !pair.supersedes() ? 1 : 0;
        missed += !said && pair.supersedes() ? 1 : 0;
        if (show && said != pair.supersedes()) {
          print(said ? "FALSE" : "MISSED", pair, model);
        }
      }
      return this;
    }

    double precision() {
      return found / (double) Math.max(1, found + wrong);
    }

    double recall() {
      return found / (double) Math.max(1, found + missed);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "P %.3f R %.3f (%d/%d/%d)", precision(), recall(), found, wrong, missed);
    }
  }

  private void print(String what, LabelledPair pair, PairModel model) {
    double[] features = PairFeatures.of(pair.older(), pair.newer());
    out.printf(
        Locale.ROOT,
        "%s %.2f%n  %s%n  %s%n ",
        what,
        model.probability(features),
        pair.older().text(),
        pair.newer().text());
    for (PairFeature feature : PairFeature.values()) {
      double value = features[feature.index()];
      if (value != 0) {
        out.printf(Locale.ROOT, " %s %.2f*%.2f", feature, value, model.weight(feature));
      }
    }
    out.println();
  }

  private void check(List<LabelledPair> sample, boolean show) {
    List<LabelledPair> development = LabelledPair.development();
    List<LabelledPair> pairs = joined(sample, development);
    var all = new Counts();
    for (int seed = 1; seed <= (show ? 1 : SEEDS); seed++) {
      var shuffled = new ArrayList<>(pairs);
      Collections.shuffle(shuffled, new Random(seed));
      int half = shuffled.size() / 2;
      List<LabelledPair> one = shuffled.subList(0, half);
      List<LabelledPair> other = shuffled.subList(half, shuffled.size());
      PairModel byOne = fit(one);
      PairModel byOther = fit(other);
      out.println(
          "seed "
              + seed
              + " held out: "
              + new Counts().add(other, byOne, show)
              + " "
              + new Counts().add(one, byOther, show));
      all.add(other, byOne, false).add(one, byOther, false);
    }
    out.println("halves: " + all);
    out.println(
        "sample, fitted to development only: " + new Counts().add(sample, fit(development), false));
  }

  private static List<LabelledPair> joined(List<LabelledPair> one, List<LabelledPair> other) {
    var all = new ArrayList<>(one);
    all.addAll(other);
    return all;
  }

  private void write(List<LabelledPair> sample, Path file) throws IOException {
    PairModel model = fit(joined(sample, LabelledPair.development()));
    out.println("fitted: " + new Counts().add(sample, model, true));
    var lines = new ArrayList<String>();
    lines.add(
        "# The weights of the features of a pair. PairFit of the tests fits and writes them.");
    lines.add("");
    lines.add("# What a probability has to reach.");
    lines.add("[threshold]");
    lines.add(String.format(Locale.ROOT, "%.2f", model.accepted));
    lines.add("");
    lines.add("# What every score begins with.");
    lines.add("[bias]");
    lines.add(String.format(Locale.ROOT, "%.2f", model.bias()));
    lines.add("");
    lines.add("# What a feature adds to the score.");
    lines.add("[weight]");
    for (PairFeature feature : PairFeature.values()) {
      String name = feature.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      lines.add(String.format(Locale.ROOT, "%.2f %s", model.weight(feature), name));
    }
    Files.write(file, lines);
  }

  private PairModel fit(List<LabelledPair> pairs) {
    double best = -1;
    double chosen = 0.5;
    var shuffled = new ArrayList<>(pairs);
    Collections.shuffle(shuffled, new Random(7));
    var models = new ArrayList<PairModel>();
    for (int fold = 0; fold < FOLDS; fold++) {
      var fitted = new ArrayList<LabelledPair>();
      for (int i = 0; i < shuffled.size(); i++) {
        if (i % FOLDS != fold) {
          fitted.add(shuffled.get(i));
        }
      }
      models.add(weights(fitted, 0.5));
    }
    for (double accepted = 0.3; accepted < 0.85; accepted += 0.05) {
      var counts = new Counts();
      for (int i = 0; i < shuffled.size(); i++) {
        counts.add(List.of(shuffled.get(i)), with(models.get(i % FOLDS), accepted), false);
      }
      double p = counts.precision();
      double r = counts.recall();
      double score = 2 * p * r / Math.max(0.001, p + r) - 2 * Math.max(0, TARGET - p);
      if (score > best) {
        best = score;
        chosen = accepted;
      }
    }
    return weights(pairs, chosen);
  }

  private static PairModel with(PairModel model, double accepted) {
    double[] weights = new double[PairFeature.values().length];
    for (PairFeature feature : PairFeature.values()) {
      weights[feature.index()] = model.weight(feature);
    }
    return new PairModel(accepted, model.bias(), weights);
  }

  private static PairModel weights(List<LabelledPair> pairs, double accepted) {
    int size = PairFeature.values().length;
    double[] weights = new double[size + 1];
    double[] squares = new double[size + 1];
    List<double[]> features =
        pairs.stream().map(pair -> PairFeatures.of(pair.older(), pair.newer())).toList();
    for (int round = 0; round < ROUNDS; round++) {
      double[] slope = new double[size + 1];
      for (int i = 0; i < pairs.size(); i++) {
        double score = weights[size];
        for (int j = 0; j < size; j++) {
          score += weights[j] * features.get(i)[j];
        }
        double error = 1 / (1 + Math.exp(-score)) - (pairs.get(i).supersedes() ? 1 : 0);
        slope[size] += error;
        for (int j = 0; j < size; j++) {
          slope[j] += error * features.get(i)[j];
        }
      }
      for (int j = 0; j <= size; j++) {
        double s = slope[j] + (j == size ? 0 : RIDGE * weights[j]);
        squares[j] += s * s;
        weights[j] -= squares[j] == 0 ? 0 : 0.3 * s / Math.sqrt(squares[j]);
      }
    }
    return new PairModel(accepted, weights[size], java.util.Arrays.copyOf(weights, size));
  }
}
