/// Real agents, offline, with our installation: what is stored of scripted sessions, and what they
/// cost.
@NullMarked
package dev.agentmemory.bench.agents;

import org.jspecify.annotations.NullMarked;
