package dev.agentmemory.recall.extract;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.recall.extract.LabelledTurn.Expected;
import dev.agentmemory.recall.internal.grammar.ClauseShape;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/// Fits the weights of [KindModel] and shows how well they carry over to turns that were not
/// fitted.
///
/// ```
/// WeightFit check SAMPLE          halves of the sample by seed: fitted to one, counted on the other
/// WeightFit show SAMPLE           the same for one seed, with what is wrong
/// WeightFit curve SAMPLE          all turns in folds: figures by the threshold, for both sources
/// WeightFit errors SAMPLE         what is wrong in the folds, at the thresholds that are chosen
/// WeightFit write SAMPLE FILE     fits to the sample and the development turns
/// WeightFit judge SAMPLE          figures of the weights that are shipped
/// ```
///
/// SAMPLE is the path of a sample of the benchmark, or several of them with commas between. The
/// turns of further authors ([LabelledTurn#mixed]) count as part of the sample.
///
/// The model is fitted by maximum a posteriori. A weight is held near what is known before, more
/// strongly where a feature says less by itself.
final class WeightFit {

  private static final double TARGET = Double.parseDouble(System.getProperty("target", "0.76"));
  private static final double RIDGE = Double.parseDouble(System.getProperty("ridge", "0.5"));
  private static final double FUNCTION = Double.parseDouble(System.getProperty("has", "6"));
  private static final double CLASS = Double.parseDouble(System.getProperty("class", "3"));
  private static final double SHAPE = Double.parseDouble(System.getProperty("shape", "2"));
  private static final double ASSISTANT = Double.parseDouble(System.getProperty("assist", "3"));
  private static final double PRIOR = Double.parseDouble(System.getProperty("prior", "1"));
  private static final double WORDING = Double.parseDouble(System.getProperty("wording", "7"));
  private static final int REPEATED = 5;
  private static final int ROUNDS = 500;
  private static final double STEP = 0.3;
  private static final double LEAST = 0.02;
  private static final int SEEDS = 5;
  private static final int FOLDS = 8;

  private static final Set<LabelledTurn> HARD = new HashSet<>(LabelledTurn.development());
  private static final double[] RIDGES = ridges();
  private static final double[][] PRIORS = priors();

  private static final Map<String, Integer> WORDINGS = new TreeMap<>();

  private final PrintStream out;

