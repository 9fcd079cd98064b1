/// Tests of the testkit.
@NullMarked
package dev.agentmemory.testkit;

import org.jspecify.annotations.NullMarked;
