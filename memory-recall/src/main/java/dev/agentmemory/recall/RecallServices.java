package dev.agentmemory.recall;

import dev.agentmemory.spi.SystemServices;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// What all collections of memories of a process share.
///
/// @param secrets a generator that is fit for secrets
/// @param maxClockSkew how far ahead of the clock a memory's time may lie
/// @param mask is applied to everything that is written
public record RecallServices(
    SystemServices system,
    RandomGenerator secrets,
    RecallConfig config,
    Duration maxClockSkew,
    TextMask mask) {}
