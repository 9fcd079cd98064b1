package dev.agentmemory.bench.console.page;

import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import java.util.ArrayList;
import java.util.List;

/// What the parts of the benchmark measured, in the order of the parts.
public final class ConsoleFigures {

  private final List<Check> checks = new ArrayList<>();
  private final List<Result.Row> rows = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  public void atMost(double bar, String name, double value, String unit) {
    checks.add(Check.atMost(bar, name, value, unit));
  }

  public void atLeast(double bar, String name, double value, String unit) {
    checks.add(Check.atLeast(bar, name, value, unit));
  }

  public void row(String label, String unit, Measured measured) {
    rows.add(new Result.Row(label, unit, measured));
  }

  public void row(String label, String unit, double value) {
    rows.add(Result.Row.of(label, unit, value));
  }

  /// How something was measured, or what was found.
  public void note(String text) {
    notes.add(text);
  }

  public Result result(String name) {
    return new Result(name, checks, rows, notes);
  }
}
