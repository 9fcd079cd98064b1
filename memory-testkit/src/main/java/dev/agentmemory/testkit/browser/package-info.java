/// A real Chromium, driven over its debugging protocol, for tests of pages and for benchmarks.
@NullMarked
package dev.agentmemory.testkit.browser;

import org.jspecify.annotations.NullMarked;
