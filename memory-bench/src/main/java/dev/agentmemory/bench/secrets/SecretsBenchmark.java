package dev.agentmemory.bench.secrets;

import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.text.secret.SecretMask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/// The share of secrets that are masked, the share of look-alikes that are masked too, and the
/// cost.
///
/// Of `second`, which is for judging only, nothing but totals is put out.
public final class SecretsBenchmark implements Benchmark {

  private static final List<String> SAMPLES =
      List.of("first", "second", "third", "fourth", "fifth", "sixth", "seventh");

  /// The samples by which rules may be improved.
  private static final Set<String> TUNED =
      Set.of("first", "third", "fourth", "fifth", "sixth", "seventh");

  /// How often each line is generated.
  private static final int TIMES = 20;

  private static final double BAR_RECALL = 0.97;
  private static final double BAR_FALSE = 0.01;
  private static final double BAR_PROSE = 3;
  private static final double BAR_JSON = 6;

  /// The sample to judge by; all without it.
  private static final String SAMPLE = "sample";

  /// The file for what is wrong in the samples by which rules may be improved.
  private static final String WRONG = "wrong";

  @Override
  public String name() {
    return "secrets";
  }

  @Override
  public String shows() {
    return "share of secrets and of look-alikes that are masked; us per 500 characters";
  }

  @Override
  public Result run(Site site) throws IOException {
    var mask = new SecretMask();
    var checks = new ArrayList<Check>();
    var rows = new ArrayList<Result.Row>();
    for (String sample : samples()) {
      judge(sample, mask, checks, rows);
    }
    Measured prose = MaskedTexts.micros(mask, MaskedTexts.prose());
    Measured json = MaskedTexts.micros(mask, MaskedTexts.json());
    checks.add(Check.atMost(BAR_PROSE, "500 characters of prose", prose.median(), "us"));
    checks.add(Check.atMost(BAR_JSON, "500 characters of JSON", json.median(), "us"));
    rows.add(new Result.Row("500 characters of prose", "us", prose));
    rows.add(new Result.Row("500 characters of JSON", "us", json));
    return new Result(
        name(),
        checks,
        rows,
        List.of(
            "each line of a sample is generated %d times; a secret counts as masked if no character of it remains"
                .formatted(TIMES)));
  }

  private static List<String> samples() {
    String chosen = System.getProperty(SAMPLE, "");
    if (!chosen.isEmpty() && !SAMPLES.contains(chosen)) {
      throw new IllegalArgumentException(
          "-D" + SAMPLE + "=" + chosen + " is no sample; choose one of " + SAMPLES);
    }
    return chosen.isEmpty() ? SAMPLES : List.of(chosen);
  }

  private static void judge(
      String sample, SecretMask mask, List<Check> checks, List<Result.Row> rows)
      throws IOException {
    List<SampleLine> lines = SampleLine.read(sample);
    int secrets = 0;
    int masked = 0;
    int lookalikes = 0;
    int changed = 0;
    Map<String, Integer> wrong = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      SampleLine line = lines.get(i);
      int right = right(line, mask, new SplittableRandom(i));
      if (line.secret()) {
        secrets++;
        masked += right;
      } else {
        lookalikes++;
        changed += TIMES - right;
      }
      if (right < TIMES) {
        wrong.put(line.shape() + "\t" + line.text().replace("\n", "\\n"), TIMES - right);
      }
    }
    write(sample, wrong);
    checks.add(
        Check.atLeast(
            BAR_RECALL, sample + ": secrets masked", (double) masked / secrets / TIMES, "ratio"));
    checks.add(
        Check.atMost(
            BAR_FALSE,
            sample + ": look-alikes masked",
            (double) changed / lookalikes / TIMES,
            "ratio"));
    rows.add(Result.Row.of(sample + ": shapes of secrets", "", secrets));
    rows.add(Result.Row.of(sample + ": look-alikes", "", lookalikes));
  }

  /// How often a line is masked as it should be.
  private static int right(SampleLine line, SecretMask mask, SplittableRandom random) {
    int right = 0;
    for (int time = 0; time < TIMES; time++) {
      SampleText text = line.generated(random);
      String masked = mask.apply(text.shown());
      right += (line.secret() ? text.hides(masked) : masked.equals(text.shown())) ? 1 : 0;
    }
    return right;
  }

  private static void write(String sample, Map<String, Integer> wrong) throws IOException {
    String file = System.getProperty(WRONG, "");
    if (TUNED.contains(sample) && !file.isEmpty()) {
      Files.write(
          Path.of(file),
          wrong.entrySet().stream().map(one -> one.getValue() + "\t" + one.getKey()).toList(),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
  }
}
