/// Tests of the provider that stands in for real ones.
@NullMarked
package dev.agentmemory.testkit.provider;

import org.jspecify.annotations.NullMarked;
