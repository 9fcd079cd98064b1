/// Tests of exports.
@NullMarked
package dev.agentmemory.cli.export;

import org.jspecify.annotations.NullMarked;
