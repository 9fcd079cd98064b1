package dev.agentmemory.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test that runs with this number of new seeds and takes a [java.util.random.RandomGenerator]. A
/// failure names its seed; `-Dseed=` runs that one alone.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(SeedRuns.class)
public @interface Seeds {

  /// How many seeds.
  int value();
}
