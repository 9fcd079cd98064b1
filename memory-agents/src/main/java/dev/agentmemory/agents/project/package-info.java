/// Which workspace a directory belongs to.
@NullMarked
package dev.agentmemory.agents.project;

import org.jspecify.annotations.NullMarked;
