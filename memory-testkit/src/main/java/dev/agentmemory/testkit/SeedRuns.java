package dev.agentmemory.testkit;

import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/// Runs a [Seeds] test once for each seed.
final class SeedRuns implements TestTemplateInvocationContextProvider {

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return true;
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    Long given = Long.getLong("seed");
    if (given != null) {
      return Stream.of(new SeedRun(given));
    }
    int count = context.getRequiredTestMethod().getAnnotation(Seeds.class).value();
    LongStream seeds = new Random().longs(count, 0, Long.MAX_VALUE);
    return seeds.mapToObj(SeedRun::new);
  }

  /// One run.
  private record SeedRun(long seed)
      implements TestTemplateInvocationContext, ParameterResolver, TestExecutionExceptionHandler {

    @Override
    public String getDisplayName(int invocation) {
      return "seed " + seed;
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(this);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == RandomGenerator.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return new SplittableRandom(seed);
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure)
        throws Throwable {
      failure.addSuppressed(new AssertionError("replay with -Dseed=" + seed));
      throw failure;
    }
  }
}
