@NullMarked
package dev.agentmemory.wire;

import org.jspecify.annotations.NullMarked;