  private WeightFit(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] args) throws IOException {
    var fit = new WeightFit(System.out);
    var samples = new ArrayList<LabelledTurn>();
    for (String file : args[1].split(",", -1)) {
      samples.addAll(LabelledTurn.sample(Path.of(file)));
    }
    if (args[0].equals("judge")) {
      fit.out.println(Counts.of(samples, KindModel.shipped()));
      return;
    }
    List<LabelledTurn> sample = joined(samples, LabelledTurn.mixed());
    fit.learnWordings(joined(sample, LabelledTurn.development()));
    switch (args[0]) {
      case "check" -> fit.check(sample, SEEDS, false);
      case "show" -> fit.check(sample, 1, true);
      case "curve" -> fit.curve(sample);
      case "errors" -> fit.errors(sample);
      case "write" -> fit.write(sample, Path.of(args[2]));
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  /// Gives an index behind those of the features to each wording that several sentences have.
  private void learnWordings(List<LabelledTurn> turns) {
    var counts = new TreeMap<String, Integer>();
    for (LabelledTurn turn : turns) {
      List<TurnSentence> sentences = TurnReader.read(turn.speaker(), turn.text());
      for (int i = 0; i < sentences.size(); i++) {
        Wordings.of(sentences.get(i), sentences, i)
            .forEach(name -> counts.merge(name, 1, Integer::sum));
      }
    }
    counts.forEach((name, count) -> {
      if (count >= REPEATED) {
        WORDINGS.put(name, FeatureNames.size() + WORDINGS.size());
      }
    });
    out.println(WORDINGS.size() + " wordings");
  }

  private static int size() {
    return FeatureNames.size() + WORDINGS.size();
  }

  private static double held(int index, double weight, int kind) {
    if (index < FeatureNames.size()) {
      return RIDGES[index] * (weight - PRIORS[kind][index]);
    }
    return index < size() ? WORDING * weight : 0;
  }

  private static double[] ridges() {
    double[] ridges = new double[FeatureNames.size()];
    for (int i = 0; i < FeatureNames.size(); i++) {
      String name = FeatureNames.name(i);
      boolean assistant = i > FeatureNames.ASSISTANT;
      String own = assistant ? name.substring("assistant ".length()) : name;
      ridges[i] = RIDGE * ridge(own) * (assistant ? ASSISTANT : 1);
    }
    return ridges;
  }

  private static double ridge(String name) {
    if (name.startsWith("cue ")) {
      return 1;
    }
    if (name.startsWith("has ") || name.startsWith("opens ")) {
      return FUNCTION;
    }
    return name.startsWith("word ") || name.contains("verb ") ? CLASS : SHAPE;
  }

  /// What is known of weights: the wordings that are nearly certain, and those that speak against
  /// any statement.
  private static double[][] priors() {
    double[][] priors = new double[3][FeatureNames.size()];
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

  /// Found, false and missed statements by kind.
  private static final class Counts {

    final int[][] kinds = new int[3][3];

    static Counts of(List<LabelledTurn> turns, KindModel model) {
      var counts = new Counts();
      turns.forEach(turn -> counts.add(turn, model));
      return counts;
    }

    List<String> add(LabelledTurn turn, KindModel model) {
      var wrong = new ArrayList<String>();
      var missed = new ArrayList<>(turn.expected());
      for (ExtractedStatement got :
          StatementExtractor.extract(turn.speaker(), turn.text(), model)) {
        boolean right =
            missed.removeIf(one -> one.kind() == got.kind() && one.isIn(got.start(), got.end()));
        kinds[KindModel.KINDS.indexOf(got.kind())][right ? 0 : 1]++;
        if (!right) {
          wrong.add("FALSE " + got.kind() + ": " + got.text());
        }
      }
      for (Expected one : missed) {
        kinds[KindModel.KINDS.indexOf(one.kind())][2]++;
        wrong.add("MISSED " + one.kind() + ": " + turn.text().substring(one.start(), one.end()));
      }
      return wrong;
    }

    int sum(int column) {
      return kinds[0][column] + kinds[1][column] + kinds[2][column];
    }

    /// F1, less where the precision is below the target.
    double score() {
      double precision = share(sum(0), sum(1));
      double recall = share(sum(0), sum(2));
      return 2 * precision * recall / Math.max(0.001, precision + recall)
          - 3 * Math.max(0, TARGET - precision);
    }

    private static double share(int part, int rest) {
      return part / (double) Math.max(1, part + rest);
    }

    @Override
    public String toString() {
      var line = new StringBuilder(figures(sum(0), sum(1), sum(2)));
      for (int kind = 0; kind < 3; kind++) {
        int[] of = kinds[kind];
        line.append("   ").append(KindModel.KINDS.get(kind)).append(' ');
        line.append(figures(of[0], of[1], of[2]));
      }
      return line.toString();
    }

    private static String figures(int found, int wrong, int missed) {
      return String.format(
          Locale.ROOT,
          "P %.3f R %.3f (%d/%d/%d)",
          share(found, wrong),
          share(found, missed),
          found,
          wrong,
          missed);
    }
  }

  private void check(List<LabelledTurn> sample, int seeds, boolean show) {
    List<LabelledTurn> development = LabelledTurn.development();
    var all = new Counts();
    for (int seed = 1; seed <= seeds; seed++) {
      var shuffled = new ArrayList<>(sample);
      Collections.shuffle(shuffled, new Random(seed));
      List<LabelledTurn> one = shuffled.subList(0, shuffled.size() / 2);
      List<LabelledTurn> other = shuffled.subList(shuffled.size() / 2, shuffled.size());
      var counts = new Counts();
      count(other, fit(joined(one, development)), List.of(counts, all), show);
      count(one, fit(joined(other, development)), List.of(counts, all), show);
      out.println("seed " + seed + ": " + counts);
    }
    out.println("halves: " + all);
    KindModel foreign = fit(development);
    out.println(
        "sample, fitted to the development turns: "
            + Counts.of(sample, foreign)
            + Arrays.toString(foreign.thresholds())
            + foreign.slack());
  }

  private void curve(List<LabelledTurn> sample) {
    List<LabelledTurn> development = LabelledTurn.development();
    var shuffled = new ArrayList<>(joined(sample, development));
    Collections.shuffle(shuffled, new Random(7));
    List<double[][]> models = folds(shuffled);
    for (double value = 0.4; value < 0.91; value += 0.05) {
      out.printf(Locale.ROOT, "%.2f %s%n", value, counts(shuffled, models, value, sample)[0]);
    }
    for (int source = 0; source < 3; source++) {
      var line = new StringBuilder();
      for (double precision : new double[] {0.8, 0.85, 0.9}) {
        double best = 0;
        for (double value = 0.3; value < 0.95; value += 0.02) {
          Counts counts = counts(shuffled, models, value, sample)[source];
          double p = Counts.share(counts.sum(0), counts.sum(1));
          best = p >= precision ? Math.max(best, Counts.share(counts.sum(0), counts.sum(2))) : best;
        }
        line.append(String.format(Locale.ROOT, "  R %.3f at P %.2f", best, precision));
      }
      out.println(List.of("all", "sample", "development").get(source) + line);
    }
  }

  private void errors(List<LabelledTurn> sample) {
    var shuffled = new ArrayList<>(joined(sample, LabelledTurn.development()));
    Collections.shuffle(shuffled, new Random(7));
    Thresholds accepted = thresholds(shuffled);
    List<double[][]> models = folds(shuffled);
    var counts = new Counts();
    for (int i = 0; i < shuffled.size(); i++) {
      KindModel model = model(models.get(i % FOLDS), accepted);
      count(List.of(shuffled.get(i)), model, List.of(counts), /* show= */ true);
    }
    out.println(counts);
  }

  private static Counts[] counts(
      List<LabelledTurn> turns, List<double[][]> models, double value, List<LabelledTurn> sample) {
    var accepted = new Thresholds(new double[] {value, value, value}, 0.05);
    Counts[] counts = {new Counts(), new Counts(), new Counts()};
    for (int i = 0; i < turns.size(); i++) {
      KindModel model = model(models.get(i % FOLDS), accepted);
      counts[0].add(turns.get(i), model);
      counts[sample.contains(turns.get(i)) ? 1 : 2].add(turns.get(i), model);
    }
    return counts;
  }

  private void count(List<LabelledTurn> turns, KindModel model, List<Counts> counts, boolean show) {
    for (LabelledTurn turn : turns) {
      for (Counts of : counts) {
        List<String> wrong = of.add(turn, model);
        if (show && of == counts.getFirst() && !wrong.isEmpty()) {
          wrong.forEach(out::println);
          out.println("    of " + turn.speaker() + ": " + turn.text());
        }
      }
    }
  }

  private static List<LabelledTurn> joined(List<LabelledTurn> some, List<LabelledTurn> more) {
    var all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }

  private void write(List<LabelledTurn> sample, Path file) throws IOException {
    KindModel model = fit(joined(sample, LabelledTurn.development()));
    out.println("fitted: " + Counts.of(sample, model));
    var lines = new ArrayList<String>();
    lines.add("# The weights of the features of a sentence. WeightFit of the tests writes them.");
    lines.add("");
    lines.add("# What a probability must reach, for decision, preference and finding.");
    lines.add("[threshold]");
    lines.add(row(model.thresholds()));
    lines.add("");
    lines.add("# How much less suffices where a turn has no such statement.");
    lines.add("[slack]");
    lines.add(String.format(Locale.ROOT, "%.2f", model.slack()));
    lines.add("");
    lines.add("# What every score begins with.");
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
    lines.add("");
    lines.add("# The same for words and their order.");
    lines.add("[wording]");
    for (String name : WORDINGS.keySet()) {
      double[] weights = model.wording(name);
      if (Arrays.stream(weights).anyMatch(weight -> Math.abs(weight) >= LEAST)) {
        lines.add(row(weights) + " " + name);
      }
    }
    Files.write(file, lines);
  }

  private static String row(double[] numbers) {
    return String.format(Locale.ROOT, "%.2f %.2f %.2f", numbers[0], numbers[1], numbers[2]);
  }

  /// A sentence with its label: the index of its kind, 3 for none.
  @SuppressWarnings("ArrayRecordComponent")
  private record Unit(int[] indexes, float[] values, int label) {}

  /// @param strong by the kind
  @SuppressWarnings("ArrayRecordComponent")
  private record Thresholds(double[] strong, double slack) {

    Thresholds with(int kind, double value) {
      double[] moved = strong.clone();
      moved[kind] = value;
      return new Thresholds(moved, slack);
    }
  }

  private static KindModel fit(List<LabelledTurn> turns) {
    return model(weights(turns), thresholds(turns));
  }

  private static KindModel model(double[][] all, Thresholds accepted) {
    int bias = size();
    double[] biases = {all[0][bias], all[1][bias], all[2][bias]};
    double[][] weights =
        Arrays.stream(all)
            .map(row -> Arrays.copyOf(row, FeatureNames.size()))
            .toArray(double[][]::new);
    var wordings = new HashMap<String, double[]>();
    WORDINGS.forEach(
        (name, i) -> wordings.put(name, new double[] {all[0][i], all[1][i], all[2][i]}));
    return new KindModel(accepted.strong(), accepted.slack(), biases, weights, wordings);
  }

  /// The best thresholds on folds that were not fitted, found one after the other.
  private static Thresholds thresholds(List<LabelledTurn> turns) {
    var shuffled = new ArrayList<>(turns);
    Collections.shuffle(shuffled, new Random(7));
    List<double[][]> models = folds(shuffled);
    var chosen = new Thresholds(new double[] {0.6, 0.6, 0.7}, 0.05);
    double best = score(shuffled, models, chosen);
    for (int round = 0; round < 2; round++) {
      for (int kind = 0; kind < 4; kind++) {
        double low = kind < 3 ? 0.4 : 0;
        double high = kind < 3 ? 0.91 : 0.26;
        for (double value = low; value < high; value += 0.05) {
          Thresholds moved =
              kind < 3 ? chosen.with(kind, value) : new Thresholds(chosen.strong(), value);
          double score = score(shuffled, models, moved);
          if (score > best) {
            best = score;
            chosen = moved;
          }
        }
      }
    }
    return chosen;
  }

  /// Weights for each fold, fitted to the others.
  private static List<double[][]> folds(List<LabelledTurn> shuffled) {
    var models = new ArrayList<double[][]>();
    for (int fold = 0; fold < FOLDS; fold++) {
      var fitted = new ArrayList<LabelledTurn>();
      for (int i = 0; i < shuffled.size(); i++) {
        if (i % FOLDS != fold) {
          fitted.add(shuffled.get(i));
        }
      }
      models.add(weights(fitted));
    }
    return models;
  }

  private static double score(
      List<LabelledTurn> turns, List<double[][]> models, Thresholds accepted) {
    List<KindModel> folds = models.stream().map(all -> model(all, accepted)).toList();
    var counts = new Counts();
    // Most development turns are hard on purpose, so they would ask for thresholds that are too
    // high.
    for (int i = 0; i < turns.size(); i++) {
      if (!HARD.contains(turns.get(i))) {
        counts.add(turns.get(i), folds.get(i % FOLDS));
      }
    }
    return counts.sum(0) + counts.sum(2) == 0 ? 0 : counts.score();
  }

  /// The weights of each kind, its bias last. Each is moved by a step that shrinks with the slopes
  /// that it has had.
  private static double[][] weights(List<LabelledTurn> turns) {
    List<Unit> units = turns.stream().flatMap(turn -> units(turn).stream()).toList();
    int bias = size();
    double[][] weights = new double[3][bias + 1];
    double[][] squares = new double[3][bias + 1];
    for (int round = 0; round < ROUNDS; round++) {
      double[][] slopes = slopes(units, weights);
      for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i <= bias; i++) {
          double slope = slopes[kind][i] + held(i, weights[kind][i], kind);
          squares[kind][i] += slope * slope;
          if (squares[kind][i] > 0) {
            weights[kind][i] -= STEP * slope / Math.sqrt(squares[kind][i]);
          }
        }
      }
    }
    return weights;
  }

  private static double[][] slopes(List<Unit> units, double[][] weights) {
    int bias = size();
    double[][] slopes = new double[3][bias + 1];
    for (Unit unit : units) {
      double[] probabilities = probabilities(weights, unit);
      for (int kind = 0; kind < 3; kind++) {
        double error = probabilities[kind] - (unit.label() == kind ? 1 : 0);
        slopes[kind][bias] += error;
        for (int i = 0; i < unit.indexes().length; i++) {
          slopes[kind][unit.indexes()[i]] += error * unit.values()[i];
        }
      }
    }
    return slopes;
  }

  private static double[] probabilities(double[][] weights, Unit unit) {
    double[] all = new double[3];
    double sum = 1;
    for (int kind = 0; kind < 3; kind++) {
      double score = weights[kind][size()];
      for (int i = 0; i < unit.indexes().length; i++) {
        score += weights[kind][unit.indexes()[i]] * unit.values()[i];
      }
      all[kind] = Math.exp(Math.min(30, score));
      sum += all[kind];
    }
    for (int kind = 0; kind < 3; kind++) {
      all[kind] /= sum;
    }
    return all;
  }

  private static List<Unit> units(LabelledTurn turn) {
    var units = new ArrayList<Unit>();
    boolean spoken =
        turn.speaker() == TurnSpeaker.PERSON || turn.speaker() == TurnSpeaker.ASSISTANT;
    List<TurnSentence> sentences =
        spoken ? TurnReader.read(turn.speaker(), turn.text()) : List.of();
    for (int i = 0; i < sentences.size(); i++) {
      if (StatementExtractor.isCandidate(sentences.get(i), turn.text())) {
        for (TurnSentence part : parts(sentences.get(i), turn)) {
          units.add(unit(turn, sentences, i, part));
        }
      }
    }
    return units;
  }

  private static Unit unit(
      LabelledTurn turn, List<TurnSentence> sentences, int at, TurnSentence part) {
    float[] values = SentenceFeatures.of(part, sentences, at, turn.speaker(), turn.text());
    int[] indexes = new int[size()];
    float[] set = new float[size()];
    int count = 0;
    for (int i = 0; i < values.length; i++) {
      if (values[i] != 0) {
        indexes[count] = i;
        set[count++] = values[i];
      }
    }
    for (String name : Wordings.of(part, sentences, at)) {
      Integer index = WORDINGS.get(name);
      if (index != null) {
        indexes[count] = index;
        set[count++] = 1;
      }
    }
    int label = 3;
    for (Expected one : turn.expected()) {
      if (one.isMostlyIn(part.start(), part.end())) {
        label = KindModel.KINDS.indexOf(one.kind());
      }
    }
    return new Unit(Arrays.copyOf(indexes, count), Arrays.copyOf(set, count), label);
  }

  /// Two parts where a sentence has two statements of different kinds.
  private static List<TurnSentence> parts(TurnSentence sentence, LabelledTurn turn) {
    List<Expected> in =
        turn.expected().stream()
            .filter(one -> one.isMostlyIn(sentence.start(), sentence.end()))
            .toList();
    List<MemoryKind> kinds = in.stream().map(Expected::kind).distinct().toList();
    if (kinds.size() < 2) {
      return List.of(sentence);
    }
    List<ClauseShape> clauses = sentence.clauses();
    for (int i = 1; i < clauses.size(); i++) {
      int border = clauses.get(i - 1).end();
      int place = sentence.tokens().get(border).start();
      if (in.getFirst().end() <= place + 1 && in.getLast().start() >= place) {
        return List.of(sentence.part(0, border), sentence.part(border, sentence.tokens().size()));
      }
    }
    return List.of();
  }
}
