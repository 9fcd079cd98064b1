/// What the table of contents tells about sessions of coding agents.
@NullMarked
package dev.agentmemory.bench.digest;

import org.jspecify.annotations.NullMarked;
