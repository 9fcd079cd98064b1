/// Tests of the scanner of files.
@NullMarked
package dev.agentmemory.testkit.bytes;

import org.jspecify.annotations.NullMarked;
