/// What `memory demo` shows.
@NullMarked
package dev.agentmemory.cli.demo;

import org.jspecify.annotations.NullMarked;
