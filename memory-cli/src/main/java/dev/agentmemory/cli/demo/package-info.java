/// The output of `memory demo`.
@NullMarked
package dev.agentmemory.cli.demo;

import org.jspecify.annotations.NullMarked;
