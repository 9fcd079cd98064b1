/// A stand-in for the services of models that coding agents call: it plays a script.
@NullMarked
package dev.agentmemory.bench.agents.model;

import org.jspecify.annotations.NullMarked;
